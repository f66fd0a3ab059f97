"""Rules as formulas for Z3. `term` and `value` are what everything here is made of; only this room imports z3.

Rooms: `semantics` (what expressions, statements and steps mean as terms, said once), `encoding` (the steps of a flow on
whole positions), `concolic` (questions about one position whose unknowns have values), `abstraction` (slices of
positions: what is kept of them, and steps on what is kept).
"""
