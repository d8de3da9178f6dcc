; Where names are known, as docs/abcl/reference.md has it.

[(class) (function) (clause) (let) (for) (sync) (sync_all)] @local.scope

(parameter name: (name) @local.definition)
(state_variable name: (name) @local.definition)
(binding name: (name) @local.definition)
(pattern (name) @local.definition)
(for counter: (name) @local.definition)
(sync box: (name) @local.definition)
(sync_all box: (name) @local.definition)

(name) @local.reference
