"""Where the time of the hot paths goes: `python docs/profile_paths.py REPOSITORY` (indexed before).

Each path is run twice over the same calls, once with the clock and once with the profiler; the profiler's
shares are laid on the clock's time, because a profiler makes small functions look dear. No answer comes
from the cache: arguments never repeat.
"""

import argparse
import cProfile
import marshal
import pstats
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import orjson

from agrama.cli.assemble import assemble
from agrama.graph.keys import repository_folder
from agrama.graph.model import Kind
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.indexer.chunk import prepare_file
from agrama.indexer.languages import language_of
from agrama.indexer.parse import parse_file
from agrama.protocol.messages import Outgoing
from agrama.tools import hybrid_search

CALLS = 200
FILES = 100
SHOWN = 9


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    root = parser.parse_args().repository.resolve()
    symbols = _read_symbols(root)
    fresh = count(1)

    def search(words: str) -> dict[str, Any]:
        return {"query": words, "max_tokens": 8_000 + next(fresh)}

    def read(symbol: str) -> dict[str, Any]:
        return {"symbol": symbol, "max_tokens": 8_000 + next(fresh)}

    workspace, server = assemble(root)
    quick = hybrid_search.TOOL._replace(slow=False)  # on this thread, where the profiler looks
    server.registry.remove_tool(quick.name)
    server.registry.add(quick)
    peer = server.connect(_refuse, rate_limited=False, stateless=True)
    for tool, make, names in (
        ("hybrid_search", search, [name.replace("_", " ") for name, _ in symbols]),
        ("read_code", read, [symbol for _, symbol in symbols]),
    ):
        lines = [[_request(tool, make(name)) for name in names[:CALLS]] for _ in range(3)]
        _show(
            f"{tool}, {CALLS} calls", "call", CALLS, [_asker(peer.receive, some) for some in lines]
        )
    server.close()
    workspace.close()
    files = list(_read_files(root))
    _show(
        f"a file in a worker, {len(files)} files",
        "file",
        len(files),
        [lambda: _parse(files)] * 3,
    )
    return 0


def _read_symbols(root: Path) -> list[tuple[str, str]]:
    """Functions and classes spread over the repository: (name, id)."""
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        found = [
            (symbol.name, symbol.id)
            for entry in snapshot.files()
            for symbol in snapshot.symbols_in(entry.path)
            if symbol.kind in (Kind.FUNCTION, Kind.METHOD, Kind.CLASS) and len(symbol.name) > 5
        ]
    return found[:: max(1, len(found) // CALLS)][:CALLS]


def _read_files(root: Path) -> Iterator[tuple[str, bytes, str]]:
    with Store.open(repository_folder(root)) as store, open_snapshot(store) as snapshot:
        names = [entry.path for entry in snapshot.files() if language_of(entry.path)]
    for name in names[:: max(1, len(names) // FILES)][:FILES]:
        language = language_of(name)
        if language is not None and (root / name).is_file():
            yield name, (root / name).read_bytes(), language.name


def _parse(files: list[tuple[str, bytes, str]]) -> None:
    for name, content, language in files:
        facts = parse_file(name, content, language)
        marshal.dumps(dict(facts))
        prepare_file(name, content.decode("utf-8", "replace"), language, facts)


def _request(tool: str, arguments: dict[str, Any]) -> bytes:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def _asker(receive: Callable[[bytes], Any], lines: list[bytes]) -> Callable[[], None]:
    def run() -> None:
        for line in lines:
            out = receive(line)
            if b'"structuredContent"' not in out.data:
                raise SystemExit(f"not an answer: {out.data!r}")

    return run


def _refuse(out: Outgoing) -> None:
    raise SystemExit(f"answered from another thread: {out.data!r}")


def _show(title: str, unit: str, times: int, runs: list[Callable[[], None]]) -> None:
    """Warm up with the first run, time the second, profile the third."""
    runs[0]()
    time.sleep(0.5)
    began = time.process_time()
    runs[1]()
    each = (time.process_time() - began) / times * 1e6
    profiler = cProfile.Profile()
    profiler.runcall(runs[2])
    shares = _by_module(profiler)
    total = sum(shares.values())
    print(f"\n{title}: {each:,.0f} µs of processor time per {unit}\n")
    print("| where | µs | share |\n|---|---|---|")
    for where, seconds in shares.most_common(SHOWN):
        print(f"| {where} | {seconds / total * each:,.0f} | {seconds / total:.0%} |")
    rest = total - sum(seconds for _, seconds in shares.most_common(SHOWN))
    print(f"| the rest | {rest / total * each:,.0f} | {rest / total:.0%} |")


def _by_module(profiler: cProfile.Profile) -> "Counter[str]":
    """Own time by module of ours; what others take is theirs who called them."""
    shares: Counter[str] = Counter()
    stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, callers) in stats.items():
        where = _module(file)
        if where or not callers:
            shares[where or "elsewhere"] += own
            continue
        for (caller, _, _), (_, _, part, _) in callers.items():
            shares[_module(caller) or "libraries"] += part
    return shares


def _module(file: str) -> str:
    for folder in ("agrama/graph/", "agrama/indexer/", "agrama/"):
        _, found, rest = file.rpartition(folder)
        if found and rest.endswith(".py") and "site-packages/" not in rest:
            return f"`{folder.removeprefix('agrama/') or 'agrama/'}{rest}`"
    return ""


if __name__ == "__main__":
    sys.exit(main())
