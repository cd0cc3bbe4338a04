"""Finds symbols by name: exact, whatever the case, qualified, by prefix, by its letters.

The name index holds lower-case names in order, so exact and prefix are range scans; only the last
resort, names that contain the letters of the query in order, walks the whole index.
"""

from collections.abc import Iterable, Iterator

from agrama.graph import keys
from agrama.graph.format import decode_symbol
from agrama.graph.model import Symbol
from agrama.graph.store import Reader

_SCAN_LIMIT = 2_000  # candidates of one name; `get` alone has hundreds in a large repository
_FUZZY_SHORTEST = 3


def find_symbols(reader: Reader, query: str, limit: int) -> list[Symbol]:
    """The best matches first; a qualified query (`Class.method`, `a::b`) matches by its end."""
    wanted = query.strip().removesuffix("()").replace("::", ".").replace("#", ".").strip(".")
    if not wanted or limit <= 0:
        return []
    if whole := _read(reader, query.strip()):
        return [whole]
    last = wanted.rpartition(".")[2]
    found = {symbol.id: symbol for symbol in _named(reader, last)}
    matches = [symbol for symbol in found.values() if _ends_with(symbol, wanted)]
    if not matches and "." not in wanted:
        matches = list(_prefixed(reader, wanted))
    if not matches and len(last) >= _FUZZY_SHORTEST:
        if "." not in wanted:
            matches = list(_containing(reader, wanted, limit))
        else:
            owner = wanted.removesuffix("." + last)
            near = _containing(reader, last, _SCAN_LIMIT)
            matches = [symbol for symbol in near if _belongs_to(symbol, owner)]
    matches.sort(key=lambda symbol: _order(symbol, wanted))
    return matches[:limit]


def _read(reader: Reader, symbol_id: str) -> Symbol | None:
    node = reader.get(keys.IDS, keys.text_key(symbol_id))
    row = None if node is None else reader.get(keys.NODES, bytes(node))
    return None if row is None else decode_symbol(row)


def _named(reader: Reader, name: str) -> Iterator[Symbol]:
    yield from _scan(reader, keys.text_key(name.lower()) + b"\x00")


def _prefixed(reader: Reader, name: str) -> Iterator[Symbol]:
    yield from _scan(reader, name.lower().encode())


def _scan(reader: Reader, prefix: bytes) -> Iterator[Symbol]:
    for count, (key, _) in enumerate(reader.scan(keys.NAMES, prefix)):
        if count >= _SCAN_LIMIT:
            return
        row = reader.get(keys.NODES, bytes(key[-4:]))
        if row is not None:
            yield decode_symbol(row)


def _containing(reader: Reader, name: str, limit: int) -> Iterator[Symbol]:
    """Symbols a slip of the pen away, then those with its letters in order, shortest spread first."""
    whole = name.lower().encode()
    letters = whole.replace(b"_", b"")
    spreads: list[tuple[int, bytes, bytes]] = []
    for key, _ in reader.scan(keys.NAMES):
        text = bytes(key[:-5])
        spread = -1 if _is_slip(text, whole) else _spread(text, letters)
        if spread is not None:
            spreads.append((spread, text, bytes(key[-4:])))
    for _, _, node in sorted(spreads)[:limit]:
        row = reader.get(keys.NODES, node)
        if row is not None:
            yield decode_symbol(row)


def _is_slip(text: bytes, wanted: bytes) -> bool:
    """Whether one letter too many, too few or wrong, or two swapped, makes one of the other."""
    longer = len(text) - len(wanted)
    if not -1 <= longer <= 1:
        return False
    pairs = enumerate(zip(text, wanted, strict=False))
    head = next((at for at, (a, b) in pairs if a != b), min(len(text), len(wanted)))
    rest, asked = text[head:], wanted[head:]
    if longer:
        return rest[1:] == asked if longer > 0 else rest == asked[1:]
    swapped = rest[:2] == asked[:2][::-1] and rest[2:] == asked[2:]
    return swapped or rest[1:] == asked[1:]


def _belongs_to(symbol: Symbol, owner: str) -> bool:
    holder = symbol.qualified_name.rpartition(".")[0].lower()
    asked = owner.lower()
    return holder == asked or holder.endswith("." + asked)


def _spread(text: bytes, letters: bytes) -> int | None:
    """How far apart the letters lie in the text, None when they do not all occur in order."""
    start = at = text.find(letters[:1])
    if at < 0:
        return None
    for letter in letters[1:]:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
    return at - start + len(text) // 8


def _ends_with(symbol: Symbol, wanted: str) -> bool:
    name, asked = symbol.qualified_name.lower(), wanted.lower()
    return name == asked or name.endswith("." + asked) or symbol.name.lower() == asked


def _order(symbol: Symbol, wanted: str) -> tuple[object, ...]:
    """Same case before other case, whole name before prefix, types and functions before variables."""
    exact = symbol.name == wanted or symbol.qualified_name.endswith("." + wanted)
    same = symbol.name.lower() == wanted.lower()
    return (
        not exact,
        not same,
        symbol.path is None,
        len(symbol.name),
        _KIND_ORDER.get(symbol.kind.label, 5),
        symbol.path or "",
        symbol.start_line,
        symbol.id,
    )


_KIND_ORDER = {"class": 0, "function": 1, "method": 1, "file": 2, "module": 2, "variable": 3}


def choose_named(found: Iterable[Symbol], name: str) -> list[Symbol]:
    """Those among candidates that bear a name, or end in its parts; the repository's own before others."""
    wanted = name.removesuffix("()").replace("::", ".")
    exact = [
        symbol
        for symbol in found
        if wanted in (symbol.name, symbol.qualified_name)
        or symbol.qualified_name.endswith("." + wanted)
    ]
    return [symbol for symbol in exact if symbol.path is not None] or exact
