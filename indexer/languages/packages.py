"""Packages that files declare themselves, whatever their folders: Java, Kotlin, Scala, Groovy."""

from agrama.indexer.languages.language import Sources


class PackageModules:
    """Packages to their files, classes to theirs."""

    def __init__(self, sources: Sources) -> None:
        self._package_of = sources.packages
        self._packages: dict[str, list[str]] = {}
        self._classes: dict[str, list[str]] = {}
        for path in sorted(sources.paths):
            package = sources.packages.get(path, "")
            stem = path.rpartition("/")[2].partition(".")[0]
            self._packages.setdefault(package, []).append(path)
            self._classes.setdefault(f"{package}.{stem}" if package else stem, []).append(path)

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        if level:
            return self._find_siblings(path)
        if not module:
            return ()
        return tuple(self._packages.get(module) or self._classes.get(module) or ())

    def member(self, path: str, name: str) -> str | None:
        return None

    def _find_siblings(self, path: str) -> tuple[str, ...]:
        """Files of the same package; without one, those of the same directory."""
        package = self._package_of.get(path, "")
        directory = path.rpartition("/")[0]
        return tuple(
            other
            for other in self._packages.get(package, ())
            if other != path and (package or other.rpartition("/")[0] == directory)
        )
