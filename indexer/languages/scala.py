"""Scala: packages, objects and classes that answer for one another, traits, extensions."""

from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.packages import PackageModules
from agrama.indexer.languages.scala_declarations import extract_scala
from agrama.indexer.languages.scala_library import CONTAINER_METHODS


def is_scala_test(path: str) -> bool:
    if path.endswith(("Test.scala", "Tests.scala", "Spec.scala", "Suite.scala")):
        return True
    return "/test/" in f"/{path}"


LANGUAGES = (
    Language(
        name="scala",
        extensions=(".scala", ".sc", ".sbt"),
        grammar="tree_sitter_scala:language",
        extract=extract_scala,
        index_modules=PackageModules,
        is_test=is_scala_test,
        policy=Policy(
            call="apply",
            container_methods=CONTAINER_METHODS,
            virtual=True,
            overloads=True,
            star_reexports=False,
        ),
    ),
)
