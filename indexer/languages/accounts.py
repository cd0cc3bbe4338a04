"""What is resolved in each language and what is not: the table of docs/languages.md.

A language that is added tells its own here; `python -m agrama.cli.reference docs` writes the table.
"""

from typing import NamedTuple


class Account(NamedTuple):
    """Languages that are read by the same code. Tier 1 follows values, 2 names and declared types, 3 links."""

    title: str
    tier: int
    names: tuple[str, ...]  # in the registry
    resolved: str
    gaps: str


ACCOUNTS = (
    Account(
        "C",
        1,
        ("c",),
        "`#include` beside the file and in include directories, one function for a "
        "declaration and its definition, `static` per file, several definitions by platform "
        "(the nearest directory first), macros as functions and what they call, tags and "
        "typedefs, function pointers in fields, tables and initialisers, all branches of "
        "`#if` that are whole statements",
        "fields of a struct of another file in initialisers without names, what macros "
        "define, `##`, functions behind pointers that only other files assign to parameters "
        "with many callers",
    ),
    Account(
        "C#",
        1,
        ("csharp",),
        "namespaces (block, file-scoped, several in a file), all forms of `using`, "
        "partial classes, properties, extension methods by receiver type, overloads "
        "with defaults, `params`, named arguments and generics, `new()`, delegates and "
        "events, local functions, patterns, records",
        "both sides of `#if` are read as one program, operators and indexers are no "
        "calls, extension methods of namespaces that only `global using` brings, "
        "explicit implementations of library interfaces, argument types that only "
        "another file knows",
    ),
    Account(
        "C++, CUDA",
        1,
        (
            "cpp",
            "cuda",
        ),
        "all of C, namespaces across files, `using` in all forms, classes with methods "
        "defined elsewhere, nested classes, inheritance, constructors and their initialisers,"
        " overloads by arity then type, templates by name, smart pointers and containers of "
        "the standard library, lambdas, kernel launches, bodies that macros make functions "
        "(`TEST_F(Fixture, name)` as a method of a class derived from `Fixture`)",
        "operators and conversions, default construction without brackets, names found by the"
        " types of arguments, members of template parameters, overloads whose argument types "
        "only another file knows, classes that a syntax error cuts short",
    ),
    Account(
        "Go",
        1,
        ("go",),
        "packages by directory, `go.mod` and `replace`, vendored packages, methods by "
        "receiver in any file, embedding, implicit interfaces, function values and tables, "
        "multiple results, type switches, bounds of type parameters",
        "type arguments are not carried into results (`List[T].First()` is what flows in), "
        "build tags are ignored, methods of embedded library types",
    ),
    Account(
        "Java",
        1,
        ("java",),
        "packages over several source roots, all forms of import, nested, local and anonymous"
        " classes, enums, records, overloads, `super`/`this` calls, lambdas and method "
        'references over library containers, `var`, patterns, `T.class.getMethod("name")`, '
        '`Class.forName("T").getMethod("name")`, the only method of that name in the file where the '
        "class is unknown",
        "parameters of lambdas that are assigned or cast instead of passed, type arguments of"
        " own generic classes, argument types that only another file knows",
    ),
    Account(
        "JavaScript, TypeScript, TSX",
        1,
        (
            "javascript",
            "typescript",
            "tsx",
        ),
        "ES modules and CommonJS, `paths` of tsconfig, workspaces and `exports` of packages, "
        "classes old and new, prototypes, closures, promises, callbacks, JSX, declared types,"
        ' types in JSDoc, routes of web frameworks, `Reflect`, `o["name"]()` as the only function of '
        "that name in the file where nothing is known of `o`",
        "globals shared between scripts, type arguments of classes, conditional and mapped types",
    ),
    Account(
        "Kotlin",
        1,
        ("kotlin",),
        "packages, functions outside of classes with overloads and defaults, extension "
        "functions and properties, those that classes and companions declare too, objects, "
        "`typealias`, `by lazy`, scope functions, narrowing by `is` and `when`, callable references, `expect` before "
        "`actual`",
        "receivers of lambdas other than scope functions, type arguments of own "
        "classes, delegation by `by`, operators, Java code of the same project, what "
        "the grammar does not parse (`{ fun f() = 1 }` in one line)",
    ),
    Account(
        "PHP",
        1,
        ("php",),
        "namespaces, `use` in all forms, traits with `insteadof` and `as`, "
        "`self`/`static`/`parent`, declared and documented types (`@var Foo[]`), promoted "
        "properties, `static` results, closures, arrow functions, `f(...)`, `[$object, "
        "'method']` and names as callables, enums, `__invoke`, `instanceof`, `include` of "
        "literal paths, overrides of interfaces",
        "`__call`, `__get`, names in variables, facades and containers, templates of "
        "comments, class names of another case",
    ),
    Account(
        "Python",
        1,
        ("python",),
        "imports in all forms, re-exports, classes and their order of lookup, `self`, "
        "`super`, decorators, closures, containers with constant keys, declared and inferred "
        "types, properties, Django's managers, routes of web frameworks",
        "`eval`, names made of strings, what C code does, stubs of libraries",
    ),
    Account(
        "Ruby",
        1,
        ("ruby",),
        "classes and modules opened in many files, constants by lexical scope, ancestors, "
        "then the top, `require`, `require_relative`, `autoload`, `include`, `extend` (also "
        "by `included`), `extend self`, `module_function`, `attr_*`, `super`, class methods "
        "in all forms, blocks, procs, lambdas, `yield`, `&:name`, `define_method`, `alias`, "
        "`send(:name)`, delegators, `Struct.new`, `Class.new`, instance variables, `case` by "
        "class, `it`/`test` blocks as tests",
        "`prepend` does not come before the class, `method_missing`, names made of strings, "
        "blocks that run on another object (`instance_eval`), refinements",
    ),
    Account(
        "Rust",
        1,
        ("rust",),
        "crates by their manifests, modules by file, in-file modules, `use` in all forms, "
        "re-exports, traits and their default methods, `dyn`, `impl Trait` and bounds, `Self`, enum payloads, "
        "`Option`/`Result`/containers, `?`, macros defined in the crate, calls inside macro "
        "arguments",
        "items that macros define, associated types, `Deref` to own types, a field and a "
        "method of one name share a symbol's references, features and `cfg` are ignored",
    ),
    Account(
        "Scala",
        2,
        ("scala",),
        "packages, imports with renaming, classes with their companion objects, traits,"
        " methods without parentheses, `for`, patterns, extensions",
        "implicits and givens, type aliases and members, macros, type arguments of own "
        "classes, overloads that differ after the first parameter list",
    ),
    Account(
        "Swift",
        2,
        ("swift",),
        "targets as modules, types, extensions in any file, calls chosen by labels and "
        "defaults, `if let`, computed properties",
        "payloads of enums, property wrappers, type aliases, associated types, operators",
    ),
    Account(
        "Bash",
        2,
        ("bash",),
        "functions, `source` with a literal end of the path, `trap`, `run`, commands in "
        "substitutions and pipes",
        "a function of no sourced file may be meant by its name alone, names in variables, "
        "tests of bats belong to their file",
    ),
    Account(
        "Dart",
        2,
        ("dart",),
        "imports by relative path and with a prefix, classes, mixins, constructors with and without "
        "a name, fields and results of declared types, getters, closures over containers, cascades",
        "`package:` imports, `part` files, extensions on types, type arguments of locals and "
        "parameters, setters",
    ),
    Account(
        "Elixir",
        2,
        ("elixir",),
        "modules in any file, nested ones, `alias` in all forms, `import`, `use` "
        "(`__using__`), pipes, captures, `defdelegate`, behaviours, protocols, modules in "
        "variables, `test` blocks",
        "clauses and arities share one symbol, what macros define, fields of structs, modules"
        " in configuration",
    ),
    Account(
        "Fortran",
        2,
        ("fortran",),
        "modules, `use` with `only` and renaming, procedures, derived types with bases and "
        "bound procedures, declared types",
        "fixed form, generic interfaces, submodules as parts of their module, includes",
    ),
    Account(
        "Groovy",
        2,
        ("groovy",),
        "what Java's front end resolves, closures over containers, `?.`",
        "calls in strings, scripts and methods outside of classes, most calls without parentheses (the grammar does not parse them), traits, meta-programming",
    ),
    Account(
        "Haskell",
        2,
        ("haskell",),
        "modules by name, imports qualified, hiding and listed, functions over several "
        "equations, `where` and `let`, type classes and instances, own operators, sections "
        "and compositions; naming a function counts as a call",
        "re-exports by lists of other modules, which instance runs, record fields as "
        "functions, Template Haskell, metrics of the first equation only",
    ),
    Account(
        "Julia",
        2,
        ("julia",),
        "modules, `using`, `import`, `include`, structs with constructors, functions in both "
        "forms, closures, pipes, broadcasts, declared types of fields and parameters, "
        "functions passed by name",
        "all methods of one name are targets whatever the argument types, macros, parameters "
        "of closures, files of one source folder see each other without `include`",
    ),
    Account(
        "Lua",
        2,
        ("lua",),
        "`require` by the end of the path, tables of functions, methods, metatables with "
        "`__index`, closures, `pcall`, loops over tables",
        "globals of other files, `__call`, annotations (`---@type`), classes made by libraries",
    ),
    Account(
        "Nix",
        2,
        ("nix",),
        "bindings, functions applied by name, imported paths and folders",
        "names are looked up in the file, not by scope, attributes of other files, `with`",
    ),
    Account(
        "Objective-C",
        2,
        ("objc",),
        "that of C, classes, categories and protocols, messages by selector and declared type, "
        "`alloc`/`init`, properties and instance variables, blocks",
        "`super`, messages to `id`, properties read as calls, Objective-C++ beyond its C part",
    ),
    Account(
        "OCaml",
        2,
        (
            "ocaml",
            "ocaml-interface",
        ),
        "a file as module, modules and aliases, `open` in all forms, functions and nested "
        "ones, pipes, labelled arguments, classes and methods, functions passed by name",
        "functors and their results, module types, code of `let () =` belongs to the file, "
        "record fields, dune's wrapped names",
    ),
    Account(
        "Perl",
        2,
        ("perl",),
        "packages, `use parent`/`base`/`@ISA`, `bless`, methods, `SUPER::`, attributes in "
        "`$self->{x}`, imported and qualified functions",
        "`AUTOLOAD`, symbol tables, Moose and its like, prototypes, references to named functions",
    ),
    Account(
        "PowerShell",
        2,
        ("powershell",),
        "functions as commands, dot-sourced and imported files, classes with methods and "
        "bases, `New-Object`, declared types",
        "cmdlets of modules, aliases of commands, names in variables; a function is found in "
        "any script of the project",
    ),
    Account(
        "Solidity",
        2,
        ("solidity",),
        "imports in all forms, inheritance, `super`, `this`, interfaces and what implements "
        "them, libraries by `using`, modifiers, constructors of bases, `new`, mappings and "
        "arrays, declared types",
        "overloads share one symbol's callers, getters of public variables, inline assembly, "
        "remappings of imports",
    ),
    Account(
        "Svelte, Vue",
        2,
        (
            "svelte",
            "vue",
        ),
        "scripts as TypeScript, imports of components; in Svelte expressions of the markup too",
        "uses of components in the markup, block expressions (`{#if}`, `v-if`), stores by `$name`",
    ),
    Account(
        "Zig",
        2,
        ("zig",),
        "`@import` of files and of packages named like their root file, structs, enums and "
        "unions with their functions, files that are structs, `@This()`, types made by "
        "functions, declared types, captures, optionals and error unions, `test` blocks",
        "declaration literals (`.init()`), payloads of unions, types of the standard library,"
        " `build.zig` modules under another name",
    ),
    Account(
        "CSS, SCSS",
        3,
        (
            "css",
            "scss",
        ),
        "rules found by every class and id of their selectors, custom properties and `var`, "
        "variables, mixins and functions, `@import`, `@use`, `url`",
        "names behind a namespace (`m.flex`), placeholders, Less",
    ),
    Account(
        "Dockerfile",
        3,
        ("dockerfile",),
        "stages, `FROM` and `COPY --from` between them, images outside, copied files of the "
        "project",
        "arguments in names, patterns of files",
    ),
    Account(
        "HCL (Terraform)",
        3,
        ("hcl",),
        "resources, data, variables, locals, outputs, modules with local sources, references "
        "within a folder",
        "outputs of a module are not followed into it, `for_each` keys, remote state",
    ),
    Account(
        "HTML",
        3,
        ("html",),
        "elements with an id, scripts, styles and pages named by `src` and `href`, classes to"
        " the rules of linked styles",
        "code and styles inside the page, paths made by templates",
    ),
    Account(
        "JSON, YAML, TOML, go.mod",
        3,
        (
            "json",
            "yaml",
            "toml",
            "gomod",
        ),
        "keys as sections and variables; dependencies of `package.json`, `pyproject.toml`, "
        "`Cargo.toml` and `go.mod`",
        "keys beyond the first thousand, anchors",
    ),
    Account(
        "Makefile",
        3,
        ("makefile",),
        "targets and what they need, variables, included files, files of the project as "
        "prerequisites",
        "pattern rules, variables in names, recursive makes",
    ),
    Account(
        "Markdown",
        3,
        ("markdown",),
        "sections, links to files and sections",
        "links by reference, HTML inside",
    ),
    Account(
        "SQL",
        3,
        ("sql",),
        "tables with columns, views, functions, triggers, and the statements that use them in"
        " any script of the project",
        "dialects that the grammar does not know, columns in queries, dynamic statements",
    ),
)
