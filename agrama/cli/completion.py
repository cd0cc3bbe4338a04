"""agrama completion: words a shell can complete, for bash, zsh and fish; made from the parsers themselves."""

import argparse
import importlib
from typing import NamedTuple

from agrama.cli.arguments import print_json

SHELLS = ("bash", "zsh", "fish")


class Verb(NamedTuple):
    """What may follow a verb."""

    name: str
    summary: str
    options: list[tuple[str, str]]  # the long option and its help
    words: list[str]  # choices of its positional arguments
    values: dict[str, list[str]]  # option -> choices of its value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS)
    parser.add_argument("--json", action="store_true", help="print the words as JSON instead")


def run(arguments: argparse.Namespace) -> int:
    verbs = collect_verbs()
    if arguments.json:
        print_json([verb._asdict() for verb in verbs])
    else:
        print(_SCRIPTS[arguments.shell](verbs), end="")
    return 0


def collect_verbs() -> list[Verb]:
    """Every verb with its options, as the command line reads them."""
    from agrama.cli import VERBS

    found = []
    for name, summary in VERBS.items():
        parser = argparse.ArgumentParser(add_help=True)
        importlib.import_module(f"agrama.cli.{name}").add_arguments(parser)
        found.append(_collect(name, summary, parser))
    return found


def _collect(name: str, summary: str, parser: argparse.ArgumentParser) -> Verb:
    options, words, values = [], [], {}
    for action in parser._actions:
        choices = [str(choice) for choice in action.choices or ()]
        if not action.option_strings:
            words += choices
            continue
        for option in action.option_strings:
            if option.startswith("--"):
                options.append((option, _plain(action.help)))
                if choices:
                    values[option] = choices
    if name == "setup":
        from agrama.clients import load_clients

        words += load_clients()
    if name == "call":
        from agrama.tools import TOOLSETS, load_tools

        words += [tool.name for tool in load_tools(TOOLSETS, allow_write=True)]
    return Verb(name, summary, options, words, values)


def _plain(text: str | None) -> str:
    return (text or "").partition(" (")[0].replace("'", "").replace(":", "")


def _bash(verbs: list[Verb]) -> str:
    cases = []
    for verb in verbs:
        for option, choices in verb.values.items():
            cases.append(f'    {verb.name}/{option}) words="{" ".join(choices)}" ;;')
    for verb in verbs:
        words = " ".join([*(option for option, _ in verb.options), *verb.words])
        cases.append(f'    {verb.name}/*) words="{words}" ;;')
    names = " ".join(verb.name for verb in verbs)
    body = "\n".join(cases)
    return f"""# eval "$(agrama completion bash)"
_agrama() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words
  case ${{COMP_WORDS[1]}}/$before in
{body}
    *) words="{names} --help --version" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="{names} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ ${{#COMPREPLY[@]}} = 0 ] && [ "$COMP_CWORD" -gt 1 ] && COMPREPLY=($(compgen -f -- "$word"))
}}
complete -o filenames -F _agrama agrama
"""


def _zsh(verbs: list[Verb]) -> str:
    cases = []
    for verb in verbs:
        specs = []
        for option, text in verb.options:
            choices = verb.values.get(option)
            value = f":value:({' '.join(choices)})" if choices else ""
            specs.append(f"'{option}[{text.replace('[', '(').replace(']', ')')}]{value}'")
        words = " ".join(verb.words)
        specs.append(f"'*:word:({words})'" if words else "'*:file:_files'")
        cases.append(f"    {verb.name}) _arguments {' '.join(specs)} ;;")
    names = " ".join(f"'{verb.name}:{_plain(verb.summary)}'" for verb in verbs)
    body = "\n".join(cases)
    return f"""#compdef agrama
# agrama completion zsh > a folder of your fpath, as _agrama
_agrama() {{
  local -a verbs=({names})
  if (( CURRENT == 2 )); then _describe verb verbs; return; fi
  local verb=$words[2]
  shift words; (( CURRENT-- ))
  case $verb in
{body}
  esac
}}
if [ "$funcstack[1]" = "_agrama" ]; then _agrama "$@"; else compdef _agrama agrama; fi
"""


def _fish(verbs: list[Verb]) -> str:
    lines = ["# agrama completion fish > ~/.config/fish/completions/agrama.fish"]
    for verb in verbs:
        lines.append(
            f"complete -c agrama -f -n __fish_use_subcommand -a {verb.name} -d '{_plain(verb.summary)}'"
        )
    for verb in verbs:
        where = f"complete -c agrama -n '__fish_seen_subcommand_from {verb.name}'"
        for option, text in verb.options:
            choices = verb.values.get(option)
            value = f" -x -a '{' '.join(choices)}'" if choices else ""
            lines.append(f"{where} -l {option[2:]} -d '{text}'{value}")
        if verb.words:
            lines.append(f"{where} -f -a '{' '.join(verb.words)}'")
    return "\n".join(lines) + "\n"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
