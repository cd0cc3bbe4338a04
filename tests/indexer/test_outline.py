"""Definitions by regular expressions, one case per language."""

import time

import pytest

from agrama.indexer.outline import guess_language, outline


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.go", "func (s *Server) Start() error {\n}\ntype Option struct {\n", ["Start", "Option"]),
        ("a.rs", "pub fn parse(s: &str) {}\nimpl Foo {}\npub struct Bar;\n", ["parse", "Bar"]),
        ("a.java", "public class A {\n  public int size() {\n", ["A", "A.size"]),
        ("a.c", "static int\nuv__run(uv_loop_t* loop) {\n}\nint uv_close(int x) {\n#define MAX 3\n", ["uv_close", "MAX"]),
        ("a.cpp", "class A {\n};\nvoid A::run(int x) {\n", ["A", "run"]),
        ("a.rb", "module M\n  class C\n    def call\n", ["M", "M.C", "M.C.call"]),
        ("a.php", "class A {\n  public function b() {\n", ["A", "A.b"]),
        ("a.kt", "class A {\n  fun b() {\n", ["A", "A.b"]),
        ("a.swift", "struct A {\n  func b() {\n", ["A", "A.b"]),
        ("a.ex", "defmodule A do\n  def b(x) do\n", ["A", "A.b"]),
        ("a.hs", "data A = B\nparse :: Int -> Int\n", ["A", "parse"]),
        ("a.lua", "local function open()\nfunction M.close()\n", ["open", "close"]),
        ("a.zig", "pub const A = struct {\n  pub fn b() void {\n", ["A", "A.b"]),
        ("a.sh", "run_all() {\n}\nfunction other {\n", ["run_all", "other"]),
        ("a.cs", "public class A {\n  public async Task B() {\n", ["A", "A.B"]),
        ("a.scala", "trait A {\n  def b: Int\n", ["A", "A.b"]),
        ("a.ts", "export const load = async () => {\nexport class B {\n  c(): void {\n", ["load", "B", "B.c"]),
        ("a.sql", "CREATE TABLE IF NOT EXISTS shop.users (\n", ["users"]),
        ("a.md", "# One\n\ntext\n\n## Two\n", ["One", "Two"]),
        ("a.rst", "Title\n=====\n\ntext\n", ["Title"]),
        ("a.json", '{"class": "A"}', []),
    ],
)  # fmt: skip
def test_names(path: str, text: str, names: list[str]) -> None:
    language = guess_language(path, text)
    assert [found.qualified for found in outline(text, language)] == names


def test_languages_by_name_or_first_line() -> None:
    assert guess_language("a/B.PY", "") == "python"
    assert guess_language("run", "#!/usr/bin/env bash\n") == "bash"
    assert guess_language("unknown", "text") is None


@pytest.mark.parametrize("part", ["public static ", "x", " ", "a::", "(", "int "])
@pytest.mark.parametrize("language", ["c", "java", "typescript", "go"])
def test_hostile_lines_are_read_in_linear_time(part: str, language: str) -> None:
    began = time.thread_time()
    outline(part * 50_000, language)
    assert time.thread_time() - began < 0.5
