; inherits: javascript
(required_parameter value: (_) @decision)
(optional_parameter value: (_) @decision)
