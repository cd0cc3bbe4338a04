; inherits: c
(method_definition) @function
(method_definition (identifier) @name)
(method_definition (method_parameter) @parameter)
(block_literal) @lambda
