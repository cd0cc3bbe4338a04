"""BM25F term impacts: how much a term says of a chunk or file, as one byte.

A term's weighted frequency is the sum over fields of `weight * count / (1 - slope + slope * length /
average)`; its impact saturates as `frequency / (K1 + frequency)`. The average lengths are constants,
not those of the repository at hand: so an impact depends on one file only, workers compute it alone,
and an update gives what a rebuild would give. They are near what 30 repositories of 19 languages have,
but for a chunk's body, where less than half of it (190 terms) ranks better.
The rarity of a term is not in the impact: it is known at query time only.
"""

from collections.abc import Mapping
from dataclasses import dataclass

K1 = 1.2
IMPACT_SCALE = 255


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a document: what a term in it weighs, and how length counts against it."""

    weight: float
    slope: float
    average: float


CHUNK_PATH = Field(2.0, 0.5, 5.0)
CHUNK_NAMES = Field(2.0, 0.4, 8.0)
CHUNK_COMMENTS = Field(0.7, 0.5, 50.0)
CHUNK_BODY = Field(1.0, 0.7, 80.0)

FILE_PATH = Field(3.0, 0.5, 5.0)
FILE_NAMES = Field(2.5, 0.4, 60.0)
FILE_COMMENTS = Field(1.0, 0.6, 400.0)
FILE_BODY = Field(1.0, 0.6, 1500.0)

FILE_HEAD = Field(1.5, 0.5, 60.0)


def add_field(frequencies: dict[int, float], counts: Mapping[int, int], field: Field) -> None:
    """Add one field's part to the weighted frequencies of a document's terms."""
    length = sum(counts.values())
    scale = field.weight / (1 - field.slope + field.slope * length / field.average)
    known = frequencies.get
    for term, count in counts.items():
        frequencies[term] = known(term, 0.0) + scale * count


def saturate(frequency: float) -> int:
    """The impact of a weighted frequency: 1 to 255, 0 for a term that is not there."""
    if frequency <= 0:
        return 0
    return int(IMPACT_SCALE * frequency / (K1 + frequency) + 0.5) or 1
