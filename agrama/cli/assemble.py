"""Puts a repository and a server together, the same way for every verb that answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agrama.code_resources import RESOURCES
from agrama.prompts import PROMPTS
from agrama.resources import TEMPLATES, News
from agrama.server import Options, Server, build_server
from agrama.workspace import Workspace

if TYPE_CHECKING:
    from agrama.graph.ledger import DurabilityMode
    from agrama.registry import Entry, Middleware

INSTRUCTIONS = (
    "Agrama knows this repository as a graph of symbols with resolved calls, imports and references. "
    "get_context begins a task: code, map, decisions and who else works there. hybrid_search when you do "
    "not know where something is, find_symbol when you know its name; read_code for a file or a symbol "
    "with what it depends on and who depends on it. Before you change a thing: find_references and "
    "analyze_impact, which names the tests to run. record_decision keeps what you decided and why, and "
    "it comes back to whoever reads that code; with others at work, claim what you are about to change. "
    "Lines are 1-based, paths relative to the repository root. Every edge says how it was found and how "
    "sure it is (confidence); an answer marked stale speaks of files that changed since they were indexed."
)


def assemble(
    root: Path,
    toolsets: str = "all",
    *,
    allow_write: bool = False,
    options: Options | None = None,
    durability: "DurabilityMode" = "interval",
    enforce_claims: bool = False,
    extensions: Sequence[str] = (),
    middleware: Sequence[str] = (),
) -> tuple[Workspace, Server]:
    """A workspace and a server that speaks for it; close the server first."""
    steps, entries = _load_extensions(extensions, middleware)
    workspace = Workspace(root, durability=durability, enforce_claims=enforce_claims)
    server = build_server(
        root=workspace.root,
        toolsets=toolsets,
        allow_write=allow_write,
        services=workspace,
        open_snapshot=workspace.open_snapshot,
        cache_version=workspace.version,
        directories=workspace.directories,
        middleware=steps,
        settling=workspace.settling,
        instructions=INSTRUCTIONS,
        options=options,
    )
    server.registry.add(*RESOURCES, *TEMPLATES, *PROMPTS, *entries)
    server.on_subscribe = News(workspace, server).subscribed
    return workspace, server


def _load_extensions(
    extensions: Sequence[str], middleware: Sequence[str]
) -> tuple[tuple["Middleware", ...], tuple["Entry", ...]]:
    """The user's own parts; their loader costs a start nothing when there are none."""
    if not extensions and not middleware:
        return (), ()
    from agrama.extensions import load_entries, load_middleware

    return load_middleware(middleware), load_entries(extensions)
