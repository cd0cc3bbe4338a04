"""What a decision is tied to: files and symbols by id, with a fingerprint of their text.

The fingerprint tells later whether the code a decision speaks of is still the code it was made for.
"""

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agrama.errors import AccessDeniedError, ToolError
from agrama.graph.model import Kind
from agrama.graph.names import choose_named
from agrama.jail import normalize_path, read_beneath

if TYPE_CHECKING:
    from agrama.graph.model import Symbol
    from agrama.graph.snapshot import Snapshot

Link = dict[str, Any]


def make_links(
    root: Path, snapshot: "Snapshot | None", paths: list[str], symbols: list[str]
) -> list[Link]:
    """One link per distinct target, in the order given. An unknown target is kept, marked."""
    links = [_link_path(root, path) for path in paths]
    links += [_link_symbol(root, snapshot, name) for name in symbols]
    return list({link["target"]: link for link in links}.values())


def _link_path(root: Path, path: str) -> Link:
    target = normalize_path(root, path)
    if (root / target).is_dir():
        return {"target": target.rstrip("/") + "/"}
    content = _read(root, target)
    if content is None:
        return {"target": target, "unresolved": True}
    return {"target": target, "hash": _hash(content)}


def _link_symbol(root: Path, snapshot: "Snapshot | None", name: str) -> Link:
    symbol = _find_symbol(snapshot, name)
    if symbol is None or symbol.path is None:
        return {"target": name, "unresolved": True, "symbol": True}
    text = _symbol_text(root, snapshot, symbol)
    return {"target": symbol.id} if text is None else {"target": symbol.id, "hash": _hash(text)}


def _find_symbol(snapshot: "Snapshot | None", name: str) -> "Symbol | None":
    if snapshot is None:
        return None
    symbol = snapshot.symbol(name)
    if symbol is None:
        found = choose_named(snapshot.find(name, limit=5), name)
        symbol = found[0] if len(found) == 1 else None
    return symbol


def find_staleness(root: Path, snapshot: "Snapshot | None", links: list[Link]) -> str | None:
    """Why the code no longer is what the decision was made for, or None."""
    for link in links:
        reason = _staleness(root, snapshot, link)
        if reason is not None:
            return reason
    return None


def _staleness(root: Path, snapshot: "Snapshot | None", link: Link) -> str | None:
    target, known = link["target"], link.get("hash")
    if known is None:
        return None
    path, _, name = target.partition("::")
    if not name:
        content = _read(root, path)
        if content is None:
            return f"{path} is gone"
        return None if _hash(content) == known else f"{path} changed since the decision"
    if not (root / path).exists():
        return f"{target} is gone with its file"
    if snapshot is None:
        return None
    symbol = snapshot.symbol(target)
    if symbol is None:
        return f"{target} is gone"
    text = _symbol_text(root, snapshot, symbol)
    if text is None:
        return f"{path} changed and is not indexed again yet"
    return None if _hash(text) == known else f"{target} changed since the decision"


def _symbol_text(root: Path, snapshot: "Snapshot | None", symbol: "Symbol") -> bytes | None:
    """The lines of a symbol as the index knows them; None when the file moved on since."""
    path = symbol.path
    if path is None or snapshot is None:
        return None
    entry, content = snapshot.file(path), _read(root, path)
    if entry is None or content is None:
        return None
    status = os.lstat(root / path)
    if (status.st_mtime_ns, status.st_size) != (entry.mtime_ns, entry.size):
        return None
    if symbol.kind is Kind.FILE:
        return content
    return b"".join(content.splitlines(keepends=True)[symbol.body_line - 1 : symbol.end_line])


def _read(root: Path, path: str) -> bytes | None:
    try:
        return read_beneath(root, path)
    except (AccessDeniedError, ToolError, FileNotFoundError):
        return None


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
