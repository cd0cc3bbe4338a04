from data_facts import list_symbols, read_facts

from agrama.indexer.facts import Definition


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
