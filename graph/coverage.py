"""How much of a repository the graph knows: calls it could not resolve, files it did not read whole.

Either may hide a caller, so an answer about who depends on something says how many there are.
"""

import struct
from typing import NamedTuple

import orjson

from agrama.graph import keys
from agrama.graph.store import Reader

_HEAD = struct.Struct("<16s2I")  # how a row of FILES begins: fingerprint, unresolved, call sites
# What is skipped for these reasons calls nothing.
_NO_CODE = frozenset(("binary", "secret"))
_NAMED = 10


class Coverage(NamedTuple):
    """Counts over the whole repository, and the first files that are missing or incomplete."""

    unresolved_calls: int
    call_sites: int
    skipped_files: int
    partial_files: int
    examples: tuple[str, ...]


def measure_coverage(reader: Reader) -> Coverage:
    """Count over every file; some milliseconds per thousand files."""
    unresolved = call_sites = 0
    for _, row in reader.scan(keys.FILES):
        _, missing, sites = _HEAD.unpack_from(row)
        unresolved += missing
        call_sites += sites
    skipped: list[str] = []
    partial: list[str] = []
    for _, row in reader.scan(keys.MANIFEST):
        path, _, _, _, _, status, reason, _ = orjson.loads(row)
        if status == "partial":
            partial.append(path)
        elif status == "skipped" and reason not in _NO_CODE:
            skipped.append(path)
    named = tuple((partial + skipped)[:_NAMED])
    return Coverage(unresolved, call_sites, len(skipped), len(partial), named)
