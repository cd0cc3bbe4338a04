from data_facts import list_symbols, read_facts

from agrama.indexer.facts import TO_DEFINITION, Definition, Import, unpack_references
from agrama.indexer.languages.language import Sources
from agrama.indexer.languages.markdown_links import MarkdownModules


def test_headings_hold_one_another_by_level() -> None:
    text = """\
        # Guide

        Intro.

        ## Install
        ### From source
        make

        ## Use
        end
        """
    assert list_symbols("guide.md", text) == [
        "section Guide 1-10",
        "section Guide.Install 5-8",
        "section Guide.Install.From source 6-8",
        "section Guide.Use 9-10",
    ]


def test_underlined_headings_count_by_their_underline() -> None:
    text = "Guide\n=====\n\nUse\n---\n\ntext\n\nNotes\n=====\n"
    assert list_symbols("guide.md", text) == [
        "section Guide 1-8",
        "section Guide.Use 4-8",
        "section Notes 9-10",
    ]


def test_decoration_of_a_title_is_left_out() -> None:
    text = "# The `run` **verb** [docs](https://x.y) <a name='run'></a> {#run}\n\n## Two ##\n"
    assert list_symbols("a.md", text) == [
        "section The run verb docs 1-3",
        "section The run verb docs.Two 3-3",
    ]


def test_headings_in_code_quotations_and_lists_are_no_sections() -> None:
    text = "# A\n\n```sh\n# not\n```\n\n> # not\n\n- # not\n"
    assert list_symbols("a.md", text) == ["section A 1-9"]


def test_a_title_met_twice_is_numbered() -> None:
    text = "# Log\n## Added\n## Added\n### Deep\n"
    assert list_symbols("a.md", text) == [
        "section Log 1-4",
        "section Log.Added 2-2",
        "section Log.Added#2 3-4",
        "section Log.Added#2.Deep 4-4",
    ]


def test_a_section_tells_its_first_words() -> None:
    rows = read_facts("a.md", "# A\n\nWhat it\nis.\n\n## B\n- x\n")["definitions"]
    assert [Definition._make(row).doc for row in rows] == ["", "What it is.", ""]


def test_skipped_levels_stay_below_the_section_around() -> None:
    assert list_symbols("a.md", "# A\n#### B\n## C\n") == [
        "section A 1-3",
        "section A.B 2-2",
        "section A.C 3-3",
    ]


def read_links(text: str) -> list[tuple[str, str | None, int, int, int]]:
    rows = map(Import._make, read_facts("docs/a.md", text)["imports"])
    return [(row.module, row.name, row.line, row.column, row.scope) for row in rows]


def test_links_to_markdown_files_are_imports_of_their_section() -> None:
    text = (
        "See [b](b.md).\n\n# T\n\nand\n[c](<../c.md#two-words> 'title'), ![i](i.png)\n\n[r]: d/\n"
    )
    assert read_links(text) == [
        ("b.md", None, 1, 8, 0),
        ("../c.md", "two-words", 6, 5, 1),
        ("d/", None, 8, 5, 1),
    ]


def test_links_elsewhere_and_links_in_code_are_left_out() -> None:
    text = "[a](https://x.y/z.md) [b](mailto:b@c) `[c](c.md)` [d](x.py)\n\n```\n[e](e.md)\n```\n"
    assert read_links(text) == []


def test_a_section_is_exported_by_its_slug() -> None:
    facts = read_facts("a.md", "# What's new?\n## A\n## A\n\n[up](#whats-new) [none](#none)\n")
    assert facts["exports"] == {"whats-new": (-1, 0, 1), "a": (-1, 0, 2), "a-1": (-1, 0, 3)}
    assert list(unpack_references(facts["references"])) == [5, 5, 3, TO_DEFINITION, 1, -1]


def test_relative_links_find_files_and_folders() -> None:
    paths = frozenset({"README.md", "docs/a.md", "docs/sub/index.md"})
    modules = MarkdownModules(Sources(paths))
    assert modules.find("a.md", 1, "docs/b.md") == ("docs/a.md",)
    assert modules.find("../", 1, "docs/b.md") == ("README.md",)
    assert modules.find("sub", 1, "docs/b.md") == ("docs/sub/index.md",)
    assert modules.find("/docs/a.md", 1, "docs/sub/index.md") == ("docs/a.md",)
    assert modules.find("../../../etc.md", 1, "docs/b.md") == ()
