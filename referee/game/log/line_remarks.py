"""A line of a log without a remark: time stamps and notes make lines differ that say the same."""

from __future__ import annotations

import re

_VALUE = r'(?:-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?|"[^"\\\x00-\x1f]{0,200}")'
_LAST = re.compile(rf'(?<=[]}}"0-9a-z]), ?"(note|at)": ?{_VALUE}\}}(?=\r?\n?\Z)')
_FIRST = re.compile(rf'\A\{{"(note|at)": ?{_VALUE}, ?(?=")')


def bare(text: str) -> str:
    """The text of a line without its first or last entry, if that is a plain remark, and the only one of its name.

    If what is left is an object, so is the whole, and says the same; if the whole is one, so is what is left. A line
    with an escape in it is left alone: a key may be spelt in many ways by them.
    """
    if '"at"' not in text and '"note"' not in text:
        return text
    found = _LAST.search(text)
    if found is not None:
        left = f"{text[:found.start()]}}}{text[found.end():]}"
    else:
        found = _FIRST.match(text)
        if found is None:
            return text
        left = f"{{{text[found.end():]}"
    return text if "\\" in left or f'"{found[1]}"' in left else left
