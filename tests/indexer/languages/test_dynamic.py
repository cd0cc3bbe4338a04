"""Ruby, PHP, Lua, Elixir, Bash and Perl: whatever the text, their front ends give facts."""

import marshal
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.indexer.facts import (
    REFERENCE_WIDTH,
    TO_DEFINITION,
    TO_IMPORT,
    TO_VARIABLE,
    Definition,
    FileFacts,
    unpack_references,
)
from agrama.indexer.parse import parse_file

RUBY = b"""
require_relative "a/b"
autoload :Q, "q"
module A
  class B < C::D
    include M, N
    extend self
    attr_accessor :x, :y
    X = Struct.new(:a) do
      def q; end
    end
    def self.make(a, b = 1, *r, k: 2, **o, &blk)
      new(a, *r, k: b, **o, &blk).tap { |z, (p, q)| yield z[0] }
      super
    end
    class << self
      def z = @z ||= {a: 1, "b" => [2, *3]}
      alias_method :w, :z
    end
    def x=(v)
      self.x, @y = foo.bar 1 do |a| a.b end
      begin
        while v; v = v.next; end
      rescue Foo, Bar => e
        raise E.new(e)
      else 1
      ensure w
      end
      case v when B, C then v.go else send(:y, &:to_s) end
      return 1, 2 unless "a#{v&.x}"
      f = ->(a) { a.b }; f.(1); f[2] += 3
      for i in x do y end
    end
    define_method(:dm) { |q| q || super() }
  end
end
describe "t" do it "u" do A::B.make(1).x = 2 end end
"""

PHP = b"""<?php
namespace App\\Models;
use Foo\\Bar as Baz, Foo\\Qux;
use function Foo\\f;
use Foo\\{A, B as C, function g};
require_once __DIR__ . '/x.php';
abstract class U extends Baz implements I, J {
    use T, S { T::hi insteadof S; S::hi as protected hello; }
    const X = 1;
    private ?Repo $repo = null;
    public static array $all = [];
    public function __construct(private readonly Repo $r, int|Foo $y = 5, ...$rest) {
        parent::__construct($r); self::make(); static::$all[] = new static($y);
        $this->repo->find(1)?->go();
        $x = new class(1) extends Q { function z() {} };
        $f = fn($a) => $a->b(); $g = function (int $a) use (&$x): Foo { return $a; };
        [$a, 'k' => $b] = $y;
        foreach ($y as $k => $v) { $v->p; if ($a) { } elseif ($b) { break; } else { } }
        try { f(name: 1); } catch (A | B $e) { throw new E(); } finally { }
        $z = match(true) { 1, 2 => $a, default => $b };
        switch ($a) { case 1: break; default: }
        array_map([$this, 'm'], $y); $cls::create(...); A::X; $x instanceof A;
        return $this->repo ?? $a;
    }
}
enum Suit: string { case Hearts = 'H'; function label(): string { return ''; } }
interface I extends K { function m(): void; }
function main(): void { global $q; yield $q; }
"""

LUA = b"""
local M, n = {}, require("a.b")
function M.f(a, ...) return a, n.x end
function M:g(b) self.x = b; self:h(function() return b end) end
local function loc() end
M.k = function(a) return a end
local t = { a = 1, ["b"] = 2, 3, f = function(self) end }
local o = setmetatable({}, { __index = M })
for i, v in ipairs(t) do v:foo()(2) end
for i = 1, 10 do if a then break elseif b then t[i] = o or x else y = 1 end end
repeat x.y.z = M.f(1) until b
while a do pcall(M.f, 1) end
return M
"""

ELIXIR = b"""
defmodule A.B do
  use GenServer
  alias Foo.{Baz, Qux}
  alias Foo.Bar, as: B
  import Foo.Q, only: [a: 1]
  @behaviour Foo
  def f(x, y \\\\ 1) when is_integer(x), do: g(x)
  defp g(%Bar{id: i} = s) do
    s |> B.run(1) |> h
    case i do
      {1, [a | b]} -> A.z(a)
      _ -> &Bar.run/1
    end
    fn a -> a.b(1) end
    for {k, v} <- s, do: k.(v)
    mod = __MODULE__
    mod.f(1)
  end
  defdelegate d(x), to: Bar
  test "foo", %{c: c} do f(c) end
  defmodule C do def q, do: nil end
  defimpl P, for: X do def r(x), do: x end
end
"""

BASH = b"""#!/usr/bin/env bash
source "$(dirname "$0")/x.sh"
. ./y.sh
function f { g "$1" | h; }
k() { local a=$(m 1); if [[ -n "$a" && $b ]]; then f; elif o; then p; else q; fi; }
trap k EXIT
case $x in a) k;; esac
for i in 1 2; do k "$i" || f; done
u() { w() { k; }; w; }
e() { cat <<EOF
$(k)
EOF
}
"""

PERL = b"""
package Foo::Bar;
use parent -norequire, 'Base';
use Foo::Baz qw(f g);
our @ISA = ('X');
sub new { my ($class, %a) = @_; my $self = bless {}, $class; return $self; }
sub m { my $self = shift; $self->{x} = Foo::Baz->new(1); $self->{x}->go; $self->SUPER::m(1); f(2); }
require "x.pl";
sub k { my $c = sub { return $_[0] }; if ($a) { $c->(1) } elsif ($b) { h() } else { Foo::Baz::h(3) } }
package main { sub q2 {} }
my $o = Foo::Bar->new; $o->m; &f(1); g 1;
sub l { for my $i (1) { last unless $i } }
"""

SEEDS = {"ruby": RUBY, "php": PHP, "lua": LUA, "elixir": ELIXIR, "bash": BASH, "perl": PERL}
TOKENS = [b"", b"(", b")", b"{", b"}", b"[", b'"', b"`", b"=", b".", b",", b":", b"|", b"@", b"\n"]
TOKENS += [
    b"class ",
    b"def ",
    b"do ",
    b"end ",
    b"function ",
    b"<?php ",
    b"->",
    b"\xff",
    b"\0",
    b"$",
]


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    language = draw(st.sampled_from(sorted(SEEDS)))
    source = SEEDS[language]
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(source)))
        cut = draw(st.sampled_from([0, 1, 2, 5, 20, 200]))
        source = source[:at] + draw(st.sampled_from(TOKENS)) + source[at + cut :]
    return language, source


def check(facts: FileFacts, lines: int) -> None:
    """The rows refer to rows that exist and to lines of the text."""
    definitions = [Definition._make(row) for row in facts["definitions"]]
    for index, row in enumerate(definitions):
        assert row.parent < index
        assert 1 <= row.line <= row.end_line <= lines
    sizes = {
        TO_DEFINITION: len(definitions),
        TO_VARIABLE: len(facts["variables"]),
        TO_IMPORT: len(facts["imports"]),
    }
    flat = unpack_references(facts["references"])
    for at in range(0, len(flat), REFERENCE_WIDTH):
        line, _, scope, target, operand, extra = flat[at : at + REFERENCE_WIDTH]
        assert 1 <= line <= lines
        assert scope < len(definitions)
        assert 0 <= operand < sizes.get(target, len(facts["names"]))
        assert extra < facts["registers"]


@pytest.mark.filterwarnings("ignore:The recursion limit will not be reset")
@settings(max_examples=200, deadline=None, derandomize=True)
@given(mutated())
def test_mutated_code_gives_facts(file: tuple[str, bytes]) -> None:
    language, source = file
    facts = parse_file("x", source, language)
    assert repr(marshal.loads(marshal.dumps(facts))) == repr(parse_file("x", source, language))
    check(facts, source.count(b"\n") + 1)


@pytest.mark.parametrize("language", SEEDS)
def test_the_seeds_are_whole(language: str) -> None:
    facts = parse_file("x", SEEDS[language], language)
    assert len(facts["definitions"]) >= 5
    assert facts["metrics"]
    assert not facts["errors"]


DEEP = [
    ("ruby", b"x = " + b"(" * 3000 + b"1" + b")" * 3000),
    ("ruby", b"x = " + b"a+" * 9000 + b"b"),
    ("ruby", b"x" + b".a()" * 4000),
    ("ruby", b"module A\n" * 1000 + b"end\n" * 1000),
    ("ruby", b"if a\n1\n" + b"elsif b\nc = d\n" * 2000 + b"end"),
    ("php", b"<?php $x = " + b"(" * 3000 + b"1" + b")" * 3000 + b";"),
    ("php", b"<?php $x = " + b"'a'." * 9000 + b"$b;"),
    ("php", b"<?php $x" + b"->a()" * 4000 + b";"),
    ("lua", b"x = " + b"a.." * 4000 + b"b"),
    ("lua", b"x = " + b"{" * 2000 + b"}" * 2000),
    ("lua", b"x" + b".a()" * 4000),
    ("elixir", b"x = " + b"a |> " * 4000 + b"b"),
    ("elixir", b"x = " + b"(" * 3000 + b"1" + b")" * 3000),
    ("bash", b"f() { " + b"( " * 1000 + b"g" + b" )" * 1000 + b"; }"),
    ("bash", b"f\n" * 20000),
    ("perl", b"$x = " + b"(" * 2000 + b"1" + b")" * 2000 + b";"),
    ("perl", b"$x = " + b"$a . " * 4000 + b"$b;"),
]


@pytest.mark.parametrize(("language", "text"), DEEP, ids=range(len(DEEP)))
def test_deep_nesting_costs_only_itself(language: str, text: bytes) -> None:
    begun = time.process_time()
    facts = parse_file("x", text, language)
    assert facts["definitions"][0][2] == ""
    assert time.process_time() - begun < 2
