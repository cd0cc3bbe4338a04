"""A process that reads and parses one file after the other, and nothing else.

It gets one frame per file on its standard input and answers each with one frame; a frame is four
bytes of length and a marshalled value. The end of its input, however it comes, ends it. Whatever
goes wrong with a file is an answer, so that one bad file never stops a run.
"""

import contextlib
import gc
import marshal
import os
import signal
import sys
from pathlib import Path
from typing import NamedTuple

from agrama.indexer.content import Content, read_content
from agrama.indexer.facts import pack_facts
from agrama.indexer.frames import Frames, pack_frame, write_all

READY = "ready"  # the first frame of a worker
ALL, GRAPH_ONLY, WITHOUT_VECTORS = "all", "graph-only", "without-vectors"  # modes
_READ_BYTES = 1 << 16
_MAX_MEMORY_BYTES = (
    1 << 30
)  # ten thousands of spoilt sources and two megabytes of C stay below a fifth
_COLLECT_EVERY = 200  # files; trees hold no cycles worth looking for more often


class Task(NamedTuple):
    """One file to look at; `digest` is that of its content when it was indexed last."""

    path: str
    language: str | None
    digest: str


class Parsed(NamedTuple):
    """What came of one file. `facts` and `prepared` are packed values, empty when there are none."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    digest: str
    status: str  # ok, partial, skipped, same (the content is the one indexed), gone
    reason: str | None
    language: str | None
    facts: bytes
    prepared: bytes
    problem: str | None  # what an extractor stumbled over
    symbols: int = 0


class FileReader:
    """Reads files of one repository into rows."""

    def __init__(
        self, root: Path, max_bytes: int, *, graph_only: bool, with_vectors: bool = True
    ) -> None:
        self._root = root
        self._max_bytes = max_bytes
        self._graph_only = graph_only
        self._with_vectors = with_vectors

    def load(self) -> None:
        """Import what parsing needs, so that no file's time limit pays for it."""
        import agrama.indexer.parse

        if not self._graph_only:
            import agrama.indexer.chunk  # noqa: F401

    def read(self, task: Task) -> Parsed:
        content = read_content(self._root, task.path, self._max_bytes)
        if content is None:
            return Parsed(task.path, 0, 0, 0, "", "gone", None, None, b"", b"", None)
        stamp = content.size, content.mtime_ns, content.ctime_ns, content.digest
        if content.digest and content.digest == task.digest:
            return Parsed(task.path, *stamp, "same", None, task.language, b"", b"", None)
        if content.reason:
            return Parsed(
                task.path, *stamp, "skipped", content.reason, task.language, b"", b"", None
            )
        try:
            return self._parse(task, content)
        # One file's surprise must not end the run: it is recorded with the file and reported.
        except Exception as error:  # noqa: BLE001
            problem = f"{type(error).__name__}: {error}"[:300]
            return Parsed(task.path, *stamp, "skipped", "failed", task.language, b"", b"", problem)

    def _parse(self, task: Task, content: Content) -> Parsed:
        facts = None
        if task.language is not None and _has_front_end(task.language):
            from agrama.indexer.parse import parse_file

            facts = parse_file(task.path, content.text.encode(), task.language)
        prepared = None
        if not self._graph_only:
            from agrama.indexer.chunk import prepare_file

            prepared = prepare_file(
                task.path, content.text, task.language, facts, with_vectors=self._with_vectors
            )
        return Parsed(
            task.path,
            content.size,
            content.mtime_ns,
            content.ctime_ns,
            content.digest,
            "partial" if facts and facts["errors"] else "ok",
            content.mark,
            task.language,
            pack_facts(facts) if facts else b"",
            marshal.dumps(prepared) if prepared else b"",
            None,
            len(facts["definitions"]) + len(facts["variables"]) if facts else 1,
        )


def _has_front_end(language: str) -> bool:
    from agrama.indexer.languages import load_languages

    return language in load_languages()


def main() -> None:
    """Serve frames until the input ends; arguments are the root, the size cap and the mode."""
    root, max_bytes, mode = sys.argv[1:4]
    reader = FileReader(
        Path(root),
        int(max_bytes),
        graph_only=mode == GRAPH_ONLY,
        with_vectors=mode != WITHOUT_VECTORS,
    )
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for our parent, who then ends us
    # Whatever a library prints must not land between the frames.
    output = os.dup(1)
    os.dup2(2, 1)
    gc.disable()
    _limit_memory()
    reader.load()
    with contextlib.suppress(BrokenPipeError):  # the parent is gone
        write_all(output, pack_frame(READY))
        _serve(reader, output)


def _limit_memory() -> None:
    """A text that would take all memory of the machine costs only itself: allocation fails here."""
    with contextlib.suppress(ImportError):  # only Unix has it
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (_MAX_MEMORY_BYTES, hard))


def _serve(reader: FileReader, output: int) -> None:
    frames = Frames()
    count = 0
    while data := os.read(0, _READ_BYTES):
        for row in frames.feed(data):
            write_all(output, pack_frame(tuple(reader.read(Task._make(row)))))
            count += 1
            if count % _COLLECT_EVERY == 0:
                gc.collect()
