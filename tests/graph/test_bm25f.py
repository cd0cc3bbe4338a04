"""Impacts grow with weight and frequency, shrink with length, and fit a byte."""

from agrama.graph.bm25f import CHUNK_BODY, CHUNK_NAMES, add_field, saturate


def weigh(count: int, others: int, field: object = CHUNK_BODY) -> int:
    frequencies: dict[int, float] = {}
    add_field(frequencies, {1: count, 2: others}, field)  # type: ignore[arg-type]
    return saturate(frequencies[1])


def test_more_occurrences_weigh_more() -> None:
    assert weigh(1, 50) < weigh(3, 50) < weigh(9, 50)


def test_the_same_in_a_longer_text_weighs_less() -> None:
    assert weigh(2, 20) > weigh(2, 400)


def test_a_name_weighs_more_than_a_word_of_a_usual_body() -> None:
    assert weigh(1, 60, CHUNK_NAMES) < weigh(1, 5, CHUNK_NAMES)
    assert weigh(1, 5, CHUNK_NAMES) > weigh(1, 75, CHUNK_BODY)


def test_impacts_are_bytes_and_never_zero_for_a_present_term() -> None:
    assert saturate(0) == 0
    assert saturate(1e-9) == 1
    assert saturate(1e9) == 255


def test_fields_add_up() -> None:
    frequencies: dict[int, float] = {}
    add_field(frequencies, {1: 1}, CHUNK_NAMES)
    alone = frequencies[1]
    add_field(frequencies, {1: 1}, CHUNK_BODY)
    assert frequencies[1] > alone
