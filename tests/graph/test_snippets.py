"""Snippets show where the words of the query stand."""

from agrama.graph.snippets import MAX_CHARS, MAX_LINES, cut_snippet


def test_a_short_text_is_shown_whole() -> None:
    snippet = cut_snippet("a\nprice\nb", 10, ["price"])
    assert snippet == ("a\nprice\nb", 10, (11,))


def test_a_long_text_is_shown_where_most_words_are() -> None:
    lines = [f"line {n}" for n in range(100)]
    lines[10] = "price"
    lines[70], lines[72] = "price", "basket"
    snippet = cut_snippet("\n".join(lines), 1, ["price", "basket"])
    assert snippet.start_line <= 71 <= snippet.start_line + MAX_LINES
    assert {71, 73} <= set(snippet.highlighted_lines)
    assert len(snippet.text.split("\n")) == MAX_LINES


def test_without_a_word_the_beginning_is_shown() -> None:
    assert cut_snippet("\n".join("x" * 5 for _ in range(90)), 5, ["price"]).start_line == 5


def test_one_endless_line_is_cut() -> None:
    assert len(cut_snippet("x" * 10_000, 1, []).text) == MAX_CHARS


def test_whole_lines_within_the_limit() -> None:
    text = "\n".join("y" * 300 for _ in range(20))
    assert len(cut_snippet(text, 1, []).text) <= MAX_CHARS
