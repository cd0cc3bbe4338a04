"""C and C++: headers, prepared text, and no source that raises."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agrama.indexer.languages.c import CModules
from agrama.indexer.languages.c_source import is_cpp, prepare_source
from agrama.indexer.languages.language import Sources
from agrama.indexer.parse import parse_file
from agrama.indexer.resolve import resolve

C = b"""
#include "a.h"
#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? f(a) : (b))
#if defined(A) && B
typedef struct node { struct node* next; int (*call)(int, char**); union { int i; } u; } node_t;
#else
enum e { RED = 1, GREEN };
#endif
API static int f(int n, ...) ATTRIBUTE(x);
static const struct ops o = { .open = f, { g, [3] = h } };
int (*table[])(int) = { f, g };
TEST(suite, name) { ASSERT(f(1) == MAX(1, 2)); }
int main(int argc, char* argv[]) {
  node_t *n = (node_t*) malloc(sizeof(*n)), m = {0};
  for (int i = 0; i < argc; i++) { switch (i) { case 1: goto out; default: n->next->call(i, argv); } }
  do { table[f(2)](3); } while (n && !m.u.i);
out: return n ? f(1) : (g)(2);
}
"""
CPP = b"""
#include <vector>
namespace a::b { inline namespace v1 { template <class T, int N = 1> class Box; } }
using namespace std; namespace fs = std::filesystem; using a::b::Box;
class API Derived final : public a::Base<int>, private Other {
 public:
  explicit Derived(int n = 1) noexcept : Base(n), field_{n} {}
  virtual ~Derived() = default;
  virtual int f(const std::string& s, int x = 2) const override = 0;
  static Derived* make() { return new Derived(1); }
  operator bool() const; friend bool operator==(const Derived&, const Derived&);
  template <typename U> auto g(U&& u) -> decltype(u.x) { return std::forward<U>(u).template h<U>(); }
 private:
  std::unique_ptr<Derived> field_; enum class E { kA, kB } e_ GUARDED_BY(mu_);
};
int Derived::f(const std::string& s, int x) const try {
  auto [p, q] = pair(1, 2);
  for (auto& each : items_) if (auto it = m.find(each); it != m.end()) it->second.run();
  auto l = [this, &p](int n) mutable { return this->f("x", n) + p; };
  throw Error{static_cast<int>(l(1)), x ? *this : other};
} catch (const std::exception& e) { return e.what()[0]; }
"""
OBJC = b"""
#import "a.h"
@protocol P <Q>
- (void)go;
@property (nonatomic, strong) B *repo;
@end
@interface A (Cat) <P>
@end
@implementation A { B *_b; }
- (instancetype)initWith:(B *)b and:(int)n { self = [super init]; _b = b; return self; }
+ (A *)make { return [[A alloc] initWith:[B new] and:1]; }
- (void)use:(id)x { [self.repo go]; [x run:^(int n) { [self use:nil]; }]; for (B *b in x) { [b go]; } }
@end
"""
SOURCES = {"c": C, "cpp": CPP, "cuda": CPP, "objc": OBJC}


@settings(max_examples=60, deadline=None)
@given(data=st.data(), language=st.sampled_from(sorted(SOURCES)))
def test_mutated_sources_never_raise(data: st.DataObject, language: str) -> None:
    source = SOURCES[language]
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, min(len(source), start + 80)))
    inserted = data.draw(
        st.sampled_from((b"", b"{", b"}", b"(", b"#if\n", b"\xff", b"<", b"class "))
    )
    text = source[:start] + inserted + source[end:]
    assert parse_file("x", text, language) == parse_file("x", text, language)


@given(st.binary(max_size=200))
def test_prepared_text_is_as_long_and_has_the_same_lines(text: bytes) -> None:
    prepared = prepare_source(C[:300] + text + CPP)
    assert len(prepared) == len(C[:300] + text + CPP)
    assert prepared.count(b"\n") == (C[:300] + text + CPP).count(b"\n")


DEEP = [
    ("c", b"int f(void) { x = " + b"(" * 4000 + b"1" + b")" * 4000 + b"; }"),
    ("c", b"int x = " + b"a+" * 9000 + b"b;"),
    ("c", b"int f(void) {" + b"{" * 3000 + b"}" * 3000 + b"}"),
    ("c", b"int " + b"*" * 5000 + b"p;"),
    ("c", b"#if A\n" * 1500 + b"int x;\n" + b"#endif\n" * 1500),
    ("c", b"MACRO(" * 3000 + b")" * 3000),
    ("cpp", b"class A {" * 2000 + b"};" * 2000),
    ("cpp", b"namespace a {" * 2000 + b"}" * 2000),
    ("cpp", b"void f() { x" + b".a()" * 4000 + b"; }"),
    ("cpp", b"A<" * 2000 + b"int" + b">" * 2000 + b" x;"),
    ("cpp", b"void f() {" + b"[]{" * 400 + b"};" * 400 + b"}"),
    ("cpp", b"API_MACRO " * 20000),
]


@pytest.mark.parametrize(("language", "text"), DEEP, ids=range(len(DEEP)))
def test_deep_nesting_costs_only_itself(language: str, text: bytes) -> None:
    begun = time.process_time()
    facts = parse_file("x", text, language)
    assert facts["definitions"][0][2] == ""
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (b"int f(void);\nstruct s { int class; };\n", "c"),
        (b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n', "c"),
        (b"/* a::b */ int f(void);\n", "c"),
        (b"class A;\nint f(A* a);\n", "cpp"),
        (b"#include <string>\nint f(void);\n", "cpp"),
        (b"template <class T> void f();\n", "cpp"),
    ],
)
def test_a_header_is_of_the_language_its_text_is_written_in(text: bytes, language: str) -> None:
    assert is_cpp(text) == (language == "cpp")
    assert parse_file("x.h", text, "c")["language"] == language


def test_an_include_is_found_beside_the_file_then_where_its_path_ends() -> None:
    paths = ("a/x.h", "b/x.h", "include/lib/y.h", "include/z.h", "src/string.h", "src/a.c")
    modules = CModules(Sources(frozenset(paths)))
    assert modules.find("x.h", 1, "b/main.c") == ("b/x.h",)
    assert modules.find("../a/x.h", 1, "b/main.c") == ("a/x.h",)
    assert modules.find("lib/y.h", 0, "src/a.c") == ("include/lib/y.h",)
    assert modules.find("z.h", 0, "src/a.c") == ("include/z.h",)
    assert modules.find("string.h", 0, "src/a.c") == ()
    assert modules.find("string.h", 1, "src/a.c") == ("src/string.h",)
    assert modules.find("none.h", 1, "src/a.c") == ()


@settings(max_examples=40, deadline=None)
@given(data=st.data(), language=st.sampled_from(sorted(SOURCES)))
def test_mutated_sources_can_be_resolved(data: st.DataObject, language: str) -> None:
    source = SOURCES[language]
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, min(len(source), start + 40)))
    text = (
        source[:start] + data.draw(st.sampled_from((b"", b"::", b".", b"}", b"->"))) + source[end:]
    )
    assert len(list(resolve([("x", parse_file("x", text, language))], {}))) == 1


def test_a_member_without_a_name_is_none() -> None:
    text = b"void f() { A:: ; a. ; b-> ; A::(1); a.(); B<int>::(); new A::; }"
    assert len(list(resolve([("x.cc", parse_file("x.cc", text, "cpp"))], {}))) == 1
