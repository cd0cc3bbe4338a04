; Cyclomatic after lizard's rules, cognitive as SonarSource. Captures: see docs/metrics.md.
(subroutine_declaration_statement) @function
(anonymous_subroutine_expression) @lambda

[
  (conditional_statement)
  (loop_statement)
  (for_statement)
  (cstyle_for_statement)
  (postfix_conditional_expression)
  (conditional_expression)
] @decision.structure
(elsif) @decision.flat
(else) @flat
(conditional_statement block: (_) @nest)
(elsif block: (_) @nest)
(else block: (_) @nest)
(loop_statement block: (_) @nest)
(for_statement block: (_) @nest)
(cstyle_for_statement block: (_) @nest)

[(binary_expression) (lowprec_logical_expression)] @binary.operation
