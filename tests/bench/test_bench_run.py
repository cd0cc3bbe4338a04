"""The benchmark on a small repository: every figure is there, and promises decide the exit status."""

import json
from pathlib import Path
from typing import Any

import pytest

from agrama.bench.run import TOOLS, judge
from agrama.bench.sample import read_sample
from agrama.bench.timing import summarize
from agrama.cli import main


def test_a_run_measures_every_tool_in_every_mode(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["bench", "--repo", str(sample), "--quick", "--rounds", "1", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert status == (0 if report["kept"] else 1)
    for tool in TOOLS:
        modes = report["tools"][tool]
        timed = {"cold", "floor", "uncached", "paced"}
        assert timed <= set(modes)
        assert ("cached" in modes) is (tool != "record_decision")
        assert all(0 < modes[mode]["p50"] <= modes[mode]["p99"] for mode in timed)
    assert report["index"]["seconds"] > 0
    assert report["cold_start_us"]["agrama"]["p50"] > report["cold_start_us"]["echo"]["p50"] / 10
    assert report["calls_per_second"]["uncached"] > 0
    # Both floors were measured in the same run: the bare one is far below the SDK's.
    assert report["echo_us"]["p50"] < report["sdk_us"]["p50"]
    assert report["cold_start_us"]["sdk"]["p50"] > 0
    assert not (sample / ".agrama").exists()


def _report(p50: float, p95: float, rate: float) -> dict[str, Any]:
    figures = {"uncached": {"p50": p50, "p95": p95}}
    return {"tools": dict.fromkeys(TOOLS, figures), "calls_per_second": {"working_set": rate}}


@pytest.mark.parametrize(
    ("p50", "p95", "rate", "broken"),
    [(900, 1900, 4000, 0), (1000, 1900, 4000, 5), (10, 2000, 4000, 5), (10, 20, 3999, 1)],
)
def test_promises_are_limits_not_wishes(p50: float, p95: float, rate: float, broken: int) -> None:
    rows = judge(_report(p50, p95, rate))
    assert len(rows) == 11
    assert sum(not row["kept"] for row in rows) == broken


def test_no_two_calls_are_alike_and_all_have_an_agents_budget(sample: Path) -> None:
    assert main(["index", str(sample), "--quiet"]) == 0
    calls = read_sample(sample)
    for tool in TOOLS:
        asked = [calls.call(tool, number).arguments for number in range(200)]
        assert len({json.dumps(arguments) for arguments in asked}) == 200
        assert all(8000 <= each["max_tokens"] < 8200 for each in asked if "max_tokens" in each)


def test_percentiles_of_few_values() -> None:
    assert summarize([3.0, 1.0, 2.0]) == (2.0, 3.0, 3.0, 3, None)
