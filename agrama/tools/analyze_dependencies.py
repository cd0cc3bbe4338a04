"""analyze_dependencies: what something needs, who needs it, cycles, and how two things connect."""

from functools import partial
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.graph.model import KINDS, EdgeKind
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import EDGE_SCHEMA, Budget, describe_edge
from agrama.tools.coverage import COVERAGE_SCHEMA, add_coverage, render_coverage
from agrama.tools.freshness import STALE_SCHEMA, note_freshness
from agrama.tools.places import find_one, find_place

if TYPE_CHECKING:
    from agrama.graph.reach import Reach
    from agrama.graph.snapshot import Edge, Snapshot

_KINDS = ("imports", "calls", "inherits", "implements", "overrides", "references", "handles", "tests")  # fmt: skip
_DRAWN_NODES = 60
_DRAWN_SHARE = 0.6  # of the answer, when a picture is asked for
_SUMMARY_SHARE = 0.3  # of the rest, for cycles and tests
_SIDES = {"imports": "forward", "exports": "reverse", "impact": "reverse"}


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    from agrama.graph import dependencies

    snapshot = context.snapshot
    root = find_place(context.services, snapshot, arguments).id
    answer: dict[str, Any] = {"root": root}
    if "to" in arguments:
        goal = find_one(snapshot, arguments["to"], "to").id
        chain = dependencies.find_path(snapshot, root, goal)
        answer.update(to=goal, nodes=[], edges=[], path=[_row(edge) for edge in chain])
    elif arguments["analysis_type"] == "circular":
        cycles = dependencies.cycles_through(snapshot, root.partition("::")[0])
        omitted: dict[str, int] = {}
        kept = _take_cycles(Budget(context.budget_tokens), cycles, omitted)
        answer.update(nodes=[], edges=[], cycles=kept, **_left_out(omitted))
    else:
        _explore(context, arguments, root, answer)
    paths = {row["path"] for row in answer["edges"]} | {root.partition("::")[0]}
    add_coverage(context, answer)
    note_freshness(context, answer, paths)
    return ToolResult(structured=answer, text=_render(answer))


def _explore(
    context: Context, arguments: dict[str, Any], root: str, answer: dict[str, Any]
) -> None:
    from agrama.graph import dependencies
    from agrama.graph.reach import find_file_pairs, name_step, order_steps

    snapshot = context.snapshot
    kind = arguments["analysis_type"]
    direction = _SIDES.get(kind, arguments["direction"])
    kinds = _kinds(arguments.get("edge_kinds"), kind)
    sides: dict[str, Reach] = {}
    for side in ("forward", "reverse") if direction == "both" else (direction,):
        sides[side] = dependencies.find_dependencies(
            snapshot,
            root,
            direction=side,
            max_depth=arguments["max_depth"],
            kinds=kinds,
            include_external=arguments["include_external"],
            max_nodes=arguments["max_nodes"],
        )
    steps = order_steps(snapshot, {step for reach in sides.values() for step in reach.steps})
    omitted: dict[str, int] = {}
    budget = Budget(context.budget_tokens)
    if arguments["format"] != "json":
        part = budget.part(_DRAWN_SHARE)
        edges = [name_step(snapshot, step) for step in steps]
        picture = _draw(snapshot, arguments["format"], edges, root, part.left, omitted)
        answer[arguments["format"]] = picture
        part.spend(len(picture.encode()))
        budget.regain(part)
    part = budget.part(_SUMMARY_SHARE)
    cycles = dependencies.cycles_among(find_file_pairs(snapshot, steps))
    answer["cycles"] = _take_cycles(part, cycles, omitted)
    if "reverse" in sides:
        answer["impact"] = _impact(snapshot, sides["reverse"])
        answer["impact"]["tests"] = part.take(answer["impact"]["tests"], omitted, "tests")
    budget.regain(part)
    nodes = _order_nodes(snapshot, sides)
    answer["nodes"] = budget.describe(nodes, partial(_describe_node, snapshot), omitted, "nodes")
    answer["edges"] = budget.describe(
        steps, lambda step: _row(name_step(snapshot, step)), omitted, "edges"
    )
    if any(reach.truncated for reach in sides.values()):
        answer["truncated"] = True
    answer.update(_left_out(omitted))


def _take_cycles(
    budget: Budget, cycles: list[list[str]], omitted: dict[str, int]
) -> list[list[str]]:
    """Half a repository may be one cycle: of those, what there is room for."""
    taken = [budget.take(cycle, omitted, "cycle_members") for cycle in cycles]
    return [cycle for cycle in taken if cycle]


def _left_out(omitted: dict[str, int]) -> dict[str, Any]:
    return {"omitted": omitted} if omitted else {}


def _kinds(names: list[str] | None, analysis: str) -> frozenset[int]:
    from agrama.graph.dependencies import USES

    if names:
        return frozenset(EdgeKind[name.upper()] for name in names)
    return frozenset((EdgeKind.IMPORTS,)) if analysis == "imports" else USES


def _order_nodes(
    snapshot: "Snapshot", sides: "dict[str, Reach]"
) -> list[tuple[int, str, str, int]]:
    """Distance, side, name and number, the nearest first; a node may lie on both sides."""
    found: dict[int, tuple[int, str]] = {}
    for side, reach in sides.items():
        for node, distance in reach.nodes.items():
            known = found.get(node)
            if known is None:
                found[node] = distance, side
            elif known[0]:
                found[node] = min(known[0], distance), "both"
    return sorted((*place, snapshot.id_of(node), node) for node, place in found.items())


def _describe_node(snapshot: "Snapshot", each: tuple[int, str, str, int]) -> dict[str, Any]:
    distance, side, name, node = each
    row: dict[str, Any] = {"symbol": name, "distance": distance}
    place = snapshot.place_of(node)
    if place is not None:
        kind, path, start_line = place
        row.update(kind=KINDS[kind].label, path=path, start_line=start_line)
    if distance:
        row["direction"] = side
    return row


def _impact(snapshot: "Snapshot", reach: "Reach") -> dict[str, Any]:
    from agrama.graph.impact import find_tests

    reached = [node for node, distance in reach.nodes.items() if distance]
    files = {snapshot.id_of(node).partition("::")[0] for node in reached}
    return {"symbols": len(reached), "files": len(files), "tests": find_tests(reach)}


def _draw(
    snapshot: "Snapshot",
    form: str,
    edges: "list[Edge]",
    root: str,
    room: float,
    omitted: dict[str, int],
) -> str:
    """A picture of the most central part: no picture of more than a few dozen boxes is readable."""
    from agrama.graph.drawing import draw_dot, draw_mermaid

    names = {end for edge in edges for end in (edge.source, edge.target)}
    ranked = sorted(names, key=lambda name: (name != root, -(snapshot.pagerank(name) or 0), name))
    draw = draw_dot if form == "dot" else draw_mermaid
    count = min(_DRAWN_NODES, len(ranked))
    while True:
        kept = set(ranked[:count])
        arrows = {
            (edge.source, edge.target, edge.kind.label)
            for edge in edges
            if edge.source in kept and edge.target in kept
        }
        picture = "".join(draw(sorted(arrows)))
        if len(picture.encode()) <= room or not count:
            break
        count = count * 3 // 4
    if count < len(ranked):
        omitted["drawn_nodes"] = len(ranked) - count
    return picture


def _row(edge: "Edge") -> dict[str, Any]:
    row = describe_edge(edge, edge.target)
    del row["symbol"]
    return {"source": edge.source, "target": edge.target, **row}


def _render(answer: dict[str, Any]) -> str:
    parts = [f"dependencies of {answer['root']}"]
    if "path" in answer:
        if not answer["path"]:
            return f"No chain of sure edges leads from {answer['root']} to {answer['to']}."
        parts += [f"{_arrow(row)}" for row in answer["path"]]
    for row in answer["nodes"][1:]:
        parts.append(f"{row['direction']} {row['distance']}: {row.get('kind', '')} {row['symbol']}")
    parts += map(_arrow, answer["edges"])
    for cycle in answer.get("cycles", ()):
        parts.append("cycle: " + " → ".join(cycle))
    if "impact" in answer:
        impact = answer["impact"]
        parts.append(f"impact: {impact['symbols']} symbols in {impact['files']} files")
        parts += [f"  test {name}" for name in impact["tests"]]
    for form in ("mermaid", "dot"):
        if form in answer:
            parts.append(answer[form])
    parts += render_coverage(answer)
    if answer.get("truncated"):
        parts.append("(max_nodes reached: there is more)")
    if "omitted" in answer:
        left = ", ".join(f"{count} {name}" for name, count in answer["omitted"].items())
        parts.append(f"(left out for max_tokens: {left})")
    return "\n".join(parts)


def _arrow(row: dict[str, Any]) -> str:
    place = f"{row['path']}:{row['line']}"
    return f"{row['source']} {row['kind']} {row['target']} at {place} ({row['confidence']:.2f})"


_EDGE = {
    **EDGE_SCHEMA,
    "properties": {
        **{name: kind for name, kind in EDGE_SCHEMA["properties"].items() if name != "symbol"},
        "source": {"type": "string"},
        "target": {"type": "string"},
    },
    "required": ["source", "target", "kind", "path", "line", "confidence"],
}

TOOL = Tool(
    name="analyze_dependencies",
    title="Analyze dependencies",
    description=(
        "What a file or symbol needs and who needs it, some steps deep, with evidence; import "
        "cycles; the shortest chain to another symbol; tests."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "a file: all of it"},
            "symbol": {"type": "string", "description": "or an id or name"},
            "direction": {"enum": ["both", "forward", "reverse"], "default": "both"},
            "max_depth": {"type": "integer", "minimum": 1, "maximum": 20, "default": 3},
            "edge_kinds": {"type": "array", "items": {"enum": list(_KINDS)}},
            "analysis_type": {
                "enum": ["full", "imports", "exports", "circular", "impact"],
                "default": "full",
            },
            "include_external": {"type": "boolean", "default": False},
            "to": {"type": "string", "description": "symbol: the shortest chain to it"},
            "format": {"enum": ["json", "mermaid", "dot"], "default": "json"},
            "max_nodes": {"type": "integer", "minimum": 1, "maximum": 10000, "default": 100},
            "max_tokens": {"type": "integer", "default": 8000},
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "root": {"type": "string"},
            "to": {"type": "string"},
            "nodes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "symbol": {"type": "string"},
                        "distance": {"type": "integer"},
                        "kind": {"type": "string"},
                        "path": {"type": ["string", "null"]},
                        "start_line": {"type": "integer"},
                        "direction": {"enum": ["forward", "reverse", "both"]},
                    },
                    "required": ["symbol", "distance"],
                },
            },
            "edges": {"type": "array", "items": _EDGE},
            "cycles": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
            "path": {"type": "array", "items": _EDGE},
            "impact": {
                "type": "object",
                "properties": {
                    "symbols": {"type": "integer"},
                    "files": {"type": "integer"},
                    "tests": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["symbols", "files", "tests"],
            },
            "mermaid": {"type": "string"},
            "dot": {"type": "string"},
            "truncated": {"type": "boolean"},
            "omitted": {"type": "object", "additionalProperties": {"type": "integer"}},
            **COVERAGE_SCHEMA,
            **STALE_SCHEMA,
        },
        "required": ["root", "nodes", "edges"],
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    slow=True,
    cacheable=True,
    aliases={"file_path": "path", "root": "symbol"},
)
