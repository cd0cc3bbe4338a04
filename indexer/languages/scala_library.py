"""What the Scala front end knows of Scala's library."""

from agrama.indexer.languages.language import ADD, EACH, GET, KEYS_OF, MAP, SAME

SEQUENCES = frozenset(
    (
        "Array", "ArrayBuffer", "Buffer", "Future", "IndexedSeq", "Iterable", "Iterator", "LazyList",
        "List", "ListBuffer", "Option", "Queue", "Seq", "Set", "Some", "Stream", "Try", "Vector",
    )
)  # fmt: skip
MAPPINGS = frozenset(("HashMap", "Map", "Either", "SortedMap", "TreeMap"))
LIBRARY = frozenset(
    (
        "Any", "AnyRef", "AnyVal", "Boolean", "BigDecimal", "BigInt", "Byte", "Char", "Class", "Double",
        "Exception", "Float", "Function", "Int", "Left", "Long", "Nil", "None", "Nothing", "Null",
        "Object", "Option", "Ordering", "PartialFunction", "Right", "RuntimeException", "Short", "Some",
        "String", "StringBuilder", "Thread", "Throwable", "Unit", *SEQUENCES, *MAPPINGS,
    )
)  # fmt: skip
TYPE_NAMES = {
    "Int": "int", "Long": "long", "Double": "double", "Float": "float", "Short": "short",
    "Byte": "byte", "Char": "char", "Boolean": "boolean", "Any": "Object", "AnyRef": "Object",
}  # fmt: skip
CONTAINER_METHODS = {
    **dict.fromkeys(
        (
            "get",
            "head",
            "headOption",
            "last",
            "lastOption",
            "next",
            "getOrElse",
            "apply",
            "find",
            "min",
            "max",
            "orNull",
            "remove",
            "maxBy",
            "minBy",
        ),
        GET,
    ),
    **dict.fromkeys(("add", "append", "prepend", "enqueue", "put", "update"), ADD),
    **dict.fromkeys(
        (
            "toList",
            "toSeq",
            "toVector",
            "toSet",
            "iterator",
            "tail",
            "init",
            "reverse",
            "take",
            "drop",
            "sorted",
            "distinct",
            "values",
            "toArray",
            "orElse",
            "toIterator",
            "view",
        ),
        SAME,
    ),
    **dict.fromkeys(
        (
            "foreach",
            "filter",
            "filterNot",
            "exists",
            "forall",
            "count",
            "withFilter",
            "takeWhile",
            "dropWhile",
            "sortBy",
            "groupBy",
            "partition",
        ),
        EACH,
    ),
    **dict.fromkeys(("map", "flatMap", "collect"), MAP),
    **dict.fromkeys(("keys", "keySet"), KEYS_OF),
}
