"""PageRank over the edges that say who uses whom, kept as one array indexed by node number.

The scores are a prior for ranking, not part of the graph: they carry the generation they were
computed at and may lag behind it.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agrama.graph import keys
from agrama.graph.store import Reader, WriteTransaction
from agrama.graph.uses import Nodes, Uses, count_users

_DAMPING = 0.85
_ROUNDS = 40
_TOLERANCE = 1e-7
_GENERATION = struct.Struct("<Q")
_Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Ranks:
    """What is kept of every node for ranking: its PageRank, and of files how many others use them."""

    scores: bytes
    users: bytes


def weigh_uses(uses: Uses) -> Ranks:
    """The ranks of all nodes of a graph."""
    scores = rank(uses.sources, uses.targets, len(uses.owners))
    return Ranks(scores.tobytes(), count_users(uses).tobytes())


def rank(sources: Nodes, targets: Nodes, size: int) -> _Scores:
    """Power iteration; several edges between two nodes count once, nodes without edges get nothing."""
    pairs = np.unique(sources.astype(np.uint64) << np.uint64(32) | targets)
    sources = (pairs >> np.uint64(32)).astype(np.int64)
    targets = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    degree = np.bincount(sources, minlength=size)
    present = (degree > 0) | (np.bincount(targets, minlength=size) > 0)
    count = int(present.sum())
    if not count:
        return np.zeros(size, np.float32)
    start = present / count
    scores = start.copy()
    share = 1.0 / np.maximum(degree, 1)
    loose = present & (degree == 0)
    for _ in range(_ROUNDS):
        flow = np.bincount(targets, weights=(scores * share)[sources], minlength=size)
        fresh = (1 - _DAMPING + _DAMPING * scores[loose].sum()) * start + _DAMPING * flow
        moved = float(np.abs(fresh - scores).sum())
        scores = fresh
        if moved < _TOLERANCE:
            break
    return scores.astype(np.float32)


def store_ranks(transaction: WriteTransaction, ranks: Ranks, generation: int) -> None:
    """Keep the ranks of the nodes as they were at a generation."""
    value = _GENERATION.pack(generation) + ranks.scores
    transaction.put(keys.SCORES, keys.PAGERANK_KEY, value)
    transaction.put(keys.SCORES, keys.USERS_KEY, ranks.users)


def read_rank(reader: Reader, node: int) -> float | None:
    """The score of a node, None when it is younger than the scores."""
    scores = read_ranks(reader)
    return scores[node] if node < len(scores) else None


def read_ranks(reader: Reader) -> Sequence[float]:
    """The scores by node, valid as long as the reader is; younger nodes have none."""
    value = reader.get(keys.SCORES, keys.PAGERANK_KEY)
    if value is None:
        return ()
    scores: memoryview[float] = memoryview(value)[_GENERATION.size :].cast("f")
    return scores


def ranked_generation(reader: Reader) -> int | None:
    """Which generation the stored scores belong to."""
    value = reader.get(keys.SCORES, keys.PAGERANK_KEY)
    if value is None:
        return None
    generation: int = _GENERATION.unpack_from(value)[0]
    return generation
