; Cyclomatic as lizard counts elsewhere, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_definition) (macro_definition)] @function
(function_definition (signature (call_expression (argument_list (_) @parameter))))
(assignment . (call_expression)) @function
(assignment . (call_expression (argument_list (_) @parameter)))

[(if_statement) (for_statement) (while_statement) (ternary_expression) (catch_clause)] @decision.structure
(elseif_clause) @decision.flat
(else_clause) @flat
[(if_statement) (for_statement) (while_statement) (catch_clause)] @nest

(binary_expression) @binary.operation
(unary_expression) @operation
