"""The files with which a ruleset begins: a small game that is complete, to be changed into another one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from referee.api.errors import ArgumentError
from referee.api.whole_files import write_whole
from referee.frontend.loading.ruleset_files import names
from referee.report.text.printable import printable

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_DEVICES = {"aux", "con", "nul", "prn"}
"""No folder can be called so on every system."""
_RULES = """\
# What the game is about, in a line or two.

game "{title}" for 2 players first and second

counters
  left: 0..10 starts 10                                                     [S-1]

play
  turns from first, to the left                                             [S-2]
    turn player must take

action take(stones: 1..3)                                                   [S-2]
  needs "so many are left": stones <= left
  lower left by stones
  if left = 0: me wins                                                      [S-3]
"""
_SCENARIOS = """\
scenario "who takes the last stone wins"                                    [S-3]
  first take 3; second take 3; first take 3; second take 1
  expect left = 0

scenario "nobody takes more than are left"                                  [S-2]
  first take 3; second take 3; first take 3
  second may not take 2: "so many are left"
"""
_STATEMENTS = """\
# The sentences of the rulebook, each with an id that lines of the rules cite.

[statement.S-1]
text = "Ten stones lie on the table."

[statement.S-2]
text = "In turn you take one, two or three of them."

[statement.S-3]
text = "Whoever takes the last stone wins."
"""
_LOG = """\
{{"schema": "referee/log/1", "ruleset": "{name}", "players": ["ana", "ben"]}}
{{"by": "ana", "do": "take", "with": {{"stones": 3}}}}
{{"by": "ben", "do": "take", "with": {{"stones": 3}}}}
{{"by": "ana", "do": "take", "with": {{"stones": 3}}}}
{{"by": "ben", "do": "take", "with": {{"stones": 1}}}}
{{"end": {{"winner": "ben"}}}}
"""
_EXPECTED = """\
{
  "first_game.jsonl": {"verdict": "legal", "winners": ["ben"]}
}
"""
_WORKFLOW = """\
name: rules
on: [push, pull_request]
permissions:
  contents: read
jobs:
  rules:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          path: {name}
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      - run: python -m pip install referee pytest
      - run: referee check ./{name}
      - run: referee fmt --check ./{name}
      - run: python -m pytest --referee ./{name}
"""


def first_files(name: str) -> Mapping[str, str]:
    """path in the folder -> text. Raises `ArgumentError` (NW01) for a name that cannot be that of a new ruleset."""
    if not _NAME.fullmatch(name) or name in _DEVICES:
        called = f'"{printable(name, 60)}"'
        raise ArgumentError("NW01", f"{called} cannot be the name of a ruleset: that has at most 40 small letters, "
                            "digits and _, and begins with a letter")
    if name in names():
        raise ArgumentError("NW01", f"{name} is a ruleset that comes along: logs that name it are judged by that one")
    return {
        "game.rules": _RULES.format(title=name.replace("_", " ").strip().capitalize()),
        "scenarios.rules": _SCENARIOS,
        "statements.toml": _STATEMENTS,
        "logs/first_game.jsonl": _LOG.format(name=name),
        "logs/expected.json": _EXPECTED,
        ".github/workflows/rules.yml": _WORKFLOW.format(name=name),
    }


def make_ruleset(name: str, into: Path) -> tuple[Path, ...]:
    """Makes the folder of a new ruleset in another folder; the files, as they were made.

    Raises `ArgumentError` (NW01; NW02 if anything is there already: nothing is overwritten), and `OSError`.
    """
    texts = first_files(name)
    folder = into / name
    try:
        folder.mkdir()
    except FileExistsError:
        raise ArgumentError("NW02", f"{folder} is there already: nothing is overwritten") from None
    made = []
    for where, text in texts.items():
        path = folder / where
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.splitlines())
        made.append(path)
    return tuple(made)
