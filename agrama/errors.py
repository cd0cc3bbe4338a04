"""The one tree of errors; each class carries the JSON-RPC code it becomes on the wire.

    AgramaError                 -32603  something in Agrama itself went wrong
    ├── InvalidRequestError     -32600  the message is not a request
    ├── MethodNotFoundError     -32601  no such method
    ├── InvalidParamsError      -32602  a parameter is missing, misspelt or of the wrong kind
    ├── ToolError               -32000  a tool could not do its work
    │   └── NotIndexedError             there is no index to answer from yet
    ├── StoreError              -32001  the index or the journal cannot be used
    │   ├── StoreBusyError              another process holds what is needed; try again
    │   ├── StoreFormatError            written by another version, or not by Agrama at all
    │   └── StoreFullError              the disk or the map is full
    ├── AuthenticationError     -32002  who are you (network transports only)
    ├── AuthorizationError      -32003  you may not
    ├── SessionError            -32004  unknown, closed or foreign session
    ├── AccessDeniedError       -32005  outside the root, secret, or not a regular file
    └── RateLimitError          -32006  slow down

A message names the thing and the next action. `data` holds machine-readable detail
(`parameter`, `expected`, `got`, `hint`) and goes to the client unchanged.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class AgramaError(Exception):
    """Base of every error Agrama raises on purpose."""

    CODE: ClassVar[int] = -32603

    def __init__(self, message: str, *, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.data: dict[str, Any] = dict(data) if data else {}


class InvalidRequestError(AgramaError):
    CODE = -32600


class MethodNotFoundError(AgramaError):
    CODE = -32601


class InvalidParamsError(AgramaError):
    CODE = -32602


class ToolError(AgramaError):
    CODE = -32000


class NotIndexedError(ToolError):
    pass


class StoreError(AgramaError):
    CODE = -32001


class StoreBusyError(StoreError):
    pass


class StoreFormatError(StoreError):
    pass


class StoreFullError(StoreError):
    pass


class AuthenticationError(AgramaError):
    CODE = -32002


class AuthorizationError(AgramaError):
    CODE = -32003


class SessionError(AgramaError):
    CODE = -32004


class AccessDeniedError(AgramaError):
    CODE = -32005


class RateLimitError(AgramaError):
    CODE = -32006
