"""Cut text into the lower-case sub-words that the embedding knows: parts of identifiers and words.

The trainer and the encoder use the same function; changing it is a new model.
"""

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Za-z0-9]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_LONGEST = 24  # longer ones are encoded data


@lru_cache(maxsize=1 << 17)
def cut_word(word: str) -> tuple[str, ...]:
    """The sub-words of one word or identifier."""
    if len(word) > 4 * _LONGEST:
        return ()
    return tuple(part.lower() for part in _PART.findall(word) if len(part) <= _LONGEST)


def cut_subwords(text: str) -> list[str]:
    """All sub-words of a text, in order."""
    return [part for word in _WORD.findall(text) for part in cut_word(word)]
