"""What the engine must know of a language: names, files, rules. Differences are data, not branches.

A language is a module in this package that defines `LANGUAGES`; nothing else has to be edited.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from agrama.indexer.facts import FileFacts

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

Extract = Callable[["Node", bytes, str], FileFacts]


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything module resolution may look at: the files of a group of languages."""

    paths: frozenset[str]
    configs: Mapping[str, Any] = field(default_factory=dict)  # path -> FileFacts["config"]
    packages: Mapping[str, str] = field(default_factory=dict)  # path -> FileFacts["package"]
    links: Mapping[str, str] = field(default_factory=dict)  # directory link -> directory
    everything: frozenset[str] = frozenset()  # files of all languages


class ModuleIndex(Protocol):
    """Finds the files that an import names."""

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        """Files that `module` names when `path` imports it; () when it lies outside."""

    def member(self, path: str, name: str) -> str | None:
        """The submodule `name` of the package whose file is `path`."""


class NoModules:
    """The index of a language without imports."""

    def __init__(self, sources: Sources) -> None:
        pass

    def find(self, module: str, level: int, path: str) -> tuple[str, ...]:
        return ()

    def member(self, path: str, name: str) -> str | None:
        return None


# What calling a container's method does (Policy.container_methods).
GET = "get"  # returns some element (and the second argument, a default)
ADD = "add"  # the last argument becomes an element
SAME = "same"  # returns the container itself
ITEMS = "items"  # returns pairs (key, element)
KEYS_OF = "keys"  # returns a container of the keys
EXTEND = "extend"  # elements of the first argument become elements
EACH = "each"  # calls the first argument with an element; returns the container
MAP = "map"  # the same; returns a container of what came back
REDUCE = "reduce"  # calls the first argument with (accumulator, element)


@dataclass(frozen=True, slots=True)
class Policy:
    """How objects behave in a language."""

    constructors: tuple[str, ...] = ()  # members that run when a class is called, first found wins
    call: str = ""  # member that runs when an instance is called
    subscript: str = ""
    iterate: str = ""
    advance: str = ""
    enter: str = ""
    class_names: frozenset[str] = frozenset()  # attributes of an instance that yield its class
    same_names: frozenset[str] = frozenset()  # attributes of a class that yield itself (prototype)
    class_receivers: frozenset[str] = frozenset()  # methods whose first parameter is the class
    container_methods: Mapping[str, str] = field(default_factory=dict)
    import_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # export names to try
    builtins: frozenset[str] = frozenset()
    star_takes_private: bool = True  # does a star import take `_name`?
    star_skips: frozenset[str] = frozenset()  # exports that no star import takes (`default`)
    binds_methods: bool = True  # does reading a method from an instance bind it?
    virtual: bool = False  # a call on a declared type also reaches the overrides of its subclasses
    trusts_classes: bool = False  # … unless the receiver is of a class that has the method itself
    dotted_modules: bool = True  # `name` imported from `module` may be the module `module.name`
    overloads: bool = False  # members are listed by signature too, calls name types: `f(int)`
    star_reexports: bool = True  # does a star import also take what its target star-imported?
    structural: bool = False  # a class implements every interface whose methods it has (Go)
    converts: bool = False  # `T(x)` converts x to the class T: no call
    linkage: bool = False  # exports are keys of a whole program, names are requests (linkage.py)
    lenient: bool = False  # arguments may convert: overloads by arity, then by equal types
    alternatives: bool = False  # an imported name lists what to try in turn: `A::B|B`
    class_prefix: str = ""  # members of a class itself, not of its instances, begin with it
    construct: str = ""  # attribute of a class that stands for calling the class (`new`)
    reopens: bool = False  # classes that several files export under one name are one class


def dotted_name(path: str) -> str:
    """`a/b/c.ts` -> `a.b.c`."""
    stem, dot, _ = path.rpartition(".")
    return (stem if dot else path).replace("/", ".")


def never(path: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Language:
    """One language. `grammar` is "module:function" of its tree-sitter wheel, loaded by the parser."""

    name: str
    extensions: tuple[str, ...]
    grammar: str
    extract: Extract
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()  # interpreter names of files without an extension
    group: str = ""  # languages that import one another share a group; default: the name
    index_modules: Callable[[Sources], ModuleIndex] = NoModules
    module_name: Callable[[str], str] = dotted_name
    is_test: Callable[[str], bool] = never
    policy: Policy = field(default_factory=Policy)
    prepare: Callable[[bytes], bytes] | None = None  # the text the grammar sees, as long as before
    variant: Callable[[bytes], str] | None = None  # the language that a text is really written in

    @property
    def family(self) -> str:
        return self.group or self.name
