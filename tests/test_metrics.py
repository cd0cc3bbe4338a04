"""Histograms: percentiles close to the true ones, at any scale."""

import statistics

from hypothesis import given
from hypothesis import strategies as st

from agrama.metrics import Histogram, Metrics


@given(st.lists(st.integers(1, 10**11), min_size=1, max_size=300))
def test_percentiles_are_within_a_bucket(durations: list[int]) -> None:
    histogram = Histogram()
    for duration in durations:
        histogram.record(duration)
    ordered = sorted(durations)
    for fraction in (0.5, 0.95, 0.99):
        rank = max(0, -(-len(ordered) * fraction // 1) - 1)
        true = ordered[int(rank)]
        found = histogram.percentile_ns(fraction)
        assert found is not None
        assert abs(found - true) <= max(8, true * 0.13)


def test_counts_errors_mean_and_max() -> None:
    histogram = Histogram()
    for duration in (1000, 2000, 3000):
        histogram.record(duration)
    histogram.record(10_000, failed=True)
    row = histogram.as_dict()
    assert (row["calls"], row["errors"], row["max_us"]) == (4, 1, 10.0)
    assert row["mean_us"] == statistics.mean((1, 2, 3, 10))


def test_nothing_recorded_is_null_and_left_out() -> None:
    assert Histogram().percentile_ns(0.5) is None
    metrics = Metrics()
    metrics.of("idle")
    metrics.of("busy").record(5)
    assert list(metrics.as_dict()) == ["busy"]
