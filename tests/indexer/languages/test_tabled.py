"""Languages that are tables, or only name and link: no text is too broken, deep or long for them."""

import marshal
import time
from pathlib import Path

import pytest
from data_facts import list_symbols, read_facts
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.indexer.facts import Import
from agrama.indexer.languages import language_of

CASES = Path(__file__).parent.parent / "cases"
LANGUAGES = (
    "css", "dockerfile", "fortran", "haskell", "hcl", "html", "julia", "makefile", "nix", "ocaml",
    "powershell", "scss", "solidity", "sql", "svelte", "zig",
)  # fmt: skip
SEEDS = [
    (path.relative_to(CASES).as_posix(), path.read_bytes())
    for name in LANGUAGES
    for path in sorted((CASES / name).rglob("*"))
    if path.is_file() and (found := language_of(path.name)) and found.name in LANGUAGES
]
TOKENS = [
    b"",
    b"{",
    b"}",
    b"(",
    b")",
    b'"',
    b"\n",
    b"=",
    b".",
    b",",
    b"\xff",
    b"\x00",
    b"end",
    b"|",
]


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    path, source = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(source)))
        cut = draw(st.integers(0, 12))
        source = source[:at] + draw(st.sampled_from(TOKENS)) + source[at + cut :]
    return path, source


@pytest.mark.filterwarnings("ignore:The recursion limit will not be reset")
@settings(max_examples=300, deadline=None, derandomize=True)
@given(mutated())
def test_mutated_files_are_read(file: tuple[str, bytes]) -> None:
    path, source = file
    facts = read_facts(path, source)
    assert repr(marshal.loads(marshal.dumps(facts))) == repr(read_facts(path, source))
    names = [row[2] for row in facts["definitions"]]
    lines = source.count(b"\n") + 1
    for index, row in enumerate(facts["definitions"]):
        assert row[3] < index or row[3] == 0
        assert 1 <= row[4] <= lines
    for row in facts["variables"]:
        assert row[1] < len(names)


DEEP = [
    ("a.zig", b"fn f() void { const x = " + b"(" * 3000 + b"1" + b")" * 3000 + b"; }"),
    ("a.zig", b"const A = " + b"struct { const B = " * 300 + b"1;" + b"};" * 300),
    ("a.sol", b"contract A { function f() public { x = " + b"a+" * 5000 + b"b; } }"),
    ("a.jl", b"f(x) = " + b"g(" * 2000 + b"1" + b")" * 2000),
    ("a.jl", b"module A\n" * 500 + b"end\n" * 500),
    ("a.ml", b"let f x = " + b"(" * 3000 + b"x" + b")" * 3000),
    ("a.ml", b"let f x = " + b"let y = x in " * 1000 + b"y"),
    ("a.hs", b"f x = " + b"(" * 1000 + b"x" + b")" * 1000),
    ("a.hs", b"f x = " + b"g $ " * 2000 + b"x"),
    ("a.html", b"<div id='a'>" * 3000),
    ("a.css", b".a{}" * 5000),
    ("a.tf", b'a = "${' * 300 + b"x" + b'}"' * 300),
    ("a.sql", b"SELECT " + b"(" * 500 + b"1" + b")" * 500),
]


@pytest.mark.parametrize(("path", "text"), DEEP, ids=range(len(DEEP)))
def test_deep_nesting_costs_only_itself(path: str, text: bytes) -> None:
    begun = time.process_time()
    assert read_facts(path, text)["definitions"][0][2] == ""
    assert time.process_time() - begun < 4


def test_a_stage_reaches_to_the_next_one() -> None:
    text = "FROM python:3.11 AS build\nRUN x\n\nFROM alpine\nCOPY --from=build /a /b\n"
    assert list_symbols("Dockerfile", text) == ["section build 1-3", "section stage 1 4-6"]
    imports = [Import._make(row) for row in read_facts("Dockerfile", text)["imports"]]
    assert [row.module for row in imports] == ["python", "alpine"]


def test_a_table_has_its_columns() -> None:
    text = 'CREATE TABLE s."Users" (id INT, "name" TEXT);\n'
    assert list_symbols("a.sql", text) == [
        "class Users 1-1",
        "key Users.id 1-1",
        "key Users.name 1-1",
    ]
