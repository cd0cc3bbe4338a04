from pathlib import Path

import pytest

from agrama.errors import AgramaError
from agrama.http.options import HttpOptions, read_token


def test_a_server_is_private_by_default() -> None:
    options = HttpOptions()
    assert options.host == "127.0.0.1"
    assert (options.allowed_hosts, options.allowed_origins) == ((), ())


def test_a_token_is_read_without_its_line_end(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(" s3cret\n")
    assert read_token(str(path)) == "s3cret"


@pytest.mark.parametrize("content", [b"", b" \n", "žluť".encode()])
def test_a_useless_token_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.write_bytes(content)
    with pytest.raises(AgramaError, match="write one ASCII line"):
        read_token(str(path))


def test_a_missing_token_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AgramaError, match="nowhere"):
        read_token(str(tmp_path / "nowhere"))
