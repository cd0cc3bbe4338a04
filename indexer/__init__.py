"""Writes: walk, parse, resolve, build, watch."""
