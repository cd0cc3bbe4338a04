"""The front end reads whatever it is given."""

import marshal
from pathlib import Path

import pytest

from agrama.indexer.facts import Definition, FileFacts
from agrama.indexer.languages.javascript import is_test
from agrama.indexer.parse import parse_file

CASES = Path(__file__).parents[1] / "cases"
SOURCES = sorted(
    path
    for language in ("javascript", "typescript", "tsx")
    for path in (CASES / language).rglob("*.[jt]s*")
    if path.suffix != ".json"
)


def read(text: str, path: str = "a.ts", language: str = "typescript") -> FileFacts:
    return parse_file(path, text.encode(), language)


def names(facts: FileFacts) -> list[str]:
    return [Definition._make(row).qualified for row in facts["definitions"][1:]]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_file_cut_anywhere_is_read(path: Path) -> None:
    text = path.read_text()
    language = {".js": "javascript", ".mjs": "javascript", ".ts": "typescript"}
    for end in range(0, len(text), 97):
        facts = read(text[:end], path.name, language.get(path.suffix, "tsx"))
        assert marshal.loads(marshal.dumps(facts)) == facts


@pytest.mark.parametrize(
    "text",
    ["[" * 3000 + "]" * 3000, "a" + ".b()" * 5000, "x + " * 5000 + "x", "(" * 3000, "f(" * 4000],
)
def test_deep_nesting_ends(text: str) -> None:
    assert "kept" in names(read(f"function kept() {{}}\n{text}\n"))


def test_functions_take_the_names_of_where_they_are_put() -> None:
    text = """
    const arrow = () => 1;
    const object = { method() {}, key: function () {}, nested: { deep: () => 1 } };
    exports.given = function () {};
    object.added = () => 1;
    class C { field = () => 1; static s() {} get p() { return 1 } set p(v) {} }
    export default function () {}
    function outer() { return () => 1; }
    [].map(() => 1);
    """
    assert sorted(names(read(text))) == [
        "", "C", "C.field", "C.p", "C.p#2", "C.s", "arrow", "default", "given", "object.added",
        "object.key", "object.method", "object.nested.deep", "outer", "outer.<lambda1>",
    ]  # fmt: skip


def test_extraction_does_not_depend_on_anything_else() -> None:
    text = SOURCES[0].read_text()
    assert read(text, "a.js", "javascript") == read(text, "a.js", "javascript")


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("src/a.test.ts", True),
        ("src/a.spec.tsx", True),
        ("test/a.js", True),
        ("src/__tests__/a.js", True),
        ("src/contest.js", False),
        ("src/testing.ts", False),
    ],
)
def test_test_files_are_known_by_their_paths(path: str, wanted: bool) -> None:
    assert is_test(path) is wanted
