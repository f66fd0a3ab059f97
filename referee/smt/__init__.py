"""Rules as formulas for Z3. `term` and `value` are what everything here is made of; only this room imports z3.

Rooms: `encoding` (the steps of a flow as terms), `concolic` (questions about one position whose unknowns have values),
`abstraction` (slices of positions: what is kept of them, and steps on what is kept).
"""
