"""How long each tool took: counters in buckets, cheap enough to fill on every call.

Buckets grow by an eighth of a power of two, so a percentile read from them is within 9 % of the
measured one, and a tool costs a few hundred integers whatever its traffic.
"""

from typing import Any

_SUB_BITS = 3
_SUB = 1 << _SUB_BITS


class Histogram:
    """Durations in nanoseconds."""

    __slots__ = ("buckets", "count", "errors", "max_ns", "total_ns")

    def __init__(self) -> None:
        self.buckets: dict[int, int] = {}
        self.count = 0
        self.errors = 0
        self.total_ns = 0
        self.max_ns = 0

    def record(self, duration_ns: int, *, failed: bool = False) -> None:
        bits = duration_ns.bit_length()
        index = (bits << _SUB_BITS) | ((duration_ns >> (bits - 4)) & (_SUB - 1) if bits > 3 else 0)
        self.buckets[index] = self.buckets.get(index, 0) + 1
        self.count += 1
        self.total_ns += duration_ns
        if duration_ns > self.max_ns:
            self.max_ns = duration_ns
        if failed:
            self.errors += 1

    def percentile_ns(self, fraction: float) -> int | None:
        """The middle of the bucket the fraction falls into; None when nothing was recorded."""
        wanted = fraction * self.count
        seen = 0
        for index, count in sorted(self.buckets.items()):
            seen += count
            if seen >= wanted:
                return min(_middle_ns(index), self.max_ns)
        return None

    def as_dict(self) -> dict[str, Any]:
        def microseconds(value_ns: int | None) -> float | None:
            return None if value_ns is None else round(value_ns / 1000, 1)

        return {
            "calls": self.count,
            "errors": self.errors,
            "mean_us": microseconds(self.total_ns // self.count) if self.count else None,
            "p50_us": microseconds(self.percentile_ns(0.50)),
            "p95_us": microseconds(self.percentile_ns(0.95)),
            "p99_us": microseconds(self.percentile_ns(0.99)),
            "max_us": microseconds(self.max_ns) if self.count else None,
        }


def _middle_ns(index: int) -> int:
    bits, sub = index >> _SUB_BITS, index & (_SUB - 1)
    if bits <= 3:
        return (1 << bits) >> 1
    low = (_SUB + sub) << (bits - 4)
    return low + ((1 << (bits - 4)) >> 1)


class Metrics:
    """Histograms by tool or method."""

    __slots__ = ("by_name",)

    def __init__(self) -> None:
        self.by_name: dict[str, Histogram] = {}

    def of(self, name: str) -> Histogram:
        return self.by_name.setdefault(name, Histogram())

    def as_dict(self) -> dict[str, Any]:
        return {
            name: histogram.as_dict()
            for name, histogram in sorted(self.by_name.items())
            if histogram.count
        }
