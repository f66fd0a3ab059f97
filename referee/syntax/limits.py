"""How large a rules text may be: far beyond what anybody writes, small enough that no text can hang the program."""

SOURCE_BYTES = 1_000_000
LINE_LENGTH = 2_000
NUMBER_DIGITS = 12
OPEN_BRACKETS = 40
INDENT_LEVELS = 40
TREE_DEPTH = 150

# Text read again while errors are looked for, in characters: on top of the first reading of the whole.
REPAIR_READING = 1_000_000
ERRORS_PER_BLOCK = 40
EDITS_PER_ERROR = 40
