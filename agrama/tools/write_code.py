"""write_code: change a file safely, with the reason kept and the consequences told.

Writers take a lock, so that of two who hold the same `expected_hash` exactly one wins. The file is
replaced whole; its mode, line ends and encoding stay. It is indexed again before the answer.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agrama.context import Context
from agrama.errors import AgramaError, NotIndexedError, ToolError
from agrama.jail import normalize_path, read_beneath, refuse_protected, write_beneath
from agrama.protocol.content import ToolResult
from agrama.registry import Tool
from agrama.tools.answers import content_hash

if TYPE_CHECKING:
    from agrama.workspace import Workspace

_REINDEX_SECONDS = 5.0
_SHOWN_TESTS = 20


def run(context: Context, arguments: dict[str, Any]) -> ToolResult:
    workspace: Workspace = context.services
    path = normalize_path(workspace.root, arguments["path"])
    refuse_protected(path)
    if ("content" in arguments) == ("edits" in arguments):
        raise ToolError("give content, or edits", data={"parameter": "content", "expected": "content, or edits"})  # fmt: skip
    session = arguments.get("session_id")
    with _writing(workspace):
        _check_others(workspace, path, arguments.get("agent_id"), session and session.lower())
        old = _read(workspace, path)
        _check_hash(path, old, arguments.get("expected_hash"))
        new = _encode(_apply(path, old, arguments), old)
        syntax = _check_syntax(path, new)
        if arguments["validate_syntax"] and syntax["valid"] is False and not _was_broken(path, old):
            raise ToolError(
                f"{path} was not written: line {syntax['errors'][0]['line']} does not parse",
                data={"parameter": "content", "syntax": syntax, "hint": "correct it, or pass validate_syntax=false"},
            )  # fmt: skip
        if old is not None and arguments["create_backup"]:
            write_beneath(workspace.root, path + ".bak", old)
        write_beneath(workspace.root, path, new)
    answer: dict[str, Any] = {
        "path": path,
        "written": True,
        "created": old is None,
        "content_hash": content_hash(new),
        "syntax": syntax,
        **_record(workspace, path, old, new, arguments),
    }
    fresh = workspace.refresh([path], min(_REINDEX_SECONDS, context.remaining_seconds))
    if not fresh:
        answer["stale"], answer["stale_paths"] = True, [path]
    answer["impact"] = _impact(workspace, path, old, new)
    return ToolResult(structured=answer, text=_render(answer))


@contextlib.contextmanager
def _writing(workspace: "Workspace") -> Iterator[None]:
    """One writer at a time, whatever process it is in."""
    workspace.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(workspace.folder / "writing.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _check_others(
    workspace: "Workspace", path: str, agent: str | None, session: str | None
) -> None:
    from agrama.session.writes import check_write

    hub = workspace.hub if session else workspace.existing_hub
    if hub is not None:
        check_write(hub, path, agent, session, enforce=workspace.enforce_claims)


def _read(workspace: "Workspace", path: str) -> bytes | None:
    try:
        return read_beneath(workspace.root, path)
    except ToolError:
        return None


def _check_hash(path: str, old: bytes | None, expected: str | None) -> None:
    if expected is None:
        return
    current = None if old is None else content_hash(old)
    if current != expected:
        raise ToolError(
            f"{path} changed since you read it: read it again and redo the edit"
            if old is not None
            else f"{path} does not exist any more",
            data={"parameter": "expected_hash", "expected": current, "got": expected, "conflict": True},
        )  # fmt: skip


def _apply(path: str, old: bytes | None, arguments: dict[str, Any]) -> str:
    if "content" in arguments:
        text: str = arguments["content"]
        return text
    if old is None:
        raise ToolError(f"{path} does not exist: edits need a file, give content to create one")
    text = _decode(old)[0].replace("\r\n", "\n")
    for number, edit in enumerate(arguments["edits"]):
        count = text.count(edit["old"]) if edit["old"] else 0
        if count != 1:
            raise ToolError(
                f"edits[{number}].old occurs {count} times in {path}, not once: nothing was written",
                data={"parameter": f"edits[{number}].old", "expected": "text that occurs once", "got": count},
            )  # fmt: skip
        text = text.replace(edit["old"], edit["new"])
    return text


def _decode(data: bytes) -> tuple[str, str]:
    """Text and the encoding it has to keep."""
    for encoding in (
        ("utf-8-sig", "latin-1") if data[:3] == b"\xef\xbb\xbf" else ("utf-8", "latin-1")
    ):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 decodes everything")


def _encode(text: str, old: bytes | None) -> bytes:
    if old is None:
        return text.encode()
    if b"\r\n" in old and "\r\n" not in text:
        text = text.replace("\n", "\r\n")
    encoding = _decode(old)[1]
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise ToolError(
            f"the file is {encoding} and cannot hold {text[error.start]!r}: nothing was written"
        ) from error


def _check_syntax(path: str, content: bytes) -> dict[str, Any]:
    """Where the text does not parse. A text whose parser failed is neither valid nor invalid."""
    from agrama.indexer.syntax import find_syntax_errors

    places = find_syntax_errors(path, content)
    if places is None:
        return {"valid": None, "errors": []}
    return {
        "valid": not places,
        "errors": [{"line": at, "column": column} for at, column in places],
    }


def _was_broken(path: str, old: bytes | None) -> bool:
    """A file that did not parse before may go on not parsing: edits come one at a time."""
    return old is not None and _check_syntax(path, old)["valid"] is False


def _record(
    workspace: "Workspace", path: str, old: bytes | None, new: bytes, arguments: dict[str, Any]
) -> dict[str, Any]:
    from agrama.session.writes import describe, find_conflicts, record_write

    agent, session = arguments.get("agent_id"), arguments.get("session_id")
    record = record_write(
        workspace.hub,
        path=path,
        reason=arguments["reason"],
        agent=agent,
        session=session and session.lower(),
        content_hash=content_hash(new),
        previous_hash=None if old is None else content_hash(old),
    )
    row = describe(record)
    names = ("agent_id", "seq", "timestamp", "reason")
    noted: dict[str, Any] = {"provenance": {name: row.get(name) for name in names}}
    conflicts = find_conflicts(workspace.hub, path, agent)
    if conflicts:
        noted["claimed_by_others"] = conflicts
    return noted


def _impact(
    workspace: "Workspace", path: str, old: bytes | None, new: bytes
) -> dict[str, list[str]]:
    """What the written lines belong to, and the tests worth running."""
    from agrama.graph.impact import find_affected, rank_tests, symbols_at

    try:
        snapshot = workspace.open_snapshot()
    except NotIndexedError:
        return {"symbols": [], "tests": []}
    with snapshot:
        changed = symbols_at(snapshot, path, _changed_lines(old or b"", new))
        try:
            tests = rank_tests(snapshot, changed, find_affected(snapshot, changed))
        except AgramaError:  # an index built without search still has a graph
            tests = []
        reached = [test.symbol for test in tests if test.distance is not None]
    return {"symbols": changed, "tests": reached[:_SHOWN_TESTS]}


def _changed_lines(old: bytes, new: bytes) -> list[tuple[int, int]]:
    import difflib

    matcher = difflib.SequenceMatcher(a=old.split(b"\n"), b=new.split(b"\n"), autojunk=False)
    return [
        (max(1, first + 1), max(1, last, first + 1))
        for tag, _, _, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]


def _render(answer: dict[str, Any]) -> str:
    verb = "created" if answer["created"] else "written"
    parts = [f"{answer['path']} {verb}, hash {answer['content_hash']}"]
    if answer["syntax"]["errors"]:
        parts.append(f"it does not parse at line {answer['syntax']['errors'][0]['line']}")
    for claim in answer.get("claimed_by_others", ()):
        parts.append(f"claimed by {claim['agent_id']}: {claim.get('intent', '')}")
    parts += [f"changed {name}" for name in answer["impact"]["symbols"]]
    parts += [f"run {name}" for name in answer["impact"]["tests"]]
    if answer.get("stale"):
        parts.append("not yet indexed again")
    return "\n".join(parts)


_NAMES = {"type": "array", "items": {"type": "string"}}

TOOL = Tool(
    name="write_code",
    title="Write code",
    description=(
        "Replace a file (content) or parts of it (edits: each old text must occur once). Checked "
        "for syntax, written atomically, indexed at once; returns changed symbols and tests to run. "
        "Give expected_hash from read_code so that nobody's work is overwritten."
    ),
    run=run,
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "content": {"type": "string"},
            "edits": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
                    "required": ["old", "new"],
                    "additionalProperties": False,
                },
            },
            "reason": {"type": "string", "minLength": 1},
            "expected_hash": {"type": "string"},
            "agent_id": {"type": "string"},
            "session_id": {"type": "string"},
            "validate_syntax": {"type": "boolean", "default": True},
            "create_backup": {"type": "boolean", "default": False},
        },
        "required": ["path", "reason"],
    },
    output_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "written": {"type": "boolean"},
            "created": {"type": "boolean"},
            "content_hash": {"type": "string"},
            "syntax": {
                "type": "object",
                "properties": {
                    "valid": {"type": ["boolean", "null"]},
                    "errors": {"type": "array", "items": {"type": "object"}},
                },
                "required": ["valid", "errors"],
            },
            "provenance": {
                "type": "object",
                "properties": {
                    "agent_id": {"type": ["string", "null"]},
                    "seq": {"type": "integer"},
                    "timestamp": {"type": "string"},
                    "reason": {"type": "string"},
                },
                "required": ["seq", "timestamp", "reason"],
            },
            "claimed_by_others": {"type": "array", "items": {"type": "object"}},
            "impact": {
                "type": "object",
                "properties": {"symbols": _NAMES, "tests": _NAMES},
                "required": ["symbols", "tests"],
            },
            "stale": {"type": "boolean"},
            "stale_paths": _NAMES,
        },
        "required": ["path", "written", "content_hash", "syntax", "provenance", "impact"],
    },
    annotations={"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False},
    slow=True,
    aliases={"file_path": "path"},
    free_text=frozenset({"content", "edits", "reason"}),
)
