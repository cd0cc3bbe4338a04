"""Keep the vectors of files and chunks in the index, and find the nearest ones.

Chunk vectors lie by file slot, file vectors in blocks of slots, int8 times VECTOR_SCALE. Large indexes
also have bases (`vectors.Base`) of both; an update writes the vectors of its files and notes their
slots, and when many are noted the bases are built anew. A search drops noted slots from what a base
finds and scores them exactly instead. Small indexes are scored whole.
"""

import math
import struct
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from agrama.graph import keys
from agrama.graph.embedding import STATIC, VECTOR_SCALE, Model, Vector, decode_model, load_embedding
from agrama.graph.maps import MAPS, NO_NODE, Maps, Prepared, Transaction
from agrama.graph.view import Floats, Index, Positions

if TYPE_CHECKING:
    from agrama.graph.vectors import Base

VECTORS = "vectors"
FILE_VECTORS = "file_vectors"
FILE_BASE_KEY = b"file_base"
CHUNK_BASE_KEY = b"chunk_base"
NOTED_KEY = b"noted"  # slots whose vectors are newer than the bases

FILES_WITHOUT_BASE = 512
_CANDIDATES_PER_HIT = 2  # what the base's coarse scores may put too far back
_SLOTS_PER_BLOCK = 4_096
_FEWEST_NOTED = 256
_NOTED_SHARE = 0.05

_SLOT = struct.Struct(">I")
Stored = npt.NDArray[np.int8]


def publish_vectors(
    txn: Transaction,
    maps: Maps,
    changed: Mapping[int, Prepared],
    gone: Sequence[int],
    *,
    full: bool,
    model: Model | None,
) -> None:
    """Store the vectors of changed files; `full` begins from nothing, with those of `model`."""
    if full:
        txn.clear(VECTORS)
        txn.clear(FILE_VECTORS)
        if model is not None:
            txn.put(keys.META, keys.MODEL_KEY, model.encode())
    elif (value := txn.get(keys.META, keys.MODEL_KEY)) is not None:
        model = decode_model(value)
    if model is None:
        return
    rows = [(_SLOT.pack(slot), row["chunk_vectors"]) for slot, row in sorted(changed.items())]
    txn.put_many(VECTORS, rows, append=full)
    for slot in gone:
        txn.delete(VECTORS, _SLOT.pack(slot))
    _write_files(txn, len(maps.paths), changed, gone, model.dimensions)
    noted = set() if full else _read_noted(txn)
    noted.update(changed, gone)
    if full or len(noted) > max(_FEWEST_NOTED, _NOTED_SHARE * len(maps.paths)):
        _write_bases(txn, maps, model)
        noted = set()
    txn.put(MAPS, NOTED_KEY, np.array(sorted(noted), "<u4").tobytes())


def _read_noted(txn: Transaction) -> set[int]:
    return set(np.frombuffer(txn.get(MAPS, NOTED_KEY) or b"", "<u4").tolist())


def _write_files(
    txn: Transaction,
    slots: int,
    changed: Mapping[int, Prepared],
    gone: Sequence[int],
    dimensions: int,
) -> None:
    rows = {slot: row["file_vector"] for slot, row in changed.items()}
    rows.update((slot, bytes(dimensions)) for slot in gone if slot not in changed)
    for block in sorted({slot // _SLOTS_PER_BLOCK for slot in rows}):
        first = block * _SLOTS_PER_BLOCK
        size = min(slots - first, _SLOTS_PER_BLOCK)
        old = txn.get(FILE_VECTORS, _SLOT.pack(block)) or b""
        value = bytearray(old.ljust(size * dimensions, b"\0"))
        for slot in range(first, first + size):
            if slot in rows:
                at = (slot - first) * dimensions
                value[at : at + dimensions] = rows[slot]
        txn.put(FILE_VECTORS, _SLOT.pack(block), bytes(value))


def _write_bases(txn: Transaction, maps: Maps, model: Model) -> None:
    from agrama.graph.vectors import build_base, can_quantise

    live = np.flatnonzero(maps.nodes != NO_NODE)
    if len(live) < FILES_WITHOUT_BASE or not can_quantise(model.dimensions):
        txn.delete(MAPS, FILE_BASE_KEY)
        txn.delete(MAPS, CHUNK_BASE_KEY)
        return
    blocks = range((len(maps.paths) + _SLOTS_PER_BLOCK - 1) // _SLOTS_PER_BLOCK)
    files = b"".join(txn.get(FILE_VECTORS, _SLOT.pack(block)) or b"" for block in blocks)
    matrix = np.frombuffer(files, np.int8).reshape(-1, model.dimensions)
    runs, chunk_ids = [], []
    for slot in live.tolist():
        run = txn.get(VECTORS, _SLOT.pack(slot)) or b""
        first = int(maps.spans[slot, 0])
        runs.append(run)
        chunk_ids.append(np.arange(first, first + len(run) // model.dimensions, dtype=np.uint32))
    chunks = np.frombuffer(b"".join(runs), np.int8).reshape(-1, model.dimensions)
    codebook = _read_codebook(model, chunks)
    files_base = build_base(matrix[live], live.astype(np.uint32), codebook)
    txn.put(MAPS, FILE_BASE_KEY, files_base)
    txn.put(MAPS, CHUNK_BASE_KEY, build_base(chunks, np.concatenate(chunk_ids), codebook))


def _read_codebook(model: Model, vectors: Stored) -> Vector:
    """The shipped codebook, or for another model one that fits the vectors at hand."""
    embedding = load_embedding()
    if embedding is not None and embedding.model == model:
        return embedding.codebook
    from agrama.graph.vectors import TRAINED_ON, train_codebook

    sample = vectors[:: max(1, len(vectors) // TRAINED_ON)]
    return train_codebook(sample.astype(np.float32) / np.float32(VECTOR_SCALE))


def read_model(index: Index) -> Model | None:
    """What made the vectors of the index; None when it has none."""
    value = index.reader.get(keys.META, keys.MODEL_KEY)
    return None if value is None else decode_model(bytes(value))


def has_vectors(index: Index) -> bool:
    return index.reader.get(keys.META, keys.MODEL_KEY) is not None


def embed_question(index: Index, question: str) -> Vector | None:
    """The vector of a question; None when the index has other vectors, or nothing is known of it."""
    model = index.keep(keys.MODEL_KEY, lambda: read_model(index))
    if model is None:
        return None
    if model.name == STATIC:
        embedding = load_embedding()
        if embedding is None or embedding.model != model:
            return None
        vector = embedding.embed_question(question)
    else:
        from agrama.graph.transformer import load_indexed

        vector = load_indexed(model).embed_question(question)
    return vector if vector.any() else None


def find_near_files(index: Index, question: Vector, count: int) -> Positions:
    """Slots of the files nearest to a vector, or of all files when they are few."""
    base = index.keep(FILE_BASE_KEY, lambda: _open_file_base(index))
    if base is None:
        return np.arange(index.slots)
    near = base.nearest(question, count).astype(np.intp)
    noted = index.array(NOTED_KEY, "<u4").astype(np.intp)
    if not len(noted):
        return near
    return np.union1d(near, noted[noted < index.slots])


def _open_file_base(index: Index) -> "Base | None":
    value = index.reader.get(MAPS, FILE_BASE_KEY)
    if value is None:
        return None
    from agrama.graph.vectors import open_base

    return open_base(value)


def score_files(index: Index, question: Vector, slots: Positions) -> Floats:
    """The cosine of some files."""
    rows = index.keep(FILE_VECTORS, lambda: _join_files(index, len(question)))
    # `take` is several times as quick as the same by brackets.
    cosines: Floats = rows.take(slots, 0).astype(np.float32) @ (question / np.float32(VECTOR_SCALE))
    return cosines


def _join_files(index: Index, dimensions: int) -> Stored:
    get = index.reader.getter(FILE_VECTORS)
    size = dimensions * _SLOTS_PER_BLOCK
    blocks = range((index.slots + _SLOTS_PER_BLOCK - 1) // _SLOTS_PER_BLOCK)
    joined = b"".join(bytes(get(_SLOT.pack(block)) or b"").ljust(size, b"\0") for block in blocks)
    return np.frombuffer(joined, np.int8).reshape(-1, dimensions)


def score_runs(
    index: Index, question: Vector, slots: Sequence[int], counts: Sequence[int]
) -> Floats:
    """The cosines of the chunks of some files, file after file: one product for all of them."""
    get, dimensions = index.reader.getter(VECTORS), len(question)
    runs: list[memoryview | bytes] = []
    for slot, count in zip(slots, counts, strict=True):
        run, size = get(_SLOT.pack(slot)), count * dimensions
        runs.append(run if run is not None and len(run) == size else bytes(size))
    rows = np.frombuffer(b"".join(runs), np.int8).reshape(-1, dimensions).astype(np.float32)
    cosines: Floats = rows @ (question / np.float32(VECTOR_SCALE))
    return cosines


def mean_vector(index: Index, slot: int, ordinals: Sequence[int]) -> Vector | None:
    """The direction that some chunks of a file have in common."""
    rows = _read_run(index, slot)
    if len(ordinals) < len(rows):
        rows = rows[[ordinal for ordinal in ordinals if ordinal < len(rows)]]
    total = np.add.reduce(rows, 0, np.float32)
    length = math.sqrt(float(total @ total))
    return total / np.float32(length) if length else None


def find_near_chunks(index: Index, vector: Vector, count: int) -> list[tuple[int, int, float]]:
    """(slot, chunk id, cosine) of the nearest chunks, best first."""
    candidates = _candidates(index, vector, _CANDIDATES_PER_HIT * count)
    if not candidates:
        return []
    slots = [slot for slot, _ in candidates]
    firsts = index.spans()[slots, 0].tolist()
    dimensions = len(vector)
    runs = _read_runs(index, set(slots))
    rows = [
        runs[slot][(chunk_id - first) * dimensions : (chunk_id - first + 1) * dimensions]
        for (slot, chunk_id), first in zip(candidates, firsts, strict=True)
    ]
    data = b"".join(rows)
    if len(data) != len(rows) * dimensions:  # never, in an index that is whole
        whole = [at for at, row in enumerate(rows) if len(row) == dimensions]
        candidates = [candidates[at] for at in whole]
        data = b"".join(rows[at] for at in whole)
    matrix = np.frombuffer(data, np.int8).reshape(-1, dimensions).astype(np.float32)
    cosines = matrix @ (vector / np.float32(VECTOR_SCALE))
    ids = np.array([chunk_id for _, chunk_id in candidates])
    best = np.lexsort((ids, -cosines))[:count]
    return [
        (*candidates[at], cosine)
        for at, cosine in zip(best.tolist(), cosines[best].tolist(), strict=True)
    ]


def _candidates(index: Index, vector: Vector, count: int) -> list[tuple[int, int]]:
    """(slot, chunk id) of chunks that may be near: by the base, and all that are newer than it."""
    from agrama.graph.maps import CHUNK_FILES_PREFIX

    spans = index.spans()
    value = index.reader.get(MAPS, CHUNK_BASE_KEY)
    fresh = range(index.slots) if value is None else index.array(NOTED_KEY, "<u4").tolist()
    found = [
        (slot, chunk_id)
        for slot in fresh
        if slot < index.slots
        for chunk_id in range(int(spans[slot, 0]), int(spans[slot, 0]) + int(spans[slot, 1]))
    ]
    if value is None:
        return found
    from agrama.graph.vectors import open_base

    newer = frozenset(fresh)
    ids = open_base(value).nearest(vector, count).astype(np.intp)
    ids = ids[ids < index.chunk_end]
    slots = index.chunk_map(CHUNK_FILES_PREFIX, "<u4", ids).tolist()
    pairs = zip(slots, ids.tolist(), strict=True)
    return found + [(slot, chunk_id) for slot, chunk_id in pairs if slot not in newer]


def _read_runs(index: Index, slots: Collection[int]) -> dict[int, memoryview]:
    """The vectors of the chunks of some files, each file looked up once."""
    get, empty = index.reader.get, memoryview(b"")
    return {slot: get(VECTORS, _SLOT.pack(slot)) or empty for slot in slots}


def _read_run(index: Index, slot: int) -> Stored:
    model = index.keep(keys.MODEL_KEY, lambda: read_model(index))
    value = index.reader.get(VECTORS, _SLOT.pack(slot))
    if model is None or value is None:
        return np.zeros((0, 0), np.int8)
    return np.frombuffer(value, np.int8).reshape(-1, model.dimensions)
