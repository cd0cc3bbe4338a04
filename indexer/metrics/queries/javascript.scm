; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[
  (function_declaration)
  (function_expression)
  (generator_function)
  (generator_function_declaration)
  (arrow_function)
  (method_definition)
] @function

[
  (if_statement)
  (for_statement)
  (for_in_statement)
  (while_statement)
  (do_statement)
  (catch_clause)
  (ternary_expression)
] @decision.structure
(switch_statement) @structure
(switch_case) @decision
; A default is taken or not: lizard counts it.
[(assignment_pattern) (object_assignment_pattern)] @decision
(else_clause (_) @flat.nest)
(else_clause (if_statement) @chained)
(break_statement label: (_)) @flat
(continue_statement label: (_)) @flat

(if_statement consequence: (_) @nest)
(for_statement body: (_) @nest)
(for_in_statement body: (_) @nest)
(while_statement body: (_) @nest)
(do_statement body: (_) @nest)
(catch_clause body: (_) @nest)
(ternary_expression consequence: (_) @nest)
(ternary_expression alternative: (_) @nest)
(switch_body) @nest

; The operator is looked at later: a pattern with it is quadratic in `a + b + …`.
[(binary_expression) (augmented_assignment_expression)] @binary.operation
[(unary_expression) (update_expression)] @operation
