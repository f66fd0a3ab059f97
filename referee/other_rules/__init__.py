"""Other answers that are made on the core, once it stands: what belongs to guards, moves, sets and counters wherever
they come from.

`every_other_rule` has them all; each module beside it makes those of one sort.
"""
