"""The repository as resources: its map, its numbers, every file and every symbol."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import orjson

from agrama.context import Context
from agrama.errors import AgramaError
from agrama.protocol.faults import UnknownResourceError
from agrama.registry import Resource, ResourceTemplate

if TYPE_CHECKING:
    from agrama.graph.snapshot import Snapshot

FILE_URI = "agrama://file/"
SYMBOL_URI = "agrama://symbol/"
_MAP_BYTES = 24_000
_SUGGESTED = 100


def read_map(context: Context, uri: str) -> str:
    """The most used files with their most used symbols."""
    from agrama.graph.repo_map import central_files, draw_map

    return draw_map(context.snapshot, central_files(context.snapshot), _MAP_BYTES)


def read_stats(context: Context, uri: str) -> str:
    """What the index holds, and what was left out."""
    from agrama.graph.stats import collect_stats

    stats = collect_stats(context.snapshot.reader)
    return orjson.dumps(stats, option=orjson.OPT_INDENT_2).decode()


def read_file(context: Context, uri: str, variables: Mapping[str, str]) -> str:
    """A file as it is on disk now."""
    from agrama.indexer.content import decode
    from agrama.jail import normalize_path, read_beneath

    root = context.services.root
    try:
        content = read_beneath(root, normalize_path(root, variables["path"]))
    except AgramaError as error:
        raise UnknownResourceError(uri, hint=error.message) from error
    text, reason, _ = decode(content)
    if reason == "binary":
        raise UnknownResourceError(uri, hint="it is a binary file")
    return text


def read_symbol(context: Context, uri: str, variables: Mapping[str, str]) -> str:
    """A symbol: where it is, its text, who uses it."""
    from agrama.tools import run_tool

    try:
        return str(run_tool(context, "read_code", symbol=variables["id"]).text)
    except AgramaError as error:
        raise UnknownResourceError(uri, hint=error.message) from error


def complete_path(context: Context, value: str, _: Mapping[str, str]) -> Sequence[str]:
    """Indexed paths that begin with, or contain, what was typed."""
    snapshot: Snapshot = context.snapshot
    paths = [entry.path for entry in snapshot.files() if entry.status != "skipped"]
    head = [path for path in paths if path.startswith(value)]
    return head + [path for path in paths if value and value in path and not path.startswith(value)]


def complete_symbol(context: Context, value: str, _: Mapping[str, str]) -> Sequence[str]:
    """Symbol ids by name; a path completes to what the file defines."""
    snapshot: Snapshot = context.snapshot
    path, separator, rest = value.partition("::")
    if separator:
        inside = (symbol.id for symbol in snapshot.symbols_in(path))
        return [name for name in inside if name.partition("::")[2].startswith(rest)]
    found = snapshot.find(value, limit=_SUGGESTED) if value else []
    return [symbol.id for symbol in found if symbol.path is not None]


RESOURCES = (
    Resource(
        "agrama://map",
        "map",
        read_map,
        title="Map",
        description="The most used files with their most used symbols",
        slow=True,
    ),
    Resource(
        "agrama://stats",
        "stats",
        read_stats,
        title="Index",
        description="What the index holds, by language and kind, and what was left out",
        mime_type="application/json",
        slow=True,
    ),
    ResourceTemplate(
        FILE_URI + "{+path}",
        "file",
        read_file,
        title="File",
        description="A file as it is on disk now",
        complete={"path": complete_path},
    ),
    ResourceTemplate(
        SYMBOL_URI + "{+id}",
        "symbol",
        read_symbol,
        title="Symbol",
        description="A symbol's text, what it uses and who uses it",
        complete={"id": complete_symbol},
    ),
)
