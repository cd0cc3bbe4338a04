"""Resources, completions and prompts of the code, over a real connection to the core."""

import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

from agrama.cli.assemble import assemble
from agrama.server import Outgoing


def ask(root: Path, method: str, **params: Any) -> dict[str, Any]:
    """One request of the 2026-07-28 revision; its whole answer."""
    workspace, server = assemble(root)
    answers: list[dict[str, Any]] = []
    done = threading.Event()

    def send(out: Outgoing) -> None:
        if out.kind == "response":
            answers.append(orjson.loads(out.data))
            done.set()

    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    peer = server.connect(send, rate_limited=False, transport="test", stateless=True)
    try:
        out = peer.receive(orjson.dumps(message))
        if out is not None:
            send(out)
        assert done.wait(20)
    finally:
        peer.close()
        server.close()
        workspace.close()
    return answers[0]


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("agrama://map", "shop/money.py\n"),
        ("agrama://stats", '"languages"'),
        ("agrama://file/shop/money.py", "class Money:"),
        ("agrama://symbol/shop/money.py::Money.add", "Sum two amounts"),
    ],
)
def test_resources_can_be_read(indexed: Path, uri: str, text: str) -> None:
    (content,) = ask(indexed, "resources/read", uri=uri)["result"]["contents"]
    assert text in content["text"]


@pytest.mark.parametrize(
    "uri", ["agrama://file/.env", "agrama://file/../x", "agrama://symbol/none::such", "agrama://x"]
)
def test_what_is_not_there_is_an_error_with_the_uri(indexed: Path, uri: str) -> None:
    error = ask(indexed, "resources/read", uri=uri)["error"]
    assert error["data"]["uri"] == uri


@pytest.mark.parametrize(
    ("template", "name", "value", "first"),
    [
        ("agrama://file/{+path}", "path", "shop/b", "shop/basket.py"),
        ("agrama://symbol/{+id}", "id", "chec", "shop/basket.py::checkout"),
        ("agrama://symbol/{+id}", "id", "shop/money.py::Money.a", "shop/money.py::Money.add"),
    ],
)
def test_completion(indexed: Path, template: str, name: str, value: str, first: str) -> None:
    reference = {"type": "ref/resource", "uri": template}
    argument = {"name": name, "value": value}
    answer = ask(indexed, "completion/complete", ref=reference, argument=argument)
    assert answer["result"]["completion"]["values"][0] == first


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("onboard", {}, "python (3 files)"),
        ("plan_change", {"task": "put two articles into the basket"}, "shop/basket.py"),
        ("explain_symbol", {"symbol": "Money.add"}, "Sum two amounts"),
    ],
)
def test_prompts_are_filled_from_the_graph(
    indexed: Path, name: str, arguments: dict[str, str], text: str
) -> None:
    answer = ask(indexed, "prompts/get", name=name, arguments=arguments)
    assert text in answer["result"]["messages"][0]["content"]["text"]
