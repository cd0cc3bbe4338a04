"""Words become the same terms however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.graph.terms import hash_term, hash_word, join_name, split_text, split_word


@pytest.mark.parametrize("word", ["FlatHashMap", "flat_hash_map", "FLAT_HASH_MAP"])
def test_spellings_of_a_compound_share_parts_and_whole(word: str) -> None:
    assert split_word(word) == ("flat", "hash", "map", "flathashmap")


def test_a_plain_word_is_one_stem() -> None:
    assert split_word("validators") == split_word("validated") == split_word("validation")


def test_acronyms_stay_whole_before_a_word() -> None:
    assert split_word("HTTPServer")[:2] == ("http", "server")


def test_scripts_without_spaces_are_cut_in_pairs() -> None:
    assert split_word("日本語") == ("日本", "本語")


def test_a_foreign_word_is_kept_whole() -> None:
    assert split_text("Überprüfung") == ["überprüfung"]


def test_encoded_data_gives_no_terms() -> None:
    assert split_word("a" * 500) == ()


def test_join_name_ignores_case_and_underscores() -> None:
    assert join_name("Flat_HashMap") == "flathashmap"


@given(st.text())
def test_any_text_splits(text: str) -> None:
    assert all(term for term in split_text(text))


@given(st.text(min_size=1))
def test_hashes_fit_64_bits(text: str) -> None:
    assert 0 <= hash_term(text) < 1 << 64
    assert all(0 <= number < 1 << 64 for number in hash_word(text))
