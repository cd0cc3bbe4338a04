"""read_code: a file or a symbol as it is on disk now, with what the graph knows of it."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import NotIndexedError, ToolError
from agrama.graph.model import EdgeKind, Kind
from agrama.jail import normalize_path, read_beneath
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import (
    BYTES_PER_TOKEN,
    EDGE_SCHEMA,
    STALE_SCHEMA,
    SYMBOL_SCHEMA,
    Budget,
    content_hash,
    describe_edge,
    describe_symbol,
    note_indexing,
)
from agrama.tools.places import find_one
from agrama.tools.shared import SHARED_SCHEMA, add_shared, render_shared

if TYPE_CHECKING:
    from agrama.graph.model import Symbol
    from agrama.graph.snapshot import Edge, Snapshot
    from agrama.workspace import Workspace

# The file's own text comes first; what the graph adds may use what is left, at least this share.
_CONTENT_SHARE = 0.75
_DEPENDENCIES = ("imports", "imported_by", "calls", "called_by")


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    workspace: Workspace = context.services
    snapshot = _snapshot(context)
    symbol = _find_symbol(snapshot, arguments["symbol"]) if "symbol" in arguments else None
    path = _path_of(workspace, arguments, symbol)
    try:
        content = read_beneath(workspace.root, path)
        status = os.lstat(workspace.root / path)
    except (ToolError, FileNotFoundError) as error:
        return _missing(workspace, snapshot, path, error)
    context.depends_on(str(workspace.root / path), status.st_mtime_ns, status.st_size)
    entry = snapshot.file(path) if snapshot else None
    answer: dict[str, Any] = {
        "path": path,
        "exists": True,
        "language": entry.language if entry else None,
        **_cut(_decode(path, content), *_range(arguments, symbol), context.budget_tokens),
        "content_hash": content_hash(content),
    }
    if symbol:
        answer["symbol"] = symbol.id
    budget = Budget(context.budget_tokens)
    budget.spend(len(answer["content"]))
    _add_graph(answer, snapshot, budget, with_dependencies=arguments["include_dependencies"])
    add_shared(
        context,
        answer,
        [path],
        with_decisions=arguments["include_decisions"],
        with_claims=arguments["include_collaborative_context"],
    )
    if entry and workspace.is_stale(entry):
        answer["stale"] = True
        answer["stale_paths"] = [path]
    note_indexing(context, snapshot)
    return ToolResult(structured=answer, text=_render(answer))


def _snapshot(context: Context) -> "Snapshot | None":
    """The index if there is one: a file can be read without."""
    try:
        snapshot: Snapshot = context.snapshot
    except NotIndexedError as error:
        context.meta["agrama/indexing"] = error.message
        context.expire_in(0)
        return None
    return snapshot


def _find_symbol(snapshot: "Snapshot | None", name: str) -> "Symbol":
    if snapshot is None:
        raise NotIndexedError(
            "A symbol can be read once the repository is indexed",
            data={"parameter": "symbol", "hint": "give path instead, or ask again in a moment"},
        )
    symbol = find_one(snapshot, name)
    if symbol.path is None:
        raise ToolError(
            f"{symbol.id} lies outside the repository: there is no source to read",
            data={"parameter": "symbol", "got": name, "hint": "find_references lists its uses"},
        )
    return symbol


def _path_of(workspace: "Workspace", arguments: dict[str, Any], symbol: "Symbol | None") -> str:
    if symbol is not None and symbol.path is not None:
        return symbol.path
    if "path" not in arguments:
        raise ToolError(
            "read_code needs path or symbol",
            data={"parameter": "path", "expected": "path, or symbol", "got": None},
        )
    return normalize_path(workspace.root, arguments["path"])


def _range(arguments: dict[str, Any], symbol: "Symbol | None") -> tuple[int, int | None]:
    first, last = arguments.get("start_line"), arguments.get("end_line")
    if symbol is not None and symbol.kind is not Kind.FILE:
        first, last = first or symbol.body_line, last or symbol.end_line
    first = first or 1
    if last is not None and last < first:
        raise ToolError(
            f"end_line {last} lies before start_line {first}",
            data={"parameter": "end_line", "expected": f"at least {first}", "got": last},
        )
    return first, last


def _decode(path: str, content: bytes) -> str:
    if b"\0" in content[:8192]:
        raise ToolError(
            f"{path} is a binary file: there is no text to read",
            data={"parameter": "path", "got": path},
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _cut(text: str, first: int, last: int | None, budget_tokens: int) -> dict[str, Any]:
    """The lines asked for, as many as the budget takes."""
    lines = text.splitlines(keepends=True)
    end = min(len(lines) if last is None else last, len(lines))
    room = int(budget_tokens * BYTES_PER_TOKEN * _CONTENT_SHARE)
    taken: list[str] = []
    for line in lines[first - 1 : end]:
        room -= len(line.encode("utf-8", "replace"))
        if room < 0 and taken:
            break
        taken.append(line)
    cut: dict[str, Any] = {"content": "".join(taken), "start_line": first}
    if room < 0 and len(taken) == 1:
        # One line alone is over the budget: minified code, data. Its head is all there is to show.
        cut["content"] = taken[0][: int(budget_tokens * _CONTENT_SHARE)]
        cut["cut_line"] = first
    reached = first + len(taken) - 1
    cut |= {"end_line": reached, "total_lines": len(lines)}
    if reached < end:
        cut["next_start_line"] = reached + 1
    return cut


def _add_graph(
    answer: dict[str, Any],
    snapshot: "Snapshot | None",
    budget: Budget,
    *,
    with_dependencies: bool,
) -> None:
    symbols = _symbols_in_range(snapshot, answer) if snapshot else []
    omitted: dict[str, int] = {}
    shown = [symbol for symbol in symbols if symbol.kind is not Kind.FILE]
    answer["symbols"] = budget.take(map(describe_symbol, shown), omitted, "symbols")
    if snapshot and with_dependencies:
        whole = answer["start_line"] == 1 and answer["end_line"] >= answer["total_lines"]
        rows = _dependencies(snapshot, answer["path"], symbols, whole=whole)
        answer["dependencies"] = {
            name: budget.take(rows[name], omitted, name) for name in _DEPENDENCIES
        }
    if omitted:
        answer["omitted"] = omitted


def _symbols_in_range(snapshot: "Snapshot", answer: dict[str, Any]) -> "list[Symbol]":
    first, last = answer["start_line"], answer["end_line"]
    return [
        symbol
        for symbol in snapshot.symbols_in(answer["path"])
        if symbol.body_line <= last and symbol.end_line >= first
    ]


def _dependencies(
    snapshot: "Snapshot", path: str, symbols: "list[Symbol]", *, whole: bool
) -> dict[str, list[dict[str, Any]]]:
    """What the shown code needs and who needs it, one row per far end, outside ends only."""
    calls: list[Edge] = []
    called_by: list[Edge] = []
    for symbol in symbols:
        if symbol.kind is not Kind.FILE or whole:
            calls += snapshot.outgoing(symbol.id, (EdgeKind.CALLS,))
            called_by += snapshot.incoming(symbol.id, (EdgeKind.CALLS,))
    return {
        "imports": _fold(snapshot.outgoing(path, (EdgeKind.IMPORTS,)), path, outgoing=True),
        "imported_by": _fold(snapshot.incoming(path, (EdgeKind.IMPORTS,)), path, outgoing=False),
        "calls": _fold(calls, path, outgoing=True),
        "called_by": _fold(called_by, path, outgoing=False),
    }


def _fold(edges: "Iterable[Edge]", path: str, *, outgoing: bool) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    own = path + "::"
    for edge in edges:
        other = edge.target if outgoing else edge.source
        if other == path or other.startswith(own):
            continue
        row = rows.get(other)
        if row is None:
            rows[other] = {**describe_edge(edge, other), "count": 1}
        else:
            row["count"] += 1
    return sorted(rows.values(), key=lambda row: (-row["confidence"], row["symbol"]))


def _missing(
    workspace: "Workspace", snapshot: "Snapshot | None", path: str, error: Exception
) -> ToolResult:
    if (workspace.root / path).exists():
        raise error
    import difflib

    known = [entry.path for entry in snapshot.files()] if snapshot else []
    similar = difflib.get_close_matches(path, known, n=5, cutoff=0.6)
    name = path.rpartition("/")[2]
    similar += [other for other in known if other.endswith("/" + name) and other not in similar]
    hint = f"; did you mean {', '.join(similar[:5])}?" if similar else ""
    answer = {"path": path, "exists": False, "similar_paths": similar[:5]}
    return ToolResult(structured=answer, text=f"{path} does not exist in the repository{hint}")


def _render(answer: dict[str, Any]) -> str:
    head = f"{answer.get('symbol') or answer['path']} lines {answer['start_line']}-{answer['end_line']} of {answer['total_lines']}"
    parts = [f"{head} ({answer['language'] or 'text'}, hash {answer['content_hash']})"]
    if "stale" in answer:
        parts.append("changed since it was indexed: symbols and dependencies are older")
    parts.append(answer["content"].rstrip("\n"))
    if "cut_line" in answer:
        parts.append(f"(line {answer['cut_line']} is longer than max_tokens: its head is shown)")
    if "next_start_line" in answer:
        parts.append(f"(cut here: continue with start_line={answer['next_start_line']})")
    if answer["symbols"]:
        rows = (f"  {row['kind']} {row['symbol']}:{row['start_line']}" for row in answer["symbols"])
        parts += ["symbols:", *rows]
    for name, rows in answer.get("dependencies", {}).items():
        if rows:
            parts += [f"{name}:", *map(_render_edge, rows)]
    parts += render_shared(answer)
    if "omitted" in answer:
        left = ", ".join(f"{count} {name}" for name, count in answer["omitted"].items())
        parts.append(f"(left out for max_tokens: {left})")
    return "\n".join(parts)


def _render_edge(row: dict[str, Any]) -> str:
    times = f" ×{row['count']}" if row["count"] > 1 else ""
    return f"  {row['symbol']} at {row['path']}:{row['line']} ({row['resolution']} {row['confidence']:.2f}){times}"


_EDGES = {
    "type": "array",
    "items": {
        **EDGE_SCHEMA,
        "properties": {**EDGE_SCHEMA["properties"], "count": {"type": "integer"}},
    },
}

TOOL = Tool(
    name="read_code",
    title="Read code",
    description=(
        "Read a file, a range of its lines, or one symbol, as it is on disk now, with its symbols, "
        "what it imports and calls and who imports and calls it. Start here before editing."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "file, relative to the repository root"},
            "symbol": {
                "type": "string",
                "description": "instead of path: path::Class.method, or a name",
            },
            "start_line": {"type": "integer", "minimum": 1},
            "end_line": {"type": "integer", "minimum": 1},
            "include_dependencies": {"type": "boolean", "default": True},
            "include_decisions": {"type": "boolean", "default": True},
            "include_collaborative_context": {"type": "boolean", "default": True},
            "max_tokens": {"type": "integer", "minimum": 200, "default": 8000},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "exists": {"type": "boolean"},
            "symbol": {"type": "string"},
            "language": {"type": ["string", "null"]},
            "content": {"type": "string"},
            "start_line": {"type": "integer"},
            "end_line": {"type": "integer"},
            "total_lines": {"type": "integer"},
            "next_start_line": {"type": "integer"},
            "cut_line": {"type": "integer"},
            "symbols": {"type": "array", "items": SYMBOL_SCHEMA},
            "dependencies": {
                "type": "object",
                "properties": dict.fromkeys(_DEPENDENCIES, _EDGES),
                "required": list(_DEPENDENCIES),
            },
            "content_hash": {"type": "string"},
            **SHARED_SCHEMA,
            **STALE_SCHEMA,
            "similar_paths": {"type": "array", "items": {"type": "string"}},
            "omitted": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["path", "exists"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    cacheable=True,
    aliases={"file_path": "path"},
)
