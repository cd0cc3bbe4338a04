"""Whatever the text, every front end gives facts: plain, whole, and the same each time."""

import marshal
from pathlib import Path

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
from agrama.indexer.languages import language_of
from agrama.indexer.parse import parse_file

PYTHON = b"""
import a.b as c, d
from . import e
from .f import (g as h, i)

@c.route("/x/<int:y>", methods=["GET"])
class A(c.B[int], metaclass=d.M):
    x: "A | None" = None

    def __init__(self, *args, k=lambda z: z or h, **kw):
        super().__init__(*args, **kw)
        self.items = {"k": [A(), (i for i in args if i)], **kw}

    @property
    async def first(self) -> "A":
        async with self.lock as l, e.open(x=1) as self.f:
            for i, (j, *rest) in enumerate(self.items["k"]):
                yield (await j.go(i))[0:1].next
            else:
                return
        try:
            global G
            G = first = [m.n() for m in rest if (q := m)]
        except (c.E, ValueError) as error:
            raise c.E from error
        match self.x:
            case A(x=None) | {"k": [one, *_]} if one:
                del self.x
            case _:
                nonlocal_ = f"{one!r:>{self.w}}"

if __name__ == "__main__":
    A().first.send(None)
"""

JAVASCRIPT = b"""
import d, { e as f, default as g } from "./m.js";
import * as ns from "../n";
const { h = 1, ...rest } = require("./o"), [i, , ...j] = rest;
export * from "./p"; export { h as default, i }; export default class extends ns.B {
  static #s = new Map([[1, () => this.s]]); s = f?.g ?? h;
  constructor(a, { b = 2 } = {}) { super(a); this.items = [...a].map(x => x.y(b)); }
  get q() { return super.q; } async *[Symbol.iterator]() { yield* this.items; await this.q`t${b}`; }
}
function K() { this.v = new.target; } K.prototype.m = function () { return this.v(); };
K.prototype = Object.create(ns.B.prototype); module.exports = { K, n: K.bind(null, 1), o() {} };
outer: for (const k of j) { if (k) continue outer; else switch (k) { case 1: { let z = k; } } }
app.get("/x/:y", async (req, res) => { try { res.send(await h(req)); } catch { throw ns; } });
describe("t", () => { it("u", function () { expect(K()).toBe(1); }); });
"""

TYPESCRIPT = (
    b"""
import type { T } from "@/t"; import k = require("./k"); export = k;
declare module "x" { interface I<A extends T = {}> extends k.J { m?(a: A): A[]; [i: string]: any } }
enum E { A = 1, B } namespace N.M { export const v: E.A | Map<string, T> = <any>null!; }
abstract class C<U> implements I<U> { constructor(private readonly p: U, public q?: N.M) {}
  m(a: string): void; m(a: any) { return (this.p as any).go(a satisfies T); } abstract n(): asserts this is T }
type F<V> = V extends (infer W)[] ? { [P in keyof W]?: F<W[P]> } : typeof k; @dec() class D {}
"""
    + JAVASCRIPT
)

SEEDS = {
    "pkg/a.py": PYTHON,
    "pkg/test_a.py": PYTHON,
    "src/a.js": JAVASCRIPT,
    "src/a.jsx": JAVASCRIPT + b"const J = () => <K a={h} {...rest}><ns.B/>text{j}</K>;\n",
    "src/a.ts": TYPESCRIPT,
    "src/a.tsx": TYPESCRIPT.replace(b"<any>null!", b"null!") + b"const J = <K<T> a={1}/>;\n",
    "src/a.d.ts": TYPESCRIPT,
}
TOKENS = [b"", b"(", b")", b"{", b"}", b"[", b'"', b"`", b"=", b".", b",", b":", b"*", b"@", b"\n"]
TOKENS += [
    b"class ",
    b"def ",
    b"lambda ",
    b"import ",
    b"export ",
    b"=> ",
    b"async ",
    b"\xff",
    b"\0",
]


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    path = draw(st.sampled_from(sorted(SEEDS)))
    source = SEEDS[path]
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(source)))
        cut = draw(st.sampled_from([0, 1, 2, 5, 20, 200]))
        source = source[:at] + draw(st.sampled_from(TOKENS)) + source[at + cut :]
    return path, source


def read(path: str, source: bytes) -> FileFacts:
    language = language_of(path)
    assert language is not None
    return parse_file(path, source, language.name)


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
@settings(max_examples=150, deadline=None, derandomize=True)
@given(mutated())
def test_mutated_code_gives_facts(file: tuple[str, bytes]) -> None:
    path, source = file
    facts = read(path, source)
    assert repr(marshal.loads(marshal.dumps(facts))) == repr(read(path, source))
    check(facts, source.count(b"\n") + 1)


@pytest.mark.parametrize("path", SEEDS)
def test_the_seeds_are_whole(path: str) -> None:
    facts = read(path, SEEDS[path])
    assert len(facts["definitions"]) >= 5
    assert all(figures["lines"] for figures in facts["metrics"].values())


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", b"x = " + b"(" * 1_000 + b")" * 1_000),
        ("a.py", b"x = " + b"a." * 1_000 + b"b\n"),
        ("a.py", b"x" + b"()" * 1_000 + b"\n"),
        ("a.py", b"x = " + b" + ".join([b"a"] * 1_000) + b"\n"),
        ("a.py", b"".join(b" " * n + b"if x:\n" for n in range(90)) + b" " * 90 + b"y\n"),
        ("a.py", b"if a: pass\n" + b"elif b: c = d\n" * 5_000),
        ("a.js", b"x = " + b"[" * 1_000),
        ("a.js", b"x" + b".then(y => z)" * 500),
        ("a.js", b"x = " + b" + ".join([b"a"] * 1_000)),
        ("a.js", b"if (a) {} " + b"else if (b) { c = d } " * 500),
        ("a.ts", b"type A = " + b"{ a: " * 300 + b"1" + b" }" * 300),
        ("a.ts", b"type A = " + b" | ".join([b"B"] * 1_000)),
    ],
)
def test_hostile_code_gives_facts(path: str, source: bytes) -> None:
    read(path, source)


def test_own_sources_give_the_same_facts_twice() -> None:
    for path in sorted(Path(__file__).parent.glob("*.py")):
        source = path.read_bytes()
        assert repr(read(path.name, source)) == repr(read(path.name, source))
