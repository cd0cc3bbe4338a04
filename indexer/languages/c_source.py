"""The text of C and C++ as their grammars can read it.

What the preprocessor would remove stops a grammar that does not run it: macros in the place of
keywords (`API int f(void)`), attributes, `extern "C" {` that only C++ sees. They are overwritten with
blanks, so that every position stays what it is.
"""

import re

_CPLUSPLUS = re.compile(
    rb"^[ \t]*#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t]*\(?[ \t]*__cplusplus\b[^\n]*)[^\n]*\n"
    rb"(?:(?![ \t]*#)[^\n]*\n)*?[ \t]*(?:extern[ \t]+\"C\"[ \t]*\{|\}[^\n]*)[^\n]*\n"
    rb"[ \t]*#[ \t]*endif[^\n]*",
    re.MULTILINE,
)
_ARGUMENTS = rb"(?:[ \t]*\([^()\n]{0,200}\)(?!\)))?"
_MACRO = rb"[A-Z_][A-Z0-9_]{2,60}\b"
# `API int f(`, `static ATTRIBUTE(x) T* f(`: a macro with two more words before a bracket.
_LEADING = re.compile(
    rb"^[ \t]*(?:(?:static|inline|extern|virtual|explicit|constexpr)[ \t]+){0,3}"
    rb"(" + _MACRO + _ARGUMENTS + rb")"
    rb"(?=\s+[A-Za-z_][\w:<>,* \t&]{0,80}[\s*&][A-Za-z_~][\w:~]{0,60}[ \t]?[(\[=;])",
    re.MULTILINE,
)
# `class API Name`, `struct ATTRIBUTE(x) Name`
_CLASS = re.compile(
    rb"\b(?:class|struct|union|enum|namespace)[ \t]+(" + _MACRO + _ARGUMENTS + rb")(?=\s+[A-Za-z_])"
)
# `void f() ATTRIBUTE(x);`, `int x ATTRIBUTE(mutex) = 1;`
_TRAILING = re.compile(
    rb"(?<=[\w)\]])\s+(" + _MACRO + _ARGUMENTS + rb")(?=\s*(?:[;{=]|override\b|const\b|[A-Z]))"
)
# A macro alone on its line, where a declaration or statement may begin.
_ALONE = re.compile(rb"(?:[;{}/]|\A)[ \t]*\n\s*(" + _MACRO + _ARGUMENTS + rb")[ \t]*(?=\n|\Z)")
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
    pieces: list[bytes] = []
    at = 0
    for line in _LINE.finditer(text):  # macros keep their own text
        pieces += (_prepare_code(text[at : line.start()]), line.group())
        at = line.end()
    pieces.append(_prepare_code(text[at:]))
    return b"".join(pieces)


def _prepare_code(text: bytes) -> bytes:
    if not text or text.isspace():
        return text
    text = _ATTRIBUTE.sub(_blank, text)
    for pattern in (_ALONE, _LEADING, _CLASS, _TRAILING):
        text = pattern.sub(_blank_macro, text)
    return text


def is_cpp(content: bytes) -> bool:
    """Is a header one of C++? Its own text decides: whoever includes it may change."""
    text = _CPLUSPLUS.sub(b"", content) if b"__cplusplus" in content else content
    return _CPP.search(_CODE.sub(b'""', text)) is not None
