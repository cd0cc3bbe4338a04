"""Ways to spoil a source text, reproducible from a seed: what editors, merges and disks do to files, and worse."""

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
_BRACKETS = (
    (b"(", b")"),
    (b"[", b"]"),
    (b"{", b"}"),
    (b"<", b">"),
    (b"<a>", b"</a>"),
    (b"#{", b"}"),
)
# What opens a construct in some language and may be said again inside itself.
_OPENERS = (
    b"if x:\n ", b"if (x) {", b"else if ", b"f(", b"a.", b"a[", b"!", b"-", b"*", b"&", b"not ", b"x = ", b"x -> ",
    b"lambda: ", b"() => ", b"fn() {", b"do ", b"begin\n", b"case x of ", b"class A {", b"namespace a {", b"new ",
    b"let x = ", b"\\x -> ", b"/*", b"(*", b"{-", b"`${", b'"#{', b"f'{", b"$(", b"${", b"- ", b"> ", b"  - a:\n",
    b"#if A\n", b"(a,", b"a ? b : ", b"a + ", b"a && ", b"'", b'"', b'"""', b"@a ", b"#[a]", b"template<", b"vector<",
    b"# ", b"* ", b"|", b"||", b"a::", b"a->", b"not(", b"async ", b"await ", b"yield ", b"return ", b"\t", b"    ",
)  # fmt: skip
_STRANGE = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\x0c", b"\x1b[0m", b"\xe2\x80\xae", b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80", b"\xc2\xa0", b"\xe2\x80\xa8", b"9" * 5000, b"0x", b"1e999", b"\\", b"\\u{110000}", b"\\N{x}",
    b"a" * 3000, b"$", b"`", b"<<EOF\n", b"%q(", b"r#\"", b"R\"x(", b"=begin\n", b"__END__\n", b"<?php ", b"?>", b"---\n",
)  # fmt: skip

Mutation = Callable[[bytes, Sequence[bytes], random.Random], bytes]


def flip_bytes(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    data = bytearray(text)
    for _ in range(min(len(data), rng.choice((1, 3, 20)))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def delete_span(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = _span(text, rng)
    return text[:start] + text[stop:]


def duplicate_span(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = _span(text, rng)
    return text[:stop] + text[start:stop] * rng.choice((1, 1, 2, 8)) + text[stop:]


def move_span(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = _span(text, rng)
    rest = text[:start] + text[stop:]
    at = rng.randint(0, len(rest))
    return rest[:at] + text[start:stop] + rest[at:]


def splice(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    start, stop = _span(other, rng)
    at = rng.randint(0, len(text))
    return text[:at] + other[start:stop] + text[at:]


def cross(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


def swap_tokens(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    tokens = _TOKEN.findall(text)
    for _ in range(rng.choice((1, 4, 30)) if tokens else 0):
        left, right = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        tokens[left], tokens[right] = tokens[right], tokens[left]
    return b"".join(tokens)


def drop_tokens(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    share = rng.choice((0.01, 0.1, 0.4))
    return b"".join(token for token in _TOKEN.findall(text) if rng.random() >= share)


def repeat_token(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    tokens = _TOKEN.findall(text)
    if tokens:
        at = rng.randrange(len(tokens))
        tokens[at] *= rng.choice((2, 10, 300))
    return b"".join(tokens)


def truncate(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    return text[: rng.randint(0, len(text))]


def nest_brackets(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    left, right = rng.choice(_BRACKETS)
    depth = rng.choice((3, 50, 500, 2000))
    start, stop = _span(text, rng)
    closing = right * rng.choice((0, depth - 1, depth, depth))
    return text[:start] + left * depth + text[start:stop] + closing + text[stop:]


def nest_openers(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    at = rng.randint(0, len(text))
    openers = b"".join(rng.choices(_OPENERS, k=rng.choice((1, 1, 2, 3))))
    return text[:at] + openers * rng.choice((1, 20, 200, 1000)) + text[at:]


def nest_tokens(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """A few tokens of the text itself, again and again: what its own grammar can nest."""
    tokens = _TOKEN.findall(text)
    if not tokens:
        return text
    at = rng.randrange(len(tokens))
    some = b"".join(tokens[at : at + rng.randint(1, 5)])
    tokens[at] = some * rng.choice((20, 200, 1000))
    return b"".join(tokens)


def insert_strange(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 2, 10))):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(_STRANGE) + text[at:]
    return text


def change_line_ends(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    return text.replace(b"\n", rng.choice((b"\r\n", b"\r", b"", b" ", b"\n\n", b"\n\t")))


def random_bytes(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    return rng.randbytes(rng.choice((1, 50, 2000)))


def random_tokens(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Tokens of the text in any order."""
    tokens = _TOKEN.findall(text) or [b"x"]
    return b"".join(rng.choices(tokens, k=rng.choice((5, 100, 1000))))


MUTATIONS: tuple[Mutation, ...] = (
    flip_bytes, delete_span, delete_span, duplicate_span, move_span, splice, splice, cross, swap_tokens, swap_tokens,
    drop_tokens, repeat_token, truncate, nest_brackets, nest_openers, nest_tokens, insert_strange, change_line_ends,
    random_bytes, random_tokens,
)  # fmt: skip


def mutate(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """The text after one or a few mutations; `others` are texts to take parts from."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        text = rng.choice(MUTATIONS)(text, others, rng)
    return text


def _span(text: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.choice((1, 8, 60, 400, 2000)))
