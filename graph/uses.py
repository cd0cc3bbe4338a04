"""Who uses whom, read off the edges; and by how many other files each file is used.

A file that many others use is what a question is more likely to be about. Like PageRank the counts are
a prior for ranking, not part of the graph: an update leaves them as they are until a quiet moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agrama.graph import keys
from agrama.graph.model import EdgeKind
from agrama.graph.publish import PackedFile
from agrama.graph.store import Reader

USERS_STEP = 24  # so that one byte holds the logarithm of any count
_USES = (
    EdgeKind.IMPORTS,
    EdgeKind.CALLS,
    EdgeKind.INHERITS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.REFERENCES,
    EdgeKind.HANDLES,
)
_IS_USE = np.zeros(256, bool)
_IS_USE[list(_USES)] = True
_RECORD = np.dtype(
    [("kind", "u1"), ("pad", "V3"), ("other", "<u4"), ("line", "<u4"), ("column", "<u4")]
)

Nodes = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, repr=False)
class Uses:
    """The two ends of every use and the file it stands in; by node the file that defines it, or 0."""

    sources: Nodes
    targets: Nodes
    files: Nodes
    owners: Nodes


def collect_uses(files: Sequence[PackedFile], size: int) -> Uses:
    """Those of a whole graph that is about to be published."""
    owners = np.zeros(size, np.uint32)
    parts = []
    for file in files:
        owners[file.node] = file.node
        if len(file.edges):
            kinds = file.edges["kind"]
            owners[file.edges["target"][kinds == EdgeKind.CONTAINS]] = file.node
            chosen = file.edges[_IS_USE[kinds]]
            parts.append((chosen["source"], chosen["target"], _repeat(file.node, len(chosen))))
    return _join(parts, owners)


def read_uses(reader: Reader) -> Uses:
    """Those of the graph as it is in the index."""
    value = reader.get(keys.META, keys.NEXT_NODE_KEY)
    owners = np.zeros(1 if value is None else keys.read_node(value), np.uint32)
    parts = []
    for key, row in reader.scan(keys.OUT):
        source, file = keys.read_pair(key)
        records = np.frombuffer(row, _RECORD)
        owners[records["other"][records["kind"] == EdgeKind.CONTAINS]] = file
        targets = records["other"][_IS_USE[records["kind"]]]
        if len(targets):
            count = len(targets)
            parts.append((_repeat(source, count), targets.copy(), _repeat(file, count)))
    for key, _ in reader.scan(keys.FILES):
        owners[keys.read_node(key)] = keys.read_node(key)
    return _join(parts, owners)


def _repeat(node: int, count: int) -> Nodes:
    return np.full(count, node, np.uint32)


def _join(parts: Sequence[tuple[Nodes, Nodes, Nodes]], owners: Nodes) -> Uses:
    if not parts:
        nothing = np.zeros(0, np.uint32)
        return Uses(nothing, nothing, nothing, owners)
    sources, targets, files = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Uses(sources, targets, files, owners)


def count_users(uses: Uses) -> npt.NDArray[np.uint8]:
    """By node of a file, USERS_STEP times the logarithm of one and the files that use it.

    One more entry, 0, stands behind the last node for all that are younger.
    """
    targets = uses.owners[uses.targets]
    between = (targets != 0) & (targets != uses.files)
    pairs = np.unique(uses.files[between].astype(np.uint64) << np.uint64(32) | targets[between])
    used = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    counts = np.bincount(used, minlength=len(uses.owners) + 1)
    levels = np.rint(USERS_STEP * np.log1p(counts))
    users: npt.NDArray[np.uint8] = np.minimum(levels, 255).astype(np.uint8)
    return users
