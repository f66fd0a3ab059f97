"""What expressions, statements and steps mean as terms, said once for every representation of positions.

All abstract: exact positions and those behind unknowns (`encoding`, `concolic`) and slices (`abstraction`) fill it in.
Read `term_position`, `expression_semantics`, `statement_semantics`, `step_semantics`; `context` is where a step is
followed, `knowledge` how much of its terms is decided on the way. `spec/decisions/025` says why.
"""
