"""Which events are looked at first: of actions that two rulesets say otherwise, or that meet a procedure they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.comparison.comparing import dictionaries
from referee.comparison.correspondence import Correspondence
from referee.comparison.said_otherwise import labels_said_otherwise
from referee.comparison.side import ComparedSide
from referee.frontend.loading.loader import load_flow
from referee.interpreter.walker import Walker
from tests.changed_text import changed

RULES = """\
game "Guns" for 2 players first and second

counters
  left: 0..9 starts 9

play
  turns from first, to the left
    turn player must take one of rest, wait, pass_by, stay, shoot, reload
    if left = 0: turn player wins

action rest

action wait

action pass_by

action stay

action shoot
  carry out fire

action reload
  lower left by 1, not below 0

procedure fire
  carry out hit

procedure hit
  turn player must duck

action duck
  lower left by 2, not below 0
"""


@pytest.mark.parametrize(("before", "after", "found"), [
    ("by 1,", "by 2,", {"reload"}),
    ("turn player must duck", "opponent of turn player must duck", {"shoot", "duck"}),
    ("starts 9", "starts 8", set()),
])
def test_what_two_rulesets_say_otherwise(tmp_path: Path, before: str, after: str, found: set[str]) -> None:
    assert RULES.count(before) == 1
    walkers = []
    for name, text in (("one", RULES), ("two", changed(RULES, {before: after}))):
        path = tmp_path / f"{name}.rules"
        path.write_text(text, encoding="utf-8")
        walkers.append(Walker(load_flow(str(path))))
    one, other = walkers
    sides = [ComparedSide(walker, ("first", "second"), dictionary, frozenset(), frozenset(), [])
             for walker, dictionary in zip(walkers, dictionaries(one, other, Correspondence()), strict=True)]
    assert labels_said_otherwise(sides[0], sides[1]) == found
