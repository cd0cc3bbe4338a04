; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
(function_item) @function
; lizard counts what stands in a closure where it stands.
(closure_expression) @lambda

[
  (if_expression)
  (for_expression)
  (while_expression)
  (loop_expression)
] @decision.structure
(match_expression) @structure
(match_arm) @decision
(try_expression) @decision
(else_clause (_) @flat.nest)
(else_clause (if_expression) @chained)
(break_expression (label)) @flat
(continue_expression (label)) @flat

(if_expression consequence: (_) @nest)
(for_expression body: (_) @nest)
(while_expression body: (_) @nest)
(loop_expression body: (_) @nest)
(match_block) @nest

[(binary_expression) (compound_assignment_expr)] @binary.operation
(unary_expression) @operation
