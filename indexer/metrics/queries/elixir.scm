; Cyclomatic after lizard's rules, cognitive as SonarSource. Captures: see docs/metrics.md.
; `def`, `if` and `case` are calls like any other: their names tell them apart.
(call target: (identifier) @_word (#match? @_word "^def(p|macro|macrop)?$")) @function
(call target: (identifier) @_word (#match? @_word "^def(p|macro|macrop)?$")
  (arguments . (call (arguments (_) @parameter))))
(call target: (identifier) @_word (#match? @_word "^def(p|macro|macrop)?$")
  (arguments . (binary_operator left: (call (arguments (_) @parameter)))))
(call target: (identifier) @_word (#match? @_word "^(if|unless|for)$")) @decision.structure
(call target: (identifier) @_word (#match? @_word "^(case|cond|with|receive|try)$")) @structure
(do_block (stab_clause) @decision)
[(else_block) (rescue_block)] @flat

(call target: (identifier) @_word (do_block) @nest
  (#match? @_word "^(if|unless|for|case|cond|with|receive|try)$"))

(binary_operator) @binary.operation
(unary_operator) @operation
