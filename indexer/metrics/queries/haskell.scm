; Cyclomatic as lizard counts elsewhere, cognitive as SonarSource. Captures: see docs/metrics.md.
(declarations [(function) (bind)] @function)
(class_declarations [(function) (bind)] @function)
(instance_declarations [(function) (bind)] @function)
(function patterns: (patterns (_) @parameter))

(conditional) @decision.structure
(case) @structure
(alternative) @decision
(guards) @decision
(conditional) @nest
(alternatives) @nest

(infix) @operation
