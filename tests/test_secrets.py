"""Planted secrets: none of them may reach the index folder or an answer."""

from pathlib import Path

import pytest

from agrama.cli import main
from agrama.cli.local import call_tool
from agrama.errors import AgramaError

NAMES = (
    ".env", ".env.production", "config/.env.local", "server.pem", "tls/private.key", "id_rsa",
    "id_ed25519", "deploy/id_ecdsa", "store.p12", "store.pfx", "release.keystore", "app.jks",
    ".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", "credentials.json",
    "secrets.yaml", "secrets.toml",
)  # fmt: skip


def planted(number: int) -> str:
    return f"PLANTED{number:02}SECRET"


def test_twenty_planted_secrets_stay_where_they_are(sample: Path, index_home: Path) -> None:
    assert len(NAMES) == 20
    for number, name in enumerate(NAMES):
        path = sample / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"password = {planted(number)}\n")
    assert main(["index", str(sample), "--quiet"]) == 0
    stored = b"".join(path.read_bytes() for path in index_home.rglob("*") if path.is_file())
    assert [name for n, name in enumerate(NAMES) if planted(n).encode() in stored] == []
    for number, name in enumerate(NAMES):
        found = call_tool(sample, "hybrid_search", {"query": planted(number)})
        assert planted(number) not in str(found["structuredContent"]["results"])
        with pytest.raises(AgramaError) as refusal:
            call_tool(sample, "read_code", {"path": name})
        assert planted(number) not in str(refusal.value)
