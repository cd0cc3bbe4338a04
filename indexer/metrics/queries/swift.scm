; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_declaration) (init_declaration) (deinit_declaration)] @function
(function_declaration (parameter) @parameter)
(init_declaration (parameter) @parameter)
(lambda_literal) @lambda
[(class_body) (enum_class_body) (protocol_body)] @class

[
  (if_statement)
  (guard_statement)
  (for_statement)
  (while_statement)
  (repeat_while_statement)
  (catch_block)
  (ternary_expression)
] @decision.structure
(switch_statement) @structure
(switch_entry (switch_pattern)) @decision
(if_statement (statements) @nest)
(for_statement (statements) @nest)
(while_statement (statements) @nest)
(repeat_while_statement (statements) @nest)
(catch_block (statements) @nest)
(switch_entry (statements) @nest)
[(conjunction_expression) (disjunction_expression)] @decision.flat
[(additive_expression) (multiplicative_expression) (comparison_expression) (equality_expression)] @operation
