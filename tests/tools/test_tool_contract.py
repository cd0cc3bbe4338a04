"""The public contract of the tools: names, arguments, defaults, aliases, result fields, and their cost.

Outside programs use these names. Adding is free; whatever is listed here may be renamed or removed
only with a new major version.
"""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from agrama.registry import Tool
from agrama.tools import DEFAULT_TOOLSETS, TOOLSETS, WRITING_TOOLS, load_tools, read_toolsets

TOOLS = {tool.name: tool for tool in load_tools(TOOLSETS, allow_write=True)}
DEFAULT_BYTES = 12_000

CORE = "read_code write_code hybrid_search find_symbol find_references analyze_dependencies analyze_impact get_context record_decision query_decisions"
ANALYSIS = "query_history analyze_complexity analyze_code_churn server_stats"
COLLABORATION = "create_session join_session close_session list_sessions export_session append_message list_messages filter_messages claim release session_events"

# tool -> arguments; * required, =value the default, a|b an alias of a
ARGUMENTS = {
    "read_code": "path|file_path symbol start_line end_line include_history=false history_limit=5 include_dependencies=true dependency_depth=1 include_semantic_context=true semantic_similarity_threshold=0.5 max_similar=5 include_decisions=true include_collaborative_context=true max_tokens=8000",
    "write_code": "path* content edits reason* expected_hash agent_id session_id validate_syntax=true create_backup=false",
    "hybrid_search": 'query* max_results=10 mode="auto" path_glob language kind context_files semantic_weight|beta lexical_weight|alpha graph_weight|gamma include_snippets=true max_tokens=8000 cursor',
    "find_symbol": "name* kind language path_glob max_results max_tokens=8000",
    "find_references": 'symbol path line column kind direction="in" max_results cursor max_tokens=8000',
    "analyze_dependencies": 'path|file_path symbol|root direction="both" max_depth=3 edge_kinds analysis_type="full" include_external=false to format="json" max_nodes max_tokens=8000',
    "analyze_impact": "diff base_ref paths symbols max_depth max_tokens=8000",
    "get_context": "task paths symbols context_types time_range max_tokens=8000",
    "record_decision": "decision* reasoning* context confidence alternatives impact paths symbols supersedes tags agent_id session_id idempotency_key",
    "query_decisions": "query path symbol tag agent_id status include_superseded max_results cursor max_tokens=8000",
    "query_history": "path symbol since until limit include_diff max_tokens=8000",
    "analyze_complexity": "path|project_path language|toolchain top_files max_cyclomatic max_cognitive format sort limit max_tokens=8000",
    "analyze_code_churn": "path period_days=30 limit max_tokens=8000",
    "create_session": "name agent_id goal tags",
    "join_session": "session_id* agent_id",
    "close_session": "session_id*",
    "list_sessions": "",
    "export_session": "session_id*",
    "append_message": "session_id* role content* tags",
    "list_messages": "session_id* after_message_id limit",
    "filter_messages": "session_id* role tags after_message_id limit",
    "claim": "session_id* agent_id* paths symbols intent ttl_seconds",
    "release": "session_id* agent_id*",
    "session_events": "session_id* after_seq wait_ms",
    "server_stats": "include",
}  # fmt: skip

# tool -> fields of the structured result; a.b is b inside a, or inside every element of the list a
RESULTS = {
    "read_code": "path exists language content start_line end_line symbols dependencies.imports dependencies.imported_by dependencies.calls dependencies.called_by semantic_context.similar history decisions collaborative_context.sessions collaborative_context.claims content_hash",
    "write_code": "path written content_hash syntax.valid syntax.errors provenance.agent_id provenance.seq provenance.timestamp provenance.reason impact.symbols impact.tests",
    "hybrid_search": "query mode total_results results.path results.start_line results.end_line results.symbol results.kind results.language results.score results.lexical_score results.semantic_score results.graph_score results.matching_terms results.snippet",
    "find_symbol": "symbols.symbol symbols.kind symbols.path symbols.start_line symbols.end_line symbols.signature symbols.doc",
    "find_references": "definition references.path references.line references.column references.symbol references.kind references.resolution references.confidence references.text",
    "analyze_dependencies": "root nodes edges cycles path impact.symbols impact.files impact.tests mermaid",
    "analyze_impact": "changed_symbols affected.symbol affected.distance affected.via tests_to_run owners risk",
    "get_context": "repo_map relevant decisions recent_changes sessions claims",
    "record_decision": "decision_id seq created_at linked unresolved",
    "query_decisions": "decisions.stale decisions.stale_reason",
    "query_history": "commits writes",
    "analyze_complexity": "summary functions.symbol functions.cyclomatic functions.cognitive functions.nesting functions.lines functions.parameters functions.halstead files violations top_files.requested top_files.returned top_files.rankings.rank top_files.rankings.file top_files.rankings.function_count top_files.rankings.max_cyclomatic top_files.rankings.avg_cognitive top_files.rankings.halstead_effort top_files.rankings.total_score",
    "analyze_code_churn": "files.path files.commits files.added files.deleted files.authors files.score hotspots co_changes",
    "create_session": "session_id created_at participants",
    "join_session": "session_id created_at participants",
    "close_session": "session_id",
    "list_sessions": "sessions",
    "export_session": "session_id",
    "append_message": "message_id created_at",
    "list_messages": "messages next_cursor",
    "filter_messages": "messages next_cursor",
    "claim": "claim_ids conflicts",
    "release": "claim_ids",
    "session_events": "events",
    "server_stats": "tools cache index store",
}  # fmt: skip


@pytest.mark.parametrize(
    ("toolset", "names"), [("core", CORE), ("analysis", ANALYSIS), ("collaboration", COLLABORATION)]
)
def test_every_tool_is_in_its_toolset(toolset: str, names: str) -> None:
    assert set(names.split()) <= {tool.name for tool in TOOLS.values() if tool.toolset == toolset}


def test_writing_is_offered_only_when_allowed() -> None:
    offered = {tool.name for tool in load_tools(TOOLSETS)}
    assert not offered & WRITING_TOOLS
    assert set(TOOLS) - offered == WRITING_TOOLS


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_defaults_and_aliases(name: str) -> None:
    tool = TOOLS[name]
    properties = tool.input_schema["properties"]
    required = set(tool.input_schema.get("required", ()))
    wrong = set()
    for word in ARGUMENTS[name].split():
        argument, alias, default = _read(word)
        if argument not in properties:
            wrong.add(argument)
        elif word.endswith("*") and argument not in required:
            wrong.add(f"{argument} required")
        elif default is not None and properties[argument].get("default") != default:
            wrong.add(f"{argument} default")
        if alias and tool.aliases.get(alias) != argument and alias not in properties:
            wrong.add(f"{alias} alias")
    assert not wrong


@pytest.mark.parametrize("name", RESULTS)
def test_result_fields(name: str) -> None:
    schema = TOOLS[name].output_schema
    assert schema is not None
    missing = {field for field in RESULTS[name].split() if not _has(schema, field.split("."))}
    assert not missing


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_a_tool_explains_itself(tool: Tool) -> None:
    assert tool.title
    assert tool.description
    assert tool.annotations is not None
    # Some clients refuse a choice at the top of an input schema.
    assert tool.input_schema["type"] == "object"
    assert not {"anyOf", "oneOf", "allOf"} & set(tool.input_schema)


def test_the_default_list_costs_an_agent_little() -> None:
    parts = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in load_tools(read_toolsets(DEFAULT_TOOLSETS))
    ]
    assert sum(len(orjson.dumps(part)) for part in parts) <= DEFAULT_BYTES


def _read(word: str) -> tuple[str, str, Any]:
    """`name|alias=default` or `name*` in its parts."""
    name, _, default = word.removesuffix("*").partition("=")
    argument, _, alias = name.partition("|")
    return argument, alias, orjson.loads(default) if default else None


def _has(schema: Mapping[str, Any], names: list[str]) -> bool:
    if not names:
        return True
    inner = schema.get("items", schema)
    found = inner.get("properties", {}).get(names[0])
    return found is not None and _has(found, names[1:])
