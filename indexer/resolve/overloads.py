"""Which of several methods of one name does a call mean?

Languages with overloads list members by signature too (`put(String,int)`), and their calls name the
types of the arguments as written (`put(String,?)`). The choice is made by arity, then by type.
A parameter with a default is `int=`; one that must be named is `label:int`, as is a named argument.
"""

from typing import TYPE_CHECKING

from agrama.indexer.facts import ANONYMOUS
from agrama.indexer.resolve import codes

if TYPE_CHECKING:
    from agrama.indexer.resolve.objects import Code
    from agrama.indexer.resolve.solver import Solver

UNKNOWN = "?"
EXTENDING = "."
"""Begins the name of a function that is called on its first parameter: none is better than a wrong one."""
GENERIC = "*"
"""A type parameter: takes whatever is given, better than `Object` does (C#)."""
ANY_LABEL = "*"
"""The label of an argument that needs none: a closure after the parentheses."""
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

_LENIENT_NUMBERS = frozenset((*_NUMBERS, "bool", "size_t", "unsigned", "int64_t", "uint64_t"))
_TEXTS = frozenset(("string", "string_view", "String"))

Candidate = tuple[tuple[str, ...], int, tuple[int, ...]]  # parameter types, class, member row


def look_up_call(
    s: "Solver", variable: int, order: tuple[int, ...], name: str, receiver: int
) -> bool:
    """Bind the methods that a call means; False when the classes have none of that name."""
    plain, _, rest = name[:-1].partition("(")
    arguments = tuple(rest.split(",")) if rest else ()
    candidates = _candidates(s, order, plain)
    if order and s.units[s.data[order[0]].unit].policy.lenient:
        if not candidates:
            return _look_up_field(s, variable, order, plain, receiver)
        types: list[tuple[str, ...] | None] = [each[0] for each in candidates]
        chosen = [candidates[at] for at in choose_leniently(types, arguments)]
    else:
        chosen = _choose(s, plain, candidates, arguments)
    for _, cls, row in chosen:
        code: Code = s.data[cls]
        if row[0] >= 0:
            s.subscribe(s.find(code.base + row[0]), (codes.BIND_MEMBER, variable, receiver))
    return bool(chosen)


def _look_up_field(
    s: "Solver", variable: int, order: tuple[int, ...], name: str, receiver: int
) -> bool:
    """A field that holds a function is called."""
    for cls in order:
        code: Code = s.data[cls]
        row = code.members.get(name)
        if row is not None and row[0] >= 0:
            s.subscribe(s.find(code.base + row[0]), (codes.BIND_MEMBER, variable, receiver))
        if row is not None or name in s.foreign:
            s.flow.link(s.slot(cls, name), variable)
        if row is not None:
            return True
    return False


def choose_leniently(
    candidates: list[tuple[str, ...] | None], arguments: tuple[str, ...]
) -> list[int]:
    """Positions of what a call means where arguments may convert: by arity, then by equal types.

    A type that ends in `=` has a default, `...` takes any number; None is no function.
    """
    scores: dict[int, float] = {}
    for at, types in enumerate(candidates):
        if types is None:
            scores[at] = 0.0
            continue
        needed = sum(not each.endswith(("=", "...")) for each in types)
        open_ended = bool(types) and types[-1].endswith("...")
        if needed <= len(arguments) and (open_ended or len(arguments) <= len(types)):
            pairs = zip((each.rstrip("=") for each in types), arguments, strict=False)
            scores[at] = sum(_fit_leniently(wanted, given) for wanted, given in pairs)
            scores[at] -= open_ended * _POSSIBLE
    if not scores:
        return list(range(len(candidates)))
    best = max(scores.values())
    return [at for at, score in scores.items() if score == best]


def _fit_leniently(wanted: str, given: str) -> float:
    if wanted[:1] == GENERIC or given[:1] == GENERIC:
        known = given != UNKNOWN and given[:1] != GENERIC
        return _BOXING if known else _POSSIBLE
    if wanted == given:
        return _SAME
    if UNKNOWN in (wanted, given):
        return _POSSIBLE
    if wanted in _LENIENT_NUMBERS and given in _LENIENT_NUMBERS:
        return _BOXING
    return _BOXING if given == "char*" and wanted in _TEXTS else 0.0


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
    s: "Solver", name: str, candidates: list[Candidate], arguments: tuple[str, ...]
) -> list[Candidate]:
    scored: list[tuple[float, Candidate]] = []
    for candidate in candidates:
        score = _score(s, candidate[0], arguments)
        if score is not None:
            scored.append((score, candidate))
    if scored:
        best = max(score for score, _ in scored)
        chosen = [candidate for score, candidate in scored if score == best]
        return [] if name[:1] == EXTENDING and _is_vague(chosen, arguments) else chosen
    if name[:1] == EXTENDING:
        return []
    # of functions outside of classes others may be in sight that fit
    candidates = [each for each in candidates if not s.data[each[1]].flags & ANONYMOUS]
    same_count = [each for each in candidates if len(each[0]) == len(arguments)]
    return same_count or candidates


def _is_vague(chosen: list[Candidate], arguments: tuple[str, ...]) -> bool:
    """Functions that extend several types, for a receiver of no known type."""
    receivers = {types[0] for types, _, _ in chosen}
    return len(receivers) > 1 and arguments[0].rpartition(":")[2] == UNKNOWN


def _score(s: "Solver", types: tuple[str, ...], arguments: tuple[str, ...]) -> float | None:
    """How well arguments fit, None if they do not."""
    total = 0.0
    if types and ":" in types[0]:
        types = _align(types, arguments)
    if types and types[-1].endswith("..."):
        element = types[-1][:-3]
        fixed = len(types) - 1
        if len(arguments) < fixed:
            return None
        if len(arguments) == len(types) and arguments[-1].endswith("[]"):
            element += "[]"
        types = (*types[:-1], *[element] * (len(arguments) - fixed))
        total = -_POSSIBLE
    elif len(types) > len(arguments):
        types = _leave_out(types, arguments)
        total = -_POSSIBLE / 2
    if len(types) != len(arguments):
        return None
    for wanted, given in zip(types, arguments, strict=True):
        fit = _fit(s, wanted, given)
        if fit is None:
            return None
        total += fit
    return total


def _leave_out(types: tuple[str, ...], arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Parameters that a call gives, in its order; all of them when one without default lacks.

    A named argument may stand for any parameter, a closure after the parentheses for the last.
    """
    closes = arguments[-1:] and arguments[-1].startswith(f"{ANY_LABEL}:")
    last, given = (types[-1:], arguments[:-1]) if closes else ((), arguments)
    head = types[: len(types) - len(last)]
    named = sum(":" in each for each in given)
    placed = len(given) - named
    needed = sum(not each.endswith("=") for each in head[placed:])
    return types if needed > named else (*head[:placed], *[UNKNOWN] * named, *last)


def _align(types: tuple[str, ...], arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out parameters with defaults whose labels a call does not name."""
    kept: list[str] = []
    for each in types:
        at = len(kept)
        given = arguments[at].partition(":")[0] if at < len(arguments) else ""
        if each.endswith("=") and given not in (each.partition(":")[0], ANY_LABEL):
            continue
        kept.append(each)
    return tuple(kept)


def _fit(s: "Solver", wanted: str, given: str) -> float | None:
    wanted = wanted.rstrip("=")
    if ":" in wanted or ":" in given:
        label, colon, wanted = wanted.rpartition(":")
        given_label, _, given = given.rpartition(":")
        if colon and given_label not in (label, ANY_LABEL):
            return None
        if given_label not in ("", ANY_LABEL) and not colon:
            return _POSSIBLE
    if wanted[:1] == GENERIC or given[:1] == GENERIC:
        known = given != UNKNOWN and given[:1] != GENERIC
        return _BOXING if known else _POSSIBLE
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
