"""What a query asks: its terms, the identifiers and paths it names, and what kind of text it is.

Any text is a query: a name, a path, a question, a stack trace, a whole issue. Reading is bounded, so
that a long text costs little more than a short one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

from agrama.graph.roles import PLATFORM_WORDS
from agrama.graph.terms import STOP_WORDS, WORD, join_name, split_text, split_word

QueryKind = Literal["identifier", "path", "text", "trace"]

_MAX_CHARS = 20_000
_LEAD_FALL = 0.35
_LEAST_LEAD = 0.2
_LONGEST_TITLE = 200
_TITLE = 1.5
_MAX_WORDS = 600
_MAX_IDENTIFIERS = 24
_LONGEST_COMPOUND = 3
_LONGEST_QUESTION = 20  # a longer text is a report: it mentions tests without asking for them
_SHORT_QUERY = 2  # so many words may be a name typed apart

# Anchored and possessive where they repeat: any text is a query, and none may cost more than its length.
_CASED = re.compile(r"[a-z0-9][A-Z]|_|[A-Z]{2}[a-z]")
_DOTTED = re.compile(r"(?<!\w)[^\W\d]\w*+(?:(?:::|\.|->|\\|#)[^\W\d]\w*+)++")
_JOINTS = (".", "::", "->", "\\", "#")  # one of them stands in whatever _DOTTED finds
_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_EXTENSION = (
    r"\.(?:pyi?|[cm]?[jt]sx?|go|rs|java|kts?|scala|rb|php|cs|[ch](?:pp|c|h|xx)?|mm?|swift|exs?|hs|lua|zig|sh|bash|sql|md|rst"
    r"|txt|html?|s?css|json|ya?ml|toml|ini|cfg|xml|vue|svelte|dart|jl|pl|proto|tf)"
)
_PATH = re.compile(
    r"(?<![\w.@~+-])/?(?:[\w.@~+-]{1,200}+/){1,60}+[\w.@+-]{0,200}\w"
    rf"|(?<![\w.-])[\w.-]{{0,100}}\w{_EXTENSION}\b(?![\w(])"
)
_FILE_NAME = re.compile(rf".*{_EXTENSION}")
# One frame of a trace each: Python; JavaScript and Java; C#; Ruby; gdb; Go and Rust, which name no function.
_FRAMES = (
    r'File "(?P<f1>[^"\n]+)", line \d+, in (?P<n1>\w+)',
    r"^[ \t]*at (?:async )?(?P<n2>[\w.$<>]++) ?\((?P<f2>[^():\n]++):\d+",
    r"^[ \t]*at (?P<n3>[\w.<>]++)\([^()\n]*+\) in (?P<f3>[^\n]{1,300}?):line \d+",
    r"(?P<f4>[\w./-]{1,200}\.rb):\d+:in [`'](?P<n4>[^'\n]{1,100})'",
    r"^#\d+ +(?:0x[0-9a-f]++ in )?(?P<n5>[\w:~]++) \([^()\n]*+\) at (?P<f5>[^\s:]++):\d+",
    r"^[ \t]*(?:at )?(?P<f6>[\w./-]{1,200}\.\w{1,4}):\d+(?:[: ]|$)",
)
_TRACE = re.compile("|".join(_FRAMES), re.M)
_TEST_WORDS = frozenset(
    "test tests testing mock mocks benchmark benchmarks fixture fixtures spec specs".split()
)
_PROSE_WORDS = frozenset(
    "readme docs documentation changelog tutorial guide license contributing".split()
)
_DATA_WORDS = frozenset(
    "config configuration yaml json toml ini makefile dockerfile workflow package lock css".split()
)
_OLD_WORDS = frozenset("old legacy deprecated obsolete compat compatibility vendored".split())


class QueryTerm(NamedTuple):
    """A term to look up and the word it came from.

    `lead` falls from 1 with each word of a question, `weight` grows with repetition in a long text.
    """

    text: str
    word: str
    lead: float
    weight: float = 1.0


# A named tuple's own constructor is a Python function.
_term = partial(tuple.__new__, QueryTerm)


class ParsedQuery(NamedTuple):
    """A query, read."""

    kind: QueryKind
    terms: tuple[QueryTerm, ...]
    term_texts: frozenset[str]
    identifiers: tuple[str, ...]  # names the query spells as code, the most telling first
    compounds: tuple[str, ...]  # neighbouring words joined, as a name may be written
    paths: tuple[str, ...]
    modules: tuple[str, ...]  # dotted names, as paths: `a.b.C` may be in a/b.py
    report: bool = False  # a long text, which tells what is wrong
    wants_tests: bool = False
    wants_prose: bool = False
    wants_data: bool = False
    wants_platform: bool = False
    wants_old: bool = False


def parse_query(query: str) -> ParsedQuery:
    """Read any text as a query."""
    text = query[:_MAX_CHARS]
    words = WORD.findall(text)[:_MAX_WORDS]
    telling = [word for word in words if word.lower() not in STOP_WORDS] or words
    modules = _read_modules(text)
    traced = list(_read_trace(text))
    paths = _read_paths(text, [path for path, _ in traced])
    lowered = {word.lower() for word in words}
    bare = _is_bare(text, words)
    short = len(words) <= _LONGEST_QUESTION
    title = text.lstrip().partition("\n")[0][:_LONGEST_TITLE]
    terms = _read_question(telling) if short else _read_report(telling, title)
    return ParsedQuery(
        kind=_tell_kind(text, bare=bare, traced=bool(traced), paths=paths),
        terms=terms,
        term_texts=frozenset(term.text for term in terms),
        identifiers=_read_identifiers(
            text, words, modules, [name for _, name in traced if name], bare=bare
        ),
        compounds=tuple(_join_neighbours(words)),
        paths=paths,
        modules=modules,
        report=not short,
        wants_tests=short and not lowered.isdisjoint(_TEST_WORDS),
        wants_prose=short and not lowered.isdisjoint(_PROSE_WORDS),
        wants_data=short and not lowered.isdisjoint(_DATA_WORDS),
        wants_platform=not lowered.isdisjoint(PLATFORM_WORDS),
        wants_old=short and not lowered.isdisjoint(_OLD_WORDS),
    )


def _tell_kind(text: str, *, bare: bool, traced: bool, paths: tuple[str, ...]) -> QueryKind:
    if traced:
        return "trace"
    if paths and len(text.split()) == 1:
        return "path"
    return "identifier" if bare else "text"


def _is_bare(text: str, words: list[str]) -> bool:
    """Whether the whole query is a name rather than a phrase."""
    parts = text.split()
    if len(parts) <= 1:
        return True
    if len(parts) > _SHORT_QUERY or any(word.lower() in STOP_WORDS for word in words):
        return False
    return any(_CASED.search(part) or _DOTTED.search(part) for part in parts)


def _read_question(words: list[str]) -> tuple[QueryTerm, ...]:
    """The terms of a question, where the first words tell most."""
    found: dict[str, QueryTerm] = {}
    for position, word in enumerate(words):
        lead = max(_LEAST_LEAD, 1 / (1 + _LEAD_FALL * position))
        for term in split_word(word):
            if term not in found and (term not in STOP_WORDS or len(words) == 1):
                found[term] = _term((term, word, lead, 1.0))
    return tuple(found.values())


def _read_report(words: list[str], title: str) -> tuple[QueryTerm, ...]:
    """The terms of a long text, where repetition and the title tell most."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for word in words:
        for term in split_word(word):
            counts[term] += 1
            first.setdefault(term, word)
    titled = frozenset(split_text(title))
    return tuple(
        QueryTerm(
            term, word, 1.0, (1 + math.log(counts[term])) * (_TITLE if term in titled else 1.0)
        )
        for term, word in first.items()
        if term not in STOP_WORDS
    )


def _read_identifiers(
    text: str, words: list[str], modules: Sequence[str], traced: list[str], *, bare: bool
) -> tuple[str, ...]:
    found = [name.rpartition("/")[2] for name in modules]
    found += reversed(traced)
    if bare:
        found += [word for word in words if len(word) > 1]
    found += [
        word
        for position, word in enumerate(words)
        if len(word) > 1 and (_CASED.search(word) or (position and word[0].isupper()))
    ]
    for quoted in _QUOTED.findall(text) if "`" in text else ():
        found += WORD.findall(quoted)
    return tuple(dict.fromkeys(found))[:_MAX_IDENTIFIERS]


def _join_neighbours(words: list[str]) -> Iterator[str]:
    """`flat hash map` may be called `FlatHashMap`: two and three words in a row, also in the other number."""
    joined = [join_name(word) for word in words[: 2 * _MAX_IDENTIFIERS]]
    seen: set[str] = set()
    for start, first in enumerate(joined):
        if first in STOP_WORDS:
            continue
        for length in range(2, _LONGEST_COMPOUND + 1):
            part = joined[start : start + length]
            if len(part) < length or part[-1] in STOP_WORDS:
                continue
            compound = "".join(part)
            for form in (compound, compound[:-1] if compound.endswith("s") else compound + "s"):
                if form not in seen:
                    seen.add(form)
                    yield form


def _read_trace(text: str) -> Iterator[tuple[str, str]]:
    """File and function (or nothing) of each frame; the innermost is last in Python, first elsewhere."""
    if ":" not in text and 'File "' not in text:
        return  # every frame has one of them
    for match in _TRACE.finditer(text):
        found = match.groupdict(default="")
        file = "".join(found[f"f{number}"] for number in range(1, len(_FRAMES) + 1))
        name = "".join(found[f"n{number}"] for number in range(1, len(_FRAMES)))
        yield file.replace("\\", "/"), re.split(r"[.:#]| in ", name)[-1]


def _read_paths(text: str, traced: list[str]) -> tuple[str, ...]:
    found = _PATH.findall(text) if "/" in text or "." in text else []
    return tuple(dict.fromkeys([*traced, *found]))[:_MAX_IDENTIFIERS]


def _read_modules(text: str) -> tuple[str, ...]:
    if not any(joint in text for joint in _JOINTS):
        return ()
    found = [match for match in _DOTTED.findall(text) if not _FILE_NAME.fullmatch(match)]
    return tuple(dict.fromkeys("/".join(WORD.findall(name)) for name in found))[:_MAX_IDENTIFIERS]
