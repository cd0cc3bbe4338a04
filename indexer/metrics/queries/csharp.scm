; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[
  (method_declaration)
  (constructor_declaration)
  (destructor_declaration)
  (operator_declaration)
  (conversion_operator_declaration)
  (local_function_statement)
] @function
(property_declaration accessors: (accessor_list (accessor_declaration body: (_)))) @function
(property_declaration value: (arrow_expression_clause)) @function
[(lambda_expression) (anonymous_method_expression)] @lambda
(declaration_list) @class

[
  (if_statement)
  (for_statement)
  (while_statement)
  (do_statement)
  (catch_clause)
  (conditional_expression)
] @decision.structure
; lizard does not count `foreach`.
[(switch_statement) (switch_expression) (foreach_statement)] @structure
(switch_section . (_) @decision (#not-match? @decision "^(break|return|throw)"))
(if_statement alternative: (_) @flat.nest)
(if_statement alternative: (if_statement) @chained)
(goto_statement) @flat

(if_statement consequence: (_) @nest)
(for_statement body: (_) @nest)
(foreach_statement body: (_) @nest)
(while_statement body: (_) @nest)
(do_statement body: (_) @nest)
(catch_clause body: (_) @nest)
(conditional_expression consequence: (_) @nest)
(conditional_expression alternative: (_) @nest)
(switch_body) @nest

[(binary_expression) (assignment_expression)] @binary.operation
[(prefix_unary_expression) (postfix_unary_expression)] @operation
; lizard counts these too.
[(conditional_access_expression) (preproc_if) (preproc_elif)] @decision
; The `?` of a type counts in a body, not in a header.
(variable_declaration type: (nullable_type) @decision)
(variable_declaration type: (array_type type: (nullable_type) @decision))
(declaration_expression type: (nullable_type) @decision)
(cast_expression type: (nullable_type) @decision)
(typeof_expression type: (nullable_type) @decision)
(object_creation_expression type: (nullable_type) @decision)
