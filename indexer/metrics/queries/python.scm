; Cyclomatic as radon, cognitive as complexipy. Captures: see docs/metrics.md.
(function_definition) @function
(lambda) @lambda
(class_definition) @class
(decorator) @outside

(if_statement) @decision.structure
(elif_clause) @decision.flat
(if_statement alternative: (else_clause) @flat)
[(for_statement) (while_statement)] @decision.structure
(for_statement alternative: (else_clause) @decision)
(while_statement alternative: (else_clause) @decision)
(except_clause) @decision.structure
(try_statement (else_clause) @decision)
(match_statement) @structure.match
(assert_statement) @decision.assert

(if_statement consequence: (block) @nest)
(elif_clause consequence: (block) @nest)
(if_statement alternative: (else_clause body: (block) @nest))
(for_statement body: (block) @nest)
(while_statement body: (block) @nest)
(except_clause (block) @nest)
(case_clause consequence: (block) @nest)

(boolean_operator) @decision.weighed.operation
[(conditional_expression) (for_in_clause)] @decision.weighed
(list_comprehension (if_clause) @decision.weighed)
(set_comprehension (if_clause) @decision.weighed)
(dictionary_comprehension (if_clause) @decision.weighed)
(generator_expression (if_clause) @decision.weighed)
[(not_operator) (unary_operator) (binary_operator) (comparison_operator)] @operation
(augmented_assignment) @operation
