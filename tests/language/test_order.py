"""Declarations mean the same in any order and in any file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.core.expr import Const
from referee.core.ruleset import Core
from referee.core.types import Int
from referee.diagnostics.source import Source
from referee.frontend import load
from referee.frontend.loading.assembly import build, parsed
from referee.frontend.loading.ruleset_files import find, read
from referee.frontend.names.shapes import Shape

CONSTRUCTS = [path for path in sorted((Path(__file__).parent / "constructs").glob("*.rules"))
              if re.search("^(define|kind .* (or|from)) ", path.read_text("utf-8"), re.MULTILINE)]
"""Those with groups of kinds, data files or definitions."""
COURSE = """\
define can_carry of Level l: 1..4
  when l is small: 2
  otherwise: most

kind Thing is Tool or Toy

kind Tool from "data/tools.csv"
  stands_for: Toy or none

kind Toy is BALL, DOLL

zones
  box: bag of Thing, open
  bag of player: bag of Thing, open, at most most

counters
  steps: 0..most starts most
  level of player: Level

parameter lost: 0..9 default most "the page is torn"

define most = 4

play
  turns from first, to the left, until steps = 0
    turn player must fetch
  nobody wins

action fetch(tool: Tool in box)
  needs "it is a toy's": stands_for of tool is not none
  needs "he can carry it": number of bag of me < can_carry(level of me)
  move tool to bag of me
  lower steps by 1
"""
THINGS = """\
game "Box" for 2 players first and second

type Level is small, large

components
  1 of each Tool in box
  (most) BALL in box
"""


def two_files(folder: Path, first: str, second: str) -> Core:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "tools.csv").write_text("name,stands_for\nHAMMER,BALL\nSAW,none\n", encoding="utf-8")
    (folder / "a.rules").write_text(first, encoding="utf-8")
    (folder / "b.rules").write_text(second, encoding="utf-8")
    return load(folder)


def test_files_in_either_order(tmp_path: Path) -> None:
    """Groups and columns of kinds below, definitions in limits, ranges, starts, defaults and numbers."""
    for core in (two_files(tmp_path / "one", THINGS, COURSE), two_files(tmp_path / "other", COURSE, THINGS)):
        assert [(part.name, sum(home.number for home in part.homes)) for part in core.components] == [
            ("HAMMER", 1), ("SAW", 1), ("BALL", 4), ("DOLL", 0)]
        assert core.tables["stands_for of Tool"].values == (2, None)
        limit, steps, lost = core.zones["bag"].limit, core.vars["steps"], core.vars["lost"]
        assert (limit, steps.type, steps.start, lost.start) == (Const(4, Int(4, 4)), Int(0, 4), 4, 4)


def declarations(text: str) -> list[str]:
    """What stands at the left margin, each with the lines below it; without scenarios."""
    found: list[str] = []
    for line in text.splitlines(keepends=True):
        if found and (line[0].isspace() or line.startswith("#")):
            found[-1] += line
        elif not line.startswith("#"):
            found.append(line)
    return [one for one in found if not one.startswith("scenario")]


@pytest.mark.parametrize("path", CONSTRUCTS, ids=lambda path: path.stem)
def test_declarations_the_other_way_round(path: Path) -> None:
    files = find(str(path))
    (source,) = read(files)
    turned = parsed(files, (Source(source.path, "".join(reversed(declarations(source.text)))),))
    core = build(turned, Shape(turned.range.fewest)).core
    there = load(path)
    assert sorted(core.zones) == sorted(there.zones)
    assert sorted(core.vars) == sorted(there.vars)
    assert sorted(core.actions) == sorted(there.actions)
    assert sorted(str(part.name) for part in core.components) == sorted(str(part.name) for part in there.components)
