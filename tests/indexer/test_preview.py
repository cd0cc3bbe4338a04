"""An edit is published at once with its own edges, and exactly once it is quiet."""

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from agrama.graph import keys
from agrama.graph.export import export_jsonl
from agrama.graph.model import EdgeKind
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.indexer.build import Indexer, Options
from agrama.indexer.settle import Settled


@pytest.fixture
def resident(sample: Path) -> Iterator[Indexer]:
    """An indexer that stays alive and previews whatever the size."""
    with Indexer(sample, Options(resident=True, workers=1, exact_registers=0)) as indexer:
        indexer.run()
        indexer.prepare()
        yield indexer


def settle(indexer: Indexer) -> Settled:
    outcome: queue.SimpleQueue[Settled] = queue.SimpleQueue()
    assert indexer.begin_settling(outcome.put) is not None
    return outcome.get(timeout=60)


def export(store: Store) -> bytes:
    with open_snapshot(store) as snapshot:
        return b"".join(export_jsonl(snapshot))


def test_a_preview_has_the_edges_of_the_edited_file(sample: Path, resident: Indexer) -> None:
    with (sample / "shop" / "basket.py").open("a") as file:
        file.write("\n\ndef free() -> Money:\n    return Money(0).add(Money(1))\n")
    report = resident.refresh(["shop/basket.py"])
    assert report.changed and not report.settled
    with open_snapshot(resident.store) as snapshot:
        edges = snapshot.outgoing("shop/basket.py::free", (EdgeKind.CALLS,))
        assert "shop/money.py::Money.add" in {edge.target for edge in edges}


def test_settling_repairs_what_other_files_said(sample: Path, resident: Indexer) -> None:
    (sample / "shop" / "money.py").write_text("class Cash:\n    pass\n")
    resident.refresh(["shop/money.py"])
    report = resident.finish_settling(settle(resident))
    assert report is not None and report.rewritten == 1  # basket.py lost its edges to Money
    updated = export(resident.store)
    assert b"Money.add" not in updated
    with resident.store.read() as reader:
        assert reader.get(keys.META, keys.UNSETTLED_KEY) is None
    with Indexer(sample, Options(full=True)) as fresh:
        fresh.run()
        assert export(fresh.store) == updated


def test_a_solution_that_came_too_late_is_not_published(sample: Path, resident: Indexer) -> None:
    (sample / "shop" / "money.py").write_text("class Cash:\n    pass\n")
    resident.refresh(["shop/money.py"])
    late = settle(resident)
    (sample / "shop" / "money.py").write_text("class Coins:\n    pass\n")
    resident.refresh(["shop/money.py"])
    assert resident.finish_settling(late) is None
    assert resident.finish_settling(settle(resident)) is not None


def test_an_indexer_that_runs_once_settles_what_it_finds(sample: Path, resident: Indexer) -> None:
    (sample / "shop" / "money.py").write_text("class Cash:\n    pass\n")
    resident.refresh(["shop/money.py"])
    resident.close()
    with Indexer(sample) as later:
        report = later.run()
        assert report.changed and report.settled and report.rewritten == 1
        with later.store.read() as reader:
            assert reader.get(keys.META, keys.UNSETTLED_KEY) is None
    resident.store = Store.open(resident.folder)  # the fixture closes it again


def test_a_stopped_resolution_says_that_it_failed(sample: Path, resident: Indexer) -> None:
    (sample / "shop" / "money.py").write_text("class Cash:\n    pass\n")
    resident.refresh(["shop/money.py"])
    outcome: queue.SimpleQueue[Settled] = queue.SimpleQueue()
    settling = resident.begin_settling(outcome.put)
    assert settling is not None
    settling.stop()
    stopped = outcome.get(timeout=10)
    assert stopped.graphs is None
    assert resident.finish_settling(stopped) is None
