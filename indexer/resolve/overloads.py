"""Which of several methods of one name does a call mean?

Languages with overloads list members by signature too (`put(String,int)`), and their calls name the
types of the arguments as written (`put(String,?)`). The choice is made by arity, then by type.
"""

from typing import TYPE_CHECKING

from agrama.indexer.resolve import codes

if TYPE_CHECKING:
    from agrama.indexer.resolve.objects import Code
    from agrama.indexer.resolve.solver import Solver

UNKNOWN = "?"
_NUMBERS = ("byte", "short", "char", "int", "long", "float", "double")
_BOXES = {
    "byte": "Byte", "short": "Short", "char": "Character", "int": "Integer", "long": "Long",
    "float": "Float", "double": "Double", "boolean": "Boolean",
}  # fmt: skip
_BOXED = frozenset(_BOXES.values())
# What a number or text may also be taken for.
_ABOVE = frozenset(("Object", "Number", "Comparable", "Serializable", "CharSequence"))
# Final classes of the library: all they can be taken for.
_FINAL = {
    "String": frozenset(("Object", "CharSequence", "Comparable", "Serializable")),
    "Class": frozenset(
        ("Object", "Type", "AnnotatedElement", "GenericDeclaration", "Serializable")
    ),
    **dict.fromkeys(_BOXED, frozenset(("Object", "Number", "Comparable", "Serializable"))),
}
_SAME, _BOXING, _CLOSE, _WIDE, _POSSIBLE = 4.0, 2.0, 3.0, 1.5, 1.0

Candidate = tuple[tuple[str, ...], int, tuple[int, ...]]  # parameter types, class, member row


def look_up_call(
    s: "Solver", variable: int, order: tuple[int, ...], name: str, receiver: int
) -> bool:
    """Bind the methods that a call means; False when the classes have none of that name."""
    plain, _, rest = name[:-1].partition("(")
    arguments = tuple(rest.split(",")) if rest else ()
    chosen = _choose(s, _candidates(s, order, plain), arguments)
    for _, cls, row in chosen:
        code: Code = s.data[cls]
        if row[0] >= 0:
            s.subscribe(s.find(code.base + row[0]), (codes.BIND_MEMBER, variable, receiver))
    return bool(chosen)


def _candidates(s: "Solver", order: tuple[int, ...], name: str) -> list[Candidate]:
    """Methods of a name along the order; one with the types of an earlier one is overridden."""
    found: dict[tuple[str, ...], Candidate] = {}
    for cls in order:
        code: Code = s.data[cls]
        if name not in code.members:
            continue
        prefix = f"{name}("
        for key, row in code.members.items():
            if key.startswith(prefix):
                inner = key[len(prefix) : -1]
                types = tuple(inner.split(",")) if inner else ()
                found.setdefault(types, (types, cls, row))
        if name == "<init>":
            break  # constructors are not inherited
    return list(found.values())


def _choose(
    s: "Solver", candidates: list[Candidate], arguments: tuple[str, ...]
) -> list[Candidate]:
    scored: list[tuple[float, Candidate]] = []
    for candidate in candidates:
        score = _score(s, candidate[0], arguments)
        if score is not None:
            scored.append((score, candidate))
    if scored:
        best = max(score for score, _ in scored)
        return [candidate for score, candidate in scored if score == best]
    same_count = [each for each in candidates if len(each[0]) == len(arguments)]
    return same_count or candidates


def _score(s: "Solver", types: tuple[str, ...], arguments: tuple[str, ...]) -> float | None:
    """How well arguments fit, None if they do not."""
    total = 0.0
    if types and types[-1].endswith("..."):
        element = types[-1][:-3]
        fixed = len(types) - 1
        if len(arguments) < fixed:
            return None
        if len(arguments) == len(types) and arguments[-1].endswith("[]"):
            element += "[]"
        types = (*types[:-1], *[element] * (len(arguments) - fixed))
        total = -_POSSIBLE
    if len(types) != len(arguments):
        return None
    for wanted, given in zip(types, arguments, strict=True):
        fit = _fit(s, wanted, given)
        if fit is None:
            return None
        total += fit
    return total


def _fit(s: "Solver", wanted: str, given: str) -> float | None:
    if wanted == given:
        return _SAME
    if UNKNOWN in (wanted, given):
        return _POSSIBLE
    primitive = wanted in _BOXES
    if given in ("null", "->"):
        unfit = primitive or (given == "->" and (wanted == "String" or wanted in _BOXED))
        return None if unfit else _POSSIBLE
    if given in _BOXES:
        return _fit_primitive(wanted, given)
    if primitive:
        return _BOXING if _BOXES[wanted] == given else None
    if wanted.endswith("[]") or given.endswith("[]"):
        return _WIDE if wanted == "Object" else None
    if wanted == "Object":
        return _WIDE
    if given in _FINAL:
        return _CLOSE if wanted in _FINAL[given] else None
    if wanted in _FINAL:
        return None
    return _fit_classes(s, wanted, given)


def _fit_primitive(wanted: str, given: str) -> float | None:
    if wanted in _NUMBERS and given in _NUMBERS:
        distance = _NUMBERS.index(wanted) - _NUMBERS.index(given)
        return _CLOSE - distance / 10 if distance > 0 else None
    if wanted == _BOXES[given]:
        return _BOXING
    return _POSSIBLE if wanted in _ABOVE else None


def _fit_classes(s: "Solver", wanted: str, given: str) -> float | None:
    """Classes of the project: is one below the other?"""
    known = s.classes_named(given)
    if not known:
        return _POSSIBLE
    for cls in known:
        names = [s.data[each].name for each in s.classes.order(cls)]
        if wanted in names:
            return _CLOSE - names.index(wanted) / 10
        if any(
            len(s.classes.bases[each]) < len(s.data[each].bases) for each in s.classes.order(cls)
        ):
            return _POSSIBLE  # some ancestor lies outside
    return None if s.classes_named(wanted) else _POSSIBLE
