"""Reads a file and decodes it: what it says, or why it is not source.

The order of trust: a byte order mark, a declared coding (Python's comment in the first two lines),
UTF-8; whatever is none of these is read as latin-1 and marked.
"""

import codecs
import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from agrama.errors import AccessDeniedError, ToolError
from agrama.jail import open_beneath

_SNIFF_BYTES = 8192
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_GENERATED = re.compile(
    rb"^[ \t]*(?:#|//|/\*|\*|--|;|<!--)[^\n]*"
    rb"(?:@generated\b|\bcode generated [^\n]*do not edit|\bautomatically generated [^\n]*do not edit)",
    re.IGNORECASE | re.MULTILINE,
)
# What browserify and webpack put before the modules they have packed into one file.
_BUNDLE = re.compile(
    rb"\(function\(f\)\{if\(typeof exports===\"object\"&&typeof module!==\"undefined\"\)"
    rb"|\(function\(\)\{function \w\(\w,\w,\w\)\{function \w\(\w,\w\)\{if\(!\w\[\w\]\)"
    rb"|(?m:^)/\*{6}/ |\bwebpackBootstrap\b|\b__webpack_require__\b"
)
_GENERATED_HEAD = 1024


@dataclass(frozen=True, slots=True)
class Content:
    """One file as read. `reason` says why it is skipped; `mark` is a remark on one that is not."""

    size: int
    mtime_ns: int
    ctime_ns: int
    digest: str
    text: str
    reason: str | None
    mark: str | None


def read_content(root: Path, path: str, max_bytes: int) -> Content | None:
    """The file as it is now, None when it is gone."""
    try:
        descriptor = open_beneath(root, path)
    except ToolError:
        return None
    except AccessDeniedError:
        return Content(0, 0, 0, "", "", "unreadable", None)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        stamp = status.st_size, status.st_mtime_ns, status.st_ctime_ns
        if not stat.S_ISREG(status.st_mode):
            return Content(*stamp, "", "", "fifo", None)
        if status.st_size > max_bytes:
            return Content(*stamp, "", "", "too_large", None)
        try:
            data = file.read(max_bytes + 1)
        except OSError:
            return Content(*stamp, "", "", "unreadable", None)
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    text, reason, mark = decode(data)
    return Content(*stamp, digest, text, reason, mark)


def decode(data: bytes) -> tuple[str, str | None, str | None]:
    """Text, why it is skipped, and a mark."""
    for mark, coding in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(coding), None, None
            except UnicodeDecodeError:
                break
    if b"\0" in data[:_SNIFF_BYTES]:
        return "", "binary", None
    if _GENERATED.search(data[:_GENERATED_HEAD]) or _BUNDLE.search(data[:_GENERATED_HEAD]):
        return "", "generated", None
    try:
        return data.decode(_declared_coding(data)), None, None
    except (UnicodeDecodeError, LookupError):
        return data.decode("latin-1"), None, "not_utf8"


def _declared_coding(data: bytes) -> str:
    for line in data.split(b"\n", 2)[:2]:
        if match := _CODING.match(line):
            name = match.group(1).decode("ascii", "replace")
            # Codecs such as rot13 or zlib are no text encodings.
            return name if _is_text_coding(name) else "utf-8"
    return "utf-8"


def _is_text_coding(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:
        return False
