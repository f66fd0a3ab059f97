"""Questions about one known position that may have unknowns: what is legal, what becomes of it, what holds.

Read `position_answers`, then `guide` (unknowns that have values) and `guided_execution`.
"""
