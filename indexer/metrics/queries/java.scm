; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[
  (method_declaration)
  (constructor_declaration)
  (compact_constructor_declaration)
] @function
; lizard counts what stands in a lambda where it stands.
(lambda_expression) @lambda
[(class_body) (interface_body) (enum_body)] @class

[
  (if_statement)
  (for_statement)
  (enhanced_for_statement)
  (while_statement)
  (do_statement)
  (catch_clause)
  (ternary_expression)
] @decision.structure
(switch_expression) @structure
; `default` has no child.
(switch_label . (_)) @decision
(if_statement alternative: (_) @flat.nest)
(if_statement alternative: (if_statement) @chained)
(break_statement (identifier)) @flat
(continue_statement (identifier)) @flat

(if_statement consequence: (_) @nest)
(for_statement body: (_) @nest)
(enhanced_for_statement body: (_) @nest)
(while_statement body: (_) @nest)
(do_statement body: (_) @nest)
(catch_clause body: (_) @nest)
(ternary_expression consequence: (_) @nest)
(ternary_expression alternative: (_) @nest)
(switch_block) @nest

[(binary_expression) (assignment_expression)] @binary.operation
[(unary_expression) (update_expression)] @operation
