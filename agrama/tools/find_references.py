"""find_references: who calls, imports, inherits or mentions a symbol, each with its evidence."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import AgramaError
from agrama.graph.model import EdgeKind
from agrama.jail import read_beneath
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import (
    EDGE_SCHEMA,
    SYMBOL_SCHEMA,
    Budget,
    describe_edge,
    describe_symbol,
    read_cursor,
)
from agrama.tools.coverage import COVERAGE_SCHEMA, add_coverage, render_coverage
from agrama.tools.freshness import STALE_SCHEMA, note_freshness
from agrama.tools.places import find_place

if TYPE_CHECKING:
    from agrama.graph.snapshot import Edge
    from agrama.workspace import Workspace

_KINDS = ("calls", "imports", "inherits", "implements", "overrides", "references", "tests", "handles")  # fmt: skip
_LINE_BYTES = 300


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    workspace: Workspace = context.services
    snapshot = context.snapshot
    symbol = find_place(workspace, snapshot, arguments)
    names = (arguments["kind"],) if "kind" in arguments else _KINDS
    kinds = frozenset(EdgeKind[name.upper()] for name in names)
    incoming = arguments["direction"] == "in"
    edges = (snapshot.incoming if incoming else snapshot.outgoing)(symbol.id, kinds)
    edges.sort(key=_order)
    start = read_cursor(arguments.get("cursor"))
    page = edges[start : start + arguments["max_results"]]
    omitted: dict[str, int] = {}
    budget = Budget(context.budget_tokens)
    rows = budget.take(_describe(workspace, page, incoming=incoming), omitted, "references")
    answer: dict[str, Any] = {
        "definition": {**describe_symbol(symbol), "path": symbol.path},
        "total": len(edges),
        "references": rows,
    }
    if start + len(rows) < len(edges):
        answer["next_cursor"] = str(start + len(rows))
    add_coverage(context, answer)
    note_freshness(context, answer, {row["path"] for row in rows})
    return ToolResult(structured=answer, text=_render(answer, incoming=incoming))


def _order(edge: "Edge") -> tuple[bool, str, int, int, str, str]:
    """What we stand by first, then by place."""
    sure = edge.confidence >= 0.5
    return not sure, edge.path, edge.line, edge.column, edge.source, edge.target


def _describe(
    workspace: "Workspace", edges: "Iterable[Edge]", *, incoming: bool
) -> Iterable[dict[str, Any]]:
    texts: dict[str, list[bytes]] = {}
    for edge in edges:
        if edge.path not in texts:
            texts[edge.path] = _lines(workspace, edge.path)
        lines = texts[edge.path]
        text = lines[edge.line - 1] if 0 < edge.line <= len(lines) else b""
        row = describe_edge(edge, edge.source if incoming else edge.target)
        row["text"] = text.strip()[:_LINE_BYTES].decode("utf-8", "replace")
        yield row


def _lines(workspace: "Workspace", path: str) -> list[bytes]:
    try:
        return read_beneath(workspace.root, path).split(b"\n")
    except AgramaError:
        return []  # gone since it was indexed: the answer says stale, its rows have no text


def _render(answer: dict[str, Any], *, incoming: bool) -> str:
    far = "references to" if incoming else "references from"
    shown = len(answer["references"])
    parts = [f"{answer['total']} {far} {answer['definition']['symbol']}, {shown} shown"]
    for row in answer["references"]:
        place = f"{row['path']}:{row['line']}:{row['column']}"
        sure = f"{row['resolution']} {row['confidence']:.2f}"
        parts.append(f"{place} {row['kind']} {row['symbol']} ({sure})  {row['text']}")
    parts += render_coverage(answer)
    if answer.get("stale"):
        parts.append("changed since indexed: " + ", ".join(answer["stale_paths"]))
    if "next_cursor" in answer:
        parts.append(f"(more: cursor={answer['next_cursor']})")
    return "\n".join(parts)


TOOL = Tool(
    name="find_references",
    title="Find references",
    description=(
        "Who calls, imports, inherits, overrides or mentions a symbol (in), or what it uses "
        "itself (out), each with its place, how it was resolved and how sure that is."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "symbol": {"type": "string", "description": "id path::Class.method, or a name"},
            "path": {
                "type": "string",
                "description": "or a file, or a position in it",
            },
            "line": {"type": "integer", "minimum": 1},
            "column": {"type": "integer", "minimum": 0, "description": "UTF-8 bytes from 0"},
            "kind": {"enum": list(_KINDS)},
            "direction": {"enum": ["in", "out"], "default": "in"},
            "max_results": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50},
            "max_tokens": {"type": "integer", "default": 8000},
            "cursor": {"type": "string"},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "definition": {
                **SYMBOL_SCHEMA,
                "properties": {**SYMBOL_SCHEMA["properties"], "path": {"type": ["string", "null"]}},
            },
            "total": {"type": "integer"},
            "references": {
                "type": "array",
                "items": {
                    **EDGE_SCHEMA,
                    "properties": {**EDGE_SCHEMA["properties"], "text": {"type": "string"}},
                },
            },
            "next_cursor": {"type": "string"},
            **COVERAGE_SCHEMA,
            **STALE_SCHEMA,
        },
        "required": ["definition", "total", "references"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    cacheable=True,
    aliases={"file_path": "path"},
)
