"""Whatever the bytes, the data languages neither raise nor depend on anything but the text."""

import marshal

import pytest
from data_facts import read_facts
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.indexer.languages.sections import MOST_SYMBOLS

SEEDS = {
    "a.md": b"# A\n\ntext [x](y.md)\n\nB\n---\n\n> # q\n\n```\n# c\n```\n### D `e`\n",
    "tsconfig.json": b'{"a": {"b": [1, {"c": null}], "d\\"": "x", /* y */},\n "e": {"f": {"g": {}}}}',
    "a.yaml": b"a: &x\n  b: {c: 1, 'd': [e]}\n  ? f\n  : g\n---\nh: |\n  i: j\nk:\n- l: *x\n",
    "a.toml": b'a = 1\nb."c d".e = [1]\n[f.g]\nh = {i = {j = 1}}\n[[k]]\n[[k]]\nl = """x"""\n',
}
TOKENS = [b"", b"{", b"}", b'"', b":", b"\n", b"- ", b"#", b"[", b"=", b"\xff\xfe", b"\x00", b"  "]


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    path = draw(st.sampled_from(sorted(SEEDS)))
    source = SEEDS[path]
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(source)))
        cut = draw(st.integers(0, 5))
        source = source[:at] + draw(st.sampled_from(TOKENS)) + source[at + cut :]
    return path, source


@settings(max_examples=200, deadline=None, derandomize=True)
@given(mutated())
def test_mutated_files_are_read(file: tuple[str, bytes]) -> None:
    path, source = file
    facts = read_facts(path, source)
    assert repr(marshal.loads(marshal.dumps(facts))) == repr(read_facts(path, source))
    lines = source.count(b"\n") + 1
    names = [row[2] for row in facts["definitions"]]
    assert len(names) == len(set(names))
    for index, row in enumerate(facts["definitions"]):
        assert row[3] < index
        assert 1 <= row[4] <= row[7] <= lines
    for row in facts["variables"]:
        assert row[1] < len(names)
        assert 1 <= row[2] <= row[4] <= lines


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.json", b'{"a":' * 20_000 + b"1" + b"}" * 20_000),
        ("a.json", b"[" + b'{"a": 1},' * 50_000 + b"1]"),
        ("a.json", b"{" + b",".join(b'"k%d": {"x": 1}' % n for n in range(50_000)) + b"}"),
        ("a.yaml", b"".join(b"k%d:\n  x: 1\n" % n for n in range(20_000))),
        ("a.yaml", b"[" * 2_000),
        ("a.toml", b"".join(b"[t%d]\nx = 1\n" % n for n in range(20_000))),
        ("a.md", b"".join(b"%s T%d\n\n" % (b"#" * (n % 6 + 1), n) for n in range(20_000))),
        ("a.md", b"> " * 3_000 + b"# deep\n"),
    ],
)
def test_huge_and_hostile_files_stay_within_the_limit(path: str, source: bytes) -> None:
    facts = read_facts(path, source)
    assert len(facts["definitions"]) + len(facts["variables"]) <= MOST_SYMBOLS + 1
