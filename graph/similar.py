"""Find code that resembles some lines of a file, by the vectors of chunks."""

from typing import TYPE_CHECKING, NamedTuple

from agrama.graph.search import SnapshotReader, read_chunk

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
    found: dict[int, Similar] = {}
    for slot, chunk_id, cosine in meaning.find_near_chunks(index, vector, max_similar + _SPARE):
        if cosine < threshold or len(found) >= max_similar:
            break
        if slot == own or slot in found:
            continue
        chunk = read_chunk(index, slot, chunk_id, with_text=False)
        where = index.path(slot)
        first = next((d for d in chunk.definitions if d.line >= chunk.start_line), None)
        symbol = f"{where}::{first.qualified}" if first else None
        found[slot] = Similar(where, chunk.start_line, chunk.end_line, symbol, round(cosine, 4))
    return list(found.values())


def _embed_lines(
    index: "Index", slot: int, start_line: int, end_line: int | None
) -> "Vector | None":
    """The mean of the vectors of the chunks that lie in some lines; None when there are none."""
    from agrama.graph import meaning

    first, count, _ = index.spans()[slot].tolist()
    if start_line <= 1 and end_line is None:
        return meaning.mean_vector(index, slot, range(count))
    inside = []
    for ordinal in range(count):
        chunk = read_chunk(index, slot, first + ordinal, with_text=False)
        if chunk.end_line >= start_line and (end_line is None or chunk.start_line <= end_line):
            inside.append(ordinal)
    return meaning.mean_vector(index, slot, inside)
