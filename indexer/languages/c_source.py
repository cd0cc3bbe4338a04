"""The text of C and C++ as their grammars can read it.

What the preprocessor would remove stops a grammar that does not run it: macros in the place of
keywords (`API int f(void)`), attributes, `extern "C" {` that only C++ sees. They are overwritten with
blanks, so that every position stays what it is.
"""

import re

from agrama.indexer.languages.c_conditions import keep_one_way

_CPLUSPLUS = re.compile(
    rb"^[ \t]*#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t]*\(?[ \t]*__cplusplus\b[^\n]*)[^\n]*\n"
    rb"(?:(?![ \t]*#)[^\n]*\n)*?[ \t]*(?:extern[ \t]+\"C\"[ \t]*\{|\}[^\n]*)[^\n]*\n"
    rb"[ \t]*#[ \t]*endif[^\n]*",
    re.MULTILINE,
)
_ARGUMENTS = rb"(?:[ \t]*\([^()\n]{0,200}\)(?!\)))?"
_MACRO = rb"[A-Z_][A-Z0-9_]{2,60}\b"
# `API int f(`, `static ATTRIBUTE(x) T* f(`, `INLINE T::T(`: macros with two more words before a bracket,
# or with the name of a constructor.
_LEADING = re.compile(
    rb"^[ \t]*(?:template[ \t]*<[^;{}()\n]{0,200}>[ \t]*)?"
    rb"(?:(?:static|inline|extern|virtual|explicit|constexpr)[ \t]+){0,3}"
    rb"(" + _MACRO + _ARGUMENTS + rb"(?:[ \t]+" + _MACRO + _ARGUMENTS + rb"){0,2})"
    rb"(?=\s+(?:[A-Za-z_][\w:<>,* \t&]{0,80}[\s*&]"
    rb"(?:(?:operator[ \t]*[^\w\s]{1,3}|[A-Za-z_~][\w:~]{0,60})[ \t]?[(\[=;]"
    rb"|\([A-Za-z_]\w{0,60}\)[ \t]?\()"
    rb"|(?:\w+::){0,3}(\w+)::~?\2[ \t]?\())",
    re.MULTILINE,
)
# `INLINE T(`, where T is a class of the file
_CONSTRUCTOR = re.compile(
    rb"^[ \t]*(?:explicit[ \t]+|inline[ \t]+)?(" + _MACRO + rb")(?=[ \t]+~?(\w+)[ \t]?\()",
    re.MULTILINE,
)
_CLASS_NAME = re.compile(rb"\b(?:class|struct)[ \t]+(?:" + _MACRO + rb"[ \t]+)?(\w+)")
# `template <class T, ENABLE_IF(f(x))>`
_CONSTRAINT = re.compile(rb"(,\s*" + _MACRO + rb"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(?=\s*>)")
# `class API Name`, `struct ATTRIBUTE(x) Name`
_CLASS = re.compile(
    rb"\b(?:class|struct|union|enum|namespace)[ \t]+("
    + _MACRO
    + _ARGUMENTS
    + rb"(?:[ \t]+"
    + _MACRO
    + _ARGUMENTS
    + rb")*)(?=\s+[A-Za-z_])"
)
# `void f() const ATTRIBUTE(x);`
_TRAILING = re.compile(
    rb"^[ \t]*(?!if\b|for\b|while\b|switch\b|else\b|return\b|case\b|do\b)[A-Za-z_~:][^\n;{}=]{0,300}\)"
    rb"(?:[ \t]+(?:const|noexcept|override|final)\b)*\s+(" + _MACRO + _ARGUMENTS + rb")"
    rb"(?=\s*(?:[;{]|=\s*(?:default|delete|0)\b|override\b|[A-Z]))",
    re.MULTILINE,
)
# `int x GUARDED_BY(mutex) = 1;`
_GUARDED = re.compile(
    rb"^[ \t]*[\w:<>,]{2,60}[ \t*&]+\w{1,60}[ \t]+([A-Z]\w{0,30}_[A-Z_]{1,30}[ \t]*\([^()\n]{0,99}\))"
    rb"(?=[ \t]*[;={])",
    re.MULTILINE,
)
# A macro alone on its line, where a declaration or statement may begin.
_ALONE = re.compile(
    rb"(?:[;{}/]|\A|//[^\n]*)[ \t]*\n\s*("
    + _MACRO
    + _ARGUMENTS
    + rb"(?:[ \t]*\n\s*"
    + _MACRO
    + _ARGUMENTS
    + rb")*)[ \t]*(?=\n(?!\s*\{)|\Z)"
)
# … or before a block: `TRY` and `{` on the next line
_BARE = re.compile(rb"(?:[;{}/]|//[^\n]*)[ \t]*\n\s*(" + _MACRO + rb")[ \t]*(?=\n\s*\{)")
# `UNUSED(static int f(int x)) {`
_WRAPPED = re.compile(
    rb"^([A-Z_][A-Z0-9_]{2,60}\()((?:[A-Za-z_][\w*]{0,60}[\s*]+){1,5}[a-z_]\w{0,60}\([^(){};]{0,300}\))(\))"
    rb"(?=\s*[{;])",
    re.MULTILINE,
)
# `MACRO:` among the members of a class
_ACCESS = re.compile(rb"^[ \t]*(" + _MACRO + rb"[ \t]*:)[ \t]*(?=\n|\Z)", re.MULTILINE)
# `T* nonnull name`: a word between a pointer and its name
_POINTER = re.compile(
    rb"\*[ \t]*\b(?!const\b|volatile\b|restrict\b|sizeof\b|new\b|delete\b|operator\b|co_await\b"
    rb"|and\b|or\b|typename\b|alignof\b)([A-Za-z_]\w{2,60})[ \t]+(?=[A-Za-z_]\w*[ \t]*[,;)=({\[]|\w+::)"
)
# `f(const T& name ATTRIBUTE_OF_IT)`
_PARAMETER = re.compile(
    rb"(?<=\w)[ \t]+([A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,30}){2,8})" + _ARGUMENTS + rb"(?=\s*[,)])"
)
# Inside the braces of an enumeration or initialiser the grammars know no directives but conditions.
_LISTING = re.compile(rb"(?:,|(?:\benum\b[\w\s]*|=\s*)\{)\s*\Z")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b")
_HEADER = re.compile(rb"<[\w./+-]+>|\"[\w./+-]+\"")
_SILENT = re.compile(
    rb"^[ \t]*#[ \t]*(?:(?:pragma|error|warning|line|ident)\b|define[ \t]+(\w+)[ \t]+\1[ \t]*$)"
)
_ATTRIBUTE = re.compile(
    rb"\b(?:__attribute__|__declspec|__asm__|alignas)[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
    rb"|\b(?:__extension__|__restrict|__inline__|__global__|__device__|__host__|__forceinline"
    rb"|__cdecl|__stdcall|WINAPI|CALLBACK|APIENTRY|NTAPI)\b"
    rb"|<<<[^;{}<>]*>>>"
)
_LINE = re.compile(rb"^[ \t]*#[ \t]*\w+(?:[^\n\\]|\\[^\n]|\\\n)*", re.MULTILINE)
_CODE = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_CPP = re.compile(
    rb"^\s*(?:template\s*<|(?:inline\s+)?namespace\b[\s\w:]*\{|class\s+[\w\s]+(?:final\s*)?[:{;]"
    rb"|(?:public|private|protected)\s*:|using\s+(?:namespace\s+)?\w|(?:static\s+)?constexpr\b"
    rb"|virtual\s|explicit\s|friend\s)"
    rb"|\b\w+::~?\w|\bstatic_cast<|\bnoexcept\b|=\s*default\s*;|\bnullptr\b"
    rb"|#[ \t]*include[ \t]*<\w+>",
    re.MULTILINE,
)


def _blank(found: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", found.group())


def _blank_macro(found: re.Match[bytes]) -> bytes:
    """Overwrite group 1; a preprocessor line stays."""
    whole, first = found.group(), found.start(1) - found.start()
    last = found.end(1) - found.start()
    return whole[:first] + re.sub(rb"[^\n]", b" ", whole[first:last]) + whole[last:]


def prepare_source(content: bytes) -> bytes:
    """The text with what only a preprocessor understands overwritten; as long as before."""
    text = _CPLUSPLUS.sub(_blank, content) if b"__cplusplus" in content else content
    if b"#" in text:
        text = keep_one_way(text)
    classes = frozenset(_CLASS_NAME.findall(text))
    pieces: list[bytes] = []
    at = 0
    listing = False
    for line in _LINE.finditer(text):  # macros keep their own text
        piece = _prepare_code(text[at : line.start()], classes)
        pieces.append(piece)
        if not piece.isspace() and piece:
            listing = _LISTING.search(_CODE.sub(b"", piece[-400:])) is not None
        pieces.append(_prepare_directive(line, listing=listing))
        at = line.end()
    pieces.append(_prepare_code(text[at:], classes))
    return b"".join(pieces)


def _prepare_directive(line: re.Match[bytes], *, listing: bool) -> bytes:
    text = line.group()
    if not _CONDITION.match(text):
        return _blank(line) if listing or _SILENT.match(text) else text
    # `#if __has_include(<a>)`: the grammars expect numbers
    return _HEADER.sub(lambda found: b"0" * len(found[0]), text)


def _prepare_code(text: bytes, classes: frozenset[bytes]) -> bytes:
    if not text or text.isspace():
        return text
    text = _ATTRIBUTE.sub(_blank, text)
    text = _WRAPPED.sub(lambda m: b" " * len(m[1]) + m[2] + b" ", text)
    for pattern in (
        _ALONE,
        _BARE,
        _ACCESS,
        _POINTER,
        _PARAMETER,
        _LEADING,
        _CLASS,
        _TRAILING,
        _GUARDED,
    ):
        text = pattern.sub(_blank_macro, text)
    if not classes:
        return text
    text = _CONSTRAINT.sub(_blank_macro, text)
    return _CONSTRUCTOR.sub(
        lambda found: _blank_macro(found) if found[2] in classes else found[0], text
    )


def is_cpp(content: bytes) -> bool:
    """Is a header one of C++? Its own text decides: whoever includes it may change."""
    text = _CPLUSPLUS.sub(b"", content) if b"__cplusplus" in content else content
    return _CPP.search(_CODE.sub(b'""', text)) is not None


_OBJC = re.compile(
    rb"^[ \t]*(?:@(?:interface|protocol|class|import|end)\b|#[ \t]*import\b)", re.MULTILINE
)


def find_variant(content: bytes) -> str:
    """A header may be of either language; a source of C never looks like C++."""
    if _OBJC.search(content) is not None:
        return "objc"
    return "cpp" if is_cpp(content) else "c"


def is_c_test(path: str) -> bool:
    *directories, name = path.lower().split("/")
    stem = name.partition(".")[0].replace("-", "_")
    return (
        any(each in ("test", "tests", "unittest", "unittests") for each in directories)
        or stem.startswith("test_")
        or stem.endswith(("_test", "_tests", "_unittest"))
    )
