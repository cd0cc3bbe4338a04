"""agrama setup: the entry an MCP client needs, printed, or written into the client's own file."""

import argparse
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agrama.cli.arguments import add_json, add_root, print_json
from agrama.errors import InvalidParamsError, ToolError

if TYPE_CHECKING:
    from agrama.clients.client import Client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from agrama.clients import load_clients

    parser.add_argument(
        "client", nargs="?", metavar="CLIENT", help=f"one of: {', '.join(load_clients())}"
    )
    add_root(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="put the entry into the client's file")
    what.add_argument("--remove", action="store_true", help="take it out again")
    parser.add_argument(
        "--user", action="store_true", help="the user's own file instead of the project's"
    )
    parser.add_argument("--name", default="agrama", help="the entry's name (default: %(default)s)")
    parser.add_argument(
        "--file", type=Path, metavar="FILE", help="another file than the client's usual one"
    )
    parser.add_argument(
        "--allow-write", action="store_true", help="let agents change files (write_code)"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from agrama.clients.edit import add_entry, read_file, remove_entry, write_file

    if arguments.client is None:
        return _list(arguments)
    client = _choose(arguments.client)
    root = arguments.root.resolve()
    if not root.is_dir():
        raise ToolError(f"{arguments.root} is not a directory: give the repository's root")
    path: Path = arguments.file or client.file(root, user=arguments.user)
    text = read_file(path)
    entry = make_entry(client, root, user=arguments.user, allow_write=arguments.allow_write)
    try:
        if arguments.remove:
            changed = remove_entry(client, text, arguments.name)
        else:
            _refuse_other_root(client, text, arguments.name, root)
            changed = add_entry(client, text, arguments.name, entry)
    except ToolError as error:
        raise ToolError(f"{path}: {error.message}") from error
    act = arguments.write or arguments.remove
    if act and changed != text:
        write_file(path, changed)
    _report(arguments, client, path, entry, changed=changed != text)
    return 0


def make_entry(
    client: "Client", root: Path, *, user: bool, allow_write: bool = False
) -> dict[str, Any]:
    """How this client is to start the server for a repository."""
    shared = client.project_file is not None and client.here is not None and not user
    command, *words = _command(shared=shared)
    place = client.here if shared and client.here else str(root)
    words += ["serve", "--root", place]
    return client.entry(command, [*words, "--allow-write"] if allow_write else words)


def _refuse_other_root(client: "Client", text: str, name: str, root: Path) -> None:
    """An entry for another repository is not ours to replace."""
    from agrama.clients.edit import find_entry

    entry = find_entry(client, text, name) or {}
    command = entry.get("command", [])
    words = [*(command if isinstance(command, list) else []), *entry.get("args", [])]
    at = words.index("--root") + 1 if "--root" in words else len(words)
    other = Path(words[at]) if at < len(words) else root
    if other.is_absolute() and other != root and other.is_dir():
        raise ToolError(
            f"the entry {name!r} is for {other}: add this one with --name {name}-{root.name}"
        )


def _command(*, shared: bool) -> list[str]:
    """What starts us: the bare name in a file others read too, else the very program that runs."""
    if shared and shutil.which("agrama"):
        return ["agrama"]
    beside = Path(sys.executable).parent / "agrama"
    if beside.exists():
        return [str(beside)]
    found = shutil.which("agrama")
    return [found] if found else [sys.executable, "-P", "-m", "agrama"]


def _choose(name: str) -> "Client":
    from agrama.clients import load_clients
    from agrama.schema import did_you_mean

    clients = load_clients()
    if name in clients:
        return clients[name]
    near = did_you_mean(name, clients)
    hint = f"did you mean {near!r}?" if near else f"known are {', '.join(clients)}"
    raise InvalidParamsError(f"unknown client {name!r}: {hint}")


def _list(arguments: argparse.Namespace) -> int:
    from agrama.clients import load_clients
    from agrama.clients.edit import find_entry, read_file

    root = arguments.root.resolve()
    rows = []
    for client in load_clients().values():
        path = client.file(root, user=arguments.user)
        try:
            found = find_entry(client, read_file(path), arguments.name)
            state = "set up" if found else "not set up"
        except ToolError as error:
            state = error.message
        rows.append({"client": client.name, "file": str(path), "state": state})
    if arguments.json:
        print_json(rows)
        return 0
    from agrama.cli.terminal import print_table

    print_table(["client", "state", "file"], [[r["client"], r["state"], r["file"]] for r in rows])
    print("\nagrama setup CLIENT prints the entry, --write puts it into the file")
    return 0


def _report(
    arguments: argparse.Namespace,
    client: "Client",
    path: Path,
    entry: dict[str, Any],
    *,
    changed: bool,
) -> None:
    wrote = changed and (arguments.write or arguments.remove)
    if arguments.json:
        told = {"client": client.name, "file": str(path), "changed": wrote}
        print_json(told if arguments.remove else {**told, "name": arguments.name, "entry": entry})
    elif arguments.remove:
        print(f"taken out of {path}" if wrote else f"{path} has no entry {arguments.name!r}")
    elif arguments.write:
        print(f"written to {path}" if wrote else f"{path} has it already")
        print(f"next: {client.next_step}")
    else:
        _print_entry(client, arguments.name, path, entry)


def _print_entry(client: "Client", name: str, path: Path, entry: dict[str, Any]) -> None:
    from agrama.clients import edit

    print(edit.add_entry(client, "", name, entry), end="")
    if sys.stdout.isatty():
        print(f"belongs into {path}; --write puts it there", file=sys.stderr)
