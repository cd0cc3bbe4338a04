"""Values flow along edges; items see every object exactly when it arrives."""

from typing import Any

from agrama.indexer.resolve.flow import Flow, Item


def _note(seen: list[tuple[Any, int]], item: Item, target: int) -> None:
    seen.append((item[0][1], target))


def test_objects_reach_everything_behind() -> None:
    flow = Flow(4)
    flow.link(0, 1)
    flow.link(1, 2)
    flow.link(2, 1)
    flow.seed(0, 7)
    flow.start()
    flow.run([_note], [])
    flow.add(3, 8)
    flow.link(3, 0)
    flow.run([_note], [])
    assert [sorted(flow.get(variable)) for variable in range(4)] == [[7, 8], [7, 8], [7, 8], [8]]


def test_an_item_sees_what_is_there_and_what_comes() -> None:
    flow = Flow(1)
    flow.seed(0, 7)
    flow.start()
    seen: list[tuple[Any, int]] = []
    flow.run([_note], seen)
    flow.subscribe(0, ((0, "item"), -1, 0))
    flow.add(0, 8)
    flow.run([_note], seen)
    assert set(seen) == {("item", 7), ("item", 8)}


def test_many_successors_are_each_reached() -> None:
    flow = Flow(40)
    for target in range(1, 40):
        flow.link(0, target)
        flow.link(0, target)
    assert flow.changes == 39
    flow.add(0, 5)
    flow.run([_note], [])
    assert all(flow.get(target) == (5,) for target in range(40))
