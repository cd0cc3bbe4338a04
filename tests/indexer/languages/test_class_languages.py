"""C#, Kotlin and their kin: whatever the text, facts come out, the same each time."""

import marshal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.indexer.languages import language_of
from agrama.indexer.parse import parse_file

CASES = Path(__file__).parent.parent / "cases"
LANGUAGES = ("csharp", "dart", "groovy", "kotlin", "scala", "swift")
SEEDS = sorted(
    path for language in LANGUAGES for path in (CASES / language).rglob("*.*") if path.is_file()
)
TOKENS = [b"", b"(", b")", b"{", b"}", b"[", b'"', b"=", b".", b",", b":", b"<", b">", b"//", b"\n"]
TOKENS += [
    b"class ",
    b"fun ",
    b"=> ",
    b"new ",
    b"override ",
    b"::",
    b"?.",
    b"\xff",
    b"\0",
    b"/*c*/",
]


def _read(path: Path, source: bytes) -> bytes:
    language = language_of(path.name)
    assert language is not None
    # Version 2 writes values alone; later ones mark what happens to be shared, which a tracer changes.
    return marshal.dumps(parse_file(path.name, source, language.name), 2)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[Path, bytes]:
    path = draw(st.sampled_from(SEEDS))
    source = path.read_bytes()
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(source)))
        cut = draw(st.sampled_from([0, 1, 2, 5, 20, 200]))
        source = source[:at] + draw(st.sampled_from(TOKENS)) + source[at + cut :]
    return path, source


@pytest.mark.filterwarnings("ignore:The recursion limit will not be reset")
@settings(max_examples=200, deadline=None, derandomize=True)
@given(mutated())
def test_mutated_code_gives_facts(file: tuple[Path, bytes]) -> None:
    assert _read(*file) == _read(*file)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.cs", b"class A { void F() { x(" + b"(" * 3000 + b"1" + b")" * 3000 + b"); } }"),
        ("a.cs", b"class A { string s = " + b'"a"+' * 9000 + b"b; }"),
        ("a.cs", b"class A {" * 1000 + b"}" * 1000),
        ("a.kt", b"fun f() { x(" + b"(" * 3000 + b"1" + b")" * 3000 + b") }"),
        ("a.kt", b"val s = " + b'"a"+' * 9000 + b"b\n"),
        ("a.kt", b"class A {\n" * 1000 + b"}\n" * 1000),
        ("a.kt", b"fun f() { x" + b".a()" * 3000 + b" }"),
    ],
    ids=range(7),
)
def test_deep_nesting_costs_only_itself(name: str, source: bytes) -> None:
    assert _read(Path(name), source)


@pytest.mark.parametrize("language", ["java", *LANGUAGES])
def test_each_front_end_is_whole_by_itself(language: str) -> None:
    """Its tables are filled though no other language was loaded before."""
    files = [path for path in (CASES / language).rglob("*.*") if path.is_file()]
    path = max(files, key=lambda path: (path.stat().st_size, path.name))
    code = (
        "from pathlib import Path; from agrama.indexer.parse import parse_file;"
        f"print(len(parse_file('x', Path({str(path)!r}).read_bytes(), {language!r})['ops']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 10
