import pytest
from data_facts import list_symbols, read_facts

from agrama.indexer.facts import Definition
from agrama.indexer.languages.json import read_config
from agrama.indexer.languages.sections import MOST_SYMBOLS


def test_objects_are_sections_and_other_values_keys() -> None:
    text = """\
        {
          "name": "x",
          "scripts": {
            "test": "vitest",
            "paths": {"@/*": ["src/*"]}
          },
          "files": [{"inside": 1}]
        }
        """
    assert list_symbols("package.json", text) == [
        "section scripts 3-6",
        "section scripts.paths 5-5",
        "key name 2-2",
        "key scripts.test 4-4",
        "key scripts.paths.@/* 5-5",
        "key files 7-7",
    ]


def test_keys_lie_at_the_position_of_their_name() -> None:
    variables = read_facts("a.json", '{\n  "é": 1, "b": 2\n}')["variables"]
    assert [row[:4] for row in variables] == [("é", 0, 2, 2), ("b", 0, 2, 11)]


def test_depth_is_bounded() -> None:
    text = '{"a": {"b": {"c": {"d": {"e": 1}}}}}'
    assert list_symbols("a.json", text) == [
        "section a 1-1",
        "section a.b 1-1",
        "section a.b.c 1-1",
        "key a.b.c.d 1-1",
    ]


def test_escapes_in_names_are_read() -> None:
    assert list_symbols("a.json", '{"a\\"b": 1, "\\u00e9": 2}') == ['key a"b 1-1', "key é 1-1"]


def test_of_a_repeated_key_the_first_counts() -> None:
    assert list_symbols("a.json", '{"a": 1,\n"a": 2}') == ["key a 1-1"]


def test_a_broken_file_keeps_its_intact_keys() -> None:
    facts = read_facts("a.json", '{"a": 1, "b": , "c": {"d": 2}')
    assert "d" in [row[0] for row in facts["variables"]]
    assert facts["errors"]


def test_keys_beyond_the_limit_are_left_out_and_the_file_says_so() -> None:
    inner = ",".join(f'"k{number}": {number}' for number in range(MOST_SYMBOLS))
    facts = read_facts("big.json", f'{{"first": {{{inner}}}, "last": 1}}')
    assert len(facts["definitions"]) + len(facts["variables"]) == MOST_SYMBOLS + 1
    assert {"last", "k0"} <= {row[0] for row in facts["variables"]}
    assert str(MOST_SYMBOLS) in Definition._make(facts["definitions"][0]).doc


def test_files_that_steer_resolution_keep_their_value() -> None:
    text = """\
        // comment, with a "quote"
        {
          "extends": "./base.json", /* block */
          "compilerOptions": {
            "baseUrl": ".",
            "paths": {"@/*": ["src/*",], "http://x": ["//y"]}, // trailing
          },
        }
        """
    expected = {
        "extends": "./base.json",
        "compilerOptions": {
            "baseUrl": ".",
            "paths": {"@/*": ["src/*"], "http://x": ["//y"]},
        },
    }
    for path in ("tsconfig.json", "web/tsconfig.build.json", "jsconfig.json"):
        assert read_facts(path, text)["config"] == expected
    assert read_facts("other.json", text)["config"] is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"\xef\xbb\xbf{}", {}),
        (b'{"a": [1, // one\n], /* two */}', {"a": [1]}),
        (b'{"a": "b,}" , }', {"a": "b,}"}),
        (b"[" * 100_000, None),
        (b'{"a": /* open', None),
        (b"\xff\xfe", None),
        (b"", None),
    ],
)
def test_configuration_is_read_or_none(text: bytes, value: object) -> None:
    assert read_config(text) == value


def test_half_a_surrogate_pair_is_no_name() -> None:
    (symbol,) = list_symbols("a.json", b'{"\\udfaa": 1}')
    assert symbol.encode() == b"key ? 1-1"
