"""How tools find what their arguments name: one symbol, or a clear refusal with candidates."""

from typing import TYPE_CHECKING, Any

from agrama.errors import ToolError
from agrama.graph.names import choose_named
from agrama.jail import normalize_path

if TYPE_CHECKING:
    from agrama.graph.model import Symbol
    from agrama.graph.snapshot import Snapshot
    from agrama.workspace import Workspace

_SHOWN = 10
_NEAR = 5


def find_one(snapshot: "Snapshot", name: str, parameter: str = "symbol") -> "Symbol":
    """The symbol of that id, or the only one of that name; never a silent choice among several."""
    symbol = snapshot.symbol(name)
    if symbol is not None:
        return symbol
    found = snapshot.find(name, limit=_SHOWN + 1)
    chosen = choose_named(found, name)
    if len(chosen) == 1:
        return chosen[0]
    names = [candidate.id for candidate in chosen or found] or _near_ids(snapshot, name)
    raise _not_one(name, names, parameter, several=bool(chosen))


def near_paths(snapshot: "Snapshot", path: str) -> list[str]:
    """The files whose path is spelt much like this one, or that have the same name elsewhere."""
    import difflib

    known = [entry.path for entry in snapshot.files()]
    near = difflib.get_close_matches(path, known, n=_NEAR, cutoff=0.6)
    name = path.rpartition("/")[2]
    near += [other for other in known if other.endswith("/" + name) and other not in near]
    return near[:_NEAR]


def _near_ids(snapshot: "Snapshot", name: str) -> list[str]:
    """What an id with a slip in its path, or in the name behind it, may have meant."""
    import difflib

    path, _, rest = name.partition("::")
    if "/" not in path and not rest:
        return []
    if snapshot.node(path) is not None:
        known = [symbol.id for symbol in snapshot.symbols_in(path)]
        return difflib.get_close_matches(name, known, n=_NEAR, cutoff=0.6)
    near = near_paths(snapshot, path)
    whole = [f"{other}::{rest}" for other in near if rest]
    return [each for each in whole if snapshot.node(each) is not None] or near


def find_at(
    workspace: "Workspace", snapshot: "Snapshot", path: str, line: int, column: int
) -> "Symbol":
    """The symbol whose name stands at a position, as definition or as reference."""
    place = normalize_path(workspace.root, path)
    symbol_id = snapshot.at(place, line, column)
    symbol = None if symbol_id is None else snapshot.symbol(symbol_id)
    if symbol is None:
        raise ToolError(
            f"nothing known stands at {place}:{line}:{column} (line from 1, column from 0)",
            data={"parameter": "column", "got": [place, line, column],
                  "hint": "point at the first letter of a name, or give symbol"},
        )  # fmt: skip
    return symbol


def find_place(workspace: "Workspace", snapshot: "Snapshot", arguments: dict[str, Any]) -> "Symbol":
    """What `symbol`, or `path` with or without a position, stands for."""
    if "symbol" in arguments:
        return find_one(snapshot, arguments["symbol"])
    if "path" not in arguments:
        raise ToolError(
            "give symbol, or path", data={"parameter": "symbol", "expected": "symbol, or path"}
        )
    if "line" in arguments:
        column = arguments.get("column", 0)
        return find_at(workspace, snapshot, arguments["path"], arguments["line"], column)
    return find_one(snapshot, normalize_path(workspace.root, arguments["path"]), "path")


def _not_one(name: str, names: list[str], parameter: str, *, several: bool) -> ToolError:
    shown = ", ".join(names[:_SHOWN])
    if several:
        message = f"{name!r} names several symbols: {shown}; give one of these ids"
    elif names:
        message = f"there is no {name!r} in the index; did you mean {shown}?"
    else:
        message = f"there is no {name!r} in the index, nor anything like it; try hybrid_search"
    return ToolError(message, data={"parameter": parameter, "got": name, "candidates": names})


def files_beneath(workspace: "Workspace", snapshot: "Snapshot", path: str | None) -> list[str]:
    """The indexed files of a folder, a single file, or everything; an error when there are none."""
    place = normalize_path(workspace.root, path) if path else ""
    prefix = place + "/" if place else ""
    found = [
        entry.path
        for entry in snapshot.files()
        if entry.status != "skipped" and (entry.path == place or entry.path.startswith(prefix))
    ]
    if not found:
        raise ToolError(
            f"there is no indexed file {place or 'in this repository'}",
            data={"parameter": "path", "got": path, "hint": "find_symbol and hybrid_search know what is indexed"},
        )  # fmt: skip
    return found
