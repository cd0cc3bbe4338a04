"""Editing JSON in place: whatever the text looks like, only the named member changes."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.clients import jsonc

NAMES = st.sampled_from(["agrama", "mcp", "a b", 'q"uote', "ü", ""])
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=4)
LAYOUTS = st.sampled_from([None, 2, 4, "\t"])


def decorate(text: str, seed: int) -> str:
    """Comments, trailing commas and odd line ends where strings cannot be hit."""
    if seed & 1:
        text = re.sub(r"\n", " // note, }\n", text)
    if seed & 2:
        text = "/* head { */ " + text
    if seed & 4:
        text = re.sub(r'([\w"\]}])(\s*// note, }\n\s*|\n\s*)([}\]])', r"\1,\2\3", text)
    return text.replace("\n", "\r\n") if seed & 8 else text


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, LAYOUTS, st.integers(0, 15), st.lists(NAMES, min_size=1, max_size=3), VALUES)
def test_put_sets_one_member_and_remove_takes_it_out(
    document: dict[str, Any], layout: Any, seed: int, path: list[str], value: Any
) -> None:
    text = decorate(json.dumps(document, indent=layout), seed)
    assert jsonc.read(text) == document
    expected = json.loads(json.dumps(document))
    here = expected
    for name in path[:-1]:
        here = here.setdefault(name, {})
        if not isinstance(here, dict):
            with pytest.raises(jsonc.JsonError):
                jsonc.put(text, path, value)
            return
    here[path[-1]] = value
    after = jsonc.put(text, path, value)
    assert jsonc.read(after) == expected
    assert jsonc.put(after, path, value) == after
    del here[path[-1]]
    assert jsonc.read(jsonc.remove(after, path)) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "line 1, column 2: a quoted name or } is missing"),
        ('{"a" 1}', "a colon is missing"),
        ('{"a": 1 "b": 2}', "a comma or } is missing"),
        ('{\n"a": nope}', "line 2, column 6: 'nope' is not a value"),
        ("[1, 2", "a comma or ] is missing"),
        ("{} {}", "more text after the value"),
    ],
)
def test_an_error_says_where(text: str, told: str) -> None:
    with pytest.raises(jsonc.JsonError) as caught:
        jsonc.read(text)
    assert told in str(caught.value)
