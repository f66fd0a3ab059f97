"""One game and the records of it: what each player's record shows, what it hides, and from when on."""

from __future__ import annotations

from pathlib import Path

from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.log.strict_json import Json
from referee.game.player_views import record, table
from referee.game.setting import Setting
from referee.game.state import Ended, Layout, State, Step
from referee.game.value_codec import decode_event, encode_recorded
from referee.interpreter.walker import Walker

RULES = Path(__file__).with_name("26_two_records.rules")
PLAYED: list[tuple[str, str, dict[str, Json]]] = [
    ("fate", "draw", {"to": "ana", "cards": [4, 6]}),
    ("ana", "discard", {"card": 4}),
    ("ana", "lay", {"card": 6}),
    ("fate", "draw", {"to": "ben", "cards": [1, 2]}),
    ("ben", "discard", {"card": 2}),
    ("ben", "lay", {"card": 1}),
    ("ben", "dive", {"side": "left"}),
    ("ana", "shoot", {"side": "right"}),
    ("ben", "shoot", {"side": "centre"}),
    ("ana", "dive", {"side": "centre"}),
]
HIDDEN = "?"


class Played:
    """The game after some of its events."""

    def __init__(self, number: int) -> None:
        self.walker = Walker(lower(load(RULES)))
        self.setting = Setting(("ana", "ben"))
        self.step: Step = self.walker.begin(self.setting)
        self.seen = []
        for by, label, args in PLAYED[:number]:
            event = decode_event(self.walker.core, self.setting, {"by": by, "do": label, "with": args})
            assert isinstance(self.step, State)
            assert not isinstance(event, list)
            self.seen.append(self.walker.sighting(self.step, event))
            self.step = self.walker.advance(self.step, event)

    def record(self, player: int | None) -> list[Json]:
        """The arguments of each event, as the player's record has them."""
        lines = (encode_recorded(self.walker.core, self.setting, one) for one in record(self.seen, player))
        return [line.get("with") for line in lines]

    def lies(self, zone: str, owner: int, player: int | None) -> object:
        """What a player sees of a zone."""
        state = self.step.state if isinstance(self.step, Ended) else self.step
        assert isinstance(state, State)
        views = table(self.walker.core, Layout(self.walker.flow), state, player).zones
        return next(view.content for view in views if view.zone == zone and view.key == (owner,))


ANA: list[dict[str, Json]] = [
    {"to": "ana", "cards": [4, 6]}, {"card": 4}, {"card": 6},
    {"to": "ben", "cards": HIDDEN}, {"card": 2}, {"card": HIDDEN},
    {"side": "left"}, {"side": "right"}, {"side": "centre"}, {"side": "centre"},
]
BEN: list[dict[str, Json]] = [
    {"to": "ana", "cards": HIDDEN}, {"card": 4}, {"card": HIDDEN},
    {"to": "ben", "cards": [1, 2]}, {"card": 2}, {"card": 1},
    {"side": "left"}, {"side": "right"}, {"side": "centre"}, {"side": "centre"},
]


def test_each_record_has_every_event_and_hides_what_the_player_did_not_see() -> None:
    played = Played(len(PLAYED))
    assert isinstance(played.step, Ended)
    assert played.step.winners == {0}
    assert played.record(0) == ANA
    assert played.record(1) == BEN


def test_the_two_records_differ_in_what_was_drawn_and_laid_and_agree_in_the_rest() -> None:
    played = Played(len(PLAYED))
    pairs = enumerate(zip(played.record(0), played.record(1), strict=True))
    assert [index for index, (one, other) in pairs if one != other] == [0, 2, 3, 5]


def test_together_they_are_the_whole_game() -> None:
    for one, other, (_, _, args) in zip(ANA, BEN, PLAYED, strict=True):
        assert {name: one[name] if one[name] != HIDDEN else other[name] for name in args} == args


def test_a_record_in_which_nobody_saw_a_hand_hides_both() -> None:
    public = Played(len(PLAYED)).record(None)
    assert public[0] == {"to": "ana", "cards": HIDDEN}
    assert public[5] == {"card": HIDDEN}
    assert public[1] == {"card": 4}
    assert public[6:] == ANA[6:]


def test_a_secret_choice_is_in_the_others_record_only_once_both_have_chosen() -> None:
    assert Played(7).record(1)[6] == {"side": "left"}
    assert Played(7).record(0)[6] == {"side": HIDDEN}
    assert Played(8).record(0)[6] == {"side": "left"}


def test_what_lies_face_down_is_seen_by_its_owner_until_it_is_turned_up() -> None:
    taker_6 = load(RULES).domains["component"].labels.index(6)
    assert Played(5).lies("covered", 0, 0) == (taker_6,)
    assert Played(5).lies("covered", 0, 1) is None
    assert Played(6).lies("pitch", 0, 1) == (taker_6,)
