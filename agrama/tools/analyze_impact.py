"""analyze_impact: what a change reaches, and the tests to run for it."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import AgramaError, ToolError
from agrama.jail import normalize_path, read_beneath
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import Budget
from agrama.tools.coverage import COVERAGE_SCHEMA, add_coverage, render_coverage
from agrama.tools.freshness import STALE_SCHEMA, note_freshness
from agrama.tools.places import find_one
from agrama.tools.shared import SHARED_SCHEMA, add_shared, depend_on_head, render_shared

if TYPE_CHECKING:
    from agrama.graph.diffs import FileDiff
    from agrama.graph.impact import Affected, TestToRun
    from agrama.graph.snapshot import Snapshot
    from agrama.workspace import Workspace

_CHANGED_SHARE = 0.25  # of the answer: who asks knows what changed, not what that means


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.graph.impact import find_affected, rank_tests

    snapshot = context.snapshot
    changed, words, unknown = _changes(context, arguments)
    affected = find_affected(snapshot, changed, max_depth=arguments["max_depth"])
    context.check()
    tests = rank_tests(snapshot, changed, affected, words)
    omitted: dict[str, int] = {}
    budget = Budget(context.budget_tokens)
    part = budget.part(_CHANGED_SHARE)
    named = part.take(changed, omitted, "changed_symbols")
    unknown = part.take(unknown, omitted, "not_indexed")
    budget.regain(part)
    answer: dict[str, Any] = {
        "changed_symbols": named,
        "tests_to_run": budget.describe(tests, _describe_test, omitted, "tests_to_run"),
        "affected": budget.describe(affected, _describe_affected, omitted, "affected"),
        "risk": {
            "changed_symbols": len(changed),
            "affected_symbols": len(affected),
            "affected_files": len({each.symbol.partition("::")[0] for each in affected}),
            "direct_dependents": sum(each.distance == 1 for each in affected),
            "tests_reached": sum(each.distance is not None for each in tests),
        },
    }  # fmt: skip
    if unknown:
        answer["not_indexed"] = unknown
    if omitted:
        answer["omitted"] = omitted
    touched = sorted({name.partition("::")[0] for name in changed})
    _add_owners(context, answer, touched)
    add_coverage(context, answer)
    add_shared(context, answer, touched)
    if "base_ref" in arguments or unknown:
        context.expire_in(0)  # files that are not in the index may change without anybody noticing
    note_freshness(context, answer, touched)
    return ToolResult(structured=answer, text=_render(answer))


def _describe_test(test: "TestToRun") -> dict[str, Any]:
    return {
        "symbol": test.symbol,
        "score": test.score,
        "distance": test.distance,
        "reason": test.reason,
    }


def _describe_affected(each: "Affected") -> dict[str, Any]:
    return {"symbol": each.symbol, "distance": each.distance, "via": each.via}


def _add_owners(context: Context, answer: dict[str, Any], paths: list[str]) -> None:
    from agrama.owners import find_owners

    depend_on_head(context)
    owners = find_owners(context.services.root, paths)
    answer["owners"] = [
        {"name": each.name, "source": each.source, "commits": each.commits, "lines": each.lines}
        for each in owners.found
    ]
    if owners.missing:
        answer["owners_missing"] = owners.missing


def _changes(context: Context, arguments: dict[str, Any]) -> tuple[list[str], list[str], list[str]]:
    """Changed symbols, the words of the change, and changed files the index does not know."""
    workspace: Workspace = context.services
    snapshot = context.snapshot
    names: dict[str, None] = {}
    words: list[str] = []
    unknown: list[str] = []
    for file in _diffs(workspace, arguments):
        words += file.words
        found = _symbols_of(workspace, snapshot, file)
        names.update(dict.fromkeys(found))
        if not found:
            unknown.append(file.new_path or file.old_path or "")
    for path in arguments.get("paths", ()):
        symbol = find_one(snapshot, normalize_path(workspace.root, path), "paths")
        names.update(dict.fromkeys(each.id for each in snapshot.symbols_in(symbol.id)))
    for name in arguments.get("symbols", ()):
        names[find_one(snapshot, name, "symbols").id] = None
    if not names and not unknown:
        raise ToolError(
            "nothing to analyze: give diff (unified text with changes), base_ref, paths or symbols",
            data={"parameter": "diff", "expected": "diff, base_ref, paths or symbols"},
        )
    return list(names), words, unknown


def _diffs(workspace: "Workspace", arguments: dict[str, Any]) -> "Iterable[FileDiff]":
    from agrama.graph.diffs import parse_diff

    if "diff" in arguments:
        yield from parse_diff(arguments["diff"])
    if "base_ref" in arguments:
        from agrama.git import diff_against

        yield from parse_diff(diff_against(workspace.root, arguments["base_ref"]))


def _symbols_of(workspace: "Workspace", snapshot: "Snapshot", file: "FileDiff") -> Sequence[str]:
    """Which side of the diff the working tree is on decides which line numbers count."""
    from agrama.graph.impact import symbols_at

    if file.old_path is not None and _is_unapplied(workspace, file):
        return symbols_at(snapshot, file.old_path, file.old_ranges)
    if file.new_path is not None:
        return symbols_at(snapshot, file.new_path, file.new_ranges or file.old_ranges)
    return symbols_at(snapshot, file.old_path, [(1, 1)]) if file.old_path else ()


def _is_unapplied(workspace: "Workspace", file: "FileDiff") -> bool:
    if file.old_path is None:
        return False
    try:
        path = normalize_path(workspace.root, file.old_path)
        lines = read_beneath(workspace.root, path).decode("utf-8", "replace").splitlines()
    except AgramaError:
        return False
    if file.removed:
        return _holds(lines, file.removed)
    return not _holds(lines, file.added)


def _holds(lines: list[str], wanted: "Sequence[tuple[int, str]]") -> bool:
    """Whether these lines stand at their numbers."""
    return all(number <= len(lines) and lines[number - 1] == text for number, text in wanted)


def _render(answer: dict[str, Any]) -> str:
    risk = answer["risk"]
    parts = [
        f"{risk['changed_symbols']} symbols changed, {risk['affected_symbols']} affected in "
        f"{risk['affected_files']} files, {risk['direct_dependents']} directly"
    ]
    parts += [f"changed {name}" for name in answer["changed_symbols"]]
    if answer["tests_to_run"]:
        parts.append("tests to run, the most telling first:")
        parts += [f"  {row['symbol']} ({row['reason']})" for row in answer["tests_to_run"]]
    if answer["affected"]:
        parts.append("affected, the nearest first:")
        parts += [
            f"  {row['distance']} {row['symbol']} via {row['via']}" for row in answer["affected"]
        ]
    if "not_indexed" in answer:
        parts.append("not in the index: " + ", ".join(answer["not_indexed"]))
    for row in answer["owners"]:
        churn = f" ({row['commits']} commits, {row['lines']} lines)" if row["commits"] else ""
        parts.append(f"owner {row['name']}{churn}")
    parts += render_coverage(answer)
    parts += render_shared(answer)
    if "omitted" in answer:
        left = ", ".join(f"{count} {name}" for name, count in answer["omitted"].items())
        parts.append(f"(left out for max_tokens: {left})")
    return "\n".join(parts)


_NAMES = {"type": "array", "items": {"type": "string"}}

TOOL = Tool(
    name="analyze_impact",
    title="Analyze impact",
    description=(
        "What a change (diff, git base_ref, paths or symbols) reaches: affected symbols by "
        "distance, tests to run, ranked, each with its reason, and owners."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "diff": {"type": "string", "description": "unified, applied or not"},
            "base_ref": {"type": "string", "description": "compare the tree with this"},
            "paths": _NAMES,
            "symbols": _NAMES,
            "max_depth": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
            "max_tokens": {"type": "integer", "default": 8000},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "changed_symbols": _NAMES,
            "tests_to_run": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "symbol": {"type": "string"},
                        "score": {"type": "number"},
                        "distance": {"type": ["integer", "null"]},
                        "reason": {"type": "string"},
                    },
                    "required": ["symbol", "score", "distance", "reason"],
                },
            },
            "affected": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "symbol": {"type": "string"},
                        "distance": {"type": "integer"},
                        "via": {"type": "string"},
                    },
                    "required": ["symbol", "distance", "via"],
                },
            },
            "risk": {"type": "object", "additionalProperties": {"type": "integer"}},
            "owners": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "source": {"enum": ["codeowners", "git"]},
                        "commits": {"type": "integer"},
                        "lines": {"type": "integer"},
                    },
                    "required": ["name", "source", "commits", "lines"],
                },
            },
            "owners_missing": {"type": "string"},
            "not_indexed": _NAMES,
            **COVERAGE_SCHEMA,
            "omitted": {"type": "object", "additionalProperties": {"type": "integer"}},
            **STALE_SCHEMA,
            **SHARED_SCHEMA,
        },
        "required": ["changed_symbols", "tests_to_run", "affected", "owners", "risk"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    slow=True,
    cacheable=True,
    free_text=frozenset({"diff"}),
)
