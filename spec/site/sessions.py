"""Examples in docstrings as sessions of Python on the site: to Markdown alone `>>>` would be a quotation."""

from __future__ import annotations

import re

from griffe import Extension, Object

SESSION = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)
"""From a prompt to the next blank line."""


class Sessions(Extension):
    """Puts the examples of each docstring between fences."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        """Called for whatever has been read; all of a module has been by then."""
        if obj.docstring is not None and ">>> " in obj.docstring.value:
            obj.docstring.value = SESSION.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
