"""Arguments against schemas: what comes through, and what an error says."""

from typing import Any

import pytest

from agrama.errors import InvalidParamsError
from agrama.schema import Validator, did_you_mean

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "path": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        "mode": {"enum": ["auto", "keyword"], "default": "auto"},
        "seconds": {"type": "number", "exclusiveMinimum": 0},
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
                "required": ["old", "new"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}


@pytest.fixture
def validator() -> Validator:
    return Validator(SCHEMA, aliases={"file_path": "path"}, free_text=frozenset({"query", "new"}))


def test_defaults_aliases_and_whole_floats(validator: Validator) -> None:
    given = {"query": "x", "file_path": "a.py", "limit": 5.0}
    assert validator.check(given) == {"query": "x", "path": "a.py", "limit": 5, "mode": "auto"}
    assert given == {"query": "x", "file_path": "a.py", "limit": 5.0}


@pytest.mark.parametrize(
    ("given", "parameter", "expected", "got", "hint"),
    [
        ({}, "query", "string", "nothing", "add 'query'"),
        ({"query": ""}, "query", "length ≥ 1", 'string ""', "pass"),
        ({"query": 3}, "query", "string", "number 3", "pass string"),
        ({"query": "x", "limit": 0}, "limit", "≥ 1, ≤ 50", "number 0", "pass integer"),
        ({"query": "x", "seconds": 0}, "seconds", "number > 0", "number 0", "pass number > 0"),
        ({"query": "x", "limit": 1.5}, "limit", "integer", "number 1.5", "pass integer"),
        ({"query": "x", "limit": True}, "limit", "integer", "boolean true", "pass integer"),
        ({"query": "x", "mode": "fuzzy"}, "mode", "auto, keyword", 'string "fuzzy"', "one of"),
        ({"query": "x", "lmit": 3}, "lmit", "one of", "number 3", "did you mean 'limit'"),
        ({"qury": "x"}, "qury", "one of", 'string "x"', "did you mean 'query'"),
        ({"query": "x", "zz": None}, "zz", "one of", "null", "known parameters"),
        ({"query": "x", "edits": [{"old": "a"}]}, "edits[0].new", "string", "nothing", "add"),
        ({"query": "x", "edits": [{"old": 1, "new": ""}]}, "edits[0].old", "string", "1", "pass"),
        ({"query": "x", "path": "a\x1bb"}, "path", "control", "U+001B at 1", "remove"),
        ({"query": "x", "path": "a\nb"}, "path", "control", "U+000A", "remove"),
        ({"query": "a\x00b"}, "query", "control", "U+0000", "remove"),
        (
            {"query": "x", "edits": [{"old": "\x00", "new": "y"}]},
            "edits[0].old",
            "control",
            "U+0000",
            "remove",
        ),
    ],
)
def test_errors_name_field_expected_got_and_hint(
    validator: Validator, given: Any, parameter: str, expected: str, got: str, hint: str
) -> None:
    with pytest.raises(InvalidParamsError) as caught:
        validator.check(given)
    data = caught.value.data
    assert data["parameter"] == parameter
    assert expected in data["expected"]
    assert got in data["got"]
    assert hint in data["hint"]


def test_text_keeps_its_newlines_and_tabs_where_they_mean_something(validator: Validator) -> None:
    edits = [{"old": "x", "new": "a\n\tb\r\n"}]
    checked = validator.check({"query": "one\ntwo\t\x1b[0m é 😀 ‮", "edits": edits})
    assert checked["edits"] == edits


def test_long_values_are_shown_in_part(validator: Validator) -> None:
    with pytest.raises(InvalidParamsError) as caught:
        validator.check({"query": "x", "mode": "y" * 10_000})
    assert len(str(caught.value.data)) < 500


def test_a_reference_to_another_document_is_not_fetched() -> None:
    with pytest.raises(Exception, match=r"not fetched|retriev|resolve"):
        Validator({"$ref": "http://127.0.0.1:9/schema.json"}).compile()


@pytest.mark.parametrize(
    ("word", "expected"),
    [("reed_code", "read_code"), ("READ-CODE", "read_code"), ("xyz", None), ("", None)],
)
def test_did_you_mean(word: str, expected: str | None) -> None:
    assert did_you_mean(word, ["read_code", "hybrid_search", "find_symbol"]) == expected


def test_both_names_of_one_parameter_must_agree(validator: Validator) -> None:
    assert validator.check({"query": "x", "path": "a", "file_path": "a"})["path"] == "a"
    with pytest.raises(InvalidParamsError) as caught:
        validator.check({"query": "x", "path": "a", "file_path": "b"})
    assert caught.value.data["hint"] == "leave out 'file_path'"


def test_a_place_no_plain_keyword_leads_to_is_still_named() -> None:
    inner = {"properties": {"a": {"properties": {"b": {"type": "string"}}}}}
    schema = {"type": "object", "properties": {"a": True}, "allOf": [inner]}
    with pytest.raises(InvalidParamsError) as caught:
        Validator(schema).check({"a": {"b": 3}})
    assert caught.value.data["parameter"] == "a.b"
    assert caught.value.data["got"] == "number 3"


def test_a_constant_is_told() -> None:
    schema = {"type": "object", "properties": {"version": {"const": 2}}}
    with pytest.raises(InvalidParamsError) as caught:
        Validator(schema).check({"version": 3})
    assert caught.value.data["expected"] == "2"


def test_a_result_is_held_to_its_schema(validator: Validator) -> None:
    assert validator.first_error({"query": "x"}) == ""
    assert "limit: " in validator.first_error({"query": "x", "limit": 0})
    assert "query" in validator.first_error({})
