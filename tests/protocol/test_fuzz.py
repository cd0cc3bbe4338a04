"""A short run of the protocol fuzz; the long one is `benchmarks/fuzz_protocol.py`."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_shrinkable_messages_are_answered(fuzz: Any, data: st.DataObject) -> None:
    """The same with hypothesis: fewer messages, but a failure comes out small."""
    names = st.sampled_from(["name", "arguments", "_meta", "uri", "cursor", *fuzz.META]) | st.text(
        max_size=5
    )
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
        max_leaves=10,
    )
    messages = st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0") | values, "method": st.sampled_from(fuzz.METHODS) | values},
        optional={
            "id": st.integers(0, 3) | values,
            "params": st.dictionaries(names, values) | values,
        },
    )
    target, oracle = fuzz.Target(), fuzz.Oracle()
    for message in data.draw(st.lists(messages | values, max_size=6)):
        try:
            line = json.dumps(message, allow_nan=False).encode()
        except ValueError:
            continue
        assert fuzz._check(line, target, oracle, Counter()) is None, line
    target.peer.close()


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


def test_a_real_process_survives(fuzz: Any, spawn: Any) -> None:
    """Three thousand lines through pipes: all that comes back is JSON, and the server still answers."""
    wire, source = spawn(), fuzz.Source(99)
    lines = [source.line().replace(b"\n", b" ") for _ in range(3_000)]
    wire.send(
        b"\n".join(line for line in lines if not line.lower().startswith(b"content-")) + b"\n"
    )
    assert wire.is_alive()
    assert wire.end() == 0
