; Cyclomatic as lizard counts elsewhere, cognitive as SonarSource. Captures: see docs/metrics.md.
(let_binding (parameter) @parameter) @function
(let_binding body: [(fun_expression) (function_expression)]) @function
(method_definition) @function

[(if_expression) (while_expression) (for_expression)] @decision.structure
[(match_expression) (function_expression) (try_expression)] @structure
(match_case) @decision
(else_clause (_) @flat)
(else_clause (if_expression) @chained)
[(then_clause) (else_clause) (match_case)] @nest
(while_expression) @nest
(for_expression) @nest

(infix_expression) @binary.operation
