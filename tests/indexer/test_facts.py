"""Packed facts: what is read back is what was packed, and the head is that of the whole."""

from agrama.indexer.facts import head_of, pack_facts, read_facts, read_head
from agrama.indexer.parse import parse_file

SOURCE = b"""import os
from . import sibling
from .sibling import name, other


class Class(sibling.Base):
    def method(self, value: int = 1) -> str:
        return os.path.join(name, str(value))
"""


def test_packed_facts_are_read_back_whole() -> None:
    facts = parse_file("package/module.py", SOURCE, "python")
    assert read_facts(pack_facts(facts)) == facts


def test_the_head_is_read_without_the_rest() -> None:
    facts = parse_file("package/module.py", SOURCE, "python")
    packed = pack_facts(facts)
    head = read_head(packed)
    assert head == head_of(facts)
    assert head.imports == (
        ("os", 0, None),
        ("", 1, "sibling"),
        ("sibling", 1, "name"),
        ("sibling", 1, "other"),
    )
    assert read_head(packed[: len(packed) // 2]) == head
