"""A mapping on disk behaves as one in memory."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.indexer import spill as spill_module
from agrama.indexer.spill import Spill

steps = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.one_of(st.none(), st.binary(max_size=40))), max_size=60
)


@given(steps)
def test_it_says_what_a_dict_says(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, bytes | None]]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    spill, model = Spill(folder), dict[str, bytes]()
    limit = spill_module._IN_MEMORY
    spill_module._IN_MEMORY = 50
    try:
        for key, value in changes:
            if value is not None:
                spill[key] = model[key] = value
            elif key in model:
                del spill[key], model[key]
        assert dict(spill) == model
        assert list(spill) == sorted(model)
        assert len(spill) == len(model)
    finally:
        spill_module._IN_MEMORY = limit
        spill.close()


def test_nothing_stays_on_disk(tmp_path: Path) -> None:
    spill = Spill(tmp_path)
    spill["a"] = b"x" * (5 << 20)
    assert spill["a"] == b"x" * (5 << 20)
    assert list(tmp_path.iterdir()) == []
    spill.close()
    with pytest.raises(KeyError):
        spill["a"]
