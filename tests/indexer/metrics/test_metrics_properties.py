"""Whatever the text, measuring neither raises nor depends on anything but the text."""

import marshal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring import GRAMMARS, measure_text

from agrama.indexer.metrics import read_query

PYTHON = Path(__file__).read_bytes() * 2
JAVASCRIPT = b"""
export class Cart extends Base {
  #items = new Map();
  add(item, { count = 1, ...rest } = {}) {
    if (!item || count < 1) throw new Error(`bad ${item ?? "none"}`);
    else if (this.#items.has(item)) return this.add(item, { count: -count });
    outer: for (const [key, value] of this.#items) {
      switch (key) { case 1: continue outer; default: value?.call(() => key && value || rest) }
    }
    return this.#items.size > 3 ? (a => b => a + b)(1) : async function* named() { yield 1 };
  }
}
"""


@st.composite
def mutations(draw: st.DrawFn, source: bytes) -> bytes:
    """The source with a few spans cut out, doubled or overwritten by stray tokens."""
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(source)))
        span = draw(st.integers(0, 60))
        token = draw(
            st.sampled_from([b"", b"(", b"}", b"def f(", b"lambda:", b" and ", b"\xff", b"{"])
        )
        keep = draw(st.booleans())
        source = source[:at] + token + (source[at:] if keep else source[at + span :])
    return source


@settings(max_examples=60, deadline=None, derandomize=True)
@given(mutations(PYTHON))
def test_mutated_python_is_measured(source: bytes) -> None:
    figures = measure_text(source, "python")
    assert repr(marshal.loads(marshal.dumps(figures))) == repr(measure_text(source, "python"))
    for figure in figures.values():
        assert all(value is not None and value >= 0 for value in figure.values())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(mutations(JAVASCRIPT), st.sampled_from(["javascript", "typescript", "tsx"]))
def test_mutated_javascript_is_measured(source: bytes, language: str) -> None:
    figures = measure_text(source, language)
    for figure in figures.values():
        assert all(value is not None and value >= 0 for value in figure.values())


CHAIN = b" && ".join([b"(a || !b)"] * 3_000)
HOSTILE = [
    ("python", b"def f():\n    return " + b"(" * 2_000 + b"a or b" + b")" * 2_000 + b"\n"),
    ("python", b"def f():\n    return " + b" or ".join([b"(a and not b)"] * 3_000) + b"\n"),
    ("python", b"def f():\n    return " + b"[x for x in " * 300 + b"y" + b"]" * 300 + b"\n"),
    ("python", b"def f():\n    return " + b"lambda: a if b else " * 1_000 + b"c\n"),
    ("python", b"def f():\n" + b"    f(f(f))\n" * 2_000),
    ("python", b"def f():\n" + b"    def g(): g()\n" * 5_000 + b"    f()\n"),
    ("python", b"".join(b" " * n + b"def f():\n" for n in range(90)) + b" " * 90 + b"f()\n"),
    ("javascript", b"function f() { return " + CHAIN + b" }"),
    ("javascript", b"function f() { return " + b"'a' + " * 10_000 + b"'b' }"),
    ("javascript", b"function f() { return " + b"a ? b : " * 2_000 + b"c }"),
    ("javascript", b"function f() { if (a) {} " + b"else if (b) {} " * 3_000 + b"}"),
    ("javascript", b"x = " + b"a => " * 1_000 + b"c"),
]


@pytest.mark.timeout(5)
@pytest.mark.parametrize(("language", "source"), HOSTILE)
def test_hostile_sources_cost_little(language: str, source: bytes) -> None:
    """Some of these took a minute: the price of a node must not grow with the depth of the tree."""
    measure_text(source, language)


@pytest.mark.parametrize("language", GRAMMARS)
def test_every_query_compiles_and_names_known_roles(language: str) -> None:
    assert read_query(language)
    measure_text(b"", language)


def test_a_language_without_query_has_none() -> None:
    assert read_query("markdown") is None
