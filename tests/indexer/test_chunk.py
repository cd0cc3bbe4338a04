"""Chunks lie at definitions, cover the file, and never fail."""

import marshal

from hypothesis import given
from hypothesis import strategies as st

from agrama.graph.chunks import decode_chunk
from agrama.graph.model import Kind
from agrama.indexer.chunk import MAX_LINES, mark_comments, prepare_file
from agrama.indexer.parse import parse_file


def ranges(text: str, path: str = "a.py") -> list[tuple[int, int]]:
    prepared = prepare_file(path, text, None, None)
    chunks = [decode_chunk(value) for value in prepared["chunks"]] if prepared else []
    return [(chunk.start_line, chunk.end_line) for chunk in chunks]


def write_function(name: str, lines: int) -> str:
    return f"def {name}():\n" + "".join(f"    value_{n} = compute({n})\n" for n in range(lines))


def test_large_functions_have_chunks_of_their_own() -> None:
    text = write_function("first", 25) + write_function("second", 25)
    assert ranges(text) == [(1, 26), (27, 53)]


def test_small_neighbours_stay_together() -> None:
    assert len(ranges("".join(write_function(f"f{n}", 1) for n in range(4)))) == 1


def test_long_functions_are_split() -> None:
    assert all(end - start < MAX_LINES for start, end in ranges(write_function("f", 300)))


def test_decorators_and_comments_belong_to_what_follows() -> None:
    text = (
        write_function("first", 25) + "# about the second\n@cached\n" + write_function("second", 5)
    )
    assert ranges(text)[1][0] == 27


def test_a_chunk_knows_the_definition_it_lies_in() -> None:
    prepared = prepare_file("a.py", "class A:\n" + "    x = 1\n" * 150, None, None)
    assert prepared is not None
    last = decode_chunk(prepared["chunks"][-1])
    assert [(d.kind, d.qualified) for d in last.definitions] == [(Kind.CLASS, "A")]


def test_a_callback_outside_of_all_functions_is_no_symbol() -> None:
    text = "list.forEach(code => {\n  known[code] = code;\n});\nfunction g() { return x.map(y => y); }\n"
    prepared = prepare_file(
        "a.js", text, "javascript", parse_file("a.js", text.encode(), "javascript")
    )
    assert prepared is not None
    named = [d.qualified for chunk in prepared["chunks"] for d in decode_chunk(chunk).definitions]
    assert set(named) == {"g"}


def test_markdown_sections_are_chunks() -> None:
    text = "# One\n\n" + "word " * 120 + "\n\n## Two\n\n" + "text " * 120 + "\n"
    assert ranges(text, "a.md") == [(1, 4), (5, 8)]


def test_examples_in_docstrings_define_nothing() -> None:
    prepared = prepare_file(
        "a.py", 'def f():\n    """\n    class Fake: pass\n    """\n', None, None
    )
    assert prepared is not None
    assert [d.qualified for d in decode_chunk(prepared["chunks"][0]).definitions] == ["f"]


def test_doc_strings_are_comments() -> None:
    lines = ['"""One.', "two", '"""', "x = 1", "# three", "#include <a>"]
    assert mark_comments(lines) == [True, True, True, False, True, False]


def test_nothing_comes_of_nothing() -> None:
    assert prepare_file("a.py", " \n\t\n", None, None) is None


def test_what_is_prepared_can_be_marshalled_and_is_the_same_each_time() -> None:
    text = write_function("first", 70)
    first, again = (prepare_file("a/b.py", text, None, None) for _ in range(2))
    assert marshal.dumps(first) == marshal.dumps(again)


def test_minified_lines_give_no_terms() -> None:
    plain = prepare_file("a.js", "var a = 1;\n", None, None)
    packed = prepare_file("a.js", "var a = 1;\n" + "x1,y2;" * 9_000 + "\n", None, None)
    assert plain is not None
    assert packed is not None
    assert len(packed["file_terms"]) <= len(plain["file_terms"])


@given(st.text(), st.sampled_from(["a.py", "b.md", "c.rs", "d.unknown", "Makefile"]))
def test_any_text_can_be_prepared(text: str, path: str) -> None:
    prepared = prepare_file(path, text, None, None)
    assert (prepared is None) == (not text.strip())
    last = 0
    for value in prepared["chunks"] if prepared else ():
        chunk = decode_chunk(value)
        assert last < chunk.start_line <= chunk.end_line <= text.count("\n") + 1
        last = chunk.end_line
