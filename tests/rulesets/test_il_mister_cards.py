"""Il Mister's attack cards against what the rulebook prints, each number at its border, with footballers made for it.

The table here was read off the rulebook by itself. In each game every footballer of the attacker but those named counts
1, and every one of the defender 9: a card that asks for another place or another letter goes otherwise.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import engine

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "il_mister"
PLACES = {
    "GK": "keeper", "RB": "right_back", "RCB": "right_centre_back", "LCB": "left_centre_back", "LB": "left_back",
    "RM": "right_wide", "RCM": "right_central", "LCM": "left_central", "LM": "left_wide", "RS": "right_striker",
    "LS": "left_striker",
}
FORWARD = ("RM", "RCM", "LCM", "LM", "RS", "LS")

CARDS = {
    "HEADER_RIGHT": "E RM > C LB, B LS > B RCB, B LS > H GK",
    "HEADER_LEFT": "E LM > C RB, B RS > B LCB, B RS > H GK",
    "FULL_BACK_RIGHT": "E RB > C LM, B LS > B RCB, B LS > H GK",
    "FULL_BACK_LEFT": "E LB > C RM, B RS > B LCB, B RS > H GK",
    "THROUGH_BALL_RIGHT": "D RCM > C LCM, A LS > C RCB, A LS > G GK",
    "THROUGH_BALL_LEFT": "D LCM > C RCM, A RS > C LCB, A RS > G GK",
    "CORNER_RIGHT": "E LB = 8, B RCB > B LCB, B RCB > H GK",
    "CORNER_LEFT": "E RB = 8, B LCB > B RCB, B LCB > H GK",
    "KNOCK_DOWN_RIGHT": "B RS > B LB, A LCM > G GK",
    "KNOCK_DOWN_LEFT": "B LS > B RB, A RCM > G GK",
    "BUILD_UP_RIGHT": "D RCB > C LS, A LS > C GK",
    "BUILD_UP_LEFT": "D LCB > C RS, A RS > C GK",
    "LATE_RUN_LEFT": "E RS > C LB, B LCM > B RCB, B LCM > H GK",
    "LATE_RUN_RIGHT": "E LS > C RB, B RCM > B LCB, B RCM > H GK",
    "SWITCH_RIGHT": "E RB > C LS by 2, B LM > B RM, A LM > G GK",
    "SWITCH_LEFT": "E LB > C RS by 2, B RM > B LM, A RM > G GK",
    "SCRAMBLE_RIGHT": "C RS > C LCB by -2, A RS > G GK",
    "SCRAMBLE_LEFT": "C LS > C LCB by -2, A LS > G GK",
    "DRIBBLE_RIGHT": "A RS > C LB, A RS > C GK",
    "DRIBBLE_LEFT": "A LS > C RB, A LS > C GK",
    "THUNDERBOLT_RIGHT": "B RM > B LM, A LCM > C RCM, A LCM > G GK",
    "THUNDERBOLT_LEFT": "B LM > B RM, A RCM > C LCM, A RCM > G GK",
    "COUNTER_RIGHT": "D GK = 2, C RCM > C LCM, A RCM > G GK",
    "COUNTER_LEFT": "D GK = 2, C LCM > C RCM, A LCM > G GK",
}
"""Letter and place of the attacker, of the defender, and by how many points more; the last one is the shot. Without a
defender: so much is asked for."""
GIFTS = {"BACK_HEEL": ("D RM > C LM", "back_heel"), "BICYCLE_KICK": ("E LM > C RM", "bicycle_kick")}
KICKS = {"FREE_KICK": (1, 0), "PENALTY_KICK": (0, -1)}
"""How many points more the taker needs: with the goalkeeper on the side of the shot, on another one."""

Cell = tuple[str, str]
"""A letter and a place."""


@dataclass(frozen=True)
class Game:
    """One card turned up for ana: what certain footballers count, who is missing, and how it goes (`side`: where ben
    dives when ana shoots to the left, "" if there is no shot)."""

    card: str
    ours: Mapping[Cell, int]
    theirs: Mapping[Cell, int]
    side: str
    goal: bool = False
    gift: tuple[str, str] = ("", "")
    missing: tuple[str, str] = ("", "")
    taker: str = ""
    lacking: str = "as_nought"
    why: str = field(default="", compare=False)


def read(text: str) -> tuple[Cell, Cell | None, int]:
    """What attacks, what defends, and how many points more (or, without a defender, how many) it takes."""
    words = text.split()
    if words[2] == "=":
        return (words[0], words[1]), None, int(words[3])
    return (words[0], words[1]), (words[3], words[4]), int(words[6]) if len(words) > 5 else 1


def bordering(card: str, said: str) -> Game:
    """The card goes just so: each contest by the points it takes, and the shot by one."""
    ours: dict[Cell, int] = {}
    theirs: dict[Cell, int] = {}
    for attack, defence, by in map(read, said.split(", ")):
        ours[attack] = by if defence is None else 5 + by
        if defence is not None:
            theirs[defence] = 5
    return Game(card, ours, theirs, "LEFT", goal=True, why="just enough")


def with_one(game: Game, cell: Cell, value: int, *, theirs: bool = False) -> Game:
    """The same with another number in one place."""
    if theirs:
        return replace(game, theirs={**game.theirs, cell: value})
    return replace(game, ours={**game.ours, cell: value})


def attacks() -> Iterator[Game]:
    """Each attack that ends in a shot by somebody named: every border from both sides, everybody missing once."""
    for card, said in CARDS.items():
        just = bordering(card, said)
        yield just
        *contests, shot = map(read, said.split(", "))
        for attack, defence, _ in contests:
            none = replace(just, side="", goal=False, why=f"one point less: {attack}")
            if defence is None:
                yield with_one(none, attack, just.ours[attack] - 1)
                continue
            yield with_one(none, defence, 6, theirs=True)
            yield replace(just, theirs={**just.theirs, defence: 9}, missing=("ben", defence[1]), why="undefended")
        for place in {attack[1] for attack, defence, _ in (*contests, shot) if defence is not None}:
            yield replace(just, side="", goal=False, missing=("ana", place), why=f"without his {place}")
        keeper = shot[1]
        assert keeper is not None
        yield with_one(replace(just, goal=False, why="as good as he, same side"), keeper, 6, theirs=True)
        other = replace(just, side="RIGHT", why="as good as he, other side")
        yield with_one(other, keeper, 6, theirs=True)
        yield with_one(replace(other, goal=False, why="less good than he, other side"), keeper, 7, theirs=True)


def gifts() -> Iterator[Game]:
    """The two cards that ask for a gift: of somebody in midfield or attack, and then only the side counts."""
    for card, (said, gift) in GIFTS.items():
        just = replace(bordering(card, said), gift=(gift, "RM"))
        (cell,) = just.theirs
        yield replace(just, goal=False, why="the same side")
        yield replace(just, side="RIGHT", why="another side")
        yield with_one(replace(just, side="", goal=False, why="equal"), cell, 6, theirs=True)
        other = "bicycle_kick" if gift == "back_heel" else "back_heel"
        yield replace(just, side="", goal=False, gift=(other, "RM"), why="another gift")
        for place in PLACES:
            if place in FORWARD:
                yield replace(just, side="RIGHT", gift=(gift, place), why=f"at {place}")
                yield replace(just, side="RIGHT", gift=(gift, place), missing=("ben", place), why="ben's place")
                yield replace(just, side="", goal=False, gift=(gift, place), missing=("ana", place), why="he is gone")
            else:
                yield replace(just, side="", goal=False, gift=(gift, place), why=f"at {place}: too far behind")


def kicks() -> Iterator[Game]:
    """Free kick and penalty: whoever is chosen, with F against G."""
    for card, needed in KICKS.items():
        for side, by in zip(("LEFT", "RIGHT"), needed, strict=True):
            for points in (by, by - 1):
                yield Game(card, {("F", "RB"): 5 + points}, {("G", "GK"): 5}, side, points == by, taker="RB")
        wall = Game(card, {("F", "RB"): 9}, {("G", "GK"): 5, ("B", "LM"): 10}, "LEFT", True, taker="RB")
        yield replace(wall, side="", goal=False) if card == "FREE_KICK" else wall


def lacking() -> Iterator[Game]:
    """Who has not what is asked for, and places where nobody stands, in both readings."""
    for reading in ("as_nought", "not_at_all"):
        read_so = reading == "not_at_all"
        for card, back, striker in (("SWITCH_RIGHT", "RB", "LS"), ("SWITCH_LEFT", "LB", "RS")):
            attack, defence = ("E", back), ("C", striker)
            just = replace(bordering(card, CARDS[card]), lacking=reading)
            two = with_one(with_one(just, attack, 2), defence, 0, theirs=True)
            yield two
            yield replace(two, missing=("ben", defence[1]))
            for one in (two, replace(two, missing=("ben", defence[1]))):
                got = with_one(one, attack, 1)
                yield got if read_so else replace(got, side="", goal=False)
                yield replace(with_one(one, attack, 0), side="", goal=False)
        just = replace(bordering("HEADER_RIGHT", CARDS["HEADER_RIGHT"]), lacking=reading)
        yield just
        yield replace(with_one(just, ("C", "LB"), 6, theirs=True), side="", goal=False)
        yield replace(with_one(just, ("E", "RM"), 1), missing=("ben", "LB"))
        nobody = with_one(with_one(just, ("E", "RM"), 0), ("C", "LB"), 0, theirs=True)
        yield replace(nobody, side="", goal=False)
        none = with_one(bordering("KNOCK_DOWN_RIGHT", CARDS["KNOCK_DOWN_RIGHT"]), ("G", "GK"), 0, theirs=True)
        yield replace(with_one(none, ("A", "LCM"), 1), lacking=reading)
        shot = with_one(none, ("A", "LCM"), 0)
        for side in ("LEFT", "RIGHT"):
            shoots = "" if read_so else side
            yield replace(shot, lacking=reading, side=shoots, goal=shoots == "RIGHT")
            kick = Game("PENALTY_KICK", {("F", "RB"): 0}, {("G", "GK"): 1}, shoots, shoots == "RIGHT", taker="RB")
            yield replace(kick, lacking=reading)


GAMES = [*attacks(), *gifts(), *kicks(), *lacking()]
Man = tuple[str, bool, tuple[tuple[str, Any], ...]]
"""A footballer as the games need him: whose, whether a goalkeeper, and what of him is not as of all others."""


def men(game: Game, player: str) -> dict[str, Man]:
    """Who stands where, and on the bench."""
    cells = game.ours if player == "ana" else game.theirs
    found: dict[str, Man] = {}
    for place in (*PLACES, "1", "2", "3", "4"):
        special: dict[str, Any] = {letter.lower(): value for (letter, at), value in cells.items() if at == place}
        if player == "ana" and place == game.gift[1]:
            special[game.gift[0]] = True
        found[place] = (player, place == "GK", tuple(sorted(special.items())))
    return found


@cache
def pool() -> tuple[list[dict[str, Any]], dict[Man, list[str]]]:
    """81 footballers among whom every game finds its thirty, and their names."""
    most: Counter[Man] = Counter()
    for game in GAMES:
        most |= Counter([*men(game, "ana").values(), *men(game, "ben").values()])
    rows: list[dict[str, Any]] = []
    names: dict[Man, list[str]] = {}
    gifted = ("back_heel", "bicycle_kick", "crowd_puller", "leader")
    wanted = list(most.elements())
    for player, keeper, special in [*wanted, *([wanted[1]] * (81 - len(wanted)))]:
        name = f"MAN_{len(rows) + 1:02}"
        row: dict[str, Any] = {"name": name, "role": "keeper" if keeper else "left_back", "overall": 30}
        row |= dict.fromkeys("abcdefgh", 1 if player == "ana" else 9) | dict.fromkeys(gifted, False)
        rows.append(row | dict(special))
        names.setdefault((player, keeper, special), []).append(name)
    return rows, names


@cache
def walker() -> Walker:
    return engine(lower(load(ROOT, 2, {}, {"Footballer": pool()[0]})))


def log(game: Game) -> list[dict[str, Any]]:
    """The log of one game: from the line-ups to the card after the one that it is about."""
    rows, names = pool()
    state: dict[str, Any] = {}
    taker = ""
    for player in ("ana", "ben"):
        left = {man: list(who) for man, who in names.items()}
        stand = {place: left[man].pop() for place, man in men(game, player).items()}
        taker = taker or stand.get(game.taker, "")
        gone = game.missing[1] if game.missing[0] == player else ""
        state |= {f"pitch of {player} at {PLACES[at]}": who for at, who in stand.items() if at in PLACES and at != gone}
        state[f"bench of {player}"] = [who for at, who in stand.items() if at not in PLACES]
        state[f"directions of {player}"] = ["RIGHT", "CENTRE", "LEFT"]
        if gone:
            state[f"stands of {player}"] = [stand[gone]]
    header = {
        "schema": "referee/log/1", "ruleset": "il_mister", "players": ["ana", "ben"], "given": {"youngest": "ana"},
        "readings": {"lacking": game.lacking}, "state": {"at": "play.choose_starter", "place": state},
        "pool": {"Footballer": rows},
    }
    lines: list[dict[str, Any]] = [
        header,
        {"by": "fate", "do": "toss", "with": {"starter": "ana"}},
        {"by": "fate", "do": "turn_up", "with": {"card": game.card}},
    ]
    if taker:
        lines.append({"by": "ana", "do": "choose", "with": {"taker": taker}})
    if game.side:
        lines.append({"by": "ana", "do": "shoot", "with": {"side": "LEFT"}})
        lines.append({"by": "ben", "do": "dive", "with": {"side": game.side}})
    lines.append({"by": "fate", "do": "turn_up", "with": {"card": "INJURY"}})
    lines.append({"assert": {"number of goal_cards of ana": int(game.goal)}})
    return lines


def test_each_card_that_may_end_in_a_goal_is_in_the_table() -> None:
    assert {*CARDS, *GIFTS, *KICKS} | {"SENT_OFF", "INJURY", "CROWD_PULLER", "CAPTAINS_SPEECH"} == {
        str(one.name) for one in walker().core.components if one.kind == "Action"}


@pytest.mark.parametrize("card", [*CARDS, *GIFTS, *KICKS])
def test_a_card_asks_for_what_the_rulebook_prints_and_no_more(card: str) -> None:
    def known(_: Header) -> Walker:
        return walker()

    for game in GAMES:
        if game.card == card:
            text = "\n".join(json.dumps(line) for line in log(game)) + "\n"
            verdict = judge_log(Log(io.BytesIO(text.encode()), "made.jsonl"), known)
            assert verdict.outcome is LogOutcome.LEGAL, (game, verdict.wrong)
