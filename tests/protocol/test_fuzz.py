"""A short run of the protocol fuzz; the long one is `benchmarks/fuzz_protocol.py`."""

import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [BENCHMARKS, *sys.path])
    import fuzz_protocol

    return fuzz_protocol


@pytest.mark.parametrize("seed", [11, 12, 13, 14])
def test_no_crash_and_every_request_answered(fuzz: Any, seed: int, capfd: Any) -> None:
    figures = fuzz.run(5_000, seed)
    assert figures["first_problems"] == []
    assert figures["counts"]["results"] > 500
    assert figures["counts"]["errors"] > 500


def test_the_oracle_itself(fuzz: Any) -> None:
    oracle = fuzz.Oracle()
    for line, expected in (
        (b"", []),
        (b"x", [None]),
        (b'{"jsonrpc":"2.0","id":1,"method":"m"}', [1]),
        (b'{"jsonrpc":"2.0","method":"m"}', []),
        (b'{"id":1.5,"method":"m"}', [None]),
        (b'{"result":1,"id":3}', []),
        (b'{"id":"\\ud800","method":"m"}', [None]),
    ):
        assert oracle.ids(line, batches=False) == expected, line
    assert oracle.ids(b'[{"id":1,"method":"m"},{"method":3}]', batches=True) == [1, None]
    assert oracle.ids(b"[1]", batches=False) == [None]
