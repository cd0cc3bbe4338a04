; Cyclomatic as lizard, cognitive as SonarSource. Captures: see docs/metrics.md.
[(method) (singleton_method)] @function

[
  (if)
  (while)
  (until)
  (for)
  (conditional)
  (if_modifier)
  (while_modifier)
  (until_modifier)
  (rescue)
] @decision.structure
; lizard counts `ensure` and `||=`, but no `unless`.
[(unless) (unless_modifier) (case) (case_match)] @structure
(ensure) @decision
(operator_assignment operator: ["||=" "&&="]) @decision
[(when) (in_clause)] @decision
(elsif) @decision.flat
(if alternative: (else) @flat)
(unless alternative: (else) @flat)

(if consequence: (_) @nest)
(unless consequence: (_) @nest)
(while body: (_) @nest)
(until body: (_) @nest)
(for body: (_) @nest)
(conditional consequence: (_) @nest)
(conditional alternative: (_) @nest)
(rescue body: (_) @nest)
[(block) (do_block)] @nest

(binary) @binary.operation
[(unary) (operator_assignment)] @operation
