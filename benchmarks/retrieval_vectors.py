"""Measure recall@10 of the quantised vectors against an exact scan, on the index of a real repository.

    python benchmarks/retrieval_vectors.py ROOT [--save]

Questions are the first lines of comments in its own chunks (text queries) and the chunks themselves
(similar code). A base gives 200 candidates, which are then scored exactly, as search does it.
"""

import argparse
import json
import re
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from report import write_report

from agrama.graph import meaning, view
from agrama.graph.chunks import CHUNKS, decode_chunk
from agrama.graph.embedding import DIMENSIONS, load_embedding
from agrama.graph.keys import repository_folder
from agrama.graph.maps import MAPS
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.graph.vectors import Base, open_base

CANDIDATES = 200
QUESTIONS = 200
_COMMENT = re.compile(r"^\s*(?:#|//|\"\"\"|\*)\s*([A-Z][^\n]{30,150})$", re.M)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    embedding = load_embedding()
    assert embedding is not None
    store = Store.open(repository_folder(options.root))
    with open_snapshot(store) as snapshot:
        index = view.open_index(snapshot.reader)
        value = snapshot.reader.get(MAPS, meaning.CHUNK_BASE_KEY)
        if index is None or value is None:
            raise SystemExit("too small for a base, or not indexed")
        base = open_base(value)
        rows = b"".join(bytes(run) for _, run in snapshot.reader.scan(meaning.VECTORS))
        vectors = np.frombuffer(rows, np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
        texts = [decode_chunk(chunk).text for _, chunk in snapshot.reader.scan(CHUNKS)]
    rng = np.random.default_rng(1)
    comments = sorted({match for text in texts for match in _COMMENT.findall(text)})
    asked = [comments[at] for at in rng.choice(len(comments), QUESTIONS, replace=False).tolist()]
    questions = [embedding.embed_question(text) for text in asked]
    position = {int(number): at for at, number in enumerate(base.ids.tolist())}
    chosen = vectors[rng.choice(len(vectors), QUESTIONS, replace=False)] / 127
    figures: dict[str, float] = {"chunks": len(vectors)}
    for name, queries in (("text", questions), ("similar", list(chosen))):
        figures[f"recall10_{name}"] = round(measure(base, position, vectors, queries), 4)
    began = time.perf_counter()
    for question in questions:
        base.nearest(question, CANDIDATES)
    figures["base_us"] = round(1e6 * (time.perf_counter() - began) / len(questions), 1)
    sys.stdout.write(json.dumps(figures) + "\n")
    if options.save:
        print(write_report(f"retrieval_vectors-{options.root.resolve().name}", figures))
    return 0


def measure(
    base: Base,
    position: dict[int, int],
    vectors: npt.NDArray[np.float32],
    queries: list[npt.NDArray[np.float32]],
) -> float:
    """The share of the exact ten best that are among the candidates; ties count as found."""
    found = 0
    for query in queries:
        cosines = vectors @ query
        tenth = np.partition(cosines, -10)[-10]
        near = [position[number] for number in base.nearest(query, CANDIDATES).tolist()]
        found += min(10, int((cosines[near] >= tenth - 1e-4).sum()))
    return found / (10 * len(queries))


if __name__ == "__main__":
    sys.exit(main())
