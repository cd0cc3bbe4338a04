"""What a server offers: tools, resources, templates, prompts and middleware, one object each.

A registry may change while the server runs: every change tells its listeners, who tell the
clients (`notifications/.../list_changed`). Lists keep the order of registration.

The entries are named tuples, not dataclasses: such a class is made in an eighth of the time, and a
server makes them all before its first answer.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import RLock
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from agrama.context import Context
from agrama.protocol.content import ToolResult
from agrama.schema import Validator

ToolReturn: TypeAlias = "ToolResult | Mapping[str, Any] | str | Iterator[Any]"
Completer: TypeAlias = "Callable[[Context, str, Mapping[str, str]], Sequence[str]]"
Next: TypeAlias = "Callable[[Context, Any], Any]"
Middleware: TypeAlias = "Callable[[Context, Any, Next], Any]"

EMPTY_OBJECT: Mapping[str, Any] = {"type": "object", "properties": {}}
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Tool(NamedTuple):
    """One tool. `run` gets arguments that passed `input_schema`, with aliases and defaults applied.

    `slow` sends it to the pool (anything above a millisecond, or that waits), with `often_quick` only
    until its last calls were quick; it must be sure then never to take long. `cacheable` says the
    answer depends only on arguments, generation and the files it names; `free_text` lists the
    parameters in which control characters have a meaning.
    """

    name: str
    description: str
    run: Callable[[Context, dict[str, Any]], Any]
    input_schema: Mapping[str, Any] = EMPTY_OBJECT
    output_schema: Mapping[str, Any] | None = None
    title: str = ""
    annotations: Mapping[str, Any] | None = None
    toolset: str = "core"
    slow: bool = False
    often_quick: bool = False
    cacheable: bool = False
    aliases: Mapping[str, str] = _NOTHING
    free_text: frozenset[str] = frozenset()
    deadline_seconds: float | None = None
    icons: Sequence[Mapping[str, Any]] = ()
    meta: Mapping[str, Any] | None = None


class Resource(NamedTuple):
    """One thing that can be read. `read(context, uri)` gives text, bytes, or a list of contents."""

    uri: str
    name: str
    read: Callable[[Context, str], Any]
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"
    size: int | None = None
    annotations: Mapping[str, Any] | None = None
    icons: Sequence[Mapping[str, Any]] = ()
    ttl_ms: int = 0
    slow: bool = False


class ResourceTemplate(NamedTuple):
    """A family of resources. `read(context, uri, variables)`; `{+path}` and `{path}` may hold slashes."""

    uri_template: str
    name: str
    read: Callable[[Context, str, Mapping[str, str]], Any]
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"
    annotations: Mapping[str, Any] | None = None
    complete: Mapping[str, Completer] = _NOTHING
    icons: Sequence[Mapping[str, Any]] = ()
    ttl_ms: int = 0
    slow: bool = False


class PromptArgument(NamedTuple):
    """One argument of a prompt; prompts take strings only."""

    name: str
    description: str = ""
    required: bool = False
    title: str = ""


class Prompt(NamedTuple):
    """One prompt. `render(context, arguments)` gives a string or a list of messages."""

    name: str
    render: Callable[[Context, Mapping[str, str]], Any]
    title: str = ""
    description: str = ""
    arguments: Sequence[PromptArgument] = ()
    complete: Mapping[str, Completer] = _NOTHING
    icons: Sequence[Mapping[str, Any]] = ()
    slow: bool = False


Entry: TypeAlias = Tool | Resource | ResourceTemplate | Prompt
_KEYS: dict[type, tuple[str, str]] = {
    Tool: ("tools", "name"),
    Resource: ("resources", "uri"),
    ResourceTemplate: ("templates", "uri_template"),
    Prompt: ("prompts", "name"),
}
# What a client is told has changed; templates are part of the resources.
CHANGED = {
    "tools": "tools",
    "resources": "resources",
    "templates": "resources",
    "prompts": "prompts",
}
_VARIABLE = re.compile(r"\{\+?([A-Za-z_][A-Za-z0-9_]*)\}")


class BoundTool(NamedTuple):
    """A tool with its validators, as the server calls it."""

    tool: Tool
    validator: Validator
    output: Validator | None


class Registry:
    """Everything on offer, by kind and key. What `load` gives is fetched when first looked for."""

    def __init__(self, *entries: Entry, load: Callable[[], Iterable[Entry]] | None = None) -> None:
        self._entries: dict[str, dict[str, Any]] = {kind: {} for kind in CHANGED}
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._pending = [] if load is None else [load]
        self._lock = RLock()
        self.version = 0  # counts changes, for whoever keeps something derived
        self.listeners: list[Callable[[str], None]] = []
        for entry in entries:
            self._put(entry)

    @property
    def tools(self) -> dict[str, BoundTool]:
        return self._all("tools")

    @property
    def resources(self) -> dict[str, Resource]:
        return self._all("resources")

    @property
    def templates(self) -> dict[str, ResourceTemplate]:
        return self._all("templates")

    @property
    def prompts(self) -> dict[str, Prompt]:
        return self._all("prompts")

    def load(self) -> None:
        """Fetch what was put off; nobody is told, because nobody has seen the lists without it."""
        with self._lock:
            pending, self._pending = self._pending, []
            for load in pending:
                for entry in load():
                    self._put(entry)

    def add(self, *entries: Entry) -> None:
        """Offer something; an entry with the same key is replaced."""
        with self._lock:
            if self._pending:  # nothing was looked for yet: no reason to load for this
                self._pending.append(lambda: entries)
                return
        for entry in entries:
            self._tell(self._put(entry))

    def _all(self, kind: str) -> dict[str, Any]:
        if self._pending:
            self.load()
        return self._entries[kind]

    def _put(self, entry: Entry) -> str:
        kind, key = _KEYS[type(entry)]
        name = getattr(entry, key)
        if isinstance(entry, ResourceTemplate):
            self._patterns[name] = _template_pattern(name)
        # A new dictionary each time: another thread may be walking the old one.
        added = _bind(entry) if isinstance(entry, Tool) else entry
        self._entries[kind] = {**self._entries[kind], name: added}
        self.version += 1
        return kind

    def remove(self, kind: str, key: str) -> bool:
        """Withdraw something by kind (`tools`, `resources`, `templates`, `prompts`) and key."""
        entries = self._all(kind)
        if key not in entries:
            return False
        self._entries[kind] = {name: entry for name, entry in entries.items() if name != key}
        self.version += 1
        self._tell(kind)
        return True

    def remove_tool(self, name: str) -> bool:
        return self.remove("tools", name)

    def match_template(self, uri: str) -> tuple[ResourceTemplate, dict[str, str]] | None:
        """The first template a URI fits, and its variables, percent-decoded."""
        for key, template in self.templates.items():
            found = self._patterns[key].fullmatch(uri)
            if found:
                from urllib.parse import unquote

                return template, {name: unquote(value) for name, value in found.groupdict().items()}
        return None

    def knows_resource(self, uri: str) -> bool:
        return uri in self.resources or self.match_template(uri) is not None

    def _tell(self, kind: str) -> None:
        for listener in list(self.listeners):
            listener(CHANGED[kind])


def _bind(tool: Tool) -> BoundTool:
    output = Validator(tool.output_schema) if tool.output_schema is not None else None
    # An argument nobody declared is a misspelt one. Saying so in each schema would cost every agent
    # a twentieth of the tool list.
    schema = {"additionalProperties": False, **tool.input_schema}
    if not schema.get("properties"):
        schema = dict(tool.input_schema)
    validator = Validator(schema, aliases=tool.aliases, free_text=tool.free_text)
    return BoundTool(tool, validator, output)


def _template_pattern(template: str) -> re.Pattern[str]:
    """A template as a pattern. The last variable may hold slashes, the others one segment."""
    parts = _VARIABLE.split(template)
    last = len(parts) - 2
    pattern = ""
    for index, part in enumerate(parts):
        if index % 2 == 0:
            pattern += re.escape(part)
        else:
            pattern += f"(?P<{part}>.+)" if index == last else f"(?P<{part}>[^/]+)"
    return re.compile(pattern)


def template_variables(template: str) -> list[str]:
    return _VARIABLE.findall(template)
