"""Other models than the shipped one: finding them, refusing what is missing, and indexing with one.

The encoder here is a small stand-in, so that these run without torch; tests/minilm.py runs a real model.
"""

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from agrama.cli import main
from agrama.errors import ToolError
from agrama.graph import transformer
from agrama.graph.embedding import Model
from agrama.graph.keys import repository_folder
from agrama.graph.search import SearchResult, hybrid_search
from agrama.graph.similar import find_similar
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.graph.terms import split_text

DIMENSIONS = 48  # not a multiple of the codes of a base: such vectors are scanned


class Hashing:
    """An encoder that knows words only: each has a place in the vector."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str], **_options: object) -> np.ndarray:
        self.texts += texts
        rows = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in split_text(text):
                row[sum(map(ord, term)) % DIMENSIONS] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Hashing:
    """Model folders are real; what is loaded from them is the encoder above."""
    encoder = Hashing()

    def load(name: str) -> transformer.Transformer:
        digest = transformer.hash_model(transformer.find_model(name))
        return transformer.Transformer(Model(name, digest, DIMENSIONS), encoder)

    monkeypatch.setattr(transformer, "load_model", load)
    return encoder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model = tmp_path / "model"
    model.mkdir()
    (model / "modules.json").write_text("[]")
    (model / "weights.bin").write_bytes(b"1")
    return model


def index(root: Path, *options: str) -> None:
    assert main(["index", str(root), "--quiet", *options]) == 0


def search(root: Path, query: str, mode: str = "auto") -> SearchResult:
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        return hybrid_search(snapshot, query, mode=mode)


def model_of(root: Path) -> dict[str, object]:
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        model: dict[str, object] = snapshot.stats()["model"]
        return model


def test_an_index_is_made_and_searched_with_the_model_it_names(
    sample: Path, folder: Path, encoder: Hashing
) -> None:
    index(sample, "--model", str(folder))
    assert model_of(sample)["name"] == str(folder)
    assert model_of(sample)["dimensions"] == DIMENSIONS
    assert any(text.startswith("shop/money.py\n") for text in encoder.texts)
    encoder.texts.clear()
    hit = search(sample, "add money").hits[0]
    assert encoder.texts == ["add money"]
    assert hit.path == "shop/money.py" and (hit.semantic_score or 0) > 0
    with Store.open(repository_folder(sample)) as store, open_snapshot(store) as snapshot:
        assert find_similar(snapshot, "shop/money.py", threshold=0.0)


def test_an_update_embeds_what_changed_and_keeps_the_model(
    sample: Path, folder: Path, encoder: Hashing
) -> None:
    index(sample, "--model", str(folder))
    encoder.texts.clear()
    (sample / "shop/mail.py").write_text("def send_letter(address):\n    ...\n")
    index(sample)
    assert {text.partition("\n")[0] for text in encoder.texts} == {"shop/mail.py"}
    assert model_of(sample)["name"] == str(folder)


def test_a_change_of_the_models_files_embeds_all_anew(
    sample: Path, folder: Path, encoder: Hashing
) -> None:
    index(sample, "--model", str(folder))
    before = model_of(sample)["hash"]
    (folder / "weights.bin").write_bytes(b"2")
    with pytest.raises(ToolError, match="changed since the index was made"):
        search(sample, "add money")
    assert search(sample, "add money", mode="keyword").hits
    encoder.texts.clear()
    index(sample)
    assert any(text.startswith("shop/money.py\n") for text in encoder.texts)
    assert model_of(sample)["hash"] != before


def test_the_shipped_model_can_be_gone_back_to(
    sample: Path, folder: Path, encoder: Hashing
) -> None:
    index(sample, "--model", str(folder))
    index(sample, "--model", "static")
    encoder.texts.clear()
    assert search(sample, "add money").hits[0].semantic_score is not None
    assert not encoder.texts
    assert model_of(sample)["dimensions"] == 256


def test_a_package_that_carries_a_model_is_found_without_running_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_model"
    (package / "files").mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('it was run')\n")
    (package / "files" / "modules.json").write_text("[]")
    monkeypatch.syspath_prepend(tmp_path)
    assert transformer.find_model("some-model") == package / "files"


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed"
)
@pytest.mark.parametrize("named", ["folder", "hub"])
def test_a_missing_extra_is_named(
    sample: Path, folder: Path, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = str(folder) if named == "folder" else "sentence-transformers/all-MiniLM-L6-v2"
    assert main(["index", str(sample), "--model", name]) != 0
    assert "pip install 'agrama[models]'" in capsys.readouterr().err


def test_a_repository_cannot_choose_the_model(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sample / "agrama.toml").write_text(f"model = {json.dumps('evil/model')}\n")
    assert main(["index", str(sample)]) != 0
    assert "model is not for a repository to say" in capsys.readouterr().err
