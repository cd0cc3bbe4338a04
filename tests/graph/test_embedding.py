"""The shipped table: small, quick to load, and it knows what belongs together."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.graph.embedding import DIMENSIONS, Embedding, load_embedding, store_vectors
from agrama.graph.subwords import cut_subwords, cut_word


@pytest.fixture(scope="module")
def embedding() -> Embedding:
    loaded = load_embedding()
    assert loaded is not None
    return loaded


def test_identifiers_are_cut_into_words() -> None:
    assert cut_subwords("parseHTTPHeader(user_id2)") == [
        "parse",
        "http",
        "header",
        "user",
        "id",
        "2",
    ]


@given(st.text())
def test_any_text_can_be_cut(text: str) -> None:
    assert all(part == part.lower() for part in cut_subwords(text))
    cut_word(text)


def test_vectors_have_unit_length(embedding: Embedding) -> None:
    question = embedding.embed_question("where is the password hashed")
    (code,) = embedding.embed_bags([{"hash_password": 1, "salt": 2}])
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(code) == pytest.approx(1, abs=1e-5)


def test_unknown_texts_have_the_zero_vector(embedding: Embedding) -> None:
    assert not embedding.embed_question("日本語 🙂").any()
    assert not embedding.embed_bags([{}, {"日本語": 1}])[1].any()


def test_related_code_is_nearer(embedding: Embedding) -> None:
    question = embedding.embed_question("verify the user's login credentials")
    near, far = embedding.embed_bags(
        [
            {"authenticate": 2, "username": 2, "password": 2, "check": 1},
            {"matrix": 2, "transpose": 1, "multiply": 2, "rows": 1},
        ]
    )
    assert question @ near > question @ far + 0.2


def test_many_bags_give_what_one_gives(embedding: Embedding) -> None:
    bags = [{"open_file": n + 1, "close": 1} for n in range(150)]
    together = np.stack(embedding.embed_bags(bags))
    alone = np.stack([embedding.embed_bags([bag])[0] for bag in bags])
    assert np.allclose(together, alone, atol=1e-6)


def test_stored_vectors_keep_their_cosines(embedding: Embedding) -> None:
    vector = embedding.embed_question("open a network connection")
    stored = np.frombuffer(store_vectors([vector]), np.int8).astype(np.float32) / 127
    assert stored @ vector == pytest.approx(1, abs=0.02)
    assert len(stored) == DIMENSIONS


def test_loading_is_quick() -> None:
    load_embedding.cache_clear()
    began = time.perf_counter()
    load_embedding()
    assert time.perf_counter() - began < 0.5  # 0.03 on a quiet machine
