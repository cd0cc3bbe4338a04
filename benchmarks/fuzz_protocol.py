"""Throws messages at the protocol core, most of them wrong, and counts crashes and missing answers.

    fuzz_protocol.py [--messages 1000000] [--seed 1] [--save]

Three sources are mixed: valid messages of every revision, the same with parts replaced by hostile
values, and their bytes cut, doubled, flipped or spliced. An oracle of its own (plain `json`) decides
which lines are requests that must be answered: exactly one answer under the same id. Every answer
must be JSON and carry either a result or an error with code, message and data. The connection is
renewed from time to time, so that every state sees every message.
"""

import argparse
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "protocol"))

import everything_server
from report import write_report

from agrama.protocol.framing import Framer, TooLong
from agrama.protocol.messages import Chunks, Outgoing, too_long
from agrama.server import Options, Server

# A flipped byte can ask the tool `wait` for all the seconds it allows, and still gets its answer.
_PATIENCE_SECONDS = 60
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"roots": {}, "sampling": {}},
}
HOSTILE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, 2**53, 2**63, 2**64, 10**30, "", "x", "\x00", "é😀", "‮",
    "a" * 300, [], {}, [[]], {"a": {}}, [1, "x", None], {"": ""}, "tools/call", "rpc.x", "../../etc/passwd",
    "test://static", "echo", {"_meta": 1}, {"_meta": {}}, {"progressToken": []}, [[[[[[[[]]]]]]]],
)  # fmt: skip
METHODS = (
    "initialize", "ping", "tools/list", "tools/call", "tools/call", "tools/call", "resources/list",
    "resources/read", "resources/templates/list", "resources/subscribe", "resources/unsubscribe",
    "prompts/list", "prompts/get", "completion/complete", "logging/setLevel", "server/discover",
    "subscriptions/listen", "notifications/initialized", "notifications/cancelled", "nope", "",
)  # fmt: skip
CALLS: tuple[dict[str, Any], ...] = (
    {"name": "echo", "arguments": {"text": "hello"}},
    {"name": "add", "arguments": {"a": 1, "b": 2}},
    {"name": "add", "arguments": {"left": 1, "b": 2}},
    {"name": "fail", "arguments": {"kind": "tool"}},
    {"name": "parts", "arguments": {"count": 3}},
    {"name": "kinds"},
    {"name": "count", "_meta": {"progressToken": 3}},
    {"name": "wait", "arguments": {"seconds": 0}},
    {"name": "big", "arguments": {"size": 5000}},
)
LATE: dict[str, Any] = {"name": "later", "arguments": {}}


def _copy(value: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(value))  # type: ignore[no-any-return]


class Oracle:
    """What must be answered, by reading the line with another parser."""

    def ids(self, line: bytes, *, batches: bool) -> list[Any]:
        """The ids that must be answered; None stands for an answer without an id."""
        text = line.strip()
        if not text:
            return []
        try:
            value = json.loads(
                text.decode("utf-8-sig"), parse_constant=self._refuse, parse_float=self._float
            )
        except (ValueError, RecursionError):
            return [None]
        if self._is_unsendable(value):
            return [None]
        if type(value) is list:
            if not value or not batches or len(value) > 256:
                return [None]
            return [found for item in value for found in self._one(item)]
        return self._one(value)

    @staticmethod
    def _is_unsendable(value: Any) -> bool:
        """Half a surrogate pair is JSON by the letter, but no UTF-8: not even its id can be sent back."""
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return True
        return False

    @staticmethod
    def _float(text: str) -> float:
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise ValueError(text)
        return value

    @staticmethod
    def _refuse(name: str) -> Any:
        raise ValueError(name)

    @staticmethod
    def _one(value: Any) -> list[Any]:
        if type(value) is not dict:
            return [None]
        if "method" not in value and ("result" in value or "error" in value):
            return []  # an answer to us
        identity = value.get("id")
        readable = type(identity) is str or (type(identity) is int and -(2**63) <= identity < 2**64)
        if "id" not in value:
            method = value.get("method")
            wrong = type(method) is not str or value.get("jsonrpc") != "2.0"
            return [None] if wrong else []
        return [identity if readable else None]


class Target:
    """The core behind a framer, as the stdio transport drives it, without the process."""

    def __init__(self) -> None:
        # A worker per slow request and no sleeping tools: the fuzz is about messages, not time.
        self.server: Server = everything_server.build(
            Options(check_output=True, workers=4, max_in_flight=100_000)
        )
        self.lock = threading.Condition()
        self.answers: list[Any] = []
        self.renew()

    def renew(self) -> None:
        self.framer = Framer()
        self.peer = self.server.connect(self._take, rate_limited=False)

    def _take(self, out: Outgoing) -> None:
        if out.kind == "response":
            self._keep(out.data)
        else:
            json.loads(out.data)

    def _keep(self, data: bytes) -> None:
        value = json.loads(data)
        with self.lock:
            self.answers += value if isinstance(value, list) else [value]
            self.lock.notify_all()

    def feed(self, data: bytes) -> None:
        for line in self.framer.feed(data):
            if isinstance(line, TooLong):
                out = self.peer.receive_parsed(too_long(line.size_bytes))
                answer = None if out is None else out.data
            else:
                answer = self.peer.respond(line)
            if answer is not None:
                self._keep(answer.join() if isinstance(answer, Chunks) else answer)

    def collect(self, count: int) -> list[Any]:
        """The answers so far; waits for those that come from workers."""
        with self.lock:
            self.lock.wait_for(lambda: len(self.answers) >= count, _PATIENCE_SECONDS)
            found, self.answers = self.answers, []
        return found


class Source:
    """Messages, good and bad, from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def line(self) -> bytes:
        kind = self.random.random()
        message = self._message()
        if kind < 0.35:
            return self._dump(message)
        if kind < 0.7:
            return self._dump(self._spoil(message))
        if kind < 0.74:
            return self._dump([self._message() for _ in range(self.random.randrange(4))])
        if kind < 0.76:
            return self._dump(self.random.choice(HOSTILE))
        return self._mutate(self._dump(message))

    def _dump(self, value: Any) -> bytes:
        style = self.random.choice(((",", ":"), (", ", ": ")))
        return json.dumps(value, separators=style, ensure_ascii=self.random.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )

    def _message(self) -> dict[str, Any]:
        self.count += 1
        pick = self.random.choice
        method = pick(METHODS)
        params = self._params(method)
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith("notifications/") or self.random.random() < 0.05:
            message["id"] = pick((self.count, f"s{self.count}"))
        if self.random.random() < 0.4:
            params["_meta"] = {**_copy(META), **params.get("_meta", {})}
        return message

    def _params(self, method: str) -> dict[str, Any]:
        pick = self.random.choice
        if method == "initialize":
            return {"protocolVersion": pick(REVISIONS), "capabilities": {"roots": {}}}
        if method == "tools/call":
            # The late answer costs 50 ms each: now and then is enough.
            return _copy(LATE if self.random.random() < 0.002 else pick(CALLS))
        if method.startswith("resources/"):
            return {"uri": pick(("test://static", "test://item/4", "test://none"))}
        if method == "prompts/get":
            return {"name": "greet", "arguments": {"name": "x"}}
        if method == "completion/complete":
            argument = {"name": "style", "value": "f"}
            return {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": argument}
        if method == "logging/setLevel":
            return {"level": pick(("debug", "error", "loud"))}
        if method == "notifications/cancelled":
            return {"requestId": self.random.randrange(self.count + 5)}
        if method == "subscriptions/listen":
            return {"notifications": {"toolsListChanged": True}, "_meta": _copy(META)}
        return {}

    def _spoil(self, message: dict[str, Any]) -> Any:
        """Replace, remove or add something at a random place."""
        pick, place = self.random.choice, message
        while True:
            inner = [key for key, value in place.items() if isinstance(value, dict) and value]
            if not inner or self.random.random() < 0.4:
                break
            place = place[pick(inner)]
        key = pick([*place, "extra", "_meta", "cursor", "inputResponses", "requestState"])
        if self.random.random() < 0.2:
            place.pop(key, None)
        else:
            place[key] = pick(HOSTILE)
        return message

    def _mutate(self, line: bytes) -> bytes:
        pick, cut = self.random.random(), self.random.randrange
        at = cut(len(line))
        if pick < 0.25:
            return line[:at]
        if pick < 0.5:
            return line[:at] + bytes([cut(256)]) + line[at + 1 :]
        if pick < 0.65:
            return line[:at] + line[cut(len(line)) :]
        if pick < 0.75:
            return line + line[at:]
        if pick < 0.85:
            return line[:at] + b"\\ud800" + line[at:]
        if pick < 0.9:
            return b"\xef\xbb\xbf" + line
        if pick < 0.95:
            return line[:at] + b"[" * cut(200) + line[at:]
        return bytes(cut(256) for _ in range(cut(60)))


def run(
    messages: int, seed: int, report: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    source, oracle, target = Source(seed), Oracle(), Target()
    counts: Counter[str] = Counter()
    problems: list[str] = []
    start = time.perf_counter()
    for number in range(messages):
        if number % 500 == 0:
            target.peer.close()
            target.renew()
            if number % 100_000 == 0 and number:
                report(f"{number:,} messages, {len(problems)} problems")
        line = source.line().replace(b"\n", b" ")
        # Lines that begin like a header are framing, tested elsewhere.
        if line[:15].lower() == b"content-length:":
            continue
        problem = _check(line, target, oracle, counts)
        if problem:
            problems.append(f"seed {seed}, message {number}: {problem}: {line[:300]!r}")
    target.peer.close()
    return {
        "messages": messages,
        "seed": seed,
        "seconds": round(time.perf_counter() - start, 1),
        "counts": dict(sorted(counts.items())),
        "problems": len(problems),
        "first_problems": problems[:20],
    }


def _check(line: bytes, target: Target, oracle: Oracle, counts: Counter[str]) -> str | None:
    batches = target.peer.revision.name == "2025-03-26" and target.peer.state in (1, 2)
    wanted = oracle.ids(line, batches=batches)
    listening = target.peer.subscriptions.open_ids()
    try:
        target.feed(line + b"\n")
    except Exception as error:  # noqa: BLE001 - a crash is a finding
        counts["crashes"] += 1
        return f"crash {error!r}"
    opened = target.peer.subscriptions.open_ids() - listening
    found = target.collect(len(wanted) - len(opened))
    counts["messages"] += 1
    counts["requests"] += len(wanted)
    for answer in found:
        counts["errors" if "error" in answer else "results"] += 1
        problem = _malformed(answer)
        if problem:
            return problem
    expected = Counter(map(repr, wanted)) - Counter(map(repr, opened))
    if Counter(repr(answer.get("id")) for answer in found) != expected:
        counts["unanswered"] += 1
        return f"wanted ids {wanted}, got {[answer.get('id') for answer in found]}"
    return None


def _malformed(answer: Any) -> str | None:
    if answer.get("jsonrpc") != "2.0" or ("result" in answer) == ("error" in answer):
        return f"not an answer: {answer}"
    error = answer.get("error")
    if error is not None and not (type(error["code"]) is int and error["message"]):
        return f"not an error: {answer}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    figures = run(options.messages, options.seed, lambda text: print(text, flush=True))
    print(json.dumps(figures, indent=1, ensure_ascii=False))
    if options.save:
        print(write_report("fuzz_protocol", figures))
    return 1 if figures["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
