"""Positions, expressions, statements and steps as terms, each case as in the reference interpreter.

Read `term_store`, `term_evaluation`, `term_execution`, `step_relation`; `content` and `moving` hold what lies in zones;
`decoding` is the way back to positions.
"""
