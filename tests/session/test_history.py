"""The checker of histories finds what it is there to find."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

PATH = Path(__file__).parents[2] / "benchmarks" / "history.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("history_of_agents", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


history = load()
FINAL = {"s": [(1, "a"), (2, "b")]}


def check(final: dict[str, list[tuple[int, str]]] = FINAL, **seen: list[object]) -> int:
    return len(history.find_violations(history.History(**seen), final))


def append(start: float, end: float | None, content: str, number: int | None) -> object:
    return history.Append(start, end, "s", content, number)


def test_a_sound_history_passes() -> None:
    appends = [append(0, 1, "a", 1), append(2, 3, "b", 2), append(2, None, "c", None)]
    reads = [history.Read(4, 5, "s", 0, ((1, "a"), (2, "b")))]
    assert check(appends=appends, reads=reads) == 0


def test_lost_doubled_and_missing_ids_are_found() -> None:
    assert check(appends=[append(0, 1, "gone", 3)]) == 1
    assert check({"s": [(1, "a"), (2, "a")]}) == 1
    assert check({"s": [(1, "a"), (3, "b")]}) == 1


def test_an_order_against_time_is_found() -> None:
    assert check(appends=[append(0, 1, "b", 2), append(2, 3, "a", 1)]) == 1


def test_a_read_that_misses_an_acknowledged_message_is_found() -> None:
    appends = [append(0, 1, "a", 1), append(0, 1, "b", 2)]
    assert check(appends=appends, reads=[history.Read(2, 3, "s", 0, ((1, "a"),))]) == 1
    assert check(appends=appends, reads=[history.Read(0.5, 3, "s", 0, ((1, "a"),))]) == 0


def test_a_read_that_goes_back_or_differs_is_found() -> None:
    first = history.Read(0, 1, "s", 0, ((1, "a"), (2, "b")))
    assert check(reads=[first, history.Read(2, 3, "s", 0, ((1, "a"),))]) == 1
    assert check(reads=[history.Read(0, 1, "s", 0, ((1, "x"),))]) == 1


def test_a_conflict_that_was_not_told_is_found() -> None:
    held = history.Lease(0, 1, "a", "f", "C1", frozenset())
    blind = history.Lease(2, 3, "b", "f", "C2", frozenset())
    told = history.Lease(2, 3, "b", "f", "C2", frozenset(("C1",)))
    assert check(leases=[held, blind]) == 1
    assert check(leases=[held, told]) == 0
    held.released = 2.5
    assert check(leases=[held, blind]) == 0
