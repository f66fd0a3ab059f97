"""What the rules leave out has no default: each is an unspecified point, a stop, or an error that asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Stopped
from referee.interpreter.walker import Walker

HEAD = """game "Left out" for 3 players ana, ben and cleo

kind Card is LOW < HIGH

components
  2 LOW in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, open

counters
  points of player: 0..9
  shouts: 0..9

action shout
  raise shouts by 1

play
"""


def walker(tmp_path: Path, *lines: str) -> Walker:
    path = tmp_path / "left_out.rules"
    path.write_text(HEAD + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    return Walker(lower(load(path)))


def asked(made: Walker) -> tuple[str, list[Event]]:
    """The first point, and what may happen there."""
    state = made.begin(Setting(("ana", "ben", "cleo")))
    assert isinstance(state, State), state
    return made.asked(state).kind, list(made.legal(state))


def test_a_tie(tmp_path: Path) -> None:
    kind, legal = asked(walker(tmp_path, "the p in players with the most points wins"))
    assert kind == "table"
    assert [event.args for event in legal] == [(("choice", seat),) for seat in range(3)]


def test_an_order_of_decisions(tmp_path: Path) -> None:
    kind, legal = asked(walker(tmp_path, "for each p in players: p must shout"))
    assert (kind, len(legal)) == ("table", 3)


def test_a_direction(tmp_path: Path) -> None:
    kind, legal = asked(walker(tmp_path, "turns from ana", "  turn player must shout"))
    assert (kind, len(legal)) == ("table", 2)


@pytest.mark.parametrize("line", [
    "deal 3 from deck to hand of ana",
    "ana chooses exactly 3 Card in deck as chosen",
    "ana chooses one of players where points of it > 3 as chosen",
    "the p in players where points of it > 3 with the most points wins",
    "unspecified \"and now?\"",
    "raise shouts by 1",
])
def test_a_shortfall_an_empty_set_and_what_comes_after_the_last_line(tmp_path: Path, line: str) -> None:
    assert isinstance(walker(tmp_path, line).begin(Setting(("ana", "ben", "cleo"))), Stopped)


@pytest.mark.parametrize(("line", "code"), [
    ("ana draws 1 from deck", "DR01"),
    ("let other = opponent of ana", "NM08"),
    ("move HIGH from deck to deck", "MV03"),
])
def test_a_target_a_chooser_or_a_place_is_asked_for(tmp_path: Path, line: str, code: str) -> None:
    with pytest.raises(Problems) as caught:
        walker(tmp_path, line)
    assert code in [found.code for found in caught.value.diagnostics]
