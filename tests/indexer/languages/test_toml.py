from data_facts import list_symbols, read_facts

from agrama.indexer.facts import Definition


def test_tables_are_sections_and_values_keys() -> None:
    text = """\
        title = "x"
        a.b = 1

        [project]
        name = "y"
        license = { text = "MIT" }

        [tool."my tool".part]
        on = true
        [project.scripts]
        run = "y:main"
        """
    assert list_symbols("pyproject.toml", text) == [
        "section project 4-6",
        "section project.license 6-6",
        "section tool.my tool.part 8-9",
        "section project.scripts 10-11",
        "key title 1-1",
        "key a.b 2-2",
        "key project.name 5-5",
        "key project.license.text 6-6",
        "key tool.my tool.part.on 9-9",
        "key project.scripts.run 11-11",
    ]


def test_elements_of_an_array_of_tables_are_numbered() -> None:
    text = "[[bin]]\nname = 1\n[[bin]]\nname = 2\n"
    assert list_symbols("Cargo.toml", text) == [
        "section bin 1-2",
        "section bin#2 3-4",
        "key bin.name 2-2",
        "key bin#2.name 4-4",
    ]


def test_a_table_is_named_by_its_last_part() -> None:
    rows = read_facts("a.toml", "[tool.ruff]\n[tool.ruff.lint]\n")["definitions"]
    named = [Definition._make(row) for row in rows]
    assert [(row.name, row.parent, row.column) for row in named[1:]] == [
        ("ruff", 0, 6),
        ("lint", 1, 11),
    ]


def test_a_broken_file_keeps_its_intact_keys() -> None:
    assert "key b 2-2" in list_symbols("a.toml", "a = = 1\nb = 2\n")
