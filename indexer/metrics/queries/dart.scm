; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
(function_expression) @function
(class_body) @class
[(if_statement) (for_statement) (while_statement) (do_statement) (catch_clause)] @decision.structure
(conditional_expression) @decision.structure
(if_statement consequence: (_) @nest)
(for_statement body: (_) @nest)
[(logical_and_expression) (logical_or_expression)] @decision.flat
