"""Which code made an index: one made by other code is made again."""

import hashlib
from functools import cache
from pathlib import Path

from agrama import __version__


@cache
def code_version() -> bytes:
    """Changes whenever the code that makes an index does, released or not."""
    digest = hashlib.blake2b(__version__.encode(), digest_size=16)
    here = Path(__file__).resolve().parent
    for folder in (here, here.parent / "graph"):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".scm", ".npz"):
                status = path.stat()
                digest.update(f"{path.name} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.hexdigest().encode()
