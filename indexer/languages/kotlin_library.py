"""What the Kotlin front end knows of Kotlin's library: containers, scope functions, names of types."""

from agrama.indexer.languages.language import ADD, EACH, EXTEND, GET, ITEMS, KEYS_OF, MAP, SAME

# Classes that hold values of their last type argument and give them back.
SEQUENCES = frozenset(
    (
        "Array", "ArrayDeque", "ArrayList", "Collection", "HashSet", "Iterable", "Iterator", "Lazy",
        "LinkedHashSet", "LinkedList", "List", "MutableCollection", "MutableIterable", "MutableList",
        "MutableSet", "Sequence", "Set", "Result", "AtomicReference", "WeakReference", "ThreadLocal",
    )
)  # fmt: skip
MAPPINGS = frozenset(
    ("HashMap", "LinkedHashMap", "Map", "MutableMap", "ConcurrentHashMap", "Pair", "TreeMap")
)
LIBRARY = frozenset(
    (
        "Any", "ArithmeticException", "AssertionError", "Boolean", "BooleanArray", "Byte", "ByteArray",
        "Char", "CharSequence", "Class", "Comparable", "Comparator", "Double", "Enum", "Error",
        "Exception", "Float", "Function", "IllegalArgumentException", "IllegalStateException",
        "IndexOutOfBoundsException", "Int", "IntArray", "IntRange", "KClass", "Long", "LongArray",
        "Math", "NoSuchElementException", "Nothing", "NullPointerException", "Number", "Regex",
        "Runnable", "RuntimeException", "Short", "String", "StringBuilder", "System", "Thread",
        "Throwable", "UInt", "ULong", "Unit", "UnsupportedOperationException", *SEQUENCES, *MAPPINGS,
    )
)  # fmt: skip
FLOWING = frozenset(("Any", "Nothing"))
# Functions that make a container of their arguments.
MAKERS = frozenset(
    (
        "listOf", "mutableListOf", "setOf", "mutableSetOf", "arrayOf", "arrayListOf", "sequenceOf",
        "listOfNotNull", "hashSetOf", "linkedSetOf", "emptyList", "emptySet", "arrayOfNulls",
        "mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "emptyMap",
    )
)  # fmt: skip
# Functions that hand their receiver to a lambda, as `it` or as `this`.
GIVES_IT = frozenset(("let", "also", "takeIf", "takeUnless"))
GIVES_THIS = frozenset(("apply", "run", "with"))
RETURNS_RECEIVER = frozenset(("also", "apply", "takeIf", "takeUnless"))

# Names by which overloads are chosen (see resolve/overloads.py).
TYPE_NAMES = {
    "Int": "int", "Long": "long", "Double": "double", "Float": "float", "Short": "short",
    "Byte": "byte", "Char": "char", "Boolean": "boolean", "Any": "Object", "KClass": "Class",
}  # fmt: skip
BOXED = {
    "int": "Integer", "long": "Long", "double": "Double", "float": "Float", "byte": "Byte",
    "char": "Character", "short": "Short", "boolean": "Boolean",
}  # fmt: skip
MEMBER_TYPES = {
    **dict.fromkeys(("toString()", "trim()", "substring()", "lowercase()", "uppercase()",
                     "joinToString()", "replace()", "name"), "String"),
    **dict.fromkeys(("length", "size", "indexOf()", "hashCode()", "toInt()", "ordinal"), "int"),
    **dict.fromkeys(("equals()", "isEmpty()", "isNotEmpty()", "contains()", "startsWith()",
                     "endsWith()", "isNotBlank()", "isBlank()", "any()", "all()"), "boolean"),
    "toLong()": "long", "toDouble()": "double",
}  # fmt: skip

CONTAINER_METHODS = {
    **dict.fromkeys(
        (
            "get", "first", "firstOrNull", "last", "lastOrNull", "single", "singleOrNull", "next",
            "removeAt", "removeFirst", "removeLast", "getOrNull", "getOrElse", "getOrPut", "remove",
            "elementAt", "random", "maxOrNull", "minOrNull", "put", "getValue", "value", "getOrThrow",
            "find", "maxByOrNull", "minByOrNull", "removeFirstOrNull", "removeLastOrNull", "poll",
        ),
        GET,
    ),
    **dict.fromkeys(("add", "addLast", "addFirst", "set", "plus", "offer", "push"), ADD),
    **dict.fromkeys(
        (
            "toList", "toMutableList", "toSet", "toMutableSet", "asSequence", "distinct", "reversed",
            "sorted", "take", "drop", "iterator", "values", "filterNotNull", "asIterable", "shuffled",
            "toTypedArray", "asReversed", "plus", "listIterator", "filterIsInstance", "chunked",
        ),
        SAME,
    ),
    **dict.fromkeys(
        (
            "forEach", "filter", "filterNot", "any", "all", "none", "count", "onEach", "sortedBy",
            "takeWhile", "dropWhile", "sumOf", "partition", "groupBy", "removeIf", "removeAll",
            "associateBy", "distinctBy", "sortBy", "indexOfFirst", "joinToString",
        ),
        EACH,
    ),
    **dict.fromkeys(("map", "flatMap", "mapNotNull", "associate", "associateWith"), MAP),
    **dict.fromkeys(("addAll", "putAll"), EXTEND),
    **dict.fromkeys(("keys",), KEYS_OF),
    **dict.fromkeys(("entries", "withIndex"), ITEMS),
}  # fmt: skip
