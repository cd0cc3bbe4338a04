"""Which files are near others in the graph: used by them, or using them.

Used where a search is told which files are at hand, and in `mode="dependency"`, where the files around
the best hits are found too. Both ends of an edge count alike; what is used by half the repository is
near nothing in particular, so the links of a file are shared out among its neighbours.
"""

import math
import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

import numpy as np

from agrama.graph import keys
from agrama.graph.format import decode_file, read_symbol_id
from agrama.graph.forward import forward_key
from agrama.graph.maps import FORWARD
from agrama.graph.model import EXTERNAL_PREFIX
from agrama.graph.view import Floats, Index

_MAX_NODES = 400  # of one file; more is a generated table
_MAX_USERS = 300  # of one symbol
_SAME_FILE = 0.5
_SLOT = struct.Struct("<I")


def score_proximity(index: Index, files: Mapping[int, float]) -> Floats | None:
    """Per slot, how near it is to some files given by node with a weight; None when nothing is."""
    scores = np.zeros(index.slots, np.float32)
    for node, weight in files.items():
        own = slot_of(index, node)
        if own is not None:
            scores[own] += weight * _SAME_FILE
        links = count_links(index, node)
        most = math.log1p(max(links.values(), default=0))
        for other, count in links.items():
            slot = slot_of(index, other)
            if slot is not None and other != node:
                scores[slot] += weight * math.log1p(count) / most
    best = float(scores.max()) if len(scores) else 0.0
    return scores / np.float32(best) if best > 0 else None


def find_file(index: Index, path: str) -> int | None:
    """The node of a file."""
    value = index.reader.get(keys.IDS, keys.text_key(path))
    return None if value is None else keys.read_node(value)


def count_links(index: Index, node: int) -> Counter[int]:
    """How often a file and each other one refer to one another, by file node."""
    value = index.reader.get(keys.FILES, keys.node_key(node))
    links: Counter[int] = Counter()
    if value is None:
        return links
    row = decode_file(value)
    for symbol in row.symbols[:_MAX_NODES]:
        users = index.reader.scan(keys.IN, keys.node_key(symbol))
        links.update(keys.read_node(key[4:]) for key, _ in islice(users, _MAX_USERS))
    links.update(_files_of(index, row.targets[:_MAX_NODES]))
    del links[node]
    return links


def _files_of(index: Index, nodes: Iterable[int]) -> Iterable[int]:
    for node in nodes:
        row = index.reader.get(keys.NODES, keys.node_key(node))
        symbol_id = "" if row is None else read_symbol_id(row)
        if symbol_id and not symbol_id.startswith(EXTERNAL_PREFIX):
            file = find_file(index, symbol_id.partition("::")[0])
            if file is not None:
                yield file


def slot_of(index: Index, node: int) -> int | None:
    """Where search keeps a file."""
    row = index.reader.get(FORWARD, forward_key(node))
    return None if row is None else int(_SLOT.unpack_from(row)[0])
