"""Analysis of the whole graph with networkx; never on the serving path, where it would take seconds."""

from collections.abc import Collection, Iterator

import networkx

from agrama.graph.export import read_edges, read_symbols
from agrama.graph.model import EdgeKind
from agrama.graph.snapshot import Snapshot

_KINDS = {kind.value: kind.label for kind in EdgeKind}


def read_graph(snapshot: Snapshot, kinds: Collection[int] | None = None) -> networkx.MultiDiGraph:
    """Symbols as nodes; between two of them one edge per kind, with how often and how surely."""
    graph = networkx.MultiDiGraph()
    for symbol in read_symbols(snapshot):
        graph.add_node(
            symbol.id,
            kind=symbol.kind.label,
            name=symbol.name,
            qualified_name=symbol.qualified_name,
            path=symbol.path or "",
            start_line=symbol.start_line,
            language=symbol.language or "",
        )
    for edge in read_edges(snapshot, kinds):
        label = _KINDS[edge.kind]
        known = graph.get_edge_data(edge.source, edge.target, label)
        if known is None:
            graph.add_edge(
                edge.source, edge.target, label, kind=label, count=1, confidence=edge.confidence
            )
        else:
            known["count"] += 1
            known["confidence"] = max(known["confidence"], edge.confidence)
    return graph


def export_graphml(snapshot: Snapshot, kinds: Collection[int] | None = None) -> Iterator[bytes]:
    """The graph as GraphML, for Gephi, yEd and the like."""
    graph = read_graph(snapshot, kinds)
    for line in networkx.generate_graphml(graph):
        yield (line + "\n").encode()


def find_cycles(snapshot: Snapshot, kind: EdgeKind = EdgeKind.IMPORTS) -> list[list[str]]:
    """Groups of symbols that reach one another, the largest first."""
    graph = read_graph(snapshot, (kind,))
    groups = networkx.strongly_connected_components(graph)
    found = [sorted(group) for group in groups if len(group) > 1]
    return sorted(found, key=lambda group: (-len(group), group))


def find_communities(snapshot: Snapshot, *, seed: int = 0) -> list[list[str]]:
    """Files that belong together by who uses whom (Louvain), the largest group first."""
    graph = networkx.Graph()
    for edge in read_edges(snapshot):
        source, target = (name.partition("::")[0] for name in (edge.source, edge.target))
        if edge.kind != EdgeKind.CONTAINS and source != target and ":" not in target:
            weight = graph.get_edge_data(source, target, {"weight": 0})["weight"] + 1
            graph.add_edge(source, target, weight=weight)
    groups = networkx.community.louvain_communities(graph, seed=seed)
    return sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group))
