"""hybrid_search: ranked pieces of code for a question, an identifier, a path or a stack trace."""

from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import NotIndexedError
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import Budget, read_cursor
from agrama.tools.freshness import STALE_SCHEMA, note_freshness
from agrama.tools.shared import SHARED_SCHEMA, add_shared, render_shared

if TYPE_CHECKING:
    from agrama.graph.search import Hit

_SHOWN_DECISIONS = 3
_WEIGHTS = ("lexical", "semantic", "graph")


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.graph.search import hybrid_search

    snapshot = context.snapshot
    offset = read_cursor(arguments.get("cursor"))
    weights = {
        name: arguments[f"{name}_weight"] for name in _WEIGHTS if f"{name}_weight" in arguments
    }
    try:
        found = hybrid_search(
            snapshot,
            arguments["query"],
            max_results=arguments["max_results"],
            mode=arguments["mode"],
            path_glob=arguments.get("path_glob"),
            language=arguments.get("language"),
            kind=arguments.get("kind"),
            context_files=tuple(arguments.get("context_files", ())),
            weights=weights or None,
            include_snippets=arguments["include_snippets"],
            offset=offset,
        )
    except NotIndexedError as error:
        raise context.services.explain(error) from error
    omitted: dict[str, int] = {}
    rows = Budget(context.budget_tokens).take(map(_describe, found.hits), omitted, "results")
    answer: dict[str, Any] = {
        "query": found.query,
        "mode": found.mode,
        "total_results": found.total_results,
        "results": rows,
    }
    if offset + len(rows) < found.total_results:
        answer["next_cursor"] = str(offset + len(rows))
    add_shared(
        context, answer, [row["path"] for row in rows], with_claims=False, most=_SHOWN_DECISIONS
    )
    note_freshness(context, answer, {row["path"] for row in rows})
    return ToolResult(structured=answer, text=_render(answer))


def _describe(hit: "Hit") -> dict[str, Any]:
    row: dict[str, Any] = {
        "path": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "symbol": hit.symbol,
        "kind": hit.kind,
        "language": hit.language,
        "score": hit.score,
        "lexical_score": hit.lexical_score,
        "semantic_score": hit.semantic_score,
        "graph_score": hit.graph_score,
        "matching_terms": list(hit.matching_terms),
    }
    if hit.snippet is not None:
        row["snippet"] = hit.snippet
        row["snippet_start_line"] = hit.snippet_start_line
        row["highlighted_lines"] = list(hit.highlighted_lines)
    return row


def _render(answer: dict[str, Any]) -> str:
    if not answer["results"]:
        return f"Nothing in the index matches {answer['query']!r}."
    parts = [f"{answer['total_results']} results, {len(answer['results'])} shown"]
    if answer.get("stale"):
        parts.append("changed since they were indexed: " + ", ".join(answer["stale_paths"]))
    for number, row in enumerate(answer["results"], 1):
        place = f"{row['path']}:{row['start_line']}-{row['end_line']}"
        parts.append(f"{number}. {place} {row['symbol'] or ''} ({row['score']:.3f})")
        if row.get("snippet"):
            parts.append(row["snippet"].rstrip("\n"))
    parts += render_shared(answer)
    if "next_cursor" in answer:
        parts.append(f"(more: cursor={answer['next_cursor']})")
    return "\n".join(parts)


_NULLABLE_NUMBER = {"type": ["number", "null"]}
_NULLABLE_STRING = {"type": ["string", "null"]}

TOOL = Tool(
    name="hybrid_search",
    title="Search code",
    description=(
        "Find code by meaning, words, identifier, path or stack trace: ranked pieces with "
        "lines, symbol and snippet. For when you do not know where something is."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "query": {"type": "string", "maxLength": 20000},
            "max_results": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
            "mode": {
                "enum": ["auto", "keyword", "concept", "dependency", "balanced"],
                "default": "auto",
            },
            "path_glob": {"type": "string", "description": "e.g. src/**/*.py"},
            "language": {"type": "string"},
            "kind": {"type": "string", "description": "function, method, class, variable, section"},
            "context_files": {
                "type": "array",
                "items": {"type": "string"},
                "description": "files at hand: what is near ranks higher",
            },
            "lexical_weight": {"type": "number", "minimum": 0},
            "semantic_weight": {"type": "number", "minimum": 0},
            "graph_weight": {"type": "number", "minimum": 0},
            "include_snippets": {"type": "boolean", "default": True},
            "max_tokens": {"type": "integer", "default": 8000},
            "cursor": {"type": "string"},
        },
        "required": ["query"],
    },
    output_schema={
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "mode": {"type": "string"},
            "total_results": {"type": "integer"},
            "results": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "path": {"type": "string"},
                        "start_line": {"type": "integer"},
                        "end_line": {"type": "integer"},
                        "symbol": _NULLABLE_STRING,
                        "kind": _NULLABLE_STRING,
                        "language": _NULLABLE_STRING,
                        "score": {"type": "number"},
                        "lexical_score": _NULLABLE_NUMBER,
                        "semantic_score": _NULLABLE_NUMBER,
                        "graph_score": _NULLABLE_NUMBER,
                        "matching_terms": {"type": "array", "items": {"type": "string"}},
                        "snippet": {"type": "string"},
                        "snippet_start_line": {"type": ["integer", "null"]},
                        "highlighted_lines": {"type": "array", "items": {"type": "integer"}},
                    },
                    "required": ["path", "start_line", "end_line", "score"],
                },
            },
            "next_cursor": {"type": "string"},
            **STALE_SCHEMA,
            "decisions": SHARED_SCHEMA["decisions"],
        },
        "required": ["query", "mode", "total_results", "results"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    slow=True,  # the first one loads numpy, FAISS and the embedding
    often_quick=True,
    cacheable=True,
    aliases={"alpha": "lexical_weight", "beta": "semantic_weight", "gamma": "graph_weight"},
    free_text=frozenset({"query"}),
)
