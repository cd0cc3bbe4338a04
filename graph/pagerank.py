"""PageRank over the edges that say who uses whom, kept as one array indexed by node number.

The scores are a prior for ranking, not part of the graph: they carry the generation they were
computed at and may lag behind it.
"""

import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agrama.graph import keys
from agrama.graph.model import EdgeKind
from agrama.graph.publish import PackedFile
from agrama.graph.store import Reader, WriteTransaction

_DAMPING = 0.85
_ROUNDS = 40
_TOLERANCE = 1e-7
_USES = (
    EdgeKind.IMPORTS,
    EdgeKind.CALLS,
    EdgeKind.INHERITS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.REFERENCES,
    EdgeKind.HANDLES,
)
_IS_USE = np.zeros(256, bool)
_IS_USE[list(_USES)] = True
_GENERATION = struct.Struct("<Q")
_RECORD = np.dtype(
    [("kind", "u1"), ("pad", "V3"), ("other", "<u4"), ("line", "<u4"), ("column", "<u4")]
)

_Nodes = npt.NDArray[np.uint32]
_Scores = npt.NDArray[np.float32]


def rank_files(files: Sequence[PackedFile], size: int) -> _Scores:
    """Scores of the nodes of a whole graph that is about to be published."""
    chosen = [file.edges[_IS_USE[file.edges["kind"]]] for file in files if len(file.edges)]
    if not chosen:
        return np.zeros(size, np.float32)
    sources = np.concatenate([edges["source"] for edges in chosen])
    targets = np.concatenate([edges["target"] for edges in chosen])
    return rank(sources, targets, size)


def rank_stored(reader: Reader) -> _Scores:
    """Scores of the graph as it is in the index."""
    value = reader.get(keys.META, keys.NEXT_NODE_KEY)
    size = 1 if value is None else keys.read_node(value)
    sources, targets = [], []
    for key, row in reader.scan(keys.OUT):
        records = np.frombuffer(row, _RECORD)
        ends = records["other"][_IS_USE[records["kind"]]]
        if len(ends):
            targets.append(ends.copy())
            sources.append(np.full(len(ends), keys.read_node(key), np.uint32))
    if not sources:
        return np.zeros(size, np.float32)
    return rank(np.concatenate(sources), np.concatenate(targets), size)


def rank(sources: _Nodes, targets: _Nodes, size: int) -> _Scores:
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


def store_ranks(transaction: WriteTransaction, scores: bytes, generation: int) -> None:
    """Keep the scores of the nodes as they were at a generation."""
    value = _GENERATION.pack(generation) + scores
    transaction.put(keys.SCORES, keys.PAGERANK_KEY, value)


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
