"""Go, Java and Rust: no text is too deep or too long for their front ends."""

import time

import pytest

from agrama.indexer.parse import parse_file

DEEP = [
    ("go", b"package p\nfunc f() { x := " + b"(" * 4000 + b"1" + b")" * 4000 + b" }"),
    ("go", b"package p\nvar x = " + b"a+" * 9000 + b"b"),
    ("go", b"package p\ntype T " + b"[]" * 4000 + b"int"),
    ("go", b"package p\nfunc f() { x" + b".a()" * 4000 + b" }"),
    ("java", b"class A { void f() { x(" + b"(" * 4000 + b"1" + b")" * 4000 + b"); } }"),
    ("java", b"class A { String s = " + b'"a"+' * 9000 + b"b; }"),
    ("java", b"class A {" * 2000 + b"}" * 2000),
    ("java", b"class A { void f() {" + b"new A() { void f() {" * 300 + b"}};" * 300 + b"}}"),
    ("rust", b"fn f() { let s = " + b"a+" * 9000 + b"b; }"),
    ("rust", b"type T = " + b"Box<" * 2000 + b"u8" + b">" * 2000 + b";"),
    ("rust", b"mod a {" * 2000 + b"}" * 2000),
    ("rust", b"fn f() { m!(" + b"(" * 3000 + b")" * 3000 + b"); }"),
]


@pytest.mark.parametrize(("language", "text"), DEEP, ids=range(len(DEEP)))
def test_deep_nesting_costs_only_itself(language: str, text: bytes) -> None:
    begun = time.process_time()
    facts = parse_file("x", text, language)
    assert facts["definitions"][0][2] == ""
    assert time.process_time() - begun < 2
