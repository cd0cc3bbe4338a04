"""Mine (question, code) pairs from the downloaded packages.

    python benchmarks/embedding/pairs.py PACKAGES OUT --exclude REPOSITORIES

A pair is what an author says of a definition or file, and the definition or file without those words:
the first sentence of a documentation comment with the code under it; the first sentence of a file's
head comment with its path and the names it defines; and, as agents ask, a question made of a name's
words with the body under that name. Code of which half the lines stand in an excluded repository is
left out, so that nothing is trained on what is measured.
"""

import argparse
import hashlib
import json
import random
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from agrama.graph.model import Kind
from agrama.graph.terms import WORD
from agrama.indexer.chunk import mark_comments
from agrama.indexer.outline import Outlined, guess_language, outline

HERE = Path(__file__).parent
LANGUAGES = frozenset(
    """python javascript typescript tsx go rust java kotlin scala ruby php csharp c cpp swift elixir
    haskell lua zig bash dart""".split()
)
SKIPPED = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|specs?|examples?|docs?|samples?|benchmarks?|vendor|_?vendored|third[-_]?party"
    r"|node_modules|dist|build|umd|cjs|esm|deps|external|locales?|migrations|debian)/|\.min\.|\.d\.ts$|(?:^|/)test_|_test\.",
    re.I,
)
MAX_FILES = 500
MAX_FILE_BYTES = 300_000
MAX_PACKAGE_BYTES = 6_000_000
MAX_PAIRS = 1_500  # of one package, so that none of them sets the tone
MAX_CODE_LINES = 40
MAX_CODE_CHARS = 2_500
MIN_WORDS, MAX_CHARS = 4, 300
COPIED = 0.5
_KNOWN: set[int] = set()  # of this process: line hashes of the excluded repositories

_MARKS = re.compile(
    r"^\s*(?:[rRuU]+(?=[\"']{3}))?[\s/*#\-;{}%!<\"'@]*(?:brief\b|summary>)?\s*|\s*(?:\*/|-\}|\"\"\"|''')\s*$"
)
_SENTENCE = re.compile(r"(.{15,}?[.!?])(?:\s|$)")
_ENDS_DOC = re.compile(
    r"(?:@\w+|:\w+ ?\w*:|Args:|Arguments:|Parameters?\b|Returns?:|\\\w+|>>>|```|={3,}|-{3,})"
)
_USELESS = re.compile(
    r"(?i)see |deprecated|todo|fixme|copyright|licen[sc]e|alias|http|auto-?generated|eslint|type:|noqa"
)
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_QUESTIONS = (
    "where is {} implemented", "how does {} work", "code that handles {}", "{}", "find the {} logic",
    "where do we {}", "what is responsible for {}", "which function does {}",
)  # fmt: skip


class Pair(NamedTuple):
    """A question and its answer, and where they come from."""

    question: str
    code: str
    package: str
    language: str
    form: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--exclude", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    known = hash_tree(options.exclude)
    rows = [json.loads(line) for line in (options.packages / "packages.jsonl").open()]
    archives = [(row["name"], options.packages / row["file"]) for row in keep_permissive(rows)]
    counts: dict[str, int] = {}
    pool = ProcessPoolExecutor(options.workers, initializer=_KNOWN.update, initargs=(known,))
    with pool, options.out.open("w") as out:
        for pairs in pool.map(mine_archive, archives, chunksize=4):
            for pair in pairs:
                counts[pair.language] = counts.get(pair.language, 0) + 1
                out.write(json.dumps(pair) + "\n")
    sys.stdout.write(json.dumps(counts, indent=1, sort_keys=True) + "\n")
    return 0


def keep_permissive(rows: Sequence[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Source archives; a Debian one counts only if no stanza of its copyright file is copyleft."""
    from fetch import is_permissive

    licences: dict[str, str] = {}
    for row in rows:
        if row["registry"] == "debian" and row["file"].endswith(".debian.tar.xz"):
            licences[row["name"]] = row["licence"]
    for row in rows:
        if row["registry"] != "debian":
            yield row
        elif not row["file"].endswith(".debian.tar.xz"):
            stanzas = [part for part in licences.get(row["name"], "").split(" / ") if part]
            if stanzas and sum(map(is_permissive, stanzas)) > len(stanzas) / 2:
                yield row


def mine_archive(task: tuple[str, Path]) -> list[Pair]:
    """The pairs of one package: unlike each other, unlike the excluded code."""
    package, path = task
    found: dict[str, Pair] = {}
    try:
        for name, text in read_archive(path):
            language = guess_language(name, text)
            if language in LANGUAGES:
                for pair in mine_file(package, name, text, language):
                    if not is_copied(pair.code):
                        found.setdefault(pair.question.lower(), pair)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        sys.stderr.write(f"{package}: {error}\n")
    pairs = list(found.values())
    random.Random(package).shuffle(pairs)
    return pairs[:MAX_PAIRS]


def read_archive(path: Path) -> Iterator[tuple[str, str]]:
    """Source files of an archive, within the limits of one package."""
    files = budget = 0
    for name, size, read in _list_members(path):
        if SKIPPED.search(name.partition("/")[2]) or not 200 < size < MAX_FILE_BYTES:
            continue
        if guess_language(name, "") not in LANGUAGES:
            continue
        files, budget = files + 1, budget + size
        if files > MAX_FILES or budget > MAX_PACKAGE_BYTES:
            return
        yield name.partition("/")[2] or name, read().decode("utf-8", "replace")


def _list_members(path: Path) -> Iterator[tuple[str, int, partial[bytes]]]:
    if path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                yield info.filename, info.file_size, partial(archive.read, info)
        return
    with tarfile.open(path) as tar:
        for member in tar:
            if member.isfile():
                yield member.name, member.size, partial(_read_member, tar, member)


def _read_member(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    return file.read() if file else b""


def mine_file(package: str, path: str, text: str, language: str) -> Iterator[Pair]:
    """The pairs of one file."""
    lines = text.split("\n")
    comments = mark_comments(lines)
    found = [d for d in outline(text, language) if not comments[d.line - 1]]
    head = first_sentence(line for line, mark in zip(lines[:40], comments, strict=False) if mark)
    if head and len(found) > 2:
        names = " ".join(d.name for d in found[:60])
        yield Pair(head, f"{path} {names}", package, language, "file")
    for definition, after in zip_longest(found, found[1:]):
        end = min(after.line - 1 if after else len(lines), definition.line + MAX_CODE_LINES)
        yield from _mine_definition(package, path, lines, comments, definition, end, language)


def _mine_definition(
    package: str,
    path: str,
    lines: Sequence[str],
    comments: Sequence[bool],
    definition: Outlined,
    end: int,
    language: str,
) -> Iterator[Pair]:
    start = definition.line - 1
    body = [lines[at] for at in range(start, end) if not comments[at]]
    code = "\n".join(body)[:MAX_CODE_CHARS]
    if len(body) < 3 or len(code) < 60:
        return
    doc = first_sentence(_documentation(lines, comments, start, end, language))
    stem = path.rpartition(".")[0]
    if doc:
        yield Pair(doc, f"{stem} {definition.qualified}\n{code}", package, language, "doc")
    words = [part.lower() for part in _PARTS.findall(definition.name)]
    if len(words) >= 3 and definition.kind != Kind.SECTION:
        pick = int.from_bytes(hashlib.blake2b(code.encode(), digest_size=2).digest(), "big")
        question = _QUESTIONS[pick % len(_QUESTIONS)].format(" ".join(words))
        anonymous = code.replace(definition.name, "")
        yield Pair(question, f"{stem}\n{anonymous}", package, language, "name")


def _documentation(
    lines: Sequence[str], comments: Sequence[bool], start: int, end: int, language: str
) -> Iterable[str]:
    """The comment above a definition, or in Python the string below its first lines."""
    if language == "python":
        at = next((at for at in range(start + 1, min(start + 8, end)) if comments[at]), None)
        if at is None or not re.match(r"\s*[rRuU]*(?:\"\"\"|''')", lines[at]):
            return []
        return [lines[i] for i in range(at, end) if comments[i]]
    first = start
    while first and (comments[first - 1] or re.match(r"\s*[@#\[]", lines[first - 1])):
        first -= 1
    return [lines[at] for at in range(first, start) if comments[at]]


def first_sentence(lines: Iterable[str]) -> str | None:
    """What a comment says first, if it reads like a sentence."""
    words: list[str] = []
    for line in lines:
        text = _MARKS.sub("", line).strip()
        if _ENDS_DOC.match(text) or (not text and words):
            break
        if text:
            words.append(text)
        if len(words) > 6:
            break
    joined = re.sub(r"<[^>]+>|\{@\w+ ([^}]*)\}", r"\1", " ".join(words))
    match = _SENTENCE.match(joined)
    sentence = (match[1] if match else joined)[:MAX_CHARS]
    ascii_only = sum(char < "\x7f" for char in sentence) >= 0.95 * len(sentence)
    if len(WORD.findall(sentence)) < MIN_WORDS or _USELESS.search(sentence) or not ascii_only:
        return None
    return sentence


def hash_tree(root: Path) -> frozenset[int]:
    """Hashes of the telling lines of all excluded repositories."""
    found: set[int] = set()
    for path in root.rglob("*"):
        if path.is_file() and guess_language(path.name, "") in LANGUAGES:
            found.update(_hash_lines(path.read_text("utf-8", "replace")))
    return frozenset(found)


def is_copied(code: str) -> bool:
    hashes = list(_hash_lines(code))
    return bool(hashes) and sum(h in _KNOWN for h in hashes) >= COPIED * len(hashes)


def _hash_lines(text: str) -> Iterator[int]:
    for line in text.split("\n"):
        stripped = line.strip()
        if len(stripped) > 24:
            yield int.from_bytes(hashlib.blake2b(stripped.encode(), digest_size=8).digest(), "big")


if __name__ == "__main__":
    sys.exit(main())
