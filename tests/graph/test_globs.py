"""Globs mean what agents and editors mean by them."""

import pytest

from agrama.graph.globs import compile_glob


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.py", "a/b/c.py", True),
        ("*.py", "c.pyi", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/a/b/c.py", True),
        ("src/**", "src/a/b", True),
        ("src/", "src/a/b", True),
        ("src/shop", "src/shop/a.py", True),
        ("src/shop", "src/shopping/a.py", False),
        ("./src/*.ts", "src/a.ts", True),
        ("**/test_*.py", "test_a.py", True),
        ("*.{ts,tsx}", "ui/a.tsx", True),
        ("*.{ts,tsx}", "ui/a.js", False),
        ("a?.py", "ab.py", True),
        ("[ab].py", "x/b.py", True),
        ("[!ab].py", "b.py", False),
        ("basket", "shop/basket/a.py", True),
        ("{a", "{a", False),
        ("a+b.py", "a+b.py", True),
    ],
)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert (compile_glob(glob).match(path) is not None) == matches
