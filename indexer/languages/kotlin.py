"""Kotlin: packages, functions outside of classes, extensions, companions, scope functions."""

from agrama.indexer.languages.kotlin_declarations import extract_kotlin
from agrama.indexer.languages.kotlin_library import CONTAINER_METHODS
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.packages import PackageModules


def is_kotlin_test(path: str) -> bool:
    parts = path.split("/")
    if parts[-1].endswith(("Test.kt", "Tests.kt", "Spec.kt")):
        return True
    return any(
        part in ("test", "tests", "androidTest") or part.endswith("Test") for part in parts[:-1]
    )


LANGUAGES = (
    Language(
        name="kotlin",
        extensions=(".kt", ".kts"),
        grammar="tree_sitter_kotlin:language",
        extract=extract_kotlin,
        index_modules=PackageModules,
        is_test=is_kotlin_test,
        policy=Policy(
            call="invoke",
            container_methods=CONTAINER_METHODS,
            virtual=True,
            overloads=True,
            star_reexports=False,
        ),
    ),
)
