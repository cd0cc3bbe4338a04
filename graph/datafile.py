"""Looks at an LMDB data file before anything maps it.

Reading a mapped page beyond the end of a truncated file kills the process with SIGBUS, and LMDB
takes an empty file for a new database; both are recognised here from the two meta pages.
"""

import struct
from pathlib import Path

_MAGIC = 0xBEEFC0DE
_PAGE_HEADER = 16
# magic, version, address, map size, two 48-byte database heads, last page, transaction
_META = struct.Struct("<IIQQ48s48sQQ")
_HEAD = _PAGE_HEADER + _META.size
_SMALLEST_PAGE = 512


def find_defect(path: Path) -> str | None:
    """Why the file must not be opened, or None when it looks whole."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if not head:
            return "empty"
        first = _read_meta(head)
        if first is None:
            return "not an LMDB file"
        page_size, *_ = first
        file.seek(page_size)
        second = _read_meta(file.read(_HEAD))
        size = file.seek(0, 2)  # last: a writer may let the file grow while we look
    if second is None:
        return "truncated"
    _, last_page, _ = max(first, second, key=lambda meta: meta[2])
    if size < (last_page + 1) * page_size:
        return "truncated"
    return None


def _read_meta(page: bytes) -> tuple[int, int, int] | None:
    """Page size, last page and transaction of a meta page; None when it is not one."""
    if len(page) < _HEAD:
        return None
    magic, _, _, _, free, _, last_page, transaction = _META.unpack_from(page, _PAGE_HEADER)
    page_size = int.from_bytes(free[:4], "little")
    if magic != _MAGIC or page_size < _SMALLEST_PAGE:
        return None
    return page_size, last_page, transaction
