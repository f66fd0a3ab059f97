"""The core language: what every ruleset becomes, and what every engine, the judge and the solver work on.

Read `types`, `expr`, `stmt`, `ruleset`, then `flow` (the same as a graph of points). `traverse` goes through all of it,
`read_write_sets` says what each part reads and writes; `operators` and `intervals` are what every representation of
values has in common. `spec/core.md` has the table of kinds.
"""
