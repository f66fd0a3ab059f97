"""The kept grammar for editors that colour by patterns is made of the language as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.editors.textmate import KEPT, grammar


def test_the_kept_grammar_is_current() -> None:
    """`python -m tests.editors.textmate` writes it anew."""
    assert KEPT.read_text("utf-8") == grammar()


def test_the_extension_is_of_this_version_and_names_its_files() -> None:
    folder = KEPT.parents[1]
    said = json.loads((folder / "package.json").read_text("utf-8"))
    assert (folder / said["contributes"]["grammars"][0]["path"]).resolve() == KEPT.resolve()
    assert (folder / said["contributes"]["languages"][0]["configuration"]).is_file()
    kept = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"][""]
    assert kept["devDependencies"] == said["devDependencies"]


def test_the_commands_of_lenses_are_those_of_the_extension() -> None:
    from referee.editors.features.lenses import PLAY

    source = (KEPT.parents[1] / "src" / "extension.ts").read_text("utf-8")
    assert re.findall(r'name === "([^"]+)"', source) == [PLAY]
    assert Path(KEPT).stem == "referee.tmLanguage"
