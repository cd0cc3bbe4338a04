"""The framework packs there are."""

from agrama.indexer.packs.django import DjangoPack
from agrama.indexer.packs.named_tuple import NamedTuplePack
from agrama.indexer.packs.pack import Pack


def load_packs() -> list[Pack]:
    """Fresh packs, one set for each solution: they keep state."""
    return [DjangoPack(), NamedTuplePack()]
