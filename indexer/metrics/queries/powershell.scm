; Cyclomatic as lizard counts elsewhere, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_statement) (class_method_definition)] @function
(script_parameter) @parameter
(class_method_parameter) @parameter

[(if_statement) (foreach_statement) (for_statement) (while_statement) (do_statement) (catch_clause)] @decision.structure
(elseif_clause) @decision.flat
(else_clause) @flat
(switch_statement) @structure
(switch_clause) @decision
(statement_block) @nest
