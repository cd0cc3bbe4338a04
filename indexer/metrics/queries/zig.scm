; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_declaration) (test_declaration)] @function

[(if_statement) (if_expression) (for_statement) (for_expression) (while_statement) (while_expression)] @decision.structure
(switch_expression) @structure
(switch_case) @decision
(catch_expression) @decision
(else_clause (_) @flat.nest)
(else_clause (if_statement) @chained)

(if_statement body: (_) @nest)
(for_statement body: (_) @nest)
(while_statement body: (_) @nest)
(switch_case) @nest

(binary_expression) @binary.operation
(unary_expression) @operation

(function_declaration (parameters (parameter) @parameter))
