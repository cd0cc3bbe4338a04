"""Search as its users see it, over a small real index."""

import time
from pathlib import Path

import pytest
from conftest import write_tree

from agrama.cli import main
from agrama.errors import InvalidParamsError, NotIndexedError
from agrama.graph import ranking, view
from agrama.graph.keys import repository_folder
from agrama.graph.query import parse_query
from agrama.graph.search import SearchResult, hybrid_search
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store

SHOP = {
    "shop/basket.py": '''"""What a customer is about to buy."""


class Basket:
    """Articles and their sum."""

    def put(self, price):
        """Put one article into the basket."""
        self.total_price += price

    def total_price(self):
        return sum(self.prices)
''',
    "shop/tax.py": '''"""Value added tax."""


def add_tax(amount, rate=0.2):
    """Add the tax of a country to an amount."""
    return amount * (1 + rate)
''',
    "shop/mail.py": '''"""Send letters to customers."""


def send_invoice(address, invoice):
    """Deliver an invoice by electronic mail."""
    return transport.send(address, invoice)
''',
    "tests/test_tax.py": "from shop.tax import add_tax\n\n\ndef test_add_tax():\n    assert add_tax(10) == 12\n",
    "web/cart.ts": "export class CartView {\n  render(): string {\n    return 'basket';\n  }\n}\n",
    "docs/guide.md": "# Guide\n\n## Taxes\n\nHow the tax of a basket is added.\n",
    "package.json": '{"name": "shop", "tax": 1}\n',
    "shop/日本.py": "def 税金():\n    return 'überprüfung'\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    write_tree(root, SHOP)
    assert main(["index", str(root), "--quiet"]) == 0
    return root


def search(root: Path, query: str, **options: object) -> SearchResult:
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        return hybrid_search(snapshot, query, **options)  # type: ignore[arg-type]


def paths(result: SearchResult) -> list[str]:
    return [hit.path for hit in result.hits]


def test_an_identifier_finds_its_definition(shop: Path) -> None:
    hit = search(shop, "add_tax").hits[0]
    assert (hit.path, hit.symbol, hit.kind) == ("shop/tax.py", "shop/tax.py::add_tax", "function")
    assert "def add_tax" in (hit.snippet or "")


def test_other_spellings_find_it_too(shop: Path) -> None:
    assert paths(search(shop, "addTax"))[0] == "shop/tax.py"
    assert paths(search(shop, "add tax"))[0] == "shop/tax.py"


def test_a_question_finds_the_file(shop: Path) -> None:
    assert paths(search(shop, "how is an article put into the basket"))[0] == "shop/basket.py"


def test_a_path_finds_the_file(shop: Path) -> None:
    result = search(shop, "shop/mail.py")
    assert (result.mode, paths(result)[0]) == ("path", "shop/mail.py")


def test_a_stack_trace_finds_the_failing_file(shop: Path) -> None:
    trace = 'File "/srv/app/shop/mail.py", line 5, in send_invoice\n    raise OSError("tax basket")'
    result = search(shop, trace)
    assert (result.mode, paths(result)[0]) == ("trace", "shop/mail.py")


def test_tests_come_after_code_unless_asked_for(shop: Path) -> None:
    assert paths(search(shop, "add tax")).index("tests/test_tax.py") > 0
    assert paths(search(shop, "tests of add tax"))[0] == "tests/test_tax.py"


def test_scores_and_terms_are_told(shop: Path) -> None:
    hit = search(shop, "invoice mail").hits[0]
    assert 0 < hit.lexical_score <= hit.score <= 1
    assert set(hit.matching_terms) == {"invoice", "mail"}
    assert hit.highlighted_lines


def test_filters(shop: Path) -> None:
    assert paths(search(shop, "basket", language="typescript")) == ["web/cart.ts"]
    assert paths(search(shop, "basket", path_glob="docs/**")) == ["docs/guide.md"]
    assert {hit.kind for hit in search(shop, "basket", kind="class").hits} == {"class"}
    assert search(shop, "basket", language="cobol").hits == ()
    assert search(shop, "basket", path_glob="nowhere/*").total_results == 0


def test_pages_follow_each_other(shop: Path) -> None:
    whole = search(shop, "tax basket invoice", max_results=100)
    pages = [search(shop, "tax basket invoice", max_results=2, offset=at) for at in range(0, 20, 2)]
    assert [hit for page in pages for hit in page.hits] == list(whole.hits)
    assert {page.total_results for page in pages} == {len(whole.hits)}


def test_the_same_search_gives_the_same_answer(shop: Path) -> None:
    assert search(shop, "customer basket") == search(shop, "customer basket")


@pytest.mark.parametrize("query", ["", "  ", "?!", "zzzqqqxxx", "\0", "🙂"])
def test_nothing_to_find_is_no_error(shop: Path, query: str) -> None:
    assert search(shop, query).hits == ()


@pytest.mark.parametrize(
    "query", ["a", "(.*)+tax[", "SELECT tax FROM basket", "<b>tax</b>", "税金", "überprüfung", "tax " * 25_000]
)  # fmt: skip
def test_odd_queries_find_what_they_say(shop: Path, query: str) -> None:
    result = search(shop, query)
    assert result.total_results >= len(result.hits)
    if "tax" in query:
        assert any("tax" in path or "guide" in path for path in paths(result))


ISSUE = """Invoices are sent twice

**Steps**
1. Put an article into the basket.
2. Pay. `send_invoice` runs, then runs again.

```python
from shop.mail import send_invoice
send_invoice("a@example.org", invoice)
```

Expected: one letter. Actual: two. <details>mac OS 14, tests pass</details> See https://example.org/1?x=[a]
"""


ODD_QUERIES = [
    (ISSUE, "shop/mail.py"),
    (ISSUE * 200, "shop/mail.py"),
    ("SELECT rate FROM tax WHERE amount > 0 -- country", "shop/tax.py"),
    ('<input name="invoice" onclick="send_invoice()">', "shop/mail.py"),
    (r"^def\s+add_tax\(.*$", "shop/tax.py"),
    ("add_tax 🙂", "shop/tax.py"),
    ("wo wird send_invoice aufgerufen?", "shop/mail.py"),
    ("x" * 100_000 + " send_invoice", None),
    ("send_invoice " + "x" * 100_000, "shop/mail.py"),
    ("(" * 50_000 + "a+" * 25_000, None),
    ("/a" * 50_000, None),
    ("a.b" * 33_000, None),
    ("#1 (" * 25_000, None),
    ("at a (" * 16_000, None),
]


def test_any_text_is_answered_quickly(shop: Path) -> None:
    search(shop, "warm up")
    for query, best in ODD_QUERIES:
        began = time.process_time()
        result = search(shop, query)
        assert time.process_time() - began < 0.25, query[
            :40
        ]  # some 10 ms; a bad pattern takes hours
        if best is not None:
            assert paths(result)[0] == best, query[:40]


def test_one_letter_finds_names_of_one_letter(tmp_path: Path) -> None:
    tree = {
        "a.py": "def q(x):\n    return x\n",
        "b.py": "def question(x):\n    return x\n",
    }
    write_tree(tmp_path, tree)
    assert main(["index", str(tmp_path), "--quiet"]) == 0
    assert paths(search(tmp_path, "q"))[0] == "a.py"


def test_foreign_words_find_their_file(shop: Path) -> None:
    assert paths(search(shop, "税金"))[0] == "shop/日本.py"
    assert paths(search(shop, "Überprüfung"))[0] == "shop/日本.py"


def test_modes_and_weights(shop: Path) -> None:
    assert search(shop, "tax", mode="keyword").hits[0].semantic_score is None
    assert search(shop, "tax", weights={"semantic": 0}).hits[0].semantic_score is None
    assert search(shop, "tax", mode="concept").mode == "concept"


def test_unknown_choices_are_refused(shop: Path) -> None:
    with pytest.raises(InvalidParamsError, match="mode"):
        search(shop, "tax", mode="magic")
    with pytest.raises(InvalidParamsError, match="kind"):
        search(shop, "tax", kind="thing")


def test_snippets_can_be_left_out(shop: Path) -> None:
    assert search(shop, "tax", include_snippets=False).hits[0].snippet is None


def test_an_index_without_search_data_says_so(tmp_path: Path) -> None:
    with (
        Store.open(tmp_path / "empty", create=True) as store,
        open_snapshot(store) as snapshot,
        pytest.raises(NotIndexedError, match="agrama index"),
    ):
        hybrid_search(snapshot, "tax")


def test_files_near_those_at_hand_rank_higher(shop: Path) -> None:
    plain = [hit.path for hit in search(shop, "amount rate country").hits]
    near = search(shop, "customer", context_files=["tests/test_tax.py"])
    assert near.hits[0].graph_score is not None
    scores = {
        hit.path: hit.graph_score
        for hit in search(shop, "tax", context_files=["tests/test_tax.py"]).hits
    }
    assert scores["shop/tax.py"] == 1.0
    assert plain[0] == "shop/tax.py"


def test_dependency_mode_finds_what_uses_the_hits(shop: Path) -> None:
    found = paths(search(shop, "amount rate country", mode="dependency"))
    assert "tests/test_tax.py" in found


def test_unknown_files_at_hand_are_ignored(shop: Path) -> None:
    assert search(shop, "tax", context_files=["no/such.py"]).hits


TERMINAL = {
    f"src/{folder}/terminal.c": f"#include <{header}>\n/* Set the raw mode of the terminal. */\n"
    f"int set_raw_mode(int fd) {{\n  return {call}(fd);\n}}\n"
    for folder, header, call in (
        ("unix", "termios.h", "tcsetattr"),
        ("win", "windows.h", "SetConsoleMode"),
    )
}


def test_of_twins_the_posix_one_comes_first_unless_another_is_asked_for(tmp_path: Path) -> None:
    write_tree(tmp_path, TERMINAL)
    assert main(["index", str(tmp_path), "--quiet"]) == 0
    assert paths(search(tmp_path, "raw mode of the terminal"))[0] == "src/unix/terminal.c"
    assert paths(search(tmp_path, "raw mode of the win terminal"))[0] == "src/win/terminal.c"


def test_of_equals_the_one_that_more_files_use_comes_first(tmp_path: Path) -> None:
    tree = {f"{name}.py": "def parse(text):\n    return text.split()\n" for name in ("a", "b", "c")}
    tree |= {f"use{n}.py": "from b import parse\n\nprint(parse(''))\n" for n in range(3)}
    write_tree(tmp_path, tree)
    assert main(["index", str(tmp_path), "--quiet"]) == 0
    result = search(
        tmp_path, "parse", mode="keyword"
    )  # one-letter names mean something to the embedding
    found = [path for path in paths(result) if not path.startswith("use")]
    assert found == ["b.py", "a.py", "c.py"]


def test_that_others_use_a_file_counts_less_for_a_report(shop: Path) -> None:
    question, report = parse_query("add tax"), parse_query("the tax is wrong " * 10)
    assert (question.report, report.report) == (False, True)
    with Store.open(repository_folder(shop)) as store, open_snapshot(store) as snapshot:
        index = view.require_index(snapshot.reader)
        weighed = {
            query.report: ranking.weigh_files(index, query, ranking.DEFAULT_WEIGHTS)
            for query in (question, report)
        }
        paths = [index.path(slot) for slot in range(index.slots)]
        used, unused = paths.index("shop/tax.py"), paths.index("shop/mail.py")
    assert weighed[False][used] > weighed[True][used]
    assert weighed[False][unused] == weighed[True][unused]
