"""Completion as the shells run it, where they are installed."""

import shutil
import subprocess

import pytest

from agrama.cli import VERBS, main
from agrama.cli.completion import SHELLS, collect_verbs


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_valid_and_knows_every_verb(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script(shell, capsys)
    assert all(verb in text for verb in VERBS)
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("agrama se", {"search", "serve", "sessions", "setup"}),
        ("agrama serve --dur", {"--durability"}),
        ("agrama serve --durability c", {"commit"}),
        ("agrama setup cla", {"claude-code", "claude-desktop"}),
        ("agrama call read", {"read_code"}),
        ("agrama completion ba", {"bash"}),
    ],
)
def test_bash_completes(words: str, wanted: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    if not shutil.which("bash"):
        pytest.skip("no bash here")
    ask = f"COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _agrama; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(
        ["bash", "-c", script("bash", capsys) + ask], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == wanted


def test_every_option_of_every_verb_is_there() -> None:
    options = {verb.name: dict(verb.options) for verb in collect_verbs()}
    assert set(options) == set(VERBS)
    assert all("--help" in known for known in options.values())
    assert "--no-allow-write" in options["serve"]
