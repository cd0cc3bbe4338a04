; Cyclomatic after lizard's rules, cognitive as SonarSource. Captures: see docs/metrics.md.
; `def`, `if` and `case` are calls like any other: their names tell them apart.
(call target: (identifier) @_word (#match? @_word "^def(p|macro|macrop)?$")) @function
(call target: (identifier) @_word (#match? @_word "^(if|unless|for)$")) @decision.structure
(call target: (identifier) @_word (#match? @_word "^(case|cond|with|receive|try)$")) @structure
(do_block (stab_clause) @decision)
[(else_block) (rescue_block)] @flat

(stab_clause right: (_) @nest)

(binary_operator) @binary.operation
(unary_operator) @operation
