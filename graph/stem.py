"""Porter's stemmer (1980): `validators`, `validated` and `validation` become one search term.

Written here because the packaged stemmers are compiled extensions, and a term is stemmed once per
process: the callers cache. Words are lower-case ASCII letters; anything else is returned as it is.
"""

import re

_VOWEL = "[aeiou]|(?<=[^aeiou])y"
_MEASURE = re.compile(f"(?:{_VOWEL})(?=[^aeiouy]|(?<=[aeiou])y)")
_HAS_VOWEL = re.compile(_VOWEL)
_SHORT_END = re.compile("[^aeiou][aeiouy][^aeiouwxy]$")
_DOUBLE_END = re.compile(r"([^aeiouylsz])\1$")
_SHORTEST = 3  # words of one or two letters have no stem

# (ending, what takes its place), longest endings first where one ends another.
_DERIVED = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
)
_DERIVED_AGAIN = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_ENDINGS = (
    "ement ance ence able ible ment sion tion ant ent ism ate iti ous ive ize al er ic ou"
).split()


def stem_word(word: str) -> str:
    """The stem of a lower-case English word."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    word = _strip_past(_strip_plural(word))
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_ending(_replace_ending(word, _DERIVED), _DERIVED_AGAIN)
    return _tidy(_drop_ending(word))


def _measure(stem: str) -> int:
    """How many vowel-consonant sequences the stem has."""
    return len(_MEASURE.findall(stem))


def _strip_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _strip_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and _HAS_VOWEL.search(stem):
            return _restore(stem)
    return word


def _restore(stem: str) -> str:
    """Give back the `e` that `-ed` and `-ing` took, or undo a doubled consonant."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _DOUBLE_END.search(stem):
        return stem[:-1]
    if _measure(stem) == 1 and _SHORT_END.search(stem):
        return stem + "e"
    return stem


def _replace_ending(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for ending, replacement in table:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            return stem + replacement if _measure(stem) else word
    return word


def _drop_ending(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending):
            # "-sion" and "-tion" lose only "ion": their consonant is part of the stem.
            stem = word[:-3] if ending in ("sion", "tion") else word[: -len(ending)]
            return stem if _measure(stem) > 1 else word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _SHORT_END.search(stem)):
            word = stem
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
