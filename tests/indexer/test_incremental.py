"""Updating an index gives the same graph as building it from scratch, whatever was edited."""

import email
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from incremental import check_sequence

# A package of the standard library: real, small, with relative imports and inheritance.
SOURCE = Path(email.__file__).parent


@pytest.mark.parametrize("seed", range(6))
def test_updates_equal_a_build_from_scratch(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index_home: Path
) -> None:
    monkeypatch.setenv("AGRAMA_HOME", str(index_home))  # the check changes it
    log = check_sequence(SOURCE, tmp_path, edits=3, seed=seed)
    assert log is None, "\n".join(log)
