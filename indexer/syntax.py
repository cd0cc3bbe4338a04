"""Whether a text parses, found out in a process of its own: a grammar may crash or not end."""

import subprocess
import sys

import orjson

from agrama.indexer.languages import language_of

_PROGRAM = "from agrama.indexer.syntax import main; main()"
_SECONDS = 10.0


def find_syntax_errors(
    path: str, content: bytes, *, seconds: float = _SECONDS
) -> list[tuple[int, int]] | None:
    """Lines and columns where a file's text does not parse; None when that could not be found out."""
    if language_of(path) is None:
        return []
    command = [sys.executable, "-P", "-c", _PROGRAM, path]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    return [(line, column) for line, column in orjson.loads(done.stdout)]


def main() -> None:
    """The child: a path as argument, the text on standard input, the places on standard output."""
    from agrama.indexer.content import decode
    from agrama.indexer.parse import parse_errors

    language = language_of(sys.argv[1])
    text, _, _ = decode(sys.stdin.buffer.read())
    places = parse_errors(text.encode(), language.name) if language else []
    sys.stdout.buffer.write(orjson.dumps(places))
