"""One HTML file of a document: the page that draws it, and the document as JSON in it.

The page asks nobody for anything: its policy allows its own style and script by their hashes, the pictures that the
document holds, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from referee.report.text.printable import printable

SCRIPTS = ("elements", "places", "boards", "table", "steps", "verdicts", "reports", "start")
"""The parts of the script, in the order in which they stand in it."""
LONGEST_TITLE = 200
"""Letters of the title of a page: what is longer is cut off."""


def html_of(document: Mapping[str, Any]) -> str:
    """The file. `document`: as `page.schema.json` says, with whatever characters in its texts."""
    style, script = _style(), _script()
    pictures = "img-src data:; " if document.get("pictures") else ""
    policy = (f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; {pictures}"
              "base-uri 'none'; form-action 'none'")
    title = escape(printable(str(document["title"]), LONGEST_TITLE))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        "<noscript><p>This page is drawn by a script that stands in it: it needs JavaScript.</p></noscript>\n"
        f'<script type="application/json" id="document">{embedded(document)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def embedded(document: Mapping[str, Any]) -> str:
    """A document as JSON in which nothing ends a script, begins a comment or ends a line of one: ASCII, without `<`,
    `>` and `&`."""
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _style() -> str:
    return _static("page.css")


@cache
def _script() -> str:
    parts = "\n".join(_static(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


def _static(name: str) -> str:
    return (files("referee.page") / "static" / name).read_text(encoding="utf-8")
