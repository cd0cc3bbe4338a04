"""What it costs an agent to find the code: calls and tokens until the right file, and function, was read.

    agent_cost.py --truth DIR --repos DIR --mirrors DIR --work DIR [--only localisation] [--every 4] [--save]

No language model: each policy is fixed, and each stops when the labelled place was shown, or after 25 reads.
Tokens are bytes / 4 of everything the answers hold. A file was read when any of its lines was shown, a
function when its first line was. Test files are passed over in bug reports by all policies alike.

- agrama: `hybrid_search` with the text as it is (no snippets), then `read_code` of each hit in order: the whole
  function when the hit lies in one, else the lines of the hit; the next page after ten.
- agrama, into files: the same; after each hit the same search within that file, and its four best other hits.
- agrama, whole files: the same search; `read_code` of each hit's file from its start, 2,000 lines at most.
- ripgrep, whole files: one count of matches per file for the identifiers in the text (words with `_`, `.`,
  inner capitals or backticks), files by the number of matches, each read from its start, 2,000 lines at
  most; when they are used up, the same with the other words, the long and repeated ones first, one by one.
- ripgrep, windows: the same search; of each file only the 80 lines with most matches.
"""

import argparse
import json
import math
import os
import re
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from baselines.agrama_server import Agrama
from baselines.contract import Call, Session
from baselines.ripgrep import Ripgrep, find_terms
from processes import measure
from report import write_report
from tasks import Task, read_localisation, read_retrieval

READS = 25
_PAGE = 10
_DEEPER = 4  # further hits in the file of each hit
_WINDOW = 80
_LONGEST = 2000
_ENOUGH = 1_000_000  # tokens: the lines are the limit
_LISTED = 50  # files of a search that an agent looks at
_TEXT = 8000
_RARE = 5
_IDENTIFIER = re.compile(
    r"`([^`\s]+)`|\b(\w+_\w+|\w+\.\w[\w.]*|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)\b"
)
_TESTS = ("test", "tests", "testing")


class Shown(NamedTuple):
    """One step: the tokens it cost and the lines it showed; a search shows none."""

    tokens: int
    path: str = ""
    first: int = 0
    last: int = 0


Policy = Callable[[Task], Iterator[Shown]]


def main() -> int:
    options = _parse()
    # Its index goes from commit to commit; other scripts begin theirs from nothing.
    ours, grep = Agrama(options.work / "agent_cost"), Ripgrep(options.work)
    figures: dict[str, Any] = {"versions": {"agrama": ours.install(), "ripgrep": grep.install()}}
    sets = {"localisation": read_localisation, "retrieval": read_retrieval}
    for name, read in sets.items():
        if options.only in ("", name):
            figures[name] = _summarize(_play(ours, grep, read(options)))
            print(json.dumps({name: figures[name]}, indent=1))
    if options.save:
        print(write_report("agent_cost", figures))
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name in ("truth", "repos", "mirrors", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--only", default="", choices=("", "localisation", "retrieval"))
    parser.add_argument("--every", type=int, default=1, help="a sample: each n-th task of each set")
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/agent_cost-*.json"
    )
    options = parser.parse_args()
    options.work, options.repos = options.work.resolve(), options.repos.resolve()
    return options


def _play(ours: Agrama, grep: Ripgrep, tasks: Iterator[Task]) -> list[dict[str, Any]]:
    """Every policy on every task; tasks of one tree follow each other and share its server."""
    rows = []
    tree, session = None, None
    ours.home.mkdir(parents=True, exist_ok=True)
    for task in tasks:
        if task.tree != tree or session is None:
            if session is not None:
                session.close()
            measure(ours.index_command(task.root), {**os.environ, **ours.environment})
            tree, session = task.tree, ours.serve(task.root)
        policies = make_policies(session, grep.serve(task.root))
        row = {name: follow(policy, task) for name, policy in policies.items()}
        print(
            task.name,
            {name: (r["file"], r["function"]) for name, r in row.items()},
            file=sys.stderr,
        )
        rows.append(row)
    if session is not None:
        session.close()
    return rows


def make_policies(server: Session, grep: Session) -> dict[str, Policy]:
    return {
        "agrama": lambda task: search_and_read(server, task, deeper=0),
        "agrama, into files": lambda task: search_and_read(server, task, deeper=_DEEPER),
        "agrama, whole files": lambda task: search_and_read_files(server, task),
        "ripgrep, whole files": lambda task: grep_and_read(grep, task, read_whole),
        "ripgrep, windows": lambda task: grep_and_read(grep, task, read_window),
    }


def follow(policy: Policy, task: Task) -> dict[str, Any]:
    """Calls and tokens at the moment each goal was met; what was spent in all when it never was."""
    calls = reads = tokens = 0
    met: dict[str, tuple[int, int] | None] = {"file": None, "function": None}
    for step in policy(task):
        calls, tokens = calls + 1, tokens + step.tokens
        reads += bool(step.path)
        if step.path in task.files and met["file"] is None:
            met["file"] = calls, tokens
        if any(step.path == path and step.first <= line <= step.last for path, line in task.places):
            met["function"] = calls, tokens
        if reads >= READS or (met["file"] and (met["function"] or not task.places)):
            break
    if not task.places:
        del met["function"]
    spent = {goal: {"met": at is not None, "calls": (at or (calls, tokens))[0], "tokens": (at or (calls, tokens))[1]} for goal, at in met.items()}  # fmt: skip
    return {"file": spent["file"], "function": spent.get("function")}


def search_and_read(server: Session, task: Task, *, deeper: int) -> Iterator[Shown]:
    """Hits in order, each read once; after each, so many other hits of its file."""
    seen: set[tuple[Any, ...]] = set()
    for step in _search_pages(server, task):
        if isinstance(step, Shown):
            yield step
            continue
        yield from _read_once(server, [step], seen)
        if deeper:
            tokens, inside = _search(server, task, max_results=deeper + 1, path_glob=step["path"])
            yield Shown(tokens)
            yield from _read_once(server, inside["results"], seen)


def search_and_read_files(server: Session, task: Task) -> Iterator[Shown]:
    """The files of the hits in order, each read once."""
    seen: set[str] = set()
    for step in _search_pages(server, task):
        if isinstance(step, Shown):
            yield step
        elif step["path"] not in seen:
            seen.add(step["path"])
            whole = {"path": step["path"], "start_line": 1, "end_line": _LONGEST}
            yield _read(server, {**whole, "max_tokens": _ENOUGH})


def _search_pages(server: Session, task: Task) -> Iterator[Shown | dict[str, Any]]:
    """What each page costs, and its hits."""
    cursor: dict[str, Any] = {}
    while True:
        tokens, page = _search(server, task, max_results=_PAGE, **cursor)
        yield Shown(tokens)
        for hit in page["results"]:
            if not (task.skip_tests and is_test(hit["path"])):
                yield hit
        if "next_cursor" not in page:
            return
        cursor = {"cursor": page["next_cursor"]}


def _search(server: Session, task: Task, **arguments: Any) -> tuple[int, dict[str, Any]]:
    wanted = {"query": task.text[:_TEXT], "include_snippets": False, **arguments}
    answer = server.ask(Call("hybrid_search", wanted))
    if answer.error:
        raise RuntimeError(answer.error)
    return len(answer.text.encode()) // 4, answer.structured


def _read_once(
    server: Session, hits: Sequence[dict[str, Any]], seen: set[tuple[Any, ...]]
) -> Iterator[Shown]:
    for hit in hits:
        lines = {name: hit[name] for name in ("path", "start_line", "end_line")}
        whole = hit["kind"] in ("function", "method")
        wanted = {"symbol": hit["symbol"]} if whole else lines
        if tuple(wanted.values()) not in seen:
            seen.add(tuple(wanted.values()))
            shown = _read(server, wanted)
            yield shown
            if (
                not shown.path
            ):  # a hit whose symbol nobody knows costs a call, and its lines another
                yield _read(server, lines)


def _read(server: Session, wanted: dict[str, Any]) -> Shown:
    plain = {f"include_{part}": False for part in ("dependencies", "semantic_context", "decisions", "collaborative_context")}  # fmt: skip
    answer = server.ask(Call("read_code", {**wanted, **plain}))
    tokens = len(answer.text.encode()) // 4
    if answer.error:
        if "symbol" not in wanted:
            raise RuntimeError(answer.error)
        return Shown(tokens)
    shown = answer.structured
    return Shown(tokens, shown["path"], shown["start_line"], shown["end_line"])


def grep_and_read(
    grep: Session, task: Task, read: Callable[[Path, str, Sequence[str]], Shown]
) -> Iterator[Shown]:
    seen: set[str] = set()
    for terms in choose_terms(task.text[:_TEXT]):
        patterns = [word for term in terms for word in ("-e", term)]
        words = ["--count-matches", "-i", "-F", *patterns, "."]
        answer = grep.ask(Call("rg", {"words": words}))
        if answer.error:
            raise RuntimeError(answer.error)
        counts = [line.rpartition(":") for line in answer.text.splitlines()]
        ranked = sorted(counts, key=lambda row: (-int(row[2]), row[0]))
        names = [row[0].removeprefix("./") for row in ranked]
        names = [name for name in names if not (task.skip_tests and is_test(name))][:_LISTED]
        yield Shown(len("\n".join(names).encode()) // 4)
        for name in names:
            if name not in seen:
                seen.add(name)
                yield read(task.root, name, terms)


def choose_terms(text: str) -> Iterator[list[str]]:
    """First what looks like a name of the code, then the most telling other words, one by one."""
    names = [quoted or bare for quoted, bare in _IDENTIFIER.findall(text)]
    names = list(dict.fromkeys(name.strip("().,:;'\"") for name in names))
    names = [name for name in names if len(name) > 2][:20]
    if names:
        yield names
    words = [word.lower() for word in find_terms(text)]
    counts = Counter([word for word in words if len(word) > 3] or words)
    # Long words are the rare ones; what the text repeats is what it is about.
    ranked = sorted(counts, key=lambda word: (-counts[word] * math.log(len(word)), word))
    rest = [word for word in ranked if word not in {name.lower() for name in names}][:_RARE]
    if rest and not names:
        yield rest
    yield from ([word] for word in rest)


def read_whole(root: Path, name: str, terms: Sequence[str]) -> Shown:
    lines = (root / name).read_text(errors="replace").splitlines()[:_LONGEST]
    return Shown(len("\n".join(lines).encode()) // 4, name, 1, len(lines))


def read_window(root: Path, name: str, terms: Sequence[str]) -> Shown:
    """The window of a fixed height with the most matches."""
    lines = (root / name).read_text(errors="replace").splitlines()
    pattern = re.compile("|".join(map(re.escape, terms)), re.I)
    hits = [len(pattern.findall(line)) for line in lines]
    starts = range(max(1, len(lines) - _WINDOW + 1))
    best = max(starts, key=lambda at: (sum(hits[at : at + _WINDOW]), -at))
    chosen = lines[best : best + _WINDOW]
    return Shown(len("\n".join(chosen).encode()) // 4, name, best + 1, best + len(chosen))


def is_test(path: str) -> bool:
    return any(part in _TESTS or part.startswith("test_") for part in path.split("/"))


def _summarize(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {"tasks": len(rows)}
    for goal in ("file", "function"):
        known = [row for row in rows if row["agrama"][goal] is not None]
        result[goal] = {"tasks": len(known)}
        for name in rows[0]:
            spent = [row[name][goal] for row in known]
            if spent:
                result[goal][name] = {
                    "met": round(statistics.fmean(each["met"] for each in spent), 4),
                    "median_calls": statistics.median(each["calls"] for each in spent),
                    "mean_calls": round(statistics.fmean(each["calls"] for each in spent), 1),
                    "median_tokens": round(statistics.median(each["tokens"] for each in spent)),
                    "mean_tokens": round(statistics.fmean(each["tokens"] for each in spent)),
                }
    return result


if __name__ == "__main__":
    sys.exit(main())
