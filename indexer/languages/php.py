"""PHP: namespaces, traits, declared types, functions and classes of the whole program."""

from agrama.indexer.languages.dynamic import NamedModules, join_path
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.php_declarations import extract_php


class PhpModules(NamedModules):
    """Included files are relative to the including one, or to the root."""

    def find_path(self, module: str, level: int, path: str) -> tuple[str, ...]:
        for directory in (path.rpartition("/")[0], ""):
            joined = join_path(directory, module)
            if joined in self.paths:
                return (joined,)
        return ()


def is_php_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.endswith(("Test.php", "TestCase.php")) or "/tests/" in f"/{path.lower()}"


POLICY = Policy(
    constructors=("__construct",),
    call="__invoke",
    subscript="offsetGet",
    iterate="getIterator",
    dotted_modules=False,
    alternatives=True,
    virtual=True,
    trusts_classes=True,
)

LANGUAGES = (
    Language(
        name="php",
        extensions=(".php", ".phtml", ".php5"),
        shebangs=("php",),
        grammar="tree_sitter_php:language_php",
        extract=extract_php,
        index_modules=PhpModules,
        is_test=is_php_test,
        policy=POLICY,
    ),
)
