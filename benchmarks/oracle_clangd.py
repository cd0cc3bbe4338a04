"""Do our calls of C and C++ lead where clangd says they lead?

    oracle_clangd.py REPOSITORY [--clangd CLANGD] [--only PART] [--without PART…]
        [--include DIRECTORY…] [--count N] [--save]

Call sites are drawn from the text alone (a name before a bracket), with a fixed seed. clangd answers
`textDocument/definition` for each, with an index of the whole repository built first. Files that do not
compile here are left out (other platforms), so are sites that clangd cannot answer and those of
which it knows only the declaration. Recall: sites whose definition in the repository we name. Precision:
our targets at those sites, and at sites that lead outside, that are right; namesakes beside a right
target (other branches of `#if`, other platforms, overloads, the class of a constructor) count only in
`strict`.
"""

import argparse
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from graphs import SURE, resolve_repository
from report import write_report

from agrama.graph.model import EdgeKind, FileGraph

LANGUAGES = ("c", "cpp", "cuda")
SOURCES = (".c", ".cc", ".cpp", ".cxx")
KEYWORDS = frozenset(
    "if for while switch return sizeof defined catch do alignof decltype assert new delete "
    "static_cast const_cast reinterpret_cast dynamic_cast noexcept alignas typeid operator".split()
)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[\w:, *&]*>)?\(")
_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)


class Site(NamedTuple):
    """A name before a bracket; `line` counts from 1, `column` from 0."""

    path: str
    line: int
    column: int
    name: str


class Clangd:
    """One clangd over standard input and output."""

    def __init__(self, command: str, root: Path, commands: Path) -> None:
        self._process = subprocess.Popen(
            [command, "--background-index", f"--compile-commands-dir={commands}", "-j=1", "--log=error"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._root = root
        self._number = 0
        self._opened: set[str] = set()
        self.indexed = False
        self.failed: dict[str, bool] = {}  # does a file have errors?
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "capabilities": {"window": {"workDoneProgress": True}},
            },
        )
        self._send({"method": "initialized", "params": {}})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        size = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length"):
                size = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self._process.stdout.read(size))
        if message.get("method") == "$/progress":
            self.indexed = self.indexed or message["params"]["value"]["kind"] == "end"
        elif message.get("method") == "textDocument/publishDiagnostics":
            listed = message["params"]["diagnostics"]
            self.failed[message["params"]["uri"]] = any(d.get("severity") == 1 for d in listed)
        elif "id" in message and "method" in message:
            self._send({"id": message["id"], "result": None})
        return message

    def request(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def open(self, path: str) -> None:
        if path not in self._opened:
            self._opened.add(path)
            text = (self._root / path).read_text(errors="replace")
            document = {
                "uri": (self._root / path).as_uri(),
                "languageId": "c" if path.endswith(".c") else "cpp",
                "version": 1,
                "text": text,
            }
            self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def close(self, path: str) -> None:
        document = {"uri": (self._root / path).as_uri()}
        self._send({"method": "textDocument/didClose", "params": {"textDocument": document}})
        self._opened.discard(path)

    def wait_for_index(self) -> None:
        while not self.indexed:
            self._read()

    def compiles(self, path: str) -> bool:
        """Does an open file compile? Waits until its diagnostics are there."""
        uri = (self._root / path).as_uri()
        while uri not in self.failed:
            self._read()
        return not self.failed[uri]

    def definitions(self, site: Site) -> list[tuple[str, int]]:
        """(path, line) of what a name means; paths outside the repository stay absolute."""
        place = {"line": site.line - 1, "character": site.column}
        document = {"uri": (self._root / site.path).as_uri()}
        found = self.request(
            "textDocument/definition", {"textDocument": document, "position": place}
        )
        places = []
        for each in found or ():
            path = Path(each["uri"].removeprefix("file://"))
            inside = path.is_relative_to(self._root)
            name = path.relative_to(self._root).as_posix() if inside else str(path)
            places.append((name, each["range"]["start"]["line"] + 1))
        return places

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("--clangd", default="clangd")
    parser.add_argument("--only", default="", help="sample files whose path has this part")
    parser.add_argument("--without", nargs="*", default=[], help="leave files with these parts out")
    parser.add_argument("--include", nargs="*", default=["include", "src", "."])
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--differences", action="store_true")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    root = options.repository.resolve()
    files = sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.suffix in SOURCES
        and options.only in path.as_posix()
        and not any(part in path.as_posix() for part in options.without)
    )
    sites = draw_sites(root, files, options.count, options.seed)
    graphs = {graph.path: graph for graph in resolve_repository(root, LANGUAGES)}
    with tempfile.TemporaryDirectory() as directory:
        write_commands(Path(directory), root, files, options.include)
        clangd = Clangd(options.clangd, root, Path(directory))
        figures = compare(clangd, root, sites, graphs, options.differences)
        clangd.end()
    figures = {"repository": root.name, "seed": options.seed, **figures}
    print(json.dumps(figures))
    if options.save:
        print(write_report(f"oracle_clangd_{root.name}", figures))
    return 0


def write_commands(directory: Path, root: Path, files: list[str], includes: list[str]) -> None:
    flags = [f"-I{(root / each).resolve()}" for each in includes] + ["-D_GNU_SOURCE"]
    commands = [
        {
            "directory": str(root),
            "file": str(root / path),
            "arguments": [
                *(["clang"] if path.endswith(".c") else ["clang++", "-std=c++17"]),
                *flags,
                "-c",
                path,
            ],
        }
        for path in files
    ]
    (directory / "compile_commands.json").write_text(json.dumps(commands))


def draw_sites(root: Path, files: list[str], count: int, seed: int) -> list[Site]:
    sites = []
    for path in files:
        text = (root / path).read_text(errors="replace")
        plain = _TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
        for number, line in enumerate(plain.split("\n"), 1):
            if line.lstrip().startswith("#") or line.endswith("\\"):
                continue
            for found in _CALL.finditer(line):
                if found.group(1) not in KEYWORDS and line[:1] in " \t":
                    sites.append(Site(path, number, found.start(1), found.group(1)))
    drawn = random.Random(seed).sample(sites, min(count, len(sites)))
    return sorted(drawn)


def compare(
    clangd: Clangd, root: Path, sites: list[Site], graphs: dict[str, FileGraph], show: bool
) -> dict[str, float | int]:
    symbols = {s.id: s for graph in graphs.values() for s in graph.symbols}
    counts = dict.fromkeys(
        (
            "sites",
            "uncompiled",
            "unanswered",
            "declared",
            "inside",
            "found",
            "named",
            "right",
            "targets",
            "hits",
        ),
        0,
    )
    opened = ""
    for site in sites:
        if opened != site.path:
            if opened:
                clangd.close(opened)
            clangd.open(site.path)
            opened = site.path
            clangd.definitions(site)
            clangd.wait_for_index()
        if not clangd.compiles(site.path):
            counts["uncompiled"] += 1
            continue
        truth = clangd.definitions(site)
        counts["sites"] += 1
        if not truth or (site.path, site.line) in truth:
            counts["unanswered"] += 1
            continue
        ours = [
            (symbols[edge.target].path, symbols[edge.target].start_line, symbols[edge.target].name)
            for edge in graphs[site.path].edges
            if edge.kind in (EdgeKind.CALLS, EdgeKind.REFERENCES)
            and (edge.line, edge.column) == (site.line, site.column)
            and edge.confidence >= SURE
            and edge.target in symbols
        ]
        if is_declaration(root, truth):
            counts["declared"] += 1
            continue
        hits = [each for each in ours if each[:2] in truth]
        wrong = [each for each in ours if each not in hits]
        if hits:  # a class stands beside its constructor
            wrong = [each for each in wrong if each[2] != hits[0][2]]
        inside = any(not path.startswith("/") for path, _ in truth)
        counts["inside"] += inside
        counts["found"] += bool(hits)
        counts["named"] += len(wrong) + bool(hits)
        counts["right"] += bool(hits)
        counts["targets"] += len(ours)
        counts["hits"] += len(hits)
        if show and (wrong or (inside and not hits)):
            print(site, "truth", truth, "ours", ours)
    precision = counts["right"] / max(counts["named"], 1)
    strict = counts["hits"] / max(counts["targets"], 1)
    recall = counts["found"] / max(counts["inside"], 1)
    return {
        **counts,
        "precision": round(precision, 4),
        "strict": round(strict, 4),
        "recall": round(recall, 4),
    }


def is_declaration(root: Path, places: list[tuple[str, int]]) -> bool:
    """Does every place end in a semicolon before any body begins?"""
    for path, line in places:
        if path.startswith("/"):
            return False
        lines = (root / path).read_text(errors="replace").split("\n")
        text = "\n".join(lines[line - 1 : line + 12])
        body, end = text.find("{"), text.find(";")
        if lines[line - 1].lstrip().startswith("#") or end < 0 or 0 <= body < end:
            return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())
