"""Finds files that are imported by their path."""

import posixpath

from agrama.indexer.languages.language import Sources


class RelativeModules:
    """Imports that name a file by its path from the importing one, or from the root."""

    def __init__(self, sources: Sources, extension: str = "") -> None:
        self._paths = sources.paths
        self._extension = extension

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        here = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
        for target in (here, f"{here}{self._extension}", posixpath.normpath(module)):
            if target in self._paths:
                return (target,)
        return ()

    def member(self, path: str, name: str) -> str | None:
        return None
