"""Groovy: its grammar is Java's with closures, and so is its front end."""

from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.groovy_expressions import EXPRESSIONS, STATEMENTS
from agrama.indexer.languages.java import POLICY
from agrama.indexer.languages.java_declarations import JavaFile, read_file
from agrama.indexer.languages.language import Language
from agrama.indexer.languages.packages import PackageModules

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


class GroovyFile(JavaFile):
    """A Groovy file."""

    language = "groovy"
    expressions = EXPRESSIONS
    statements = STATEMENTS


def extract_groovy(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Groovy file."""
    x = GroovyFile(source, path, root)
    x.package = ""
    x.guard(lambda: read_file(x, root))
    return x.facts()


def prepare_groovy(content: bytes) -> bytes:
    """What the grammar does not know, as what it knows and of the same length."""
    return content.replace(b"?.", b" .").replace(b"[:]", b"[ ]").replace(b"*.", b" .")


def is_groovy_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return "src/test/" in path or name.endswith(("Test.groovy", "Tests.groovy", "Spec.groovy"))


LANGUAGES = (
    Language(
        name="groovy",
        extensions=(".groovy", ".gradle", ".gvy"),
        grammar="tree_sitter_groovy:language",
        extract=extract_groovy,
        prepare=prepare_groovy,
        index_modules=PackageModules,
        is_test=is_groovy_test,
        policy=POLICY,
    ),
)
