"""Slices of positions: some entries are kept, of the rest nothing is said but its type.

Read `slices`, then `class_groups` and `kept_spots` (what is counted together, what is told apart), `sliced_reading`,
`sliced_step`; `weakest_precondition` and `relevance` say what of a position matters.
"""
