"""Errors as each revision wants them: JSON-RPC errors, or results that say `isError`.

The rule for `tools/call`: what a model can mend is a result (a failed tool always; arguments that do
not fit from 2025-11-25 on), what the client must mend is an error. From 2026-07-28 on, the codes
-32000 to -32019 are not sent at all: failures of ours are results there, or -32603 where the
method has no such result.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from agrama.errors import AgramaError, InvalidParamsError, InvalidRequestError, ToolError
from agrama.protocol.messages import INTERNAL_ERROR, MISSING_CAPABILITY, UNSUPPORTED_VERSION
from agrama.protocol.revisions import SUPPORTED, Revision


class WrongCallError(InvalidParamsError):
    """The call itself is wrong (no such tool, no name): an error in every revision."""


class UnknownResourceError(WrongCallError):
    """No resource has this URI."""

    def __init__(self, uri: str, *, hint: str = "") -> None:
        detail = {"uri": uri, "parameter": "uri", "expected": "a listed resource", "got": uri}
        super().__init__(
            f"Resource not found: {uri}", data={**detail, "hint": hint or "see resources/list"}
        )


class UnsupportedVersionError(InvalidRequestError):
    """A request in a revision this server does not speak."""

    CODE: ClassVar[int] = UNSUPPORTED_VERSION

    def __init__(self, requested: str) -> None:
        super().__init__(
            f"Unsupported protocol version {requested}",
            data={"supported": list(SUPPORTED), "requested": requested},
        )


class MissingCapabilityError(InvalidRequestError):
    """The client did not say it can do what the request needs."""

    CODE: ClassVar[int] = MISSING_CAPABILITY

    def __init__(self, *capabilities: str) -> None:
        super().__init__(
            "The request needs client capabilities that were not declared: "
            + ", ".join(capabilities),
            data={"requiredCapabilities": {name: {} for name in capabilities}},
        )


def is_result(error: AgramaError, revision: Revision, method: str) -> bool:
    """Whether an error is told inside a `tools/call` result."""
    if method != "tools/call" or isinstance(error, WrongCallError):
        return False
    if isinstance(error, ToolError):
        return True
    if isinstance(error, InvalidParamsError):
        return revision.input_errors_in_result
    return revision.modern and -32019 <= error.CODE <= -32000


def wire_code(error: AgramaError, revision: Revision) -> int:
    if isinstance(error, UnknownResourceError):
        return revision.missing_resource_code
    if revision.modern and -32019 <= error.CODE <= -32000:
        return INTERNAL_ERROR
    return error.CODE


def error_text(error: AgramaError) -> str:
    """The error for a model to read: the message, then what would mend it."""
    lines = [error.message]
    lines += [
        f"{key}: {error.data[key]}" for key in ("expected", "got", "hint") if key in error.data
    ]
    return "\n".join(lines)


def error_meta(error: AgramaError) -> Mapping[str, Any]:
    """The same for a program, under `_meta` because structured content has a schema to keep."""
    return {"agrama/error": {"code": error.CODE, "message": error.message, "data": error.data}}
