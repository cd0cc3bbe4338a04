; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(subroutine) (function) (program)] @function
(subroutine_statement parameters: (parameters (identifier) @parameter))
(function_statement parameters: (parameters (identifier) @parameter))

[(if_statement) (do_loop)] @decision.structure
(elseif_clause) @decision.flat
(else_clause) @flat
(select_case_statement) @structure
(case_statement) @decision
[(if_statement) (do_loop) (select_case_statement)] @nest

(logical_expression) @decision.operation
[(math_expression) (relational_expression)] @operation
