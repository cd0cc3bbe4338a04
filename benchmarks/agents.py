"""Many agents on one repository, each with a server process of its own, and a history of what they saw.

    agents.py [--agents 24] [--seconds 60] [--faults] [--save]      mixed work, one indexer, history checked
    agents.py --events [--save]                                      how soon a waiting agent hears of an event
    agents.py --memory 200000 [--save]                               resident memory over many mixed calls
    agents.py --orphans [--save]                                     a killed parent takes its server along

With --faults servers are killed (-9) at random and their agents go on with new ones.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from client import Client
from history import Append, History, Lease, Read, find_violations
from report import write_report

SERVE = [sys.executable, "-P", "-m", "agrama", "serve", "--root"]
SESSIONS = 3
LEASE_SECONDS = 60


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 3) if ordered else 0.0


class Agent(threading.Thread):
    """Works at random until the time is up."""

    def __init__(self, team: "Team", number: int) -> None:
        super().__init__()
        self.team = team
        self.number = number
        self.rng = random.Random(team.seed * 1000 + number)
        self.reads_ms: list[float] = []
        self.writes_ms: list[float] = []
        self.errors: list[str] = []
        self.kills = 0
        self.doomed = False  # our server was or will be killed on purpose
        self.count = 0
        self.seen = dict.fromkeys(team.sessions, 0)
        self.lease: Lease | None = None
        self.client = team.start()

    def run(self) -> None:
        actions = [self.say] * 4 + [self.read] * 4 + [self.look] * 3 + [self.decide, self.claim]
        while time.monotonic() < self.team.end:
            action = self.rng.choice(actions)
            try:
                action()
            except (OSError, RuntimeError) as error:
                if not self.doomed:
                    self.errors.append(repr(error))
                self.restart()
            if self.team.faults and self.rng.random() < 0.004:
                self.kill()
            time.sleep(self.rng.random() * self.team.pause)
        self.client.close()

    def kill(self) -> None:
        """Kill our server soon, most likely in the middle of a call."""
        self.kills += 1
        self.doomed = True
        threading.Timer(self.rng.random() * 0.01, self.client.process.kill).start()

    def restart(self) -> None:
        self.client.process.kill()
        self.client.close()
        self.client = self.team.start()
        self.doomed = False

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.client.call(tool, arguments)
        if "error" in answer or answer["result"].get("isError"):
            text = str(answer)[:300]
            self.errors.append(text)
            return {}
        result: dict[str, Any] = answer["result"]["structuredContent"]
        return result

    def say(self) -> None:
        session = self.rng.choice(self.team.sessions)
        self.count += 1
        content = f"agent {self.number} message {self.count}"
        start, end, number = time.monotonic(), None, None
        try:
            made = self.call(
                "append_message", session_id=session, content=content, agent_id=str(self.number)
            )
            end = time.monotonic()
            number = made["message_id"]
            self.writes_ms.append((end - start) * 1000)
        finally:
            self.team.note(self.team.history.appends, Append(start, end, session, content, number))

    def read(self) -> None:
        session = self.rng.choice(self.team.sessions)
        after = self.seen[session]
        start = time.monotonic()
        wanted = {"session_id": session, "after_message_id": after, "limit": 1000}
        found = self.call("list_messages", **wanted, max_tokens=1_000_000)["messages"]
        end = time.monotonic()
        self.reads_ms.append((end - start) * 1000)
        rows = tuple((row["message_id"], row["content"]) for row in found)
        if len(rows) < 1000:
            self.team.note(self.team.history.reads, Read(start, end, session, after, rows))
        if rows:
            self.seen[session] = rows[-1][0]

    def look(self) -> None:
        path = self.rng.choice(self.team.files)
        start = time.monotonic()
        self.call("read_code", path=path)
        self.reads_ms.append((time.monotonic() - start) * 1000)

    def decide(self) -> None:
        self.count += 1
        start = time.monotonic()
        self.call(
            "record_decision",
            decision=f"Decision {self.number}.{self.count}",
            reasoning="because the benchmark says so",
            paths=[self.rng.choice(self.team.files)],
        )
        self.writes_ms.append((time.monotonic() - start) * 1000)

    def claim(self) -> None:
        """Take a claim, or give up the one held."""
        session, name = self.team.sessions[0], str(self.number)
        if self.lease is not None:
            lease, self.lease = self.lease, None
            lease.released = time.monotonic()
            self.call("release", session_id=session, agent_id=name)
            return
        target = self.rng.choice(self.team.files[:4])
        start = time.monotonic()
        wanted = {"session_id": session, "agent_id": name, "paths": [target]}
        made = self.call("claim", **wanted, ttl_seconds=LEASE_SECONDS * 100)
        told = frozenset(row["claim_id"] for row in made["conflicts"])
        self.lease = Lease(start, time.monotonic(), name, target, made["claim_ids"][0], told)
        self.team.note(self.team.history.leases, self.lease)


class Team:
    """What the agents share."""

    def __init__(self, root: Path, *, seed: int, faults: bool, pause: float) -> None:
        self.root = root
        self.seed = seed
        self.faults = faults
        self.pause = pause
        self.end = 0.0
        self.history = History()
        self.lock = threading.Lock()
        names = subprocess.run(
            ["git", "-C", str(root), "ls-files", "*.py"], capture_output=True, text=True, check=True
        )
        self.files = names.stdout.split()[:40]
        self.sessions: list[str] = []
        first = self.start()
        for number in range(SESSIONS):
            answer = first.call("create_session", {"name": f"session {number}"})
            self.sessions.append(answer["result"]["structuredContent"]["session_id"])
        first.close()

    def start(self) -> Client:
        client = Client([*SERVE, str(self.root)])
        client.handshake()
        return client

    def note(self, rows: list[Any], row: Any) -> None:
        with self.lock:
            rows.append(row)

    def work(self, agents: int, seconds: float) -> list[Agent]:
        crew = [Agent(self, number) for number in range(agents)]
        self.end = time.monotonic() + seconds
        for agent in crew:
            agent.start()
        for agent in crew:
            agent.join()
        return crew

    def read_final(self) -> dict[str, list[tuple[int, str]]]:
        client = self.start()
        final: dict[str, list[tuple[int, str]]] = {}
        for session in self.sessions:
            rows, after = [], 0
            while True:
                wanted = {"session_id": session, "after_message_id": after, "limit": 1000}
                answer = client.call("list_messages", {**wanted, "max_tokens": 1_000_000})
                found = answer["result"]["structuredContent"]
                rows += [(row["message_id"], row["content"]) for row in found["messages"]]
                if "next_cursor" not in found:
                    break
                after = found["next_cursor"]
            final[session] = rows
        client.close()
        return final


@contextlib.contextmanager
def repository(source: Path | None) -> Any:
    """A fresh copy of a repository with a data folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="agents-"))
    os.environ["AGRAMA_HOME"] = str(folder / "home")
    root = folder / "repository"
    here = source or Path(__file__).parents[1]
    subprocess.run(["git", "clone", "-q", str(here), str(root)], check=True)
    try:
        yield root
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def count_generations(root: Path) -> int:
    from agrama.graph.keys import repository_folder
    from agrama.graph.store import Store

    with Store.open(repository_folder(root)) as store, store.read() as reader:
        return reader.generation


def run_team(options: argparse.Namespace) -> dict[str, Any]:
    with repository(options.repository) as root:
        subprocess.run([*SERVE[:-2], "index", str(root), "--quiet"], check=True)
        before = count_generations(root)
        alone = Team(root, seed=options.seed, faults=False, pause=options.pause)
        lone = alone.work(1, min(5.0, options.seconds))[0]
        team = Team(root, seed=options.seed, faults=options.faults, pause=options.pause)
        crew = team.work(options.agents, options.seconds)
        violations = find_violations(team.history, team.read_final())
        builds = count_generations(root) - before
    reads = [value for agent in crew for value in agent.reads_ms]
    writes = [value for agent in crew for value in agent.writes_ms]
    errors = [text for agent in crew for text in agent.errors]
    share = max(1.0, options.agents / (os.cpu_count() or 1))
    lone_p95, team_p95 = percentile(lone.reads_ms, 0.95), percentile(reads, 0.95)
    return {
        "agents": options.agents,
        "seconds": options.seconds,
        "faults": options.faults,
        "kills": sum(agent.kills for agent in crew),
        "appends": len(team.history.appends),
        "reads": len(reads),
        "leases": len(team.history.leases),
        "errors": len(errors),
        "first_errors": errors[:5],
        "violations": len(violations),
        "first_violations": violations[:5],
        "lone_read_ms": {"p50": percentile(lone.reads_ms, 0.5), "p95": lone_p95},
        "team_read_ms": {"p50": percentile(reads, 0.5), "p95": team_p95},
        "team_write_ms": {"p50": percentile(writes, 0.5), "p95": percentile(writes, 0.95)},
        "p95_over_core_share": round(team_p95 / (lone_p95 * share), 2),
        "rebuilds_during_run": builds,
        "kept": not errors and not violations and team_p95 <= 3 * share * lone_p95,
    }


def run_events(options: argparse.Namespace) -> dict[str, Any]:
    """From the call that writes to the answer of the one who waited, in another process."""
    with repository(options.repository) as root:
        command = [*SERVE, str(root), "--no-index"]
        waiting, talking = Client(command), Client(command)
        waiting.handshake()
        talking.handshake()
        made = talking.call("create_session", {"name": "events"})
        session = made["result"]["structuredContent"]["session_id"]
        delays, after = [], 1
        for number in range(300):
            wanted = {"session_id": session, "agent_id": "w", "after_seq": after, "wait_ms": 10_000}
            line, _ = waiting.encode("tools/call", {"name": "session_events", "arguments": wanted})
            waiting.write(line)
            time.sleep(0.01)
            message = {"session_id": session, "content": str(number)}
            start = time.monotonic()
            talking.call("append_message", message)
            answer = json.loads(waiting.read_line())
            delays.append((time.monotonic() - start) * 1000)
            after = answer["result"]["structuredContent"]["next_seq"]
        waiting.close()
        talking.close()
    p95 = percentile(delays, 0.95)
    return {
        "events": len(delays),
        "p50_ms": percentile(delays, 0.5),
        "p95_ms": p95,
        "p99_ms": percentile(delays, 0.99),
        "kept": p95 <= 50,
    }


def run_memory(options: argparse.Namespace) -> dict[str, Any]:
    """Memory over many calls: of the tools agents share, and with cached reads of code among them."""
    rows = {
        name: measure_memory(options, with_reads=with_reads)
        for name, with_reads in (("shared tools", False), ("with read_code", True))
    }
    return {"calls": options.memory, **rows, "kept": all(row["kept"] for row in rows.values())}


def measure_memory(options: argparse.Namespace, *, with_reads: bool) -> dict[str, Any]:
    """Private memory of one server: its highest in the second tenth of the calls and in the last."""
    with repository(options.repository) as root:
        subprocess.run([*SERVE[:-2], "index", str(root), "--quiet"], check=True)
        client = Client([*SERVE, str(root), "--no-index"])
        client.handshake()
        made = client.call("create_session", {"name": "memory", "agent_id": "a"})
        session = made["result"]["structuredContent"]["session_id"]
        lines = [
            client.encode("tools/call", {"name": name, "arguments": arguments})[0]
            for name, arguments in mixed_calls(session, with_reads=with_reads)
        ]
        wait = {"session_id": session, "agent_id": "a", "wait_ms": 1}
        waiting, _ = client.encode("tools/call", {"name": "session_events", "arguments": wait})
        sizes = []
        for number in range(options.memory):
            client.exchange(waiting if number % 500 == 0 else lines[number % len(lines)])
            if number % 2000 == 1999:
                sizes.append(read_private_kib(client.process.pid))
        client.close()
    tenth = max(1, len(sizes) // 10)
    # The server gives freed memory back every ten seconds, so single samples go up and down by 15 %.
    early, late = max(sizes[tenth : 2 * tenth]), max(sizes[-tenth:])
    change = (late - early) / early
    return {
        "private_kib_in_second_tenth": early,
        "private_kib_in_last_tenth": late,
        "private_kib_highest_after": max(sizes[tenth:]),
        "private_kib_lowest_after": min(sizes[tenth:]),
        "change": round(change, 4),
        "kept": abs(change) <= 0.05,
    }


def mixed_calls(session: str, *, with_reads: bool) -> list[tuple[str, dict[str, Any]]]:
    own = {"session_id": session, "agent_id": "a"}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("append_message", {**own, "content": "x" * 200}),
        ("list_messages", {"session_id": session, "limit": 20}),
        ("claim", {**own, "paths": ["README.md"]}),
        ("session_events", {**own, "limit": 20}),
        ("query_decisions", {"query": "parser"}),
        ("list_sessions", {}),
        ("release", own),
        ("filter_messages", {"session_id": session, "tags": "b", "limit": 5}),
        ("append_message", {"session_id": session, "content": "y" * 50, "tags": "a b"}),
    ]
    return [*calls, ("read_code", {"path": "README.md"})] if with_reads else calls


def read_private_kib(pid: int) -> int:
    """Memory that is the process's own: mapped files are the kernel's cache."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("RssAnon:")[2].split()[0])


_HOLDS = "import subprocess,sys,time\nsubprocess.Popen(sys.argv[1:],stdin=-1)\ntime.sleep(60)"
_HANDS_ON = "import subprocess,sys\nsubprocess.run(sys.argv[1:])"


def run_orphans(options: argparse.Namespace) -> dict[str, Any]:
    """Kill -9 whoever stands above a server; seconds till the server is gone."""
    python = [sys.executable, "-c"]
    with repository(options.repository) as root:
        serve = [*SERVE, str(root), "--no-index"]
        cases = {
            "parent with the pipe": [*python, _HOLDS, *serve],
            "wrapper, the pipe held by its client": [*python, _HANDS_ON, *serve],
            "client behind a wrapper": [*python, _HOLDS, *python, _HANDS_ON, *serve],
        }
        slowest = {
            name: round(max(_time_orphan(command) for _ in range(3)), 2)
            for name, command in cases.items()
        }
    return {"slowest_seconds": slowest, "kept": max(slowest.values()) < 5}


def _await_server(pid: int) -> list[int]:
    """A process and its descendants, once the last of them serves: then it has a second thread."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        family = children_of(pid)
        with contextlib.suppress(OSError):
            if family and len(os.listdir(f"/proc/{family[-1]}/task")) > 1:
                time.sleep(0.2)  # its first look at who started it
                return family
        time.sleep(0.02)
    raise RuntimeError("the server did not start within a minute")


def _time_orphan(command: list[str]) -> float:
    """Start a chain of processes that ends in a server and kill its first link."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    family = _await_server(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    start = time.monotonic()
    process.wait()
    while is_alive(family[-1]) and time.monotonic() - start < 15:
        time.sleep(0.02)
    took = time.monotonic() - start
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    for pid in family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return took


def children_of(pid: int) -> list[int]:
    try:
        words = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [int(word) for word in words] + [n for word in words for n in children_of(int(word))]


def is_alive(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--agents", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=0.05, help="longest pause between two calls")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--events", action="store_true")
    parser.add_argument("--memory", type=int, metavar="CALLS")
    parser.add_argument("--orphans", action="store_true")
    parser.add_argument("--repository", type=Path, help="a git repository (default: this one)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    if options.events:
        name, figures = "agents_events", run_events(options)
    elif options.memory:
        name, figures = "agents_memory", run_memory(options)
    elif options.orphans:
        name, figures = "agents_orphans", run_orphans(options)
    else:
        name, figures = "agents" + ("_faults" if options.faults else ""), run_team(options)
    print(json.dumps(figures, indent=1))
    if options.save:
        print(write_report(name, figures))
    return int(not figures["kept"])


if __name__ == "__main__":
    raise SystemExit(main())
