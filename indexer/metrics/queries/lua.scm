; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_declaration) (function_definition)] @function

[
  (if_statement)
  (while_statement)
  (repeat_statement)
  (for_statement)
] @decision.structure
(elseif_statement) @decision.flat
(else_statement) @flat
(if_statement consequence: (_) @nest)
(elseif_statement consequence: (_) @nest)
(else_statement body: (_) @nest)
(while_statement body: (_) @nest)
(repeat_statement body: (_) @nest)
(for_statement body: (_) @nest)

(binary_expression) @binary.operation
(unary_expression) @operation
