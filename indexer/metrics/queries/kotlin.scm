; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[
  (function_declaration)
  (secondary_constructor)
] @function
(function_declaration (function_value_parameters (parameter) @parameter))
(secondary_constructor (function_value_parameters (parameter) @parameter))
[(lambda_literal) (anonymous_function)] @lambda
[(class_body) (enum_class_body)] @class

[
  (if_expression)
  (for_statement)
  (while_statement)
  (do_while_statement)
  (catch_block)
] @decision.structure
(when_expression) @structure
(when_entry condition: (_)) @decision
(if_expression condition: (_) (_) @nest)
(for_statement (block) @nest)
(while_statement (block) @nest)
(do_while_statement (block) @nest)
(catch_block (block) @nest)
(when_entry) @nest

(binary_expression) @binary.operation
[(unary_expression) (assignment)] @operation
; lizard counts the elvis operator.
(binary_expression operator: "?:") @decision
