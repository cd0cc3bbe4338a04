; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
(function_item) @function
; lizard counts what stands in a closure where it stands.
(closure_expression) @lambda

[
  (if_expression)
  (for_expression)
  (while_expression)
] @decision.structure
[(match_expression) (loop_expression)] @structure
; One arm is always taken.
(match_block . (match_arm) (match_arm)+ @decision)
(match_block . (line_comment)+ . (match_arm) (match_arm)+ @decision)
(try_expression) @decision
(let_declaration alternative: (_)) @decision
(where_clause) @decision
(else_clause (_) @flat.nest)
(else_clause (if_expression) @chained)
(break_expression (label)) @flat
(continue_expression (label)) @flat

(if_expression consequence: (_) @nest)
(for_expression body: (_) @nest)
(while_expression body: (_) @nest)
(loop_expression body: (_) @nest)
(match_block) @nest

[(binary_expression) (compound_assignment_expr)] @binary.operation
(unary_expression) @operation
; lizard reads the word `for` and a `?` as decisions wherever they stand in a function.
(impl_item trait: (_)) @decision
(removed_trait_bound) @decision
(for_lifetimes) @decision
; … and the `||` of a closure without parameters as an operator.
(closure_parameters . "|" . "|" .) @decision
