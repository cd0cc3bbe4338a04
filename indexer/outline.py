"""Definitions found by regular expressions, for languages that have no front end yet.

Good enough to cut a file where its definitions begin and to know their names; it claims nothing of
scopes, ends or references. Patterns run over the whole text, one pass each.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from agrama.graph.model import Kind


class Outlined(NamedTuple):
    """One definition: where its name stands, and the names it lies in."""

    kind: int
    name: str
    qualified: str
    line: int


_NAME = r"(?P<name>[^\W\d][\w$]*[!?]?)"
_WORDS = r"(?:[\w@.\[\]()<>,\"'&*:]+[ \t]+){0,6}?"
_TYPE = re.compile(
    rf"^(?P<indent>[ \t]*){_WORDS}(?:class|interface|struct|enum(?:[ \t]+class)?|trait|protocol|object|record|defmodule|module"
    r"|union|mixin|extension|actor|type|data|newtype|typealias|defprotocol|defimpl|namespace|package object|concept)"
    rf"[ \t]+(?:\([^)\n]*\)[ \t]*=>[ \t]*)?(?:\w+(?:::|\.|\\))*{_NAME}",
    re.M,
)
_FUNCTION = re.compile(
    rf"^(?P<indent>[ \t]*){_WORDS}(?:defp?|defmacrop?|defguard|defdelegate|func|function\*?|fn|fun|sub|proc|macro_rules!|given|val|lazy val)"
    rf"[ \t]+(?:\([^)\n]*\)[ \t]*)?(?:<[^>\n]*>[ \t]*)?(?:[\w<>?]+[.:])*{_NAME}",
    re.M,
)
_C_FUNCTION = re.compile(
    rf"^(?P<indent>[ \t]*)(?:[A-Za-z_][\w:<>,]*(?:[ \t]+|[ \t]*[*&]+[ \t]*)){{1,6}}(?:\w+(?:<[^>\n]*>)?::)*{_NAME}[ \t]*\([^;{{}}\n]*(?:\{{[^\n]*)?$",
    re.M,
)
_C_MACRO = re.compile(rf"^(?P<indent>)[ \t]*#[ \t]*define[ \t]+{_NAME}", re.M)
_MEMBER = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?:public|private|protected|internal|static|final|override|virtual|abstract|async|sealed|unsafe|inline|constexpr"
    rf"|explicit|friend|extern|synchronized|native|default)\b[ \t]*)++[^=;(){{}}\n]*?\b{_NAME}[ \t]*(?:<[^>\n]*>)?[ \t]*\(",
    re.M,
)
_BOUND = re.compile(
    rf"^(?P<indent>[ \t]*)(?:export[ \t]+)?(?:default[ \t]+)?(?:const|let|var|local)[ \t]+{_NAME}[ \t]*(?::[^=\n]*)?=[ \t]*(?:async[ \t]*)?(?:function|\(|<|\w+[ \t]*=>)",
    re.M,
)
_ASSIGNED = re.compile(
    rf"^(?P<indent>)(?:[\w$]+\.)+{_NAME}[ \t]*=[ \t]*(?:async[ \t]*)?(?:function|\()", re.M
)
_JS_METHOD = re.compile(
    rf"^(?P<indent>[ \t]{{2,8}})(?:async[ \t]+|get[ \t]+|set[ \t]+|static[ \t]+|\*)*{_NAME}[ \t]*(?:<[^>\n]*>)?\([^;=\n]{{0,300}}\)[ \t]*(?::[^{{;\n]{{0,300}})?\{{[ \t]*$",
    re.M,
)
_SIGNATURE = re.compile(rf"^(?P<indent>){_NAME}[ \t]*::[ \t]", re.M)
_SHELL = re.compile(rf"^(?P<indent>[ \t]*){_NAME}[ \t]*\(\)[ \t]*\{{?", re.M)
_ZIG_TYPE = re.compile(
    rf"^(?P<indent>[ \t]*)(?:pub[ \t]+)?const[ \t]+{_NAME}[ \t]*=[ \t]*(?:extern |packed )?(?:struct|enum|union|opaque)\b",
    re.M,
)
_HEADING = re.compile(r"^(?P<indent>)#{1,6}[ \t]+(?P<name>[^\n#]{1,120})", re.M)
_UNDERLINED = re.compile(
    r"^(?P<indent>)(?P<name>[^\s\n][^\n]{2,119})\n([=\-~^*+#\"'])\3{2,}[ \t]*$", re.M
)
_SQL = re.compile(
    rf"^(?P<indent>)[ \t]*create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:table|view|function|procedure|index|type|trigger)[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?[\"`]?(?:\w+\.)?[\"`]?{_NAME}",
    re.M | re.I,
)

_Pattern = tuple[Kind, re.Pattern[str]]
_KEYWORDS: tuple[_Pattern, ...] = ((Kind.CLASS, _TYPE), (Kind.FUNCTION, _FUNCTION))
_BRACES: tuple[_Pattern, ...] = (*_KEYWORDS, (Kind.FUNCTION, _MEMBER))
_C: tuple[_Pattern, ...] = (*_BRACES, (Kind.FUNCTION, _C_FUNCTION), (Kind.FUNCTION, _C_MACRO))
_JS: tuple[_Pattern, ...] = (
    *_BRACES,
    (Kind.FUNCTION, _BOUND),
    (Kind.FUNCTION, _ASSIGNED),
    (Kind.FUNCTION, _JS_METHOD),
)
_PROSE: tuple[_Pattern, ...] = ((Kind.SECTION, _HEADING), (Kind.SECTION, _UNDERLINED))
_PATTERNS: dict[str, tuple[_Pattern, ...]] = {
    "c": _C,
    "cpp": _C,
    "objc": _C,
    "java": _BRACES,
    "csharp": _BRACES,
    "dart": _C,
    "php": _BRACES,
    "javascript": _JS,
    "typescript": _JS,
    "tsx": _JS,
    "vue": _JS,
    "svelte": _JS,
    "haskell": (*_KEYWORDS, (Kind.FUNCTION, _SIGNATURE)),
    "bash": (*_KEYWORDS, (Kind.FUNCTION, _SHELL)),
    "zig": (*_KEYWORDS, (Kind.CLASS, _ZIG_TYPE)),
    "lua": (*_KEYWORDS, (Kind.FUNCTION, _BOUND), (Kind.FUNCTION, _ASSIGNED)),
    "sql": ((Kind.CLASS, _SQL),),
    "markdown": _PROSE,
    "restructuredtext": _PROSE,
    "text": _PROSE,
}
_LONGEST_LINE = 300  # a definition's head is shorter; the patterns are quadratic in a line at worst
_LONG_LINE = re.compile(rf"^.{{{_LONGEST_LINE},}}$", re.M)
_NO_DEFINITIONS = frozenset("json yaml toml ini xml html css csv gettext svg data".split())
_NOT_NAMES = frozenset(
    """if for while switch catch return else new case when do try with def class function self this and or not in
    import from until unless elsif then end match let const var static public private protected override final
    abstract async await yield defer guard where extends implements throws throw using namespace template typename
    operator sizeof define internal extern inline void int bool string char struct enum union is as of the a an
    to that which for""".split()
)
_EXTENSIONS = {
    extension: language
    for language, extensions in {
        "python": "py pyi pyx",
        "javascript": "js mjs cjs jsx",
        "typescript": "ts mts cts",
        "tsx": "tsx",
        "go": "go",
        "rust": "rs",
        "java": "java",
        "kotlin": "kt kts",
        "scala": "scala sc sbt",
        "ruby": "rb rake gemspec",
        "php": "php",
        "csharp": "cs",
        "c": "c h",
        "cpp": "cc cpp cxx hpp hh hxx inl ipp",
        "objc": "m mm",
        "swift": "swift",
        "elixir": "ex exs",
        "erlang": "erl hrl",
        "haskell": "hs lhs",
        "ocaml": "ml mli",
        "lua": "lua",
        "zig": "zig",
        "bash": "sh bash bats zsh ksh",
        "dart": "dart",
        "julia": "jl",
        "perl": "pl pm",
        "r": "r",
        "sql": "sql",
        "vue": "vue",
        "svelte": "svelte",
        "markdown": "md markdown mdx",
        "restructuredtext": "rst",
        "text": "txt adoc org",
        "html": "html htm jinja j2",
        "css": "css scss less",
        "json": "json json5 jsonc",
        "yaml": "yml yaml",
        "toml": "toml lock",
        "ini": "ini cfg conf properties",
        "xml": "xml plist csproj",
        "svg": "svg",
        "gettext": "po pot",
        "csv": "csv tsv",
        "data": "snap map",
        "hcl": "tf hcl",
        "protobuf": "proto",
        "graphql": "graphql gql",
    }.items()
    for extension in extensions.split()
}


def guess_language(path: str, text: str) -> str | None:
    """The language that a file name, or a `#!` line, tells."""
    name = path.rpartition("/")[2]
    _, dot, extension = name.rpartition(".")
    if dot and (language := _EXTENSIONS.get(extension.lower())):
        return language
    first = text[:80].partition("\n")[0]
    if first.startswith("#!"):
        for word, language in (
            ("python", "python"),
            ("node", "javascript"),
            ("ruby", "ruby"),
            ("perl", "perl"),
            ("lua", "lua"),
            ("sh", "bash"),
        ):
            if word in first:
                return language
    return None


def outline(text: str, language: str | None) -> list[Outlined]:
    """The definitions of a text, by line."""
    if language in _NO_DEFINITIONS:
        return []
    if len(text) > _LONGEST_LINE:
        text = _LONG_LINE.sub("", text)
    found: dict[int, tuple[Kind, str, int]] = {}
    for kind, pattern in _PATTERNS.get(language or "", _KEYWORDS):
        for match in pattern.finditer(text):
            name = match["name"].strip()
            if name and name not in _NOT_NAMES:
                indent = len(match["indent"].expandtabs(4))
                found.setdefault(match.start("name"), (kind, name, indent))
    return _nest(text, sorted(found.items()))


def _nest(text: str, found: list[tuple[int, tuple[Kind, str, int]]]) -> list[Outlined]:
    """Name each definition after the types whose indentation it lies deeper than."""
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    around: list[tuple[int, str]] = []
    rows: list[Outlined] = []
    last_line = 0
    for offset, (kind, name, indent) in found:
        line = bisect_right(line_starts, offset)
        if line == last_line:
            continue
        last_line = line
        while around and around[-1][0] >= indent:
            around.pop()
        inside = around[-1][1] if around else ""
        qualified = f"{inside}.{name}" if inside else name
        if kind is Kind.CLASS:
            around.append((indent, qualified))
        elif kind is Kind.FUNCTION and inside:
            kind = Kind.METHOD
        rows.append(Outlined(int(kind), name, qualified, line))
    return rows
