; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_definition) (method_declaration)] @function
[(anonymous_function) (arrow_function)] @lambda
[(declaration_list) (enum_declaration_list)] @class

[
  (if_statement)
  (while_statement)
  (do_statement)
  (for_statement)
  (foreach_statement)
  (catch_clause)
] @decision.structure
; lizard counts each `?` that stands alone: those of `?T`, but not `?:` and `??`.
(conditional_expression body: (_)) @decision.structure
(conditional_expression !body) @structure
(optional_type) @decision
(switch_statement) @structure
; lizard counts a `match` once, not its arms.
(match_expression) @decision.structure
(case_statement) @decision
(else_if_clause) @decision.flat
(else_clause) @flat

(if_statement body: (_) @nest)
(else_if_clause body: (_) @nest)
(else_clause body: (_) @nest)
(while_statement body: (_) @nest)
(do_statement body: (_) @nest)
(for_statement body: (_) @nest)
(foreach_statement body: (_) @nest)
(catch_clause body: (_) @nest)
(switch_block) @nest

(binary_expression) @binary.operation
[(unary_op_expression) (update_expression) (augmented_assignment_expression)] @operation
