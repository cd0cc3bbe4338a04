"""Where an index lies and how its LMDB keys are made.

Numbers inside keys are big-endian so that LMDB's byte order is their order; text keys are UTF-8.
LMDB takes keys of at most 511 bytes, so longer texts keep their head and end in a hash.
"""

import hashlib
import os
import struct
from pathlib import Path

# One history line per bump. An index of an older format is rebuilt, of a newer one refused.
#   1  nodes, names, files, out, in, manifest, facts; chunks and postings beside them
FORMAT_VERSION = 1

META = "meta"
IDS = "ids"
NODES = "nodes"
NAMES = "names"
FILES = "files"
OUT = "out"
IN = "in"
MANIFEST = "manifest"
FACTS = "facts"
SCORES = "scores"

GRAPH_DATABASES = (META, IDS, NODES, NAMES, FILES, OUT, IN, MANIFEST, FACTS, SCORES)
SEARCH_DATABASES = (
    "chunks",
    "texts",
    "postings",
    "file_postings",
    "stem_postings",
    "definition_postings",
    "forward",
    "file_maps",
    "vectors",
    "file_vectors",
)
DATABASES = GRAPH_DATABASES + SEARCH_DATABASES

IDENTITY_KEY = b"identity"
GENERATION_KEY = b"generation"
NEXT_NODE_KEY = b"next_node"
BUILDER_KEY = b"builder"
MODEL_KEY = b"model"  # what made the vectors: name, hash, length of a vector
ALIASES_KEY = b"aliases"
REBUILD_KEY = b"rebuild"  # there while a full build has replaced facts but not yet the rest
UNSETTLED_KEY = b"unsettled"  # there while a preview waits for its exact solution
PAGERANK_KEY = b"pagerank"
USERS_KEY = b"users"

MAX_TEXT = 480  # below LMDB's 511, with room for the four bytes of a node number
_HASH_SIZE = 16

_NODE = struct.Struct(">I")
_PAIR = struct.Struct(">II")

node_key = _NODE.pack
pair_key = _PAIR.pack


def read_node(key: bytes | memoryview) -> int:
    """The node number a key begins with."""
    number: int = _NODE.unpack_from(key)[0]
    return number


def read_pair(key: bytes | memoryview) -> tuple[int, int]:
    """The two node numbers of a key of `out` or `in`."""
    first, second = _PAIR.unpack(key)
    return first, second


def text_key(text: str) -> bytes:
    """A key for any text; long texts keep their head, so prefix scans still find them."""
    key = text.encode()
    if len(key) <= MAX_TEXT:
        return key
    digest = hashlib.blake2b(key, digest_size=_HASH_SIZE).digest()
    return key[: MAX_TEXT - _HASH_SIZE] + digest


def name_key(name: str, node: int) -> bytes:
    """The entry of a symbol in the name index, found whatever the case of the query."""
    return text_key(name.lower()) + b"\x00" + node_key(node)


def data_home() -> Path:
    """The folder that holds one folder per repository."""
    if home := os.environ.get("AGRAMA_HOME"):
        return Path(home)
    if home := os.environ.get("XDG_DATA_HOME"):
        return Path(home) / "agrama"
    return Path.home() / ".local" / "share" / "agrama"


def repository_folder(root: Path) -> Path:
    """The folder of one repository: readable name first, then what makes it unique."""
    real = root.resolve()
    digest = hashlib.blake2b(os.fsencode(real), digest_size=6).hexdigest()
    name = "".join(c if c.isalnum() or c in "._-" else "_" for c in real.name)[:40] or "root"
    return data_home() / f"{name}-{digest}"
