"""Find code that resembles some lines of a file, by the vectors of chunks."""

from typing import TYPE_CHECKING, NamedTuple

from agrama.graph.chunks import CHUNKS, chunk_key, read_place
from agrama.graph.search import SnapshotReader

if TYPE_CHECKING:
    from agrama.graph.embedding import Vector
    from agrama.graph.view import Index

_SPARE = 20  # chunks of the same lines, or of other parts of a file already told, are passed over


class Similar(NamedTuple):
    """Lines that resemble those asked about; at most one piece per file."""

    path: str
    start_line: int
    end_line: int
    symbol: str | None
    similarity: float


def find_similar(
    snapshot: SnapshotReader,
    path: str,
    start_line: int = 1,
    end_line: int | None = None,
    *,
    max_similar: int = 5,
    threshold: float = 0.5,
) -> list[Similar]:
    """What resembles some lines of a file, best first; empty when the index has no vectors."""
    from agrama.graph import meaning, proximity, view

    index = view.open_index(snapshot.reader)
    node = None if index is None else proximity.find_file(index, path)
    if index is None or node is None or not meaning.has_vectors(index):
        return []
    own = proximity.slot_of(index, node)
    vector = None if own is None else _embed_lines(index, own, start_line, end_line)
    if vector is None:
        return []
    get, spans = index.reader.getter(CHUNKS), index.spans()
    found: dict[int, Similar] = {}
    for slot, chunk_id, cosine in meaning.find_near_chunks(index, vector, max_similar + _SPARE):
        if cosine < threshold or len(found) >= max_similar:
            break
        if slot == own or slot in found:
            continue
        value = get(chunk_key(slot, chunk_id - int(spans[slot, 0])))
        if value is None:  # never, in an index that is whole
            continue
        where, (start, end, name) = index.path(slot), read_place(value)
        symbol = None if name is None else f"{where}::{name}"
        found[slot] = Similar(where, start, end, symbol, round(cosine, 4))
    return list(found.values())


def _embed_lines(
    index: "Index", slot: int, start_line: int, end_line: int | None
) -> "Vector | None":
    """The mean of the vectors of the chunks that lie in some lines; None when there are none."""
    from agrama.graph import meaning

    count = int(index.spans()[slot, 1])
    if start_line <= 1 and end_line is None:
        return meaning.mean_vector(index, slot, range(count))
    get = index.reader.getter(CHUNKS)
    inside = []
    for ordinal in range(count):
        value = get(chunk_key(slot, ordinal))
        if value is not None:
            start, end, _ = read_place(value)
            if end >= start_line and (end_line is None or start <= end_line):
                inside.append(ordinal)
    return meaning.mean_vector(index, slot, inside)
