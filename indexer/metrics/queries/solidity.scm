; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_definition) (modifier_definition) (constructor_definition) (fallback_receive_definition)] @function
(function_definition (parameter) @parameter)
(modifier_definition (parameter) @parameter)
(constructor_definition (parameter) @parameter)

[(if_statement) (for_statement) (while_statement) (do_while_statement) (ternary_expression)] @decision.structure
(catch_clause) @structure
(if_statement body: (_) . (statement) @flat)
(if_statement (statement (if_statement) @chained))

(if_statement body: (_) @nest)
(for_statement body: (_) @nest)
(while_statement body: (_) @nest)
(do_while_statement body: (_) @nest)
(catch_clause) @nest

(binary_expression) @binary.operation
(unary_expression) @operation
