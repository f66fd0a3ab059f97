"""What a player knows of what others chose: nothing of what goes from one hidden place to another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.player_views import record
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import decode_event, encode_recorded
from referee.interpreter.walker import Walker
from tests.judge.playing import does
from tests.laws.pairs import prompt, side_by_side

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
GAME: list[dict[str, Any]] = [
    does("fate", "deal", to="ana", cards=[1, 2]), does("fate", "deal", to="ben", cards=[3, 4]),
    does("ben", "bury"), does("fate", "draw", to="ben", card=6),
    does("ben", "choose", dead=3), does("ben", "choose", kept=[4]),
    does("ana", "bury"), does("fate", "draw", to="ana", card=5),
    does("ana", "choose", dead=1), does("ana", "choose", kept=[]),
    does("ben", "note", about=6), does("ana", "note", about=2),
    does("ana", "commit", path="left"), does("ben", "commit", path="right"),
    does("ana", "bet", shot=5), does("ben", "bet", shot=6),
]


def known(player: int | None, number: int) -> list[str]:
    """The arguments of the first so many events as a player knows them after the last of these."""
    walker = Walker(lower(load(CONSTRUCTS / "secrets.rules", 2)))
    setting = Setting(("ana", "ben"), givens={"oldest": {(): 1}})
    step, past = walker.begin(setting), []
    for line in GAME[:number]:
        event = decode_event(walker.core, setting, {**line, "with": renamed(line)})
        assert isinstance(step, State)
        assert not isinstance(event, list)
        past.append(walker.sighting(step, event))
        step = walker.advance(step, event)
    lines = [encode_recorded(walker.core, setting, one) for one in record(past, player)]
    return [" ".join(str(value) for value in one.get("with", {}).values()) for one in lines]  # type: ignore[union-attr]


def renamed(line: dict[str, Any]) -> dict[str, Any]:
    return {"card" if name == "shot" else name: value for name, value in line["with"].items()}


def test_a_player_knows_what_he_saw() -> None:
    assert known(0, len(GAME)) == [
        "ana [1, 2]", "ben ?", "", "ben ?", "?", "?", "", "ana 5", "1", "[]", "?", "2", "left", "?", "5", "6"]
    assert known(1, len(GAME)) == [
        "ana ?", "ben [3, 4]", "", "ben 6", "3", "[4]", "", "ana ?", "?", "?", "6", "?", "?", "right", "5", "6"]


def test_somebody_at_no_seat_knows_what_lies_open() -> None:
    assert known(None, len(GAME)) == [
        "ana ?", "ben ?", "", "ben ?", "?", "?", "", "ana ?", "?", "?", "?", "?", "?", "?", "5", "6"]


def test_what_is_revealed_is_known_once_all_have_chosen() -> None:
    assert known(1, len(GAME) - 1)[-1] == "?"
    assert known(0, len(GAME) - 1)[-1] == "5"


LEAK = """game "Leak" for 2 players ana and ben

kind Card is 1..4

components
  1 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner

setup
  shuffle deck
  for each p in players: deal 1 from deck to hand of p

play
  turns from ana, to the left
    turn player must guess

action guess(low: 0..1)
  needs "it is so": low = 0 or (some c in hand of opponent where c < 3)
"""


def test_a_leak_is_noticed(tmp_path: Path) -> None:
    """Rules by which a player can only do what another's hand allows tell him what is in that hand."""
    path = tmp_path / "leak.rules"
    path.write_text(LEAK, encoding="utf-8")
    walker = Walker(lower(load(path)))
    moments = [moment for seed in range(20) for moment in side_by_side(walker, 0, seed, 4)]
    assert any(prompt(moment.one, 0) != prompt(moment.other, 0) for moment in moments)
