"""FAISS bases find what an exact scan finds."""

import numpy as np

from agrama.graph.embedding import load_embedding
from agrama.graph.vectors import build_base, open_base

WORDS = """open close read write file socket user password token hash cache index search query parse render template
route request response session cookie database table row column insert update delete select matrix vector sum test
config log error retry timeout thread process queue lock event signal stream buffer encode decode json xml html""".split()


def test_recall_against_an_exact_scan() -> None:
    embedding = load_embedding()
    assert embedding is not None
    rng = np.random.default_rng(1)
    bags = [dict.fromkeys(rng.choice(WORDS, 8).tolist(), 1) for _ in range(3_000)]
    vectors = np.rint(np.stack(embedding.embed_bags(bags)) * 127).astype(np.int8)
    ids = np.arange(3_000, dtype=np.uint32) * 2
    base = open_base(build_base(vectors, ids, embedding.codebook))
    found = 0
    for _ in range(40):
        question = embedding.embed_question(" ".join(rng.choice(WORDS, 4).tolist()))
        exact = ids[np.argsort(-(vectors.astype(np.float32) @ question))[:10]]
        found += len(set(exact.tolist()) & set(base.nearest(question, 200).tolist()))
    assert found >= 0.95 * 400


def test_an_empty_base_finds_nothing() -> None:
    embedding = load_embedding()
    assert embedding is not None
    empty = build_base(np.zeros((0, 256), np.int8), np.zeros(0, np.uint32), embedding.codebook)
    assert len(open_base(empty).nearest(embedding.embed_question("open file"), 5)) == 0


def test_the_same_vectors_make_the_same_base() -> None:
    embedding = load_embedding()
    assert embedding is not None
    vectors = np.random.default_rng(2).integers(-127, 127, (50, 256)).astype(np.int8)
    ids = np.arange(50, dtype=np.uint32)
    first = build_base(vectors, ids, embedding.codebook)
    assert first == build_base(vectors, ids, embedding.codebook)
    assert open_base(first) is open_base(memoryview(first))
