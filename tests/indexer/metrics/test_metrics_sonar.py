"""JavaScript's and TypeScript's figures: cyclomatic by lizard's rules, cognitive by SonarSource's."""

import pytest
from measuring import measure_first, measure_text

CYCLOMATIC = {
    "": 1,
    "if (a) {} else if (b) {} else {}": 3,
    "for (;;) {} for (const x of a) {} for (const x in a) {} while (a) {} do {} while (b)": 6,
    "try {} catch (e) {} finally {}": 2,
    "switch (a) { case 1: case 2: break; default: }": 3,
    "return a && b || c ?? d": 4,
    "return a ? b : c": 2,
    "a ??= b; a += b": 2,
    "return a?.b": 1,
    "const {x = 1} = a": 2,
    "return () => a || b": 1,
}

COGNITIVE = {
    "": 0,
    "if (a) {} else if (b) {} else {}": 3,
    "if (a) if (b) c()": 3,
    "if (a) {} else { if (b) {} }": 1 + 1 + 2,
    "if (a) {} else if (b) { if (c) {} }": 1 + 1 + 2,
    "for (const x of a) { while (b) {} }": 3,
    "try { if (a) {} } catch (e) { if (b) {} }": 1 + 1 + 2,
    "switch (a) { case 1: if (b) {} }": 3,
    "return a && b && c": 1,
    "return a || b && c || d": 3,
    "return a && (b || c)": 2,
    "return a ? (b ? 1 : 2) : 3": 3,
    "outer: for (;;) { continue outer }": 2,
    "return f(a)": 1,
    "return this.f(a)": 0,
    "a.map(x => { if (x) {} })": 1,
    "if (b) {} a.map(x => { if (x) {} })": 1 + 2,
}


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
@pytest.mark.parametrize("body", CYCLOMATIC)
def test_cyclomatic_counts_decisions(body: str, language: str) -> None:
    assert (
        measure_first(f"function f(a, b) {{ {body} }}", language)["cyclomatic"] == CYCLOMATIC[body]
    )


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
@pytest.mark.parametrize("body", COGNITIVE)
def test_cognitive_counts_breaks_of_the_flow(body: str, language: str) -> None:
    assert measure_first(f"function f(a, b) {{ {body} }}", language)["cognitive"] == COGNITIVE[body]


def test_every_form_of_function_is_measured() -> None:
    source = (
        "function a() {} function* b() {} const c = function () {}, d = x => x, e = async () => {};"
        "class C { m() {} get g() { return 1 } static async *s() {} f = () => 1 }"
        "const o = { m() {}, p: function* () {} };"
    )
    assert len(measure_text(source, "javascript")) == 11


def test_a_default_of_a_parameter_is_a_decision() -> None:
    assert measure_first("function f(a, b = 1, {c = 2} = {}) {}", "javascript")["cyclomatic"] == 4
    assert measure_first("function f(a: string, b: number = 1) {}", "typescript")["cyclomatic"] == 2


def test_parameters_are_counted_in_all_forms() -> None:
    assert measure_first("const f = x => x", "javascript")["parameters"] == 1
    assert measure_first("const f = ({a, b}, ...c) => a", "javascript")["parameters"] == 2
    assert measure_first("function f(a: A, b?: B) {}", "typescript")["parameters"] == 2


def test_a_signature_without_body_has_no_figures() -> None:
    source = "function f(a: string): void; function f(a: any) {} interface I { m(): void }"
    assert list(measure_text(source, "typescript")) == [29]


def test_a_default_for_null_decides_nothing_in_php() -> None:
    figures = measure_first(
        "<?php function f($a) { return $a ?? g() && h() || $a->b ?? 1; }", "php"
    )
    assert figures["cyclomatic"] == 3


def test_a_closure_without_parameters_counts_as_lizard_counts_it() -> None:
    assert measure_first("fn f() { g(|| 1) }", "rust")["cyclomatic"] == 2
    assert measure_first("fn f() { g(|a| 1) }", "rust")["cyclomatic"] == 1
