"""Porter's stemmer, on the examples of his paper and on what it must leave alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.graph.stem import stem_word


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"),
        ("plastered", "plaster"), ("motoring", "motor"), ("sing", "sing"), ("conflated", "conflat"),
        ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("sky", "sky"),
        ("relational", "relat"), ("digitizer", "digit"), ("operator", "oper"), ("hopefulness", "hope"),
        ("electricity", "electr"), ("adjustment", "adjust"), ("probate", "probat"), ("controll", "control"),
    ],
)  # fmt: skip
def test_examples_of_the_paper(word: str, stem: str) -> None:
    assert stem_word(word) == stem


@pytest.mark.parametrize("word", ["", "a", "os", "x9", "naïve", "utf8"])
def test_what_is_no_english_word_stays(word: str) -> None:
    assert stem_word(word) == word


@given(st.from_regex(r"[a-z]{1,20}", fullmatch=True))
def test_a_stem_is_never_longer_than_its_word_by_more_than_a_letter(word: str) -> None:
    assert 1 <= len(stem_word(word)) <= len(word) + 1
