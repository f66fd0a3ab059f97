"""Which names stand where in the rules: what declares them, and what speaks of them.

It goes by words and lines and needs no text without errors. Read `block_words` (the words of one block),
`declared_names` (what a block declares), then `name_index` (all files of a ruleset).
"""
