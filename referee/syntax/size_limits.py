"""How large a rules text may be: far beyond what anybody writes, small enough to take seconds at most."""

SOURCE_BYTES = 1_000_000
LINE_LENGTH = 2_000
NUMBER_DIGITS = 12
OPEN_BRACKETS = 40
INDENT_LEVELS = 40
TREE_DEPTH = 150

# Words and signs, in the whole text; and those read again while errors are looked for.
TOKENS = 160_000
TOKENS_OF_REPAIR = 100_000
ERRORS_PER_BLOCK = 30
BROKEN_BLOCKS = 60
