"""Python's figures, worked out by hand from the definitions of radon and complexipy."""

from textwrap import dedent, indent

import pytest
from measuring import measure_first, measure_text


def function(body: str) -> str:
    return "def f(a, b):\n" + indent(dedent(body).strip("\n"), "    ") + "\n"


CYCLOMATIC = {
    "pass": 1,
    "if a: pass": 2,
    "if a:\n  pass\nelif b:\n  pass\nelse:\n  pass": 3,
    "for x in a:\n  pass\nelse:\n  pass": 3,
    "while a: pass": 2,
    "try:\n  pass\nexcept A:\n  pass\nexcept B:\n  pass\nelse:\n  pass\nfinally:\n  pass": 4,
    "with a: pass": 1,
    "return a and b and c or d": 4,
    "return a if b else c": 2,
    "return [x for x in a if x if b for y in x]": 5,
    "assert a and b or c": 2,
    "return lambda: a or b": 2,
    "match a:\n  case 1: pass\n  case 2 if a and b: pass\n  case _: pass": 4,
    "match a:\n  case x: pass": 1,
    "print(f'{a or b}')": 2,
    "def g():\n  if a: pass\nreturn g": 1,
    "class C:\n  x = a or b\n  def m(self):\n    if a: pass": 1,
    "@d(a or b)\ndef g(x=a or b): pass": 1,
}

COGNITIVE = {
    "pass": 0,
    "if a: pass": 1,
    "if a:\n  pass\nelif b:\n  pass\nelse:\n  pass": 3,
    "if a:\n  if b:\n    for x in a: pass": 6,
    "while a:\n  pass\nelse:\n  if b: pass": 2,
    "try:\n  if a: pass\nexcept A:\n  if b: pass\nelse:\n  pass": 4,
    "match a:\n  case 1:\n    if b: pass": 3,
    "return a and b and c": 1,
    "return a and b or c and d": 3,
    "return a and not (b and c)": 2,
    "return not a and (b or c)": 2,
    "return (a and b) or (c or d)": 2,
    "return a if b else (c if b else d)": 3,
    "return [x for x in a if x or b]": 3,
    "if a:\n  return [x if a else b for x in a]": 1 + 2 + 3,
    "return {**(a or b)}": 1,
    "return {(a or b): (b or a)}": 1,
    "call(k=a or b)": 0,
    "call(a or b)": 1,
    "return a[b or 1], (a or b).c, a + (a or b)": 0,
    "x = y = a or b": 1,
    "with (a or b) as c: pass": 1,
    "raise (a or b) from (b or a)": 2,
    "return lambda: (a if b else c)": 2,
    "return f(a)": 1,
    "return self.f(a), 'f(a)'": 0,
    "def g():\n  if a: pass\nprint(g)": 2,
    "def g():\n  if a: pass\nreturn g": 1,
    "if a:\n  def g():\n    if b: pass\n  print(g)": 1 + 2,
    "class C:\n  if a:\n    def m(self):\n      if b: pass\n  def n(self):\n    if b: pass": 1,
}


@pytest.mark.parametrize("body", CYCLOMATIC)
def test_cyclomatic_counts_as_radon_does(body: str) -> None:
    assert measure_first(function(body))["cyclomatic"] == CYCLOMATIC[body]


@pytest.mark.parametrize("body", COGNITIVE)
def test_cognitive_counts_as_complexipy_does(body: str) -> None:
    assert measure_first(function(body))["cognitive"] == COGNITIVE[body]


def test_a_lambda_has_figures_of_its_own() -> None:
    source = "x = lambda a, b=1: a if b else (a and b)\n"
    assert measure_text(source) == {
        4: {
            "cyclomatic": 3,
            "cognitive": 2,
            "nesting": 0,
            "lines": 1,
            "parameters": 2,
            "halstead": 2.38,
            "halstead_volume": 4.75,
            "halstead_difficulty": 0.5,
        }
    }


def test_separators_are_no_parameters() -> None:
    assert measure_first("def f(a, /, b: int = 1, *, c, **d): pass\n")["parameters"] == 4


def test_nesting_is_that_of_control_structures() -> None:
    body = "with a:\n  for x in a:\n    try:\n      pass\n    except A:\n      if b: pass"
    assert measure_first(function(body))["nesting"] == 3


def test_lines_leave_decorators_out() -> None:
    assert measure_first("@a\n@b\ndef f():\n    x = 1\n    return x\n")["lines"] == 3


def test_halstead_takes_names_and_constants_once() -> None:
    figures = measure_first(function("a += b + 1\nreturn a.x * b.x < 1"))
    # Operators: + (twice), *, <. Operands: a, b+1, b, 1, x, x, a.x*b.x, 1.
    assert figures["halstead_difficulty"] == round(3 * 8 / (2 * 6), 2)


def test_a_function_with_a_syntax_error_has_no_figures() -> None:
    figures = measure_text(
        "def good():\n    if a: pass\n\ndef bad():\n    x = = 1\n\ndef fine(): pass\n"
    )
    assert [figure["cyclomatic"] for _, figure in sorted(figures.items())] == [2, 1]


def test_methods_of_a_class_in_a_function_count_there() -> None:
    body = "class C:\n  def m(self):\n    if a:\n      if b: pass"
    assert measure_first(function(body))["cognitive"] == 3
