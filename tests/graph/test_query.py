"""Any text is read as a query, and read for what it is."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.graph.query import parse_query

TRACE = """Traceback (most recent call last):
  File "/app/shop/views.py", line 3, in checkout
    total = basket.total()
  File "/app/shop/basket.py", line 9, in total
    raise EmptyBasket()
"""


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("FlatHashMap", "identifier"),
        ("app.route", "identifier"),
        ("app.run", "identifier"),
        ("Basket::total", "identifier"),
        ("shop/basket.py", "path"),
        ("basket.py", "path"),
        ("how are prices added up", "text"),
        ("checkout", "identifier"),
        (TRACE, "trace"),
        ("    at async Basket.total (/app/basket.js:3:9)", "trace"),
    ],
)
def test_kinds(query: str, kind: str) -> None:
    assert parse_query(query).kind == kind


def test_stop_words_are_no_terms() -> None:
    assert [t.text for t in parse_query("how is the price of it computed").terms] == [
        "price",
        "comput",
    ]


def test_a_query_of_stop_words_keeps_them() -> None:
    assert parse_query("how").terms


def test_the_last_part_of_a_dotted_name_is_the_first_identifier() -> None:
    assert parse_query("where is Basket.total_price used").identifiers[0] == "total_price"


def test_quoted_words_are_identifiers() -> None:
    assert "put" in parse_query("what does `put` do").identifiers


def test_neighbouring_words_may_be_one_name() -> None:
    assert {"flathashmap", "hashmap"} <= set(parse_query("the flat hash map").compounds)


def test_files_and_functions_of_a_trace_are_used() -> None:
    parsed = parse_query(TRACE)
    assert parsed.paths[:2] == ("/app/shop/views.py", "/app/shop/basket.py")
    assert parsed.identifiers[:2] == ("total", "checkout")


@pytest.mark.parametrize(
    ("frame", "path", "name"),
    [
        ("    at Basket.total (/srv/shop/basket.js:10:5)", "/srv/shop/basket.js", "total"),
        ("\tat com.shop.Basket.total(Basket.java:42)", "Basket.java", "total"),
        ("   at Shop.Basket.Total(Int32 x) in /src/Basket.cs:line 7", "/src/Basket.cs", "Total"),
        ("   at Shop.Basket.Total() in C:\\src\\Basket.cs:line 7", "C:/src/Basket.cs", "Total"),
        ("app/basket.rb:3:in `total'", "app/basket.rb", "total"),
        ("app/basket.rb:3:in 'Basket#total'", "app/basket.rb", "total"),
        ("#1  0x00007f in total (b=0x1) at src/basket.c:12", "src/basket.c", "total"),
        ("\t/srv/shop/basket.go:31 +0x1d", "/srv/shop/basket.go", None),
        ("             at src/basket.rs:5:14", "src/basket.rs", None),
    ],
)
def test_frames_of_other_languages_are_read(frame: str, path: str, name: str | None) -> None:
    parsed = parse_query(f"it crashed\n{frame}\n")
    assert parsed.kind == "trace" and parsed.paths[0] == path
    assert name is None or name in parsed.identifiers


def test_asking_for_tests_or_docs_is_noticed() -> None:
    assert parse_query("tests of the basket").wants_tests
    assert parse_query("readme installation").wants_prose
    assert not parse_query("latest price").wants_tests


def test_asking_for_a_platform_or_old_code_is_noticed() -> None:
    assert parse_query("raw mode on Windows").wants_platform
    assert not parse_query("winding a clock").wants_platform
    assert parse_query("deprecated parser").wants_old
    assert not parse_query("golden rules").wants_old


@pytest.mark.parametrize(
    "query", ["", " ", "!?", "a", "é", "🙂", "x" * 100_000, "(.*)+[", "<b>x</b>"]
)
def test_odd_texts_are_read(query: str) -> None:
    parse_query(query)


def test_a_long_text_is_read_in_part() -> None:
    assert len(parse_query(" ".join(f"word{n}" for n in range(9_999))).terms) < 2_000


@given(st.text())
def test_any_text_is_read(query: str) -> None:
    parse_query(query)


@pytest.mark.parametrize(
    "part", ["x", "a.", "a/", "_", "1.", "AB", "\n", "a-", ".", "é", "a::", "`", "\n at "]
)
def test_hostile_texts_are_read_in_linear_time(part: str) -> None:
    began = time.thread_time()
    parse_query(part * 100_000)
    assert time.thread_time() - began < 0.5
