"""What the Java front end knows of the Java library: containers, `java.lang`, primitives."""

from agrama.indexer.languages.language import ADD, EACH, EXTEND, GET, ITEMS, KEYS_OF, MAP, SAME

# Classes that hold values of their last type argument and give them back.
SEQUENCES = frozenset(
    (
        "AbstractList", "ArrayDeque", "ArrayList", "AtomicReference", "BlockingQueue", "Callable",
        "Collection", "CompletableFuture", "CopyOnWriteArrayList", "Deque", "EnumSet", "Future",
        "HashSet", "Iterable", "Iterator", "LinkedHashSet", "LinkedList", "List", "ListIterator",
        "Optional", "PriorityQueue", "Queue", "Set", "SortedSet", "SoftReference", "Stack", "Stream",
        "Supplier", "ThreadLocal", "TreeSet", "Vector", "WeakReference",
    )
)  # fmt: skip
# `Entry` is one pair of a map: what matters is its value.
MAPPINGS = frozenset(
    (
        "ConcurrentHashMap", "ConcurrentMap", "Entry", "Map.Entry", "EnumMap", "HashMap", "Hashtable", "IdentityHashMap",
        "LinkedHashMap", "Map", "NavigableMap", "SortedMap", "TreeMap", "WeakHashMap",
    )
)  # fmt: skip
# Types that say nothing of a value's members.
FLOWING = frozenset(("Object", "var", "Cloneable", "Comparable", "Serializable"))
LANG = frozenset(
    (
        "ArithmeticException", "AssertionError", "AutoCloseable", "Boolean", "Byte", "CharSequence",
        "Character", "Class", "ClassCastException", "ClassLoader", "ClassNotFoundException",
        "Deprecated", "Double", "Enum", "Error", "Exception", "Float", "FunctionalInterface",
        "IllegalAccessException", "IllegalArgumentException", "IllegalStateException",
        "IndexOutOfBoundsException", "Integer", "InterruptedException", "Iterable", "Long", "Math",
        "NoSuchFieldException", "NoSuchMethodException", "NullPointerException", "Number",
        "NumberFormatException", "Override", "Process", "Runnable", "Runtime", "RuntimeException",
        "SafeVarargs", "Short", "StackTraceElement", "StrictMath", "String", "StringBuffer",
        "StringBuilder", "SuppressWarnings", "System", "Thread", "Throwable",
        "UnsupportedOperationException", "Void",
    )
)  # fmt: skip

CONTAINER_METHODS = {
    **dict.fromkeys(
        (
            "get", "next", "previous", "remove", "poll", "peek", "pop", "element", "first", "last",
            "getFirst", "getLast", "removeFirst", "removeLast", "pollFirst", "pollLast", "orElse",
            "orElseGet", "orElseThrow", "getOrDefault", "join", "call", "take", "getAndSet", "put",
            "putIfAbsent", "getValue",
        ),
        GET,
    ),
    **dict.fromkeys(("add", "addFirst", "addLast", "offer", "push", "set", "enqueue"), ADD),
    **dict.fromkeys(
        (
            "iterator", "listIterator", "stream", "parallelStream", "distinct", "sorted",
            "limit", "skip", "subList", "values", "findFirst", "findAny", "toList", "collect",
            "headSet", "tailSet", "descendingIterator", "onClose", "unmodifiableList",
        ),
        SAME,
    ),
    **dict.fromkeys(("filter", "forEach", "ifPresent", "removeIf", "anyMatch", "allMatch"), EACH),
    **dict.fromkeys(("map", "flatMap", "thenApply"), MAP),
    "addAll": EXTEND,
    "entrySet": ITEMS,
    "keySet": KEYS_OF,
}  # fmt: skip
