; Cyclomatic after lizard's rules, cognitive as SonarSource. Captures: see docs/metrics.md.
(function_definition) @function

[
  (if_statement)
  (while_statement)
  (for_statement)
  (c_style_for_statement)
  (ternary_expression)
] @decision.structure
(case_statement) @structure
(case_item) @decision
(elif_clause) @decision.flat
(else_clause) @flat
(do_group) @nest
(case_item) @nest

; `a && b`: commands joined by an operator.
(list) @decision.flat
(binary_expression) @binary.operation
(unary_expression) @operation
