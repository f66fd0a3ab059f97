"""Rest points: what is asked in the course of the game, not in the middle of what somebody or something does."""

from __future__ import annotations

from pathlib import Path

from referee.core.flow import Ask
from referee.frontend import load_flow

RULES = """game "Tolls" for 2 players ana and ben

counters
  coins of player: 0..20 starts 3

play
  turns from ana, to the left, until coins of ana = 0
    turn player must take one of pay, wait
  ana wins

action pay
  lower coins of me by 1
  carry out asked(me)

action wait
  nothing

procedure asked(p: player)
  p must take one of nod, shake

action nod
  nothing

action shake
  nothing

when coins of ben = 2
  carry out told

procedure told
  ana must shrug

action shrug
  nothing

after wait
  ben must yawn

action yawn
  nothing
"""


def test_nothing_asked_in_a_trigger_a_hook_or_an_action_is_one(tmp_path: Path) -> None:
    path = tmp_path / "tolls.rules"
    path.write_text(RULES)
    flow = load_flow(path)
    rests = {node.point.name: node.point.rest for node in flow.nodes if isinstance(node, Ask)}
    assert {name for name, rest in rests.items() if rest} == {"play.pay_or_wait"}
    assert len(rests) == 4
