"""Dart: libraries by file, classes and mixins, named constructors, extensions, cascades."""

from agrama.indexer.languages.dart_declarations import extract_dart
from agrama.indexer.languages.language import ADD, EACH, GET, KEYS_OF, MAP, SAME, Language, Policy
from agrama.indexer.languages.relative import RelativeModules

CONTAINER_METHODS = {
    **dict.fromkeys(
        (
            "first",
            "last",
            "single",
            "elementAt",
            "remove",
            "removeLast",
            "firstWhere",
            "putIfAbsent",
        ),
        GET,
    ),
    **dict.fromkeys(("add", "insert", "addFirst", "addLast"), ADD),
    **dict.fromkeys(("toList", "toSet", "values", "reversed", "take", "skip", "cast"), SAME),
    **dict.fromkeys(("forEach", "where", "any", "every", "removeWhere"), EACH),
    **dict.fromkeys(("map", "expand", "then"), MAP),
    "keys": KEYS_OF,
}


def is_dart_test(path: str) -> bool:
    return path.endswith("_test.dart") or path.startswith("test/") or "/test/" in path


LANGUAGES = (
    Language(
        name="dart",
        extensions=(".dart",),
        grammar="tree_sitter_dart:language",
        extract=extract_dart,
        index_modules=RelativeModules,
        is_test=is_dart_test,
        policy=Policy(
            call="call", container_methods=CONTAINER_METHODS, virtual=True, dotted_modules=False
        ),
    ),
)
