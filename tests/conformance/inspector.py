"""The MCP Inspector's command line against the fixture: list, call, read, get, in both eras."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from toolchain import Node

PACKAGE = "@modelcontextprotocol/inspector"
ERAS = ("legacy", "modern")

# arguments -> what the answer must contain
CALLS = {
    ("tools/list",): "test_simple_text",
    ("tools/call", "--tool-name", "test_simple_text"): "A line of text.",
    ("tools/call", "--tool-name", "test_tool_with_progress"): "reported three times",
    ("resources/list",): "test://static-text",
    ("resources/templates/list",): "test://template/{id}/data",
    ("resources/read", "--uri", "test://static-text"): "Text that never changes.",
    ("prompts/list",): "test_prompt_with_arguments",
    (
        "prompts/get",
        "--prompt-name",
        "test_prompt_with_arguments",
        "--prompt-args",
        "arg1=tea",
        "arg2=cake",
    ): "First 'tea', then 'cake'.",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One run of the inspector; `problem` is empty when it did what it should."""

    title: str
    problem: str


def run_inspector(node: Node, folder: Path, transport: str, target: list[str]) -> list[Call]:
    script = folder / "node_modules" / PACKAGE / "clients" / "launcher" / "build" / "index.js"
    start = [node.node, str(script), "--cli", *target, "--transport", transport]
    return [
        Call(
            f"{transport} {era} {' '.join(words[:3])}",
            _problem([*start, "--protocol-era", era, "--method", *words], wanted),
        )
        for era in ERAS
        for words, wanted in CALLS.items()
    ]


def _problem(command: list[str], wanted: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        return f"exit status {done.returncode}: {(done.stderr or done.stdout)[-400:]}"
    try:
        answer = json.dumps(json.loads(done.stdout), ensure_ascii=False)
    except ValueError:
        return f"not JSON: {done.stdout[:200]}"
    return "" if wanted in answer else f"{wanted!r} is not in {answer[:200]}"
