"""Rows of an answer keep to the room there is; the first of a list is shown whatever its size."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from agrama.tools.answers import BYTES_PER_TOKEN, Budget


@given(st.lists(st.integers(0, 300)), st.integers(0, 200))
def test_rows_fit_and_what_is_left_out_is_counted(sizes: list[int], tokens: int) -> None:
    rows = [{"text": "x" * size} for size in sizes]
    whole: dict[str, int] = {}
    taken = Budget(tokens).take(iter(rows), whole, "rows")
    assert taken == rows[: len(taken)]
    assert whole.get("rows", 0) == len(rows) - len(taken)
    assert (
        len(taken) <= 1 or sum(len(orjson.dumps(row)) for row in taken) <= tokens * BYTES_PER_TOKEN
    )
    assert not (rows and tokens) or taken
    described: dict[str, int] = {}
    assert Budget(tokens).describe(rows, dict, described, "rows") == taken
    assert described == whole
