"""Nearest vectors by FAISS; the only module that speaks to it.

A *base* is a product-quantised index (64 codes of four bits, fast-scan) of many stored vectors together
with their ids, as one value that a publication writes and a reader maps into FAISS once per process.
The codebook of the shipped model comes with it, so building needs no training; that of another model is
learnt from the vectors at hand. Both are deterministic. A base finds
candidates; callers score those exactly from the stored vectors. Vectors that are not in a base because
they are new, or stale in it because they changed, are the caller's to add and to drop.
"""

import hashlib
import struct
from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

import faiss
import numpy as np
import numpy.typing as npt

from agrama.graph.embedding import VECTOR_SCALE

Ids = npt.NDArray[np.uint32]
Matrix = npt.NDArray[np.float32]

_CODES = 64
_BITS = 4
_DIGEST = 16
_HEAD = struct.Struct("<16sI")
_OPEN_BASES = 8
TRAINED_ON = 100_000

# One query's scan is far shorter than waking a second thread.
faiss.omp_set_num_threads(1)


class Base(NamedTuple):
    """A base ready to search."""

    index: Any
    ids: Ids

    def nearest(self, question: npt.NDArray[np.float32], count: int) -> Ids:
        """Ids of the vectors that seem nearest, best first."""
        count = min(count, len(self.ids))
        if not count:
            return np.zeros(0, np.uint32)
        # The function under FAISS's own wrapper, which takes as long as the scan of a small base.
        asked = np.ascontiguousarray(question, np.float32)
        scores, positions = np.empty(count, np.float32), np.empty(count, np.int64)
        into = faiss.swig_ptr(scores), faiss.swig_ptr(positions)
        self.index.search_c(1, faiss.swig_ptr(asked), count, *into)
        found: Ids = self.ids[positions[positions >= 0]]
        return found


def can_quantise(dimensions: int) -> bool:
    """Whether vectors of this length can be cut into codes; others are scanned."""
    return dimensions % _CODES == 0


def train_codebook(vectors: Matrix, seed: int = 1) -> Matrix:
    """Centroids for `build_base`, learnt from vectors like those it will hold."""
    dimensions = vectors.shape[1]
    quantizer = faiss.ProductQuantizer(dimensions, _CODES, _BITS)
    quantizer.cp.seed = seed
    quantizer.train(np.ascontiguousarray(vectors[:TRAINED_ON], np.float32))
    shape = (_CODES, 1 << _BITS, dimensions // _CODES)
    centroids: Matrix = faiss.vector_to_array(quantizer.centroids).reshape(shape)
    return centroids


def build_base(vectors: npt.NDArray[np.int8], ids: Ids, codebook: Matrix) -> bytes:
    """The value of a base over stored vectors."""
    dimensions = codebook.shape[0] * codebook.shape[2]
    index = faiss.IndexPQFastScan(dimensions, _CODES, _BITS, faiss.METRIC_INNER_PRODUCT)
    faiss.copy_array_to_vector(np.ascontiguousarray(codebook).ravel(), index.pq.centroids)
    index.is_trained = True
    if len(vectors):  # FAISS 1.15 crashes on adding none
        index.add(vectors.astype(np.float32) / np.float32(VECTOR_SCALE))
    body = ids.astype("<u4").tobytes() + faiss.serialize_index(index).tobytes()
    digest = hashlib.blake2b(body, digest_size=_DIGEST).digest()
    return _HEAD.pack(digest, len(ids)) + body


def open_base(value: bytes | memoryview) -> Base:
    """A base out of its value; the last few stay open, whatever generation they are met in."""
    digest, count = _HEAD.unpack_from(value)
    with _lock:
        base = _bases.get(digest)
        if base is not None:
            _bases.move_to_end(digest)
            return base
    ids = np.frombuffer(value, "<u4", count, _HEAD.size).copy()
    body = np.frombuffer(value, np.uint8, -1, _HEAD.size + 4 * count)
    base = Base(faiss.deserialize_index(body), ids)
    with _lock:
        _bases[digest] = base
        while len(_bases) > _OPEN_BASES:
            _bases.popitem(last=False)
    return base


_bases: OrderedDict[bytes, Base] = OrderedDict()
_lock = Lock()
