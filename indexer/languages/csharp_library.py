"""What the C# front end knows of .NET: containers, common classes, names of types."""

from agrama.indexer.languages.language import ADD, EACH, EXTEND, GET, KEYS_OF, MAP, SAME

# Classes that hold values of their last type argument and give them back.
SEQUENCES = frozenset(
    (
        "List", "IList", "IEnumerable", "ICollection", "IReadOnlyList", "IReadOnlyCollection",
        "HashSet", "ISet", "SortedSet", "Queue", "Stack", "LinkedList", "IEnumerator", "IQueryable",
        "Task", "ValueTask", "Lazy", "Nullable", "ConcurrentBag", "ConcurrentQueue", "Collection",
        "ObservableCollection", "ReadOnlyCollection", "IAsyncEnumerable", "ThreadLocal",
        "AsyncLocal", "WeakReference", "Span", "ReadOnlySpan", "Memory", "ImmutableArray",
        "ImmutableList", "TaskCompletionSource", "Channel", "BlockingCollection", "ArraySegment",
    )
)  # fmt: skip
MAPPINGS = frozenset(
    (
        "Dictionary", "IDictionary", "IReadOnlyDictionary", "ConcurrentDictionary",
        "SortedDictionary", "SortedList", "KeyValuePair", "ILookup", "ImmutableDictionary",
        "ReadOnlyDictionary",
    )
)  # fmt: skip
# Types that say nothing of a value's members.
FLOWING = frozenset(("object", "dynamic", "Object", "var"))
LIBRARY = frozenset(
    (
        "Action", "Activator", "ArgumentException", "ArgumentNullException",
        "ArgumentOutOfRangeException", "Array", "Assembly", "Attribute", "BigInteger", "BitConverter",
        "Boolean", "Buffer", "Byte", "CancellationToken", "Char", "Console", "Convert", "CultureInfo",
        "DateTime", "DateTimeOffset", "DBNull", "Debug", "Decimal", "Delegate", "Double", "Encoding",
        "Enum", "Enumerable", "Environment", "EventArgs", "EventHandler", "Exception", "File", "Func",
        "GC", "Guid", "ICloneable", "IComparable", "IDisposable", "IEquatable", "IFormatProvider",
        "Int16", "Int32", "Int64", "Interlocked", "InvalidCastException", "InvalidOperationException",
        "IOException", "JsonSerializerOptions", "KeyNotFoundException", "Math", "MemberInfo",
        "MemoryStream", "MethodInfo", "Monitor", "NotImplementedException", "NotSupportedException",
        "NullReferenceException", "Object", "ParameterInfo", "Path", "Predicate", "PropertyInfo",
        "Random", "Regex", "SByte", "Single", "Stream", "StreamReader", "StreamWriter", "String",
        "StringBuilder", "StringComparer", "StringComparison", "StringReader", "StringWriter",
        "TextReader", "TextWriter", "Thread", "TimeSpan", "TimeZoneInfo", "Tuple", "Type", "UInt16",
        "UInt32", "UInt64", "Uri", "Version", *SEQUENCES, *MAPPINGS,
    )
)  # fmt: skip

# Names by which overloads are chosen (see resolve/overloads.py).
TYPE_NAMES = {
    "string": "String", "object": "Object", "dynamic": "?", "bool": "boolean", "Boolean": "boolean",
    "sbyte": "byte", "uint": "int", "ulong": "long", "ushort": "short", "Int32": "int",
    "Int64": "long", "Double": "double", "Single": "float", "Byte": "byte", "Char": "char",
    "Int16": "short", "Type": "Class", "var": "?",
}  # fmt: skip
BOXED = {
    "int": "Integer", "long": "Long", "double": "Double", "float": "Float", "byte": "Byte",
    "char": "Character", "short": "Short", "boolean": "Boolean",
}  # fmt: skip

# What well-known members of the library are, whatever their class.
MEMBER_TYPES = {
    **dict.fromkeys(("ToString()", "Substring()", "Trim()", "ToLower()", "ToUpper()", "Format()",
                     "Join()", "Replace()", "ToUpperInvariant()", "ToLowerInvariant()"), "String"),
    **dict.fromkeys(("Length", "Count", "Count()", "IndexOf()", "GetHashCode()"), "int"),
    **dict.fromkeys(("Equals()", "Contains()", "StartsWith()", "EndsWith()", "Any()", "All()",
                     "IsNullOrEmpty()", "ContainsKey()", "HasValue"), "boolean"),
    "GetType()": "Class",
}  # fmt: skip

CONTAINER_METHODS = {
    **dict.fromkeys(
        (
            "First", "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault", "Peek",
            "Pop", "Dequeue", "ElementAt", "Max", "Min", "GetResult", "GetValueOrDefault", "Find",
            "GetOrAdd", "TryGetValue", "Aggregate",
        ),
        GET,
    ),
    **dict.fromkeys(("Add", "Push", "Enqueue", "Insert", "AddLast", "AddFirst", "TryAdd"), ADD),
    **dict.fromkeys(
        (
            "ToList", "ToArray", "AsEnumerable", "Distinct", "Reverse", "Skip", "Take", "AsReadOnly",
            "ConfigureAwait", "GetAwaiter", "GetEnumerator", "ToHashSet", "Cast", "OfType",
            "AsQueryable", "Concat", "Union", "Append", "DefaultIfEmpty", "AsSpan",
        ),
        SAME,
    ),
    **dict.fromkeys(
        (
            "Where", "ForEach", "OrderBy", "OrderByDescending", "ThenBy", "Any", "All", "Count",
            "TakeWhile", "SkipWhile", "FindAll", "RemoveAll", "Exists", "Sum", "GroupBy",
        ),
        EACH,
    ),
    **dict.fromkeys(("Select", "SelectMany", "ContinueWith", "ConvertAll", "ToDictionary"), MAP),
    "AddRange": EXTEND,
    "Keys": KEYS_OF,
}  # fmt: skip
