"""Turns the facts of files into a graph: links names, follows values, writes edges."""

from agrama.indexer.resolve.resolver import Resolver, resolve

__all__ = ["Resolver", "resolve"]
