"""The pictures of a ruleset, as they stand in a page."""

from __future__ import annotations

import base64
from pathlib import Path

from referee.core.ruleset import Core
from referee.system.file_observations import read_regular
from referee.system.inner_paths import Outside, inner_path
from referee.system.picture_files import MOST_BYTES, picture_form


def pictures_of(core: Core) -> dict[str, str]:
    """The files that the rules name, each with its content as a data URI.

    They were looked at when the rules were loaded; one that has been changed since into what no page may hold is left
    out, and what it stood for is drawn without.
    """
    found: dict[str, str] = {}
    left = MOST_BYTES
    for said in dict.fromkeys(core.look.pictures.values()):
        try:
            data = read_regular(inner_path(Path(core.path).parent, said, Path.resolve), left + 1)
            form = picture_form(data)
        except (Outside, OSError, RuntimeError, ValueError):
            continue
        if len(data) <= left:
            left -= len(data)
            found[said] = f"data:{form.media};base64,{base64.b64encode(data).decode('ascii')}"
    return found
