"""find_symbol: where a name is defined."""

from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import Budget
from agrama.tools.freshness import STALE_SCHEMA, note_freshness

if TYPE_CHECKING:
    from agrama.graph.model import Symbol

# Filters apply after the name has matched; this many matches are looked through.
_LOOKED_THROUGH = 1_000


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    snapshot = context.snapshot
    limit = arguments["max_results"]
    narrowed = any(name in arguments for name in ("kind", "language", "path_glob"))
    found = snapshot.find(arguments["name"], limit=_LOOKED_THROUGH if narrowed else limit + 1)
    matches = [symbol for symbol in found if _fits(symbol, arguments)]
    omitted: dict[str, int] = {}
    budget = Budget(context.budget_tokens)
    rows = budget.take(map(_describe, matches[:limit]), omitted, "symbols")
    answer: dict[str, Any] = {"symbols": rows}
    if len(matches) > len(rows):
        answer["more"] = True
    note_freshness(context, answer, [row["path"] for row in rows if row["path"]])
    return ToolResult(structured=answer, text=_render(arguments["name"], answer))


def _fits(symbol: "Symbol", arguments: dict[str, Any]) -> bool:
    if arguments.get("kind", symbol.kind.label) != symbol.kind.label:
        return False
    if arguments.get("language", symbol.language) != symbol.language:
        return False
    if "path_glob" not in arguments:
        return True
    from agrama.graph.globs import compile_glob

    return bool(symbol.path and compile_glob(arguments["path_glob"]).match(symbol.path))


def _describe(symbol: "Symbol") -> dict[str, Any]:
    return {
        "symbol": symbol.id,
        "kind": symbol.kind.label,
        "path": symbol.path,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "signature": symbol.signature,
        "doc": symbol.doc,
    }


def _render(name: str, answer: dict[str, Any]) -> str:
    if not answer["symbols"]:
        return f"No symbol is named {name!r} or like it; try hybrid_search."
    lines = []
    for row in answer["symbols"]:
        place = f"{row['path']}:{row['start_line']}" if row["path"] else "outside the repository"
        lines.append(f"{row['kind']} {row['symbol']} at {place} {row['signature']}".rstrip())
        if row["doc"]:
            lines.append("    " + row["doc"].partition("\n")[0])
    if answer.get("more"):
        lines.append("(there are more: raise max_results or narrow by kind, language, path_glob)")
    return "\n".join(lines)


TOOL = Tool(
    name="find_symbol",
    title="Find a symbol",
    description=(
        "Where a symbol is defined: by exact, qualified (Class.method), prefix or approximate name."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 500},
            "kind": {"type": "string"},
            "language": {"type": "string"},
            "path_glob": {"type": "string"},
            "max_results": {"type": "integer", "minimum": 1, "maximum": 200, "default": 20},
            "max_tokens": {"type": "integer", "default": 8000},
        },
        "required": ["name"],
    },
    output_schema={
        "type": "object",
        "properties": {
            "symbols": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "symbol": {"type": "string"},
                        "kind": {"type": "string"},
                        "path": {"type": ["string", "null"]},
                        "start_line": {"type": "integer"},
                        "end_line": {"type": "integer"},
                        "signature": {"type": "string"},
                        "doc": {"type": "string"},
                    },
                    "required": ["symbol", "kind", "path", "start_line", "end_line"],
                },
            },
            "more": {"type": "boolean"},
            **STALE_SCHEMA,
        },
        "required": ["symbols"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    cacheable=True,
)
