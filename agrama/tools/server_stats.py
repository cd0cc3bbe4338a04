"""server_stats: how the server is doing (measured, nothing assumed) and what its index holds."""

import os
import sys
from typing import Any

from agrama.context import Context
from agrama.errors import NotIndexedError, ToolError
from agrama.protocol.content import ToolResult
from agrama.registry import Tool

PARTS = ("server", "tools", "cache", "index", "store")

_COUNTS: dict[str, Any] = {"type": ["integer", "null"]}
_MICROSECONDS: dict[str, Any] = {"type": ["number", "null"]}


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    wanted = arguments.get("include") or PARTS
    report = context.report()
    answer: dict[str, Any] = {}
    if "server" in wanted:
        answer["server"] = {
            "uptime_seconds": report["uptime_seconds"],
            "in_flight": report["in_flight"],
            "pid": os.getpid(),
            "rss_bytes": read_rss_bytes(),
            "python": ".".join(map(str, sys.version_info[:3])),
        }
    for name in ("tools", "cache"):
        if name in wanted:
            answer[name] = report[name]
    if "index" in wanted:
        answer["index"] = _describe_index(context)
    if "store" in wanted:
        answer["store"] = _describe_store(context)
    return ToolResult(structured=answer, text=_render(answer))


def read_rss_bytes() -> int | None:
    """Memory this process holds now; None where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def _describe_index(context: Context) -> dict[str, Any] | None:
    from agrama.graph.stats import collect_stats

    try:
        snapshot = context.snapshot
    except NotIndexedError as error:
        context.meta["agrama/indexing"] = error.message
        return None
    except ToolError:
        return None  # a server without a repository
    context.meta["agrama/generation"] = snapshot.generation
    return collect_stats(snapshot.reader)


def _describe_store(context: Context) -> dict[str, Any] | None:
    """The files of the index and their sizes."""
    folder = getattr(context.services, "folder", None)
    if folder is None or not os.path.isdir(folder):
        return None
    sizes = {
        os.path.relpath(os.path.join(place, name), folder): _size(os.path.join(place, name))
        for place, _, names in os.walk(folder)
        for name in names
    }
    return {"bytes": sum(sizes.values()), "files": dict(sorted(sizes.items()))}


def _size(path: str) -> int:
    """What a file takes on disk: a map is mostly holes."""
    try:
        return os.lstat(path).st_blocks * 512
    except OSError:
        return 0


def _render(answer: dict[str, Any]) -> str:
    lines: list[str] = []
    server = answer.get("server")
    if server:
        rss = server["rss_bytes"]
        memory = "unknown" if rss is None else f"{rss / 1e6:.0f} MB"
        lines.append(
            f"up {server['uptime_seconds']:.0f} s, {server['in_flight']} in flight, memory {memory}"
        )
    for name, row in answer.get("tools", {}).items():
        lines.append(
            f"{name}: {row['calls']} calls, {row['errors']} errors, "
            f"p50 {row['p50_us']} µs, p95 {row['p95_us']} µs, p99 {row['p99_us']} µs"
        )
    cache = answer.get("cache")
    if cache:
        lines.append(
            f"cache: {cache['hits']} hits, {cache['misses']} misses, "
            f"{cache['entries']} entries, {cache['bytes']} bytes"
        )
    index = answer.get("index")
    if index:
        lines.append(
            f"index: generation {index['generation']}, {index['files']} files, "
            f"{index['symbols']} symbols, {index['edges']} edges, skipped {index['skipped']}"
        )
    elif "index" in answer:
        lines.append("index: none yet")
    if answer.get("store"):
        lines.append(f"store: {answer['store']['bytes']} bytes on disk")
    return "\n".join(lines)


TOOL = Tool(
    name="server_stats",
    title="Server statistics",
    description=(
        "Latency percentiles per tool, cache hits, requests in flight, memory, and what the index "
        "holds or left out."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "include": {
                "type": "array",
                "items": {"enum": list(PARTS)},
                "description": "parts to report; all when left out",
            }
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "server": {
                "type": "object",
                "properties": {
                    "uptime_seconds": {"type": "number"},
                    "in_flight": {"type": "integer"},
                    "pid": {"type": "integer"},
                    "rss_bytes": _COUNTS,
                    "python": {"type": "string"},
                },
                "required": ["uptime_seconds", "in_flight", "pid", "rss_bytes"],
            },
            "tools": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "calls": {"type": "integer"},
                        "errors": {"type": "integer"},
                        **dict.fromkeys(
                            ("mean_us", "p50_us", "p95_us", "p99_us", "max_us"), _MICROSECONDS
                        ),
                    },
                    "required": ["calls", "errors", "p50_us", "p95_us", "p99_us"],
                },
            },
            "cache": {
                "type": "object",
                "properties": {
                    name: {"type": "integer"}
                    for name in ("entries", "bytes", "hits", "misses", "evictions")
                },
                "required": ["entries", "bytes", "hits", "misses", "evictions"],
            },
            "index": {"type": ["object", "null"]},
            "store": {"type": ["object", "null"]},
        },
    },
    annotations={"readOnlyHint": True, "openWorldHint": False},
    toolset="analysis",
    slow=True,
)
