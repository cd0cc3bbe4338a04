"""From text to search terms: words, their parts, stems and joined compounds, and 64-bit term hashes.

`FlatHashMap`, `flat_hash_map` and `flathashmap` share the term `flathashmap`; the first two also
give `flat`, `hash` and `map`, stemmed. Writing of scripts without spaces is cut into pairs of
characters. The index and the query use the same functions: changing them is a new index format.
"""

import hashlib
import re
from functools import lru_cache

from agrama.graph.stem import stem_word

WORD = re.compile(r"[^\W\d]\w*|\d+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LONGEST_WORD = 80  # longer ones are encoded data, not words
_CACHED_WORDS = 1 << 17

STOP_WORDS = frozenset(
    """a about all also an and any are as at be been being but by can could did do does doing done for
    from had has have how i if in into is it its me my no nor not of on or our out over own per shall
    should so some such than that the their them then there these they this those through to too up
    upon us use used uses using via was we were what when where whether which while who why will with
    within without would you your""".split()
)


@lru_cache(maxsize=_CACHED_WORDS)
def split_word(word: str) -> tuple[str, ...]:
    """The terms of one word: stems of its parts, then the whole if it has several parts."""
    if len(word) > _LONGEST_WORD:
        return ()
    if not word.isascii():
        return _split_foreign(word.casefold())
    parts = _PART.findall(word)
    terms = [stem_word(part.lower()) for part in parts]
    if len(parts) > 1:
        terms.append(join_name(word))
    return tuple(terms)


def _split_foreign(word: str) -> tuple[str, ...]:
    if len(word) > 2 and _UNSPACED.search(word):
        return tuple(word[i : i + 2] for i in range(len(word) - 1))
    return (word.replace("_", ""),) if word.strip("_") else ()


def join_name(name: str) -> str:
    """A name without case and underscores, as compounds are compared."""
    return name.replace("_", "").lower()


def split_text(text: str) -> list[str]:
    """All terms of a text, in order."""
    return [term for word in WORD.findall(text) for term in split_word(word)]


def stem_terms(name: str) -> list[str]:
    """The terms of a file's or folder's name without its endings; a compound counts by its parts."""
    stem = name.partition(".")[0] or name.lstrip(".").partition(".")[0]
    terms = split_text(stem)
    return terms[:-1] if len(terms) > 1 and len(WORD.findall(stem)) == 1 else terms


@lru_cache(maxsize=1 << 14)
def hash_term(term: str) -> int:
    """64 bits that stand for a term in posting keys."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "big")


@lru_cache(maxsize=_CACHED_WORDS)
def hash_word(word: str) -> tuple[int, ...]:
    """The hashes of the terms of one word."""
    return tuple(map(hash_term, split_word(word)))


def hash_definition(name: str) -> int:
    """The key of a definition's exact name."""
    return hash_term("=" + name)


def hash_compound(joined: str) -> int:
    """The key of a definition's name as `join_name` writes it."""
    return hash_term("~" + joined)
