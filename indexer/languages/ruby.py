"""Ruby: constants of the whole program, classes opened in many files, mixins, blocks."""

from functools import cached_property
from typing import TYPE_CHECKING

from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.dynamic import NamedModules, join_path
from agrama.indexer.languages.language import (
    ADD,
    EACH,
    EXTEND,
    GET,
    ITEMS,
    KEYS_OF,
    MAP,
    REDUCE,
    SAME,
    Language,
    Policy,
)
from agrama.indexer.languages.ruby_calls import is_ruby_test
from agrama.indexer.languages.ruby_expressions import EXPRESSIONS
from agrama.indexer.languages.ruby_extraction import OWN, RubyExtraction
from agrama.indexer.languages.typed import Block

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only


def extract_ruby(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Ruby file."""
    x = RubyExtraction(source, path, root)
    block = Block(x.file, None)
    x.guard(lambda: EXPRESSIONS["program"](x, root, block, {}))
    x.read_bodies()
    return x.facts()


class RubyModules(NamedModules):
    """`require` looks in the directories that libraries put on the load path."""

    @cached_property
    def _by_tail(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            parts = path.removesuffix(".rb").split("/")
            for at, part in enumerate(parts[:-1]):
                if part in ("lib", "test", "spec", "app"):
                    found.setdefault("/".join(parts[at + 1 :]), []).append(path)
            found.setdefault("/".join(parts), []).append(path)
        return found

    def find_path(self, module: str, level: int, path: str) -> tuple[str, ...]:
        directory = path.rpartition("/")[0]
        if level or module.startswith("."):
            joined = join_path(directory, module)
            candidates = (joined, f"{joined}.rb") if joined is not None else ()
            return tuple(each for each in candidates if each in self.paths)[:1]
        return tuple(self._by_tail.get(module.removesuffix(".rb"), ())[:1])


_METHODS = {
    **dict.fromkeys(
        ("first", "last", "fetch", "pop", "shift", "dig", "sample", "min", "max", "delete",
         "delete_at", "at", "slice"), GET),
    **dict.fromkeys(("push", "<<", "unshift", "append", "prepend", "add", "store", "insert"), ADD),
    **dict.fromkeys(
        ("to_a", "dup", "sort", "reverse", "uniq", "compact", "flatten", "freeze", "values", "take",
         "drop", "shuffle", "to_h", "to_set", "rotate", "lazy", "flatten!", "uniq!"), SAME),
    **dict.fromkeys(
        ("each", "select", "filter", "reject", "find", "detect", "any?", "all?", "none?", "each_value",
         "reverse_each", "each_entry", "sort_by", "min_by", "max_by", "group_by", "partition",
         "find_index", "delete_if", "keep_if", "take_while", "drop_while", "count", "sum",
         "each_with_index", "each_with_object", "find_all", "select!", "reject!", "sort_by!",
         "each_pair", "cycle"), EACH),
    **dict.fromkeys(("map", "collect", "flat_map", "filter_map", "map!", "transform_values"), MAP),
    **dict.fromkeys(("concat", "merge", "merge!", "update", "replace", "+"), EXTEND),
    **dict.fromkeys(("inject", "reduce"), REDUCE),
    **dict.fromkeys(("keys", "each_key"), KEYS_OF),
    "each_with_index ": ITEMS,
    **dict.fromkeys(
        ("size", "length", "empty?", "include?", "key?", "join", "has_key?", "index", "clear", "any",
         "member?", "zip", "==", "===", "to_s", "inspect", "-", "&", "|", "pack", "hash", "nil?",
         "is_a?", "respond_to?", "object_id", "frozen?", "class"), SAME),
}  # fmt: skip

POLICY = Policy(
    constructors=("initialize",),
    call="call",
    subscript="[]",
    class_names=frozenset(("class", "singleton_class")),
    container_methods=_METHODS,
    dotted_modules=False,
    alternatives=True,
    class_prefix=OWN,
    construct="new",
    reopens=True,
)

LANGUAGES = (
    Language(
        name="ruby",
        extensions=(".rb", ".rake", ".gemspec", ".ru"),
        filenames=("Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile"),
        shebangs=("ruby",),
        grammar="tree_sitter_ruby:language",
        extract=extract_ruby,
        index_modules=RubyModules,
        is_test=is_ruby_test,
        policy=POLICY,
    ),
)
