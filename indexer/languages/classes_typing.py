"""Types as written, by which overloads are chosen; the names are those of Java's overloads."""

from agrama.indexer.languages.classes import UNKNOWN, ClassExtraction, class_around
from agrama.indexer.languages.typed import Block

NUMBERS = ("byte", "short", "char", "int", "long", "float", "double")
COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!=="))


def name_type(name: str, block: Block) -> str:
    """The type of a local or of a member of a class around; of a method under `name()`."""
    current: Block | None = block
    while current is not None:
        local = current.names.get(name)
        if local is not None:
            return local.type_name or UNKNOWN
        if current.scope.is_class and name in current.scope.type_names:
            return current.scope.type_names[name]
        current = current.outer
    return UNKNOWN


def member_type(x: ClassExtraction, owner: str, name: str) -> str:
    """The type of a member of a class of this file."""
    cls = x.classes.get(owner)
    return cls.type_names.get(name, UNKNOWN) if cls is not None else UNKNOWN


def this_type(block: Block) -> str:
    cls = class_around(block)
    return cls.name if cls is not None and cls.name[:1] != "<" else UNKNOWN


def number_type(text: str) -> str:
    """The type of a number as Java, Kotlin and C# write it."""
    last = text[-1:].lower()
    if text[:2] in ("0x", "0X", "0b", "0B"):
        return "long" if last == "l" else "int"
    if last in ("f", "l"):
        return "float" if last == "f" else "long"
    if last in "dm" or "." in text or "e" in text.lower():
        return "double"
    return "int"


def operator_type(operator: str, parts: list[str]) -> str:
    if operator in COMPARISONS or operator == "!":
        return "boolean"
    if operator == "+" and "String" in parts:
        return "String"
    if parts and all(part in NUMBERS for part in parts):
        return max(("int", *parts), key=NUMBERS.index)
    return UNKNOWN


def note_result(owner: dict[str, str], name: str, text: str) -> None:
    """What a method returns; overloads that differ in it say nothing."""
    key = f"{name}()"
    owner[key] = text if owner.get(key, text) == text else UNKNOWN
