"""The rules carried out where not everything is known: one case for each kind, as in the interpreter.

Read `constraint_tracker` (line by line), `constrained_state`, `choice_points`; then `lifted_evaluation`,
`lifted_execution`, `lifted_zones` and `lifted_course`. `implied` says what is known after a line.
"""
