"""Chunks come back as they were stored."""

from hypothesis import given
from hypothesis import strategies as st

from agrama.graph.chunks import chunk_key, decode_chunk, encode_chunk, read_place

NAMES = st.text(st.characters(blacklist_categories=("Cs",)), max_size=30)
NUMBERS = st.integers(0, 2**32 - 1)


@given(NUMBERS, NUMBERS, st.lists(st.tuples(st.integers(0, 20), NUMBERS, NAMES)), NAMES)
def test_round_trip(
    start: int, end: int, definitions: list[tuple[int, int, str]], text: str
) -> None:
    chunk = decode_chunk(memoryview(encode_chunk(start, end, definitions, text)))
    assert (chunk.start_line, chunk.end_line, chunk.text) == (start, end, text)
    assert [tuple(d) for d in chunk.definitions] == definitions


@given(NUMBERS, NUMBERS, st.lists(st.tuples(st.integers(0, 20), NUMBERS, NAMES)), NAMES)
def test_the_place_alone_is_that_of_the_whole(
    start: int, end: int, definitions: list[tuple[int, int, str]], text: str
) -> None:
    value = memoryview(encode_chunk(start, end, definitions, text))
    begun = [name for _, line, name in definitions if line >= start]
    assert read_place(value) == (start, end, begun[0] if begun else None)


def test_the_text_can_be_left_out() -> None:
    assert decode_chunk(encode_chunk(1, 2, [], "body"), with_text=False).text == ""


def test_keys_sort_by_file_then_position() -> None:
    keys = [chunk_key(slot, ordinal) for slot in (0, 1, 300) for ordinal in (0, 1, 256)]
    assert keys == sorted(keys)
