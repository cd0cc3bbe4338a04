"""What a client says about itself: in `initialize`, or in the `_meta` of every stateless request."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from agrama.protocol.faults import UnsupportedVersionError, WrongCallError
from agrama.protocol.messages import (
    CAPABILITIES_KEY,
    CLIENT_KEY,
    LOG_LEVEL_KEY,
    MODERN_KEYS,
    VERSION_KEY,
)
from agrama.protocol.revisions import MODERN, Revision, negotiate

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Caller(NamedTuple):
    """Who asks, and what it understands. A stateless request makes one of its own."""

    revision: Revision
    client_info: Mapping[str, Any] = MappingProxyType({})
    capabilities: Mapping[str, Any] = MappingProxyType({})
    log_level: str | None = None  # of a stateless request; a connection keeps its own


def read_handshake(params: Mapping[str, Any]) -> Caller:
    """The caller of a connection. Only the version is needed: clients do leave out the rest."""
    version = params.get("protocolVersion")
    if type(version) is not str:
        raise _wrong("protocolVersion", "a string such as 2025-11-25", version)
    info = _optional_object(params, "clientInfo", "clientInfo")
    capabilities = _optional_object(params, "capabilities", "capabilities")
    return Caller(negotiate(version), info, capabilities)


def read_stateless(meta: Mapping[str, Any]) -> Caller:
    """The caller of one request."""
    version, capabilities = meta.get(VERSION_KEY), meta.get(CAPABILITIES_KEY)
    if type(version) is not str:
        raise _wrong(f"_meta.{VERSION_KEY}", "a string such as 2026-07-28", version)
    if version != MODERN.name:
        raise UnsupportedVersionError(version)
    if type(capabilities) is not dict:
        raise _wrong(f"_meta.{CAPABILITIES_KEY}", "an object", capabilities)
    if len(meta) == len(MODERN_KEYS):
        return Caller(MODERN, {}, capabilities)
    info = _optional_object(meta, CLIENT_KEY, f"_meta.{CLIENT_KEY}")
    level = meta.get(LOG_LEVEL_KEY)
    if level is not None and level not in LEVELS:
        raise _wrong(f"_meta.{LOG_LEVEL_KEY}", "one of " + ", ".join(LEVELS), level)
    return Caller(MODERN, info, capabilities, level)


def _optional_object(values: Mapping[str, Any], key: str, name: str) -> dict[str, Any]:
    value = values.get(key)
    if value is None:
        return {}
    if type(value) is not dict:
        raise _wrong(name, "an object", value)
    return value


def _wrong(name: str, expected: str, got: Any) -> WrongCallError:
    shown = "nothing" if got is None else str(got)[:80]
    return WrongCallError(
        f"Missing or invalid {name}: expected {expected}, got {shown}",
        data={
            "parameter": name,
            "expected": expected,
            "got": shown,
            "hint": f"put {name} into params",
        },
    )
