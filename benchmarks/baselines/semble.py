"""semble from PyPI, with a static model that a registry has."""

import json
import subprocess
import zipfile
from pathlib import Path

from baselines.contract import (
    Answer,
    Baseline,
    Call,
    McpSession,
    Place,
    Subject,
    make_venv,
    read_version,
)
from client import Client

_WEIGHTS = "wordllama/weights/l2_supercat_256.safetensors"
_TOKENS = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"


class Semble(Baseline):
    """Its own model lies on a hub, not in a registry: wordllama's token vectors stand in."""

    name = "semble"
    note = "with wordllama's static vectors: its own model is in no registry (its authors publish NDCG@10 .867 with it); its index holds chunks and vectors, no graph; it looks at every file for changes before a search, except for a while after it read the index"

    def __init__(self, work: Path) -> None:
        super().__init__(work)
        self.model = self.folder / "model"
        self.environment |= {"SEMBLE_MODEL_NAME": str(self.model), "HF_HUB_OFFLINE": "1"}
        self.program = str(self.folder / "venv" / "bin" / "semble")

    def install(self) -> str:
        programs = make_venv(self.folder, "semble[mcp]")
        if not (self.model / "config.json").exists():
            self._make_model(programs)
        return read_version(programs, "semble")

    def _make_model(self, programs: Path) -> None:
        """Put the vectors of a wheel into the layout that model2vec reads."""
        words = ["download", "-q", "--no-deps", "-d", str(self.folder), "wordllama"]
        subprocess.run([programs / "pip", *words], check=True)
        self.model.mkdir(exist_ok=True)
        with zipfile.ZipFile(next(self.folder.glob("wordllama-*.whl"))) as wheel:
            weights, tokens = wheel.read(_WEIGHTS), wheel.read(_TOKENS)
        end = 8 + int.from_bytes(weights[:8], "little")
        head = {"embeddings": json.loads(weights[8:end])["embedding.weight"]}
        text = json.dumps(head).encode()
        text += b" " * (-len(text) % 8)
        data = len(text).to_bytes(8, "little") + text + weights[end:]
        (self.model / "model.safetensors").write_bytes(data)
        (self.model / "tokenizer.json").write_bytes(tokens)
        (self.model / "config.json").write_text('{"normalize": true}')

    def index_command(self, root: Path) -> list[str]:
        # It has no verb for indexing alone: a first search builds and keeps the index.
        return [self.program, "search", "main", str(root), "-k", "1"]

    def serve(self, root: Path) -> McpSession:
        return McpSession(Client([self.program], env=self.environment))

    def make_call(self, operation: str, subject: Subject, root: Path) -> Call | None:
        if operation != "search":
            return None
        return Call("search", {"query": subject.query, "repo": str(root), "top_k": 10})

    def read_places(self, operation: str, answer: Answer, root: Path) -> list[Place]:
        rows = json.loads(answer.text)["results"]
        return [Place(row["file_path"], "", row["start_line"], row["end_line"]) for row in rows]
