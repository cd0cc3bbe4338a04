"""Analysis with networkx, on a repository indexed for real."""

from collections.abc import Iterator
from pathlib import Path

import networkx
import pytest

from agrama.graph.keys import repository_folder
from agrama.graph.offline import export_graphml, find_communities, find_cycles, read_graph
from agrama.graph.snapshot import Snapshot, open_snapshot
from agrama.graph.store import Store


@pytest.fixture
def snapshot(indexed: Path) -> Iterator[Snapshot]:
    with Store.open(repository_folder(indexed)) as store, open_snapshot(store) as opened:
        yield opened


def test_the_graph_has_every_symbol(snapshot: Snapshot) -> None:
    graph = read_graph(snapshot)
    assert graph.nodes["shop/money.py::Money.add"]["kind"] == "method"
    assert graph.has_edge("shop/basket.py::Basket.put", "shop/money.py::Money.add", "calls")


def test_graphml_can_be_read_back(snapshot: Snapshot, tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_bytes(b"".join(export_graphml(snapshot)))
    again = networkx.read_graphml(path)
    assert set(again) == set(read_graph(snapshot))


def test_cycles_and_communities(snapshot: Snapshot) -> None:
    assert find_cycles(snapshot) == []
    groups = find_communities(snapshot)
    assert any({"shop/basket.py", "shop/money.py"} <= set(group) for group in groups)
