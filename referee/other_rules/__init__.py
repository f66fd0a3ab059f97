"""Other answers that are made on the core, once it stands.

They are about what belongs to guards, moves, sets and counters wherever they come from.

`every_other_rule` has them all; each module in the rooms beside it (`components`, `players`, `amounts`, `conditions`,
`likenesses`, `moments`, `endings`, `tracks`, `arrivals`) makes those of one sort; `forms` says whether a node is of a
form. `without_statement` takes lines out, `mirrored_members` exchanges what is declared alike.
"""
