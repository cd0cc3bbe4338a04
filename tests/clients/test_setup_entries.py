"""Each client's file on a sample configuration: our entry goes in, comes out, and harms nothing."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agrama.cli.setup import make_entry
from agrama.clients import jsonc, load_clients
from agrama.clients.edit import add_entry, find_entry, remove_entry
from agrama.errors import AccessDeniedError, ToolError
from agrama.jail import refuse_protected

ROOT = Path("/home/ada/shop")
CLIENTS = load_clients()

STRICT = '{\n  "mcpServers": {\n    "git": {\n      "command": "uvx",\n      "args": ["mcp-server-git"]\n    }\n  }\n}\n'
SAMPLES = {
    "claude-code": STRICT,
    "claude-desktop": '{"globalShortcut": "", "mcpServers": {"git": {"command": "uvx"}}}',
    "cursor": '{\n\t"mcpServers": {\n\t\t"git": { "command": "uvx" }, // mine\n\t},\n}\n',
    "vscode": """{
    // asked for once, kept in the key ring
    "inputs": [{"id": "token", "type": "promptString", "password": true}],
    "servers": {
        "git": {"type": "stdio", "command": "uvx"} // the usual one
    }
}
""",
    "codex": """# how I like it
model = "gpt-5"

[mcp_servers.git] # the usual one
command = "uvx"
args = ["mcp-server-git"]

# every shell
[shell_environment_policy]
inherit = "all"
""",
    "gemini": '{\n  "theme": "GitHub",\n  "mcpServers": {},\n  /* last */ "vimMode": true\n}\n',
    "zed": """// Zed settings
{
  "theme": "One Dark", /* at night */
  "context_servers": {
    // "old": {"command": "x"},
    "git": {
      "command": "uvx",
      "args": []
    },
  },
}
""",
    "windsurf": STRICT.replace("\n", "\r\n"),
    "opencode": """{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "git": {"type": "local", "command": ["uvx", "mcp-server-git"], "enabled": false}
  }
}
""",
}
# The entry word for word, as each client's own documentation has it.
ENTRIES: dict[str, dict[str, Any]] = {
    "claude-code": {"type": "stdio", "command": "C", "args": ["serve", "--root", "${CLAUDE_PROJECT_DIR:-.}"]},
    "claude-desktop": {"command": "C", "args": ["serve", "--root", str(ROOT)]},
    "cursor": {"type": "stdio", "command": "C", "args": ["serve", "--root", "${workspaceFolder}"]},
    "vscode": {"type": "stdio", "command": "C", "args": ["serve", "--root", "${workspaceFolder}"]},
    "codex": {"command": "C", "args": ["serve", "--root", str(ROOT)]},
    "gemini": {"command": "C", "args": ["serve", "--root", str(ROOT)]},
    "zed": {"command": "C", "args": ["serve", "--root", str(ROOT)]},
    "windsurf": {"command": "C", "args": ["serve", "--root", str(ROOT)]},
    "opencode": {"type": "local", "command": ["C", "serve", "--root", str(ROOT)], "enabled": True},
}  # fmt: skip
KEYS = {"vscode": "servers", "codex": "mcp_servers", "zed": "context_servers", "opencode": "mcp"}


def entry_of(name: str) -> dict[str, Any]:
    """Our entry, with a letter for the command, which depends on the machine."""
    entry = make_entry(CLIENTS[name], ROOT, user=False)
    command = entry["command"]
    entry["command"] = ["C", *command[1:]] if isinstance(command, list) else "C"
    return entry


def load(name: str, text: str) -> dict[str, Any]:
    document: dict[str, Any] = tomllib.loads(text) if name == "codex" else jsonc.read(text)
    return document


def test_every_client_has_a_sample_and_an_entry() -> None:
    assert set(CLIENTS) == set(SAMPLES) == set(ENTRIES)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_entry_is_the_clients_own(name: str) -> None:
    assert entry_of(name) == ENTRIES[name]


@pytest.mark.parametrize("name", SAMPLES)
def test_adding_keeps_all_else_and_adding_again_changes_nothing(name: str) -> None:
    client, before = CLIENTS[name], SAMPLES[name]
    after = add_entry(client, before, "agrama", ENTRIES[name])
    expected = load(name, before)
    expected.setdefault(KEYS.get(name, "mcpServers"), {})["agrama"] = ENTRIES[name]
    assert load(name, after) == expected
    assert add_entry(client, after, "agrama", ENTRIES[name]) == after
    kept = [line.strip().rstrip(",") for line in before.splitlines() if "/" in line or "#" in line]
    assert all(line.split("//")[0].strip().rstrip(",") in after for line in kept)
    assert after.count("//") == before.count("//")


@pytest.mark.parametrize("name", SAMPLES)
def test_removing_gives_the_file_back_as_it_was(name: str) -> None:
    client, before = CLIENTS[name], SAMPLES[name]
    after = add_entry(client, before, "agrama", ENTRIES[name])
    assert remove_entry(client, after, "agrama") == before
    assert remove_entry(client, before, "agrama") == before


@pytest.mark.parametrize("name", SAMPLES)
def test_an_empty_file_gets_only_the_entry(name: str) -> None:
    text = add_entry(CLIENTS[name], "", "agrama", ENTRIES[name])
    if CLIENTS[name].format == "json":
        json.loads(text)
    assert load(name, text) == {KEYS.get(name, "mcpServers"): {"agrama": ENTRIES[name]}}
    assert text.endswith("\n")


@pytest.mark.parametrize("name", SAMPLES)
def test_what_the_user_added_to_the_entry_stays(name: str) -> None:
    client = CLIENTS[name]
    mine = {**ENTRIES[name], "command": "old", "env": {"AGRAMA_HOME": "/data"}}
    text = add_entry(client, SAMPLES[name], "agrama", {**mine, "env": {}})
    if client.format == "toml":
        text = text.replace("env = {}\n", "") if "env = {}" in text else text
        text += '\n[mcp_servers.agrama.env]\nAGRAMA_HOME = "/data"\n'
    else:
        text = text.replace('"env": {}', '"env": {"AGRAMA_HOME": "/data"}')
    found = find_entry(client, add_entry(client, text, "agrama", ENTRIES[name]), "agrama")
    assert found == {**ENTRIES[name], "env": {"AGRAMA_HOME": "/data"}}


def test_opencode_version_two_keeps_its_own_shape() -> None:
    text = '{"mcp": {"servers": {"git": {"type": "local", "command": ["uvx"]}}}}'
    after = add_entry(CLIENTS["opencode"], text, "agrama", ENTRIES["opencode"])
    assert list(jsonc.read(after)["mcp"]["servers"]) == ["git", "agrama"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cursor", '{"mcpServers": {"a": }}'),
        ("cursor", "[1]"),
        ("claude-code", '{"mcpServers": []}'),
        ("codex", "[mcp_servers\n"),
        ("codex", 'mcp_servers = {git = {command = "uvx"}}\n'),
    ],
)
def test_what_cannot_be_changed_safely_is_refused(name: str, text: str) -> None:
    with pytest.raises(ToolError, match=r"repair it first|by hand"):
        add_entry(CLIENTS[name], text, "agrama", ENTRIES[name])


def test_agents_may_not_write_what_starts_servers() -> None:
    files = [path for c in CLIENTS.values() for path in (c.project_file, *c.other_files) if path]
    for path in (*files, "agrama.toml"):
        with pytest.raises(AccessDeniedError):
            refuse_protected(path)
