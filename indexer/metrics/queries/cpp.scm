; inherits: c
(for_range_loop) @decision.structure
(for_range_loop body: (_) @nest)
(catch_clause) @decision.structure
(catch_clause body: (_) @nest)
(lambda_expression) @lambda
(field_declaration_list) @class
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (_) @name)))
(function_definition
  declarator: (reference_declarator (function_declarator
    parameters: (parameter_list
      [(parameter_declaration) (optional_parameter_declaration)] @parameter))))
(function_definition
  declarator: (function_declarator
    parameters: (parameter_list (optional_parameter_declaration) @parameter)))
