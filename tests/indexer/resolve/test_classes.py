"""The order in which attributes of classes are looked up."""

from agrama.indexer.resolve.classes import Classes
from agrama.indexer.resolve.objects import Objects


def _classes(bases: dict[int, list[int]]) -> Classes:
    classes = Classes(Objects())
    for cls, above in bases.items():
        classes.declare(cls, above)
    return classes


def test_a_diamond_is_ordered_as_python_does() -> None:
    classes = _classes({0: [], 1: [0], 2: [0], 3: [1, 2]})
    assert classes.order(3) == (3, 1, 2, 0)


def test_inconsistent_bases_still_have_an_order() -> None:
    classes = _classes({0: [], 1: [], 2: [0, 1], 3: [1, 0], 4: [2, 3]})
    assert set(classes.order(4)) == {0, 1, 2, 3, 4}


def test_a_class_that_derives_from_itself_ends() -> None:
    classes = _classes({0: [1], 1: [0]})
    assert classes.order(0)[0] == 0


def test_a_base_found_later_changes_the_order_of_subclasses() -> None:
    classes = _classes({0: [], 1: [], 2: [1]})
    assert classes.order(2) == (2, 1)
    assert set(classes.add_base(1, 0)) == {1, 2}
    assert classes.order(2) == (2, 1, 0)


def test_too_many_descendants_are_none() -> None:
    classes = _classes({0: [], **{cls: [0] for cls in range(1, 5)}})
    assert len(classes.descendants(0, 4)) == 4
    assert classes.descendants(0, 3) == ()
