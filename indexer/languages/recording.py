"""What every front end needs to write register code: instructions, containers, references.

A front end derives its extraction from `Recorder`. Nothing here knows a language.
"""

from sys import intern
from typing import TYPE_CHECKING, Any

from agrama.indexer.facts import (
    ATTR,
    CONST,
    COPY,
    ELEM,
    INST,
    NARROW,
    NEW,
    NOTHING,
    SEQUENCE,
    TO_ATTRIBUTE,
    FileFacts,
    empty_facts,
    pack_references,
)

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Key = tuple[str, Any] | None

# Longer strings are texts, not keys.
MAX_CONSTANT_LENGTH = 24


class Recorder:
    """The instructions and references collected from one file."""

    def __init__(self, source: bytes, path: str) -> None:
        self.source = source
        self.path = path
        self.registers = 0
        self.sites = 0
        self.ops: list[tuple[Any, ...]] = []
        self.imports: list[tuple[Any, ...]] = []
        self.variables: list[tuple[Any, ...]] = []
        self.routes: list[tuple[Any, ...]] = []
        self.references: list[tuple[int, ...]] = []
        self.names: dict[str, int] = {}
        self.merged_from: dict[int, tuple[int, ...]] = {}
        self._texts: dict[bytes, str] = {}
        self._merged: dict[tuple[int, ...], int] = {}
        self._attributes: dict[tuple[int, str], int] = {}
        self._constants: dict[tuple[str, Any], int] = {}
        self._instances: dict[int, int] = {}  # register of a class -> of its instance
        self._classes: dict[int, int] = {}  # the other way round

    def register(self) -> int:
        self.registers += 1
        return self.registers - 1

    def emit(self, *op: Any) -> None:
        self.ops.append(op)

    def text(self, node: "Node") -> str:
        raw = self.source[node.start_byte : node.end_byte]
        found = self._texts.get(raw)
        if found is None:
            found = self._texts[raw] = intern(raw.decode("utf-8", "replace"))
        return found

    def merge_versions(self, versions: tuple[int, ...]) -> int:
        """One register that stands for all versions."""
        if len(versions) == 1:
            return versions[0]
        register = self._merged.get(versions)
        if register is None:
            known = [version for version in dict.fromkeys(versions) if version >= 0]
            if not known:
                register = NOTHING
            elif len(known) == 1:
                register = known[0]
            else:
                register = self.register()
                self.ops.extend((COPY, register, version) for version in known)
                self.merged_from[register] = tuple(known)
            self._merged[versions] = register
        return register

    def union(self, left: int, right: int) -> int:
        if left < 0 or left == right:
            return right
        return left if right < 0 else self.merge_versions((left, right))

    def attribute(self, base: int, name: str) -> int:
        """The register of `base.name`; one per (base, name)."""
        register = self._attributes.get((base, name))
        if register is None:
            register = self._attributes[base, name] = self.register()
            self.ops.append((ATTR, register, base, name))
        return register

    def instance(self, register: int) -> int:
        """An instance of the class in a register; one per register."""
        found = self._instances.get(register)
        if found is None:
            found = self._instances[register] = self.register()
            self._classes[found] = register
            self.ops.append((INST, found, register))
        return found

    def declared_value(self, declared: int, value: int) -> int:
        """A value of a declared type; flow decides when that type turns out to be outside."""
        if declared < 0:
            return value
        cls = self._classes.get(declared)
        if value < 0 or cls is None:
            return declared
        register = self.register()
        self.ops.append((NARROW, register, value, (cls,)))
        return register

    def container(self, items: list[tuple[Key, int]], flavour: int = SEQUENCE) -> int:
        """A fresh container with these (key, register) items."""
        register, site = self.register(), self.sites
        self.sites += 1
        self.ops.append((NEW, register, site, flavour))
        self.ops.extend((ELEM, site, key, value) for key, value in items if value >= 0)
        return register

    def constant(self, key: tuple[str, Any]) -> int:
        """A short string or an integer, worth following because it may become a key."""
        register = self._constants.get(key)
        if register is None:
            register = self._constants[key] = self.register()
            self.ops.append((CONST, register, key))
        return register

    def name_index(self, name: str) -> int:
        return self.names.setdefault(name, len(self.names))

    def add_reference(self, node: "Node", scope: int, target: int, operand: int) -> None:
        row, column = node.start_point
        self.references.append((row + 1, column, scope, target, operand, NOTHING))

    def refer_attribute(self, node: "Node", base: int, name: str, scope: int) -> None:
        row, column = node.start_point
        index = self.name_index(name)
        self.references.append((row + 1, column, scope, TO_ATTRIBUTE, index, base))

    def recorded(self, language: str) -> FileFacts:
        """Facts without definitions and exports: those the front end adds."""
        facts = empty_facts(language)
        facts["registers"] = self.registers
        facts["sites"] = self.sites
        facts["ops"] = self.ops
        facts["variables"] = self.variables
        facts["imports"] = self.imports
        facts["names"] = list(self.names)
        facts["references"] = pack_references(self.references)
        facts["routes"] = self.routes
        return facts
