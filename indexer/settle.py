"""The exact resolution of a whole repository in a process of its own, beside a watching indexer.

It reads one generation of the index, resolves everything, and sends back the graphs that differ from
those published. The process ends when its parent does: then nobody reads, and writing fails.
"""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from agrama.graph import keys
from agrama.graph.format import decode_facts, decode_file
from agrama.graph.model import EdgeRow, FileGraph, Kind, Symbol
from agrama.graph.store import Reader, Store
from agrama.indexer.frames import Frames, pack_frame, write_all
from agrama.indexer.spill import Spill

_COMMAND = "from agrama.indexer.settle import main; main()"
_NICENESS = 5  # whoever edits files comes first
_READ_BYTES = 1 << 18


class Settled(NamedTuple):
    """The graphs that must be replaced for a generation to be exact; None when that failed."""

    generation: int
    graphs: list[FileGraph] | None


class Settling:
    """A running resolution; `done` is called once with its outcome, from another thread."""

    def __init__(self, folder: Path, generation: int, done: Callable[[Settled], None]) -> None:
        self.generation = generation
        self._done = done
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMMAND, str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        self._thread = threading.Thread(target=self._collect, name="settle", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._process.kill()
        self._thread.join()

    def _collect(self) -> None:
        frames = Frames()
        rows: list[Any] = []
        stream = self._process.stdout
        if stream is not None:
            with stream:
                while data := os.read(stream.fileno(), _READ_BYTES):
                    rows += frames.feed(data)
        # The last row tells the generation that was read: without it the process died on its way.
        whole = self._process.wait() == 0 and bool(rows) and rows[-1] == self.generation
        graphs = [_decode(row) for row in rows[:-1]] if whole else None
        self._done(Settled(self.generation, graphs))


def main() -> None:
    """Send the graphs that differ, then the generation they were made for."""
    folder = Path(sys.argv[1])
    os.nice(_NICENESS)
    with contextlib.suppress(BrokenPipeError), Store.open(folder) as store:
        with store.read() as reader:
            generation = reader.generation
            for graph in find_differences(reader, folder):
                write_all(1, pack_frame(_encode(graph)))
        write_all(1, pack_frame(generation))


def find_differences(reader: Reader, folder: Path) -> Iterator[FileGraph]:
    """Graphs of the exact solution that are not those in the index."""
    from agrama.graph.publish import pack_file, read_interner
    from agrama.indexer.resolve import resolve

    facts = Spill(folder)
    for _, value in reader.scan(keys.FACTS):
        path, data = decode_facts(value)
        facts[path] = data
    interner = read_interner(reader)
    links = reader.get(keys.META, keys.ALIASES_KEY)
    for graph in resolve(facts, {} if links is None else orjson.loads(links)):
        packed = pack_file(graph, interner)
        row = reader.get(keys.FILES, keys.node_key(packed.node))
        if row is None or decode_file(row).fingerprint != packed.fingerprint:
            yield graph


def _encode(graph: FileGraph) -> tuple[Any, ...]:
    symbols = tuple(_encode_symbol(symbol) for symbol in graph.symbols)
    edges = tuple(tuple(edge) for edge in graph.edges)
    return graph.path, graph.language, symbols, edges, graph.unresolved, graph.call_sites


def _encode_symbol(symbol: Symbol) -> tuple[Any, ...]:
    values = list(symbol)
    values[1] = int(symbol.kind)
    values[-1] = None if symbol.metrics is None else dict(symbol.metrics)
    return tuple(values)


def _decode(row: tuple[Any, ...]) -> FileGraph:
    path, language, symbols, edges, unresolved, call_sites = row
    return FileGraph(
        path,
        language,
        tuple(Symbol(values[0], Kind(values[1]), *values[2:]) for values in symbols),
        tuple(EdgeRow._make(edge) for edge in edges),
        unresolved,
        call_sites,
    )
