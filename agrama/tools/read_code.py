"""read_code: a file or a symbol as it is on disk now, with what the graph knows of it."""

import os
from collections.abc import Sequence
from functools import partial
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
    SYMBOL_SCHEMA,
    Budget,
    content_hash,
    describe_neighbour,
    describe_symbol,
    estimate_edge,
)
from agrama.tools.coverage import COVERAGE_SCHEMA, add_coverage, render_coverage
from agrama.tools.freshness import STALE_SCHEMA, note_indexing, renew
from agrama.tools.places import find_one, near_paths
from agrama.tools.query_history import COMMIT_SCHEMA, describe_commit, render_commit
from agrama.tools.reading import cut_text, decode, draw_outline, number_lines
from agrama.tools.shared import SHARED_SCHEMA, add_shared, depend_on_head, render_shared

if TYPE_CHECKING:
    from agrama.graph.model import Symbol
    from agrama.graph.neighbours import Neighbour
    from agrama.graph.snapshot import Snapshot
    from agrama.workspace import Workspace

# The file's own text comes first; what the graph adds may use what is left.
_CONTENT_SHARE = 0.9
_ROW_WEIGHT = 0.6
_RESERVED_BYTES = 1_200  # for headings, coverage and similar code
_SYMBOLS_SHARE = 0.3  # of what the text leaves
_BOTH = (int(EdgeKind.IMPORTS), int(EdgeKind.CALLS))
_DEPENDENCIES = ("imports", "imported_by", "calls", "called_by")


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    workspace: Workspace = context.services
    snapshot = _snapshot(context)
    symbol = _find_symbol(snapshot, arguments["symbol"]) if "symbol" in arguments else None
    path = _path_of(workspace, arguments, symbol)
    if arguments["include_history"]:
        context.before_waiting()
    try:
        content = read_beneath(workspace.root, path)
        status = os.lstat(workspace.prefix + path)
    except (ToolError, FileNotFoundError) as error:
        return _missing(workspace, snapshot, path, error)
    context.depends_on(workspace.prefix + path, status.st_mtime_ns, status.st_size)
    entry = snapshot.file(path) if snapshot else None
    answer: dict[str, Any] = {
        "path": path,
        "exists": True,
        "language": entry.language if entry else None,
        "content_hash": content_hash(content),
    }
    if entry and (entry.mtime_ns, entry.size) != (status.st_mtime_ns, status.st_size):
        renew(context, [path])
        answer.update(stale=True, stale_paths=[path])
        context.expire_in(0)
    if symbol:
        answer["symbol"] = symbol.id
    known = snapshot.numbered_symbols_in(path) if snapshot else []
    _add_text(context, answer, decode(path, content), arguments, symbol, known)
    budget = Budget(context.budget_tokens, _ROW_WEIGHT)
    budget.spend(len(answer["content"].encode()) + _RESERVED_BYTES)
    omitted: dict[str, int] = {}
    if snapshot is not None:
        _add_graph(answer, snapshot, known, budget, omitted, arguments)
        if arguments["include_dependencies"]:
            add_coverage(context, answer)
    else:
        answer["symbols"] = []
    if arguments["include_history"]:
        _add_history(context, answer, budget, omitted, arguments)
    add_shared(
        context,
        answer,
        [path],
        with_decisions=arguments["include_decisions"],
        with_claims=arguments["include_collaborative_context"],
    )
    if omitted:
        answer["omitted"] = omitted
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


def _add_text(
    context: Context,
    answer: dict[str, Any],
    text: str,
    arguments: dict[str, Any],
    symbol: "Symbol | None",
    known: "list[tuple[int, Symbol]]",
) -> None:
    """The lines asked for; of a whole file that is larger than the answer may be, its outline."""
    first, last = _range(arguments, symbol)
    room = int(context.budget_tokens * BYTES_PER_TOKEN * _CONTENT_SHARE)
    cut = cut_text(text, first, last, room)
    if first == 1 and last is None and ("next_start_line" in cut or "cut_line" in cut):
        outline = draw_outline([each for _, each in known], cut["total_lines"], room)
        cut = outline or cut
    if arguments["line_numbers"] and "outline" not in cut:
        cut["content"] = number_lines(cut["content"], first)
    answer.update(cut)


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


def _add_graph(
    answer: dict[str, Any],
    snapshot: "Snapshot",
    known: "list[tuple[int, Symbol]]",
    budget: Budget,
    omitted: dict[str, int],
    arguments: dict[str, Any],
) -> None:
    first, last = answer["start_line"], answer["end_line"]
    whole = first == 1 and last >= answer["total_lines"]
    inside = known if whole else _overlapping(known, first, last)
    shown = [symbol for _, symbol in inside if symbol.kind is not Kind.FILE]
    part = budget.part(_SYMBOLS_SHARE)
    answer["symbols"] = part.describe(shown, describe_symbol, omitted, "symbols")
    budget.regain(part)
    if arguments["include_dependencies"]:
        nodes = [node for node, _ in known] if whole else _shown_nodes(inside, first)
        own = frozenset(node for node, _ in known)
        found = _dependencies(snapshot, answer["path"], nodes, own, arguments["dependency_depth"])
        describe = partial(describe_neighbour, snapshot)
        answer["dependencies"] = {
            name: budget.describe(rows, describe, omitted, name, estimate_edge)
            for name, rows in found.items()
        }
    if arguments["include_semantic_context"]:
        similar = _similar(snapshot, answer["path"], first, None if whole else last, arguments)
        answer["semantic_context"] = {"similar": similar}


def _overlapping(
    known: "list[tuple[int, Symbol]]", first: int, last: int
) -> "list[tuple[int, Symbol]]":
    return [
        (node, symbol)
        for node, symbol in known
        if symbol.body_line <= last and symbol.end_line >= first
    ]


def _shown_nodes(inside: "list[tuple[int, Symbol]]", first: int) -> list[int]:
    """What begins in the lines shown; of lines that begin nothing, the innermost they lie in."""
    begun = [node for node, symbol in inside if symbol.body_line >= first]
    around = [node for node, symbol in inside if symbol.kind is not Kind.FILE]
    return begun or around[-1:]


def _dependencies(
    snapshot: "Snapshot", path: str, nodes: list[int], own: frozenset[int], depth: int
) -> "dict[str, Sequence[Neighbour]]":
    """What the shown code needs and who needs it, one row per far end, outside ends only."""
    from agrama.graph import keys
    from agrama.graph.neighbours import find_neighbours

    both = keys.OUT, keys.IN
    file = snapshot.node(path)
    if file in nodes:  # the whole file: one walk for both kinds
        found = find_neighbours(snapshot, both, nodes, _BOTH, outside=own, depth=depth)
    else:
        files = [] if file is None else [file]
        found = find_neighbours(snapshot, both, files, _BOTH[:1], outside=own, depth=depth)
        found |= find_neighbours(snapshot, both, nodes, _BOTH[1:], outside=own, depth=depth)
    imports, calls = _BOTH
    ends = (keys.OUT, imports), (keys.IN, imports), (keys.OUT, calls), (keys.IN, calls)
    return {name: found[end] for name, end in zip(_DEPENDENCIES, ends, strict=True)}


def _similar(
    snapshot: "Snapshot", path: str, first: int, last: int | None, arguments: dict[str, Any]
) -> list[dict[str, Any]]:
    from agrama.graph.similar import find_similar

    found = find_similar(
        snapshot,
        path,
        first,
        last,
        max_similar=arguments["max_similar"],
        threshold=arguments["semantic_similarity_threshold"],
    )
    return [each._asdict() for each in found]


def _add_history(
    context: Context,
    answer: dict[str, Any],
    budget: Budget,
    omitted: dict[str, int],
    arguments: dict[str, Any],
) -> None:
    """The commits that changed the lines shown; a repository without git has none, and says so."""
    from agrama.git import read_log

    path = answer["path"]
    whole = answer["start_line"] == 1 and answer["end_line"] >= answer["total_lines"]
    lines = () if whole else (f"-L{answer['start_line']},{answer['end_line']}:{path}",)
    depend_on_head(context)
    try:
        commits = read_log(
            context.services.root,
            *lines,
            paths=[path] if whole else (),
            limit=arguments["history_limit"],
        )
    except ToolError as error:
        answer["history"], answer["history_missing"] = [], error.message
        return
    answer["history"] = budget.take(map(describe_commit, commits), omitted, "history")


def _missing(
    workspace: "Workspace", snapshot: "Snapshot | None", path: str, error: Exception
) -> ToolResult:
    if (workspace.root / path).exists():
        raise error
    similar = near_paths(snapshot, path) if snapshot else []
    hint = f"; did you mean {', '.join(similar)}?" if similar else ""
    answer = {"path": path, "exists": False, "similar_paths": similar}
    return ToolResult(structured=answer, text=f"{path} does not exist in the repository{hint}")


def _render(answer: dict[str, Any]) -> str:
    head = f"{answer.get('symbol') or answer['path']} lines {answer['start_line']}-{answer['end_line']} of {answer['total_lines']}"
    parts = [f"{head} ({answer['language'] or 'text'}, hash {answer['content_hash']})"]
    if "stale" in answer:
        parts.append("changed since it was indexed: symbols and dependencies are older")
    if "outline" in answer:
        parts.append(
            "(outline: the file is larger than max_tokens; read parts by symbol or start_line)"
        )
    parts.append(answer["content"].rstrip("\n"))
    if "cut_line" in answer:
        parts.append(f"(line {answer['cut_line']} is longer than max_tokens: its head is shown)")
    if "next_start_line" in answer:
        parts.append(f"(cut here: continue with start_line={answer['next_start_line']})")
    if answer["symbols"] and "outline" not in answer:
        rows = (f"  {row['kind']} {row['symbol']}:{row['start_line']}" for row in answer["symbols"])
        parts += ["symbols:", *rows]
    for name, rows in answer.get("dependencies", {}).items():
        if rows:
            parts += [f"{name}:", *map(_render_edge, rows)]
    parts += render_coverage(answer)
    parts += _render_similar(answer)
    if "history" in answer:
        parts.append("history: " + answer.get("history_missing", ""))
        parts += ["  " + render_commit(row) for row in answer["history"]]
    parts += render_shared(answer)
    if "omitted" in answer:
        left = ", ".join(f"{count} {name}" for name, count in answer["omitted"].items())
        parts.append(f"(left out for max_tokens: {left})")
    return "\n".join(parts)


def _render_edge(row: dict[str, Any]) -> str:
    times = f" ×{row['count']}" if row["count"] > 1 else ""
    steps = f", {row['distance']} steps" if row.get("distance", 1) > 1 else ""
    return f"  {row['symbol']} at {row['path']}:{row['line']} ({row['resolution']} {row['confidence']:.2f}{steps}){times}"


def _render_similar(answer: dict[str, Any]) -> list[str]:
    rows = answer.get("semantic_context", {}).get("similar", ())
    lines = [
        f"  {row['symbol'] or row['path']}:{row['start_line']}-{row['end_line']} ({row['similarity']:.2f})"
        for row in rows
    ]
    return ["similar:", *lines] if lines else []


_EDGES = {
    "type": "array",
    "items": {
        **EDGE_SCHEMA,
        "properties": {
            **EDGE_SCHEMA["properties"],
            "count": {"type": "integer"},
            "distance": {"type": "integer"},
        },
    },
}
_SIMILAR = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "start_line": {"type": "integer"},
        "end_line": {"type": "integer"},
        "symbol": {"type": ["string", "null"]},
        "similarity": {"type": "number"},
    },
    "required": ["path", "start_line", "end_line", "symbol", "similarity"],
}

TOOL = Tool(
    name="read_code",
    title="Read code",
    description=(
        "Read a file, some lines or one symbol as it is on disk now, with its symbols, what "
        "it imports and calls, who imports and calls it, and similar code. Larger than "
        "max_tokens: an outline. Start here before editing."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "relative to the repository root"},
            "symbol": {
                "type": "string",
                "description": "or path::Class.method, or a name",
            },
            "start_line": {"type": "integer", "minimum": 1},
            "end_line": {"type": "integer", "minimum": 1},
            "line_numbers": {"type": "boolean", "default": False},
            "include_history": {"type": "boolean", "default": False},
            "history_limit": {"type": "integer", "minimum": 1, "default": 5},
            "include_dependencies": {"type": "boolean", "default": True},
            "dependency_depth": {"type": "integer", "minimum": 1, "maximum": 5, "default": 1},
            "include_semantic_context": {"type": "boolean", "default": True},
            "semantic_similarity_threshold": {"type": "number", "default": 0.5},
            "max_similar": {"type": "integer", "maximum": 50, "default": 5},
            "include_decisions": {"type": "boolean", "default": True},
            "include_collaborative_context": {"type": "boolean", "default": True},
            "max_tokens": {"type": "integer", "default": 8000},
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
            "outline": {"type": "boolean"},
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
            **COVERAGE_SCHEMA,
            "semantic_context": {
                "type": "object",
                "properties": {"similar": {"type": "array", "items": _SIMILAR}},
                "required": ["similar"],
            },
            "history": {"type": "array", "items": COMMIT_SCHEMA},
            "history_missing": {"type": "string"},
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
