"""Posting lists: what is grouped or merged is what is read."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agrama.graph.postings import (
    BLOCK,
    group_postings,
    merge_posting,
    posting_key,
    read_posting,
)

ENTRIES = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 3 * BLOCK)), st.integers(0, 255), max_size=40
)


@given(ENTRIES)
def test_grouping_keeps_every_entry(entries: dict[tuple[int, int], int]) -> None:
    rows = sorted(entries.items())
    hashes = np.array([term for (term, _), _ in rows], np.uint64)
    ids = np.array([number for (_, number), _ in rows], np.uint32)
    column = np.array([value for _, value in rows], np.uint8)
    seen: dict[tuple[int, int], int] = {}
    keys = []
    for key, value in group_postings(hashes, ids, [column]):
        keys.append(key)
        term, block = int.from_bytes(key[:8], "big"), int.from_bytes(key[8:], "big")
        low, (impacts,) = read_posting(value, 1)
        for number, impact in zip(low.tolist(), impacts.tolist(), strict=True):
            seen[term, block * BLOCK + number] = impact
    assert seen == entries
    assert keys == sorted(keys)


def test_merging_drops_and_adds_in_order() -> None:
    old = merge_posting(None, np.zeros(BLOCK, np.bool_), [5, 9], [[50, 90]])
    gone = np.zeros(BLOCK, np.bool_)
    gone[5] = True
    ids, (column,) = read_posting(merge_posting(old, gone, [2, 7], [[20, 70]]), 1)
    assert ids.tolist() == [2, 7, 9]
    assert column.tolist() == [20, 70, 90]


def test_a_list_without_entries_is_empty() -> None:
    gone = np.ones(BLOCK, np.bool_)
    old = merge_posting(None, np.zeros(BLOCK, np.bool_), [5], [[50]])
    assert merge_posting(old, gone, [], [[]]) == b""


def test_keys_sort_by_term_then_block() -> None:
    assert posting_key(1, 255) < posting_key(1, 256) < posting_key(2, 0)
