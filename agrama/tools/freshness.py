"""Keeps answers fresh: files that changed since they were indexed are indexed again, or said.

A changed file is noticed by its stat. Where an indexer runs it is asked to look at the file, and the
request begins again on what it published; else, and when that takes too long, the answer says `stale`.
"""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agrama.context import Context

if TYPE_CHECKING:
    from agrama.graph.snapshot import Snapshot

# One file takes a tenth of a second; when a change reaches much of a large repository, an older answer
# that says so is worth more than a late one.
_RENEW_SECONDS = 3.0
_RENEW_SHARE = 0.5  # of the time the request has left

STALE_SCHEMA: dict[str, Any] = {
    "stale": {"type": "boolean"},
    "stale_paths": {"type": "array", "items": {"type": "string"}},
}


def note_freshness(context: Context, answer: dict[str, Any], paths: Iterable[str]) -> None:
    """Have files that changed since they were indexed indexed again; say which could not be."""
    stale = find_stale(context, paths)
    if stale:
        renew(context, stale)
        answer["stale"] = True
        answer["stale_paths"] = stale
        context.expire_in(0)  # the next one to ask may get a fresh answer
    note_indexing(context, context.snapshot)


def renew(context: Context, stale: list[str]) -> None:
    """Begin the request again on a fresh index, when an indexer makes one in time; else return."""
    if context.renewed or not context.services.has_indexer:
        return
    context.before_waiting()
    seconds = min(_RENEW_SECONDS, context.remaining_seconds * _RENEW_SHARE)
    if seconds > 0 and context.services.ask_indexer(stale, seconds):
        context.begin_again()


def note_indexing(context: Context, snapshot: "Snapshot | None") -> None:
    """Say which generation an answer is from, and whether a newer one is being built."""
    if snapshot is not None:
        context.meta["agrama/generation"] = snapshot.generation
        progress = context.services.progress()
        if progress is not None:
            context.meta["agrama/indexing"] = progress


def find_stale(context: Context, paths: Iterable[str]) -> list[str]:
    """Those of `paths` that changed since they were indexed; a cached answer goes when one does."""
    stamp_of, prefix = context.snapshot.stamp, context.services.prefix
    directories = context.services.directories
    epoch = directories.epoch(time.monotonic_ns())
    stale = []
    for path in dict.fromkeys(paths):
        stamp = stamp_of(path)
        if stamp is None:
            continue
        found = directories.look(prefix + path, epoch)
        context.depends_on(prefix + path, *found)
        if found != stamp:
            stale.append(path)
    return sorted(stale)
