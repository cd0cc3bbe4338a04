; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(function_declaration) (method_declaration) (func_literal)] @function

[(if_statement) (for_statement)] @decision.structure
[(expression_switch_statement) (type_switch_statement) (select_statement)] @structure
[(expression_case) (type_case) (communication_case)] @decision
(if_statement alternative: (_) @flat.nest)
(if_statement alternative: (if_statement) @chained)
(break_statement (label_name)) @flat
(continue_statement (label_name)) @flat
(goto_statement) @flat

(if_statement consequence: (_) @nest)
(for_statement body: (_) @nest)
[(expression_case) (type_case) (communication_case) (default_case)] @nest

[(binary_expression) (assignment_statement)] @binary.operation
[(unary_expression) (inc_statement) (dec_statement)] @operation
