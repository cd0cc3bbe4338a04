; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
(function_definition) @function
(lambda_expression) @lambda
(template_body) @class

[(if_expression) (for_expression) (while_expression) (do_while_expression)] @decision.structure
(match_expression) @structure
(case_clause) @decision
(if_expression alternative: (_) @flat.nest)
(if_expression alternative: (if_expression) @chained)
(if_expression consequence: (_) @nest)
(for_expression body: (_) @nest)
(while_expression body: (_) @nest)
(case_block) @nest
(infix_expression) @binary.operation
