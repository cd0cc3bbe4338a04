"""Java: packages, classes, overloads by the types of arguments, dispatch to overrides."""

from agrama.indexer.languages.java_declarations import extract_java
from agrama.indexer.languages.java_library import CONTAINER_METHODS
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.packages import PackageModules


def is_java_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return "src/test/" in path or name.endswith(("Test.java", "Tests.java", "IT.java"))


POLICY = Policy(
    container_methods=CONTAINER_METHODS,
    virtual=True,
    trusts_classes=True,
    overloads=True,
    star_reexports=False,
)

LANGUAGES = (
    Language(
        name="java",
        extensions=(".java",),
        grammar="tree_sitter_java:language",
        extract=extract_java,
        index_modules=PackageModules,
        is_test=is_java_test,
        policy=POLICY,
    ),
)
