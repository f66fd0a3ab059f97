"""How large a rules text may be: far beyond what anybody writes, small enough to take seconds at most."""

SOURCE_BYTES = 1_000_000
"""Bytes of one file: what is larger is refused."""
LINE_LENGTH = 2_000
"""Characters of a line that are read."""
NUMBER_DIGITS = 12
"""Digits of a number that are read."""
OPEN_BRACKETS = 40
"""Brackets that are open at once: a further one is refused."""
INDENT_LEVELS = 40
"""Levels of indentation: a further one is refused."""
TREE_DEPTH = 150
"""Nodes of a tree within each other: a deeper tree is refused."""
TOKENS = 160_000
"""Words and signs in the whole text."""
TOKENS_OF_REPAIR = 100_000
"""Words and signs that are read again while errors are looked for."""
ERRORS_PER_BLOCK = 30
"""Errors in one block, after which the rest of it is not read."""
BROKEN_BLOCKS = 60
"""Blocks with errors, after which the rest of the text is not read."""
