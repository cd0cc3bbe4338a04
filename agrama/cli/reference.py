"""Writes the documents that are made from the program: `python -m agrama.cli.reference DOCS`.

docs/tools.md comes from the tool registry, docs/cli.md from the parsers, docs/configuration.md from
the settings, the table in docs/languages.md from the languages. A test fails when one of them
differs from what this writes.
"""

import argparse
import importlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from agrama.cli import VERBS
from agrama.config import FILE, PREFIX, PYPROJECT, SETTINGS
from agrama.indexer.languages import load_languages
from agrama.indexer.languages.accounts import ACCOUNTS
from agrama.registry import Tool
from agrama.tools import DEFAULT_TOOLSETS, TOOLSETS, load_tools

_MADE = "<!-- made by `python -m agrama.cli.reference docs`: edit the program, not this file -->\n"
_TABLE = re.compile(r"(<!-- languages: [^\n]*-->)\n.*?(<!-- /languages -->)", re.DOTALL)
_KINDS = {
    "flag": "`true` or `false`",
    "text": "text",
    "whole": "whole number",
    "number": "number",
    "list": "list of texts, or one text with commas",
}


def main(words: list[str]) -> int:
    folder = Path(words[0] if words else "docs")
    for name, make in DOCUMENTS.items():
        (folder / name).write_text(make())
    for name, fill in FILLED.items():
        (folder / name).write_text(fill((folder / name).read_text()))
    return 0


def make_tools() -> str:
    """docs/tools.md"""
    lines = [
        "# Tools",
        _MADE,
        f"`agrama serve --toolsets LIST` offers the tools of some sets (default `{DEFAULT_TOOLSETS}`, or "
        "`all`); `write_code` only with `--allow-write`. `agrama call TOOL JSON` calls any of them from a "
        "shell.",
        "",
        "Every answer carries `structuredContent` with the fields below and the same as readable text, "
        '`_meta["agrama/generation"]`, and `stale` with `stale_paths` when a file it speaks of changed '
        "since it was indexed. Clients ignore fields they do not know.",
        "",
    ]
    for toolset in TOOLSETS:
        lines += [f"## {toolset}", ""]
        for tool in load_tools((toolset,), allow_write=True):
            lines += _describe_tool(tool)
    return "\n".join(lines).rstrip() + "\n"


def _describe_tool(tool: Tool) -> Iterator[str]:
    yield f"### {tool.name}"
    yield ""
    yield tool.description
    yield ""
    required = set(tool.input_schema.get("required", ()))
    aliases: dict[str, list[str]] = {}
    for alias, name in tool.aliases.items():
        aliases.setdefault(name, []).append(alias)
    yield "| argument | kind | default | |"
    yield "|---|---|---|---|"
    for name, schema in tool.input_schema["properties"].items():
        notes = [schema.get("description", "")]
        if name in aliases:
            notes.append(f"also `{'`, `'.join(aliases[name])}`")
        default = _code(schema["default"]) if "default" in schema else ""
        if name in required:
            default = "**required**"
        told = "; ".join(filter(None, notes))
        yield f"| `{name}` | {_kind(schema)} | {default} | {_cell(told)} |"
    yield ""
    yield f"Answers: {_fields(tool.output_schema or {})}"
    yield ""


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " ".join(f"`{choice}`" for choice in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    name = " or ".join(kind) if isinstance(kind, list) else str(kind)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{name} {low}–{high}"
    return f"{name} ≥ {low}" if low is not None else name


def _fields(schema: Mapping[str, Any]) -> str:
    """The names of a result's fields, with those inside: `a`, `b[c, d]`, `e{f}`."""
    parts = []
    for name, inner in schema.get("properties", {}).items():
        plain = inner.get("items", inner)
        below = ", ".join(plain.get("properties", ()))
        if inner.get("type") == "array":
            parts.append(f"`{name}[{below}]`" if below else f"`{name}[]`")
        else:
            parts.append(f"`{name}{{{below}}}`" if below else f"`{name}`")
    return ", ".join(parts)


def _code(value: Any) -> str:
    return f"`{orjson.dumps(value).decode()}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def make_commands() -> str:
    """docs/cli.md"""
    lines = [
        "# Command line",
        _MADE,
        "Exit status: 0 done, 1 an error or nothing found, 2 wrong usage, 130 interrupted. Output is a "
        "table with colour on a terminal and plain text in a pipe; `NO_COLOR` turns colour off.",
        "",
    ]
    for name, summary in VERBS.items():
        lines += [f"## agrama {name}", "", _sentence(summary), "", "| | |", "|---|---|"]
        lines += [*_describe_verb(name), ""]
    return "\n".join(lines).rstrip() + "\n"


def _describe_verb(name: str) -> Iterator[str]:
    """One row per argument; argparse's own layout differs from Python to Python."""
    parser = argparse.ArgumentParser(add_help=False)
    importlib.import_module(f"agrama.cli.{name}").add_arguments(parser)
    for action in parser._actions:
        choices = "\\|".join(map(str, action.choices or ()))
        value = choices or (action.metavar if isinstance(action.metavar, str) else "")
        if not action.option_strings:
            words = value or action.dest.upper()
            words = f"[{words}]" if action.nargs in ("?", "*") else words
        else:
            takes = action.nargs != 0 and not value
            value = action.dest.upper() if takes else value
            words = ", ".join(action.option_strings) + (f" {value}" if action.nargs != 0 else "")
        told = (action.help or "").replace("%(default)s", str(action.default))
        yield f"| `{words}` | {_cell(told)} |"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def make_settings() -> str:
    """docs/configuration.md"""
    lines = [
        "# Configuration",
        _MADE,
        f"Settings stand in `{FILE}` at the repository's root, or in the table `[tool.agrama]` of its "
        f"`{PYPROJECT}` when there is no `{FILE}`. A variable `{PREFIX}NAME` in the environment beats the "
        "file, and an option on the command line beats both. A misspelt key is an error that names the "
        "nearest one. A running server reads them when it starts.",
        "",
        "| setting | kind | does |",
        "|---|---|---|",
    ]
    for name, setting in SETTINGS.items():
        choices = ", ".join(f"`{choice}`" for choice in setting.choices)
        kind = _KINDS[setting.kind] + (f" of {choices}" if choices else "")
        lines.append(f"| `{name}` | {kind} | {setting.meaning} |")
    lines += [
        "",
        "```toml",
        'toolsets = ["core", "analysis"]',
        'ignore = ["vendor/", "*.generated.ts"]',
        "max_file_bytes = 1_000_000",
        "```",
        "",
        "Variables that are no settings: `AGRAMA_HOME` is the folder that holds the indexes, one folder "
        "per repository (default: `$XDG_DATA_HOME/agrama`, else `~/.local/share/agrama`).",
    ]
    return "\n".join(lines) + "\n"


DOCUMENTS: Mapping[str, Callable[[], str]] = {
    "tools.md": make_tools,
    "cli.md": make_commands,
    "configuration.md": make_settings,
}


def fill_languages(text: str) -> str:
    """docs/languages.md with its table of languages as the registry has them."""
    languages = load_languages()
    lines = ["| language | tier | files | resolved | known gaps |", "|---|---|---|---|---|"]
    for account in sorted(ACCOUNTS, key=lambda each: (each.tier, each.title.lower())):
        known = [languages[name] for name in account.names if name in languages]
        files = [f"`{each}`" for one in known for each in (*one.extensions, *one.filenames)]
        cells = [account.title, str(account.tier), " ".join(files), account.resolved, account.gaps]
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    table = "\n".join(lines)
    return _TABLE.sub(lambda found: f"{found[1]}\n{table}\n{found[2]}", text)


FILLED: Mapping[str, Callable[[str], str]] = {"languages.md": fill_languages}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
