; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
(function_definition) @function
(function_definition declarator: (function_declarator declarator: (_) @name))
(function_definition
  declarator: (_ declarator: (function_declarator declarator: (_) @name)))
(function_definition
  declarator: (function_declarator parameters: (parameter_list (parameter_declaration) @parameter)))
(function_definition
  declarator: (_ declarator: (function_declarator
    parameters: (parameter_list (parameter_declaration) @parameter))))

[
  (if_statement)
  (for_statement)
  (while_statement)
  (do_statement)
  (conditional_expression)
] @decision.structure
(switch_statement) @structure
(case_statement value: (_)) @decision
(else_clause) @flat.nest
(else_clause (if_statement) @chained)
(goto_statement) @flat

(if_statement consequence: (_) @nest)
(for_statement body: (_) @nest)
(while_statement body: (_) @nest)
(do_statement body: (_) @nest)
(conditional_expression consequence: (_) @nest)
(conditional_expression alternative: (_) @nest)
(switch_statement body: (_) @nest)

; lizard counts `#if`, `#ifdef` and `#elif`, but neither `#ifndef` nor the operators of a condition.
[(preproc_if) (preproc_elif) (preproc_ifdef "#ifdef")] @decision
(preproc_if condition: (_) @outside)
(preproc_elif condition: (_) @outside)

[(binary_expression) (assignment_expression)] @binary.operation
[(unary_expression) (update_expression) (pointer_expression)] @operation
