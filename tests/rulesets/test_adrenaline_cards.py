"""Adrenaline's boards, weapons, tiles and powerup cards against figures gathered apart from the rules."""

from __future__ import annotations

import io
import json
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.frontend.loading.loader import load, load_flow
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "adrenaline"
COLOURS = {"B": "BLUE", "R": "RED", "Y": "YELLOW"}

BOARDS = {
    "ten": {
        "a3": ("a3 b3 c3 a2 b2 c2", 25), "b3": ("a3 b3 c3", 25), "c3": ("a3 b3 c3 a2 b2 c2", 21),
        "a2": ("a3 b3 c3 a2 b2 c2", 21), "b2": ("a2 b2 c2 b1 c1", 17), "c2": ("a3 b3 c3 a2 b2 c2 d2 d1", 17),
        "d2": ("a2 b2 c2 d2 d1", 21), "b1": ("a2 b2 c2 b1 c1", 21), "c1": ("d2 b1 c1 d1", 25),
        "d1": ("d2 b1 c1 d1", 25),
    },
    "eleven_left": {
        "a3": ("a3 b3 c3 a2 b2", 28), "b3": ("a3 b3 c3", 25), "c3": ("a3 b3 c3 d3 c2 d2 c1 d1", 22),
        "d3": ("a3 b3 c3 d3 c2 d2 c1 d1", 27), "a2": ("a3 b3 c3 a2 b2", 29), "b2": ("a2 b2 b1", 28),
        "c2": ("a3 b3 c3 c2 d2 c1 d1", 21), "d2": ("d3 c2 d2 c1 d1", 26), "b1": ("a2 b2 c2 d2 b1 c1 d1", 25),
        "c1": ("c2 d2 b1 c1 d1", 22), "d1": ("c2 d2 c1 d1", 27),
    },
    "eleven_right": {
        "a3": ("a3 b3 c3 a2", 27), "b3": ("a3 b3 c3 a2 b2 c2", 22), "c3": ("b3 c3 b2 c2", 25),
        "a2": ("a3 a2 a1 b1 c1", 28), "b2": ("b3 c3 b2 c2 a1 b1 c1", 19), "c2": ("b3 c3 b2 c2 d2 d1", 22),
        "d2": ("b2 c2 d2 d1", 27), "a1": ("a3 a2 a1 b1 c1", 25), "b1": ("b2 c2 a1 b1 c1", 20),
        "c1": ("d2 a1 b1 c1 d1", 25), "d1": ("d2 a1 b1 c1 d1", 28),
    },
    "twelve": {
        "a3": ("a3 b3 c3 a2", 30), "b3": ("a3 b3 c3 a2 b2", 24), "c3": ("b3 c3 d3 c2 d2 c1 d1", 24),
        "d3": ("b3 c3 d3 c2 d2 c1 d1", 30), "a2": ("a3 a2 a1 b1", 32), "b2": ("b3 c3 b2 a1 b1", 26),
        "c2": ("b3 c3 c2 d2 c1 d1", 24), "d2": ("d3 c2 d2 c1 d1", 30), "a1": ("a3 a2 a1 b1", 30),
        "b1": ("b2 c2 d2 a1 b1 c1 d1", 24), "c1": ("c2 d2 a1 b1 c1 d1", 24), "d1": ("c2 d2 c1 d1", 30),
    },
}
"""From each square: which squares are seen, and how many moves it is to all the others together."""

WEAPONS = {
    "LOCK_RIFLE": "BB", "MACHINE_GUN": "BR", "THOR": "BR", "PLASMA_GUN": "BY", "WHISPER": "BBY", "ELECTROSCYTHE": "B",
    "TRACTOR_BEAM": "B", "VORTEX_CANNON": "RB", "FURNACE": "RB", "HEATSEEKER": "RRY", "HELLION": "RY",
    "FLAMETHROWER": "R", "GRENADE_LAUNCHER": "R", "ROCKET_LAUNCHER": "RR", "ZX_2": "YR", "SHOTGUN": "YY",
    "POWER_GLOVE": "YB", "RAILGUN": "YBY", "SHOCKWAVE": "Y", "CYBERBLADE": "YR", "SLEDGEHAMMER": "Y",
}
"""What a weapon costs to load, the cube on top first."""

TILES = {
    "BLUE_BLUE_RED": ("BBR", 3), "BLUE_BLUE_YELLOW": ("BBY", 3), "BLUE_RED_RED": ("BRR", 3),
    "BLUE_YELLOW_YELLOW": ("BYY", 3), "RED_RED_YELLOW": ("RRY", 3), "RED_YELLOW_YELLOW": ("RYY", 3),
    "POWERUP_BLUE_BLUE": ("BB+", 2), "POWERUP_BLUE_RED": ("BR+", 4), "POWERUP_BLUE_YELLOW": ("BY+", 4),
    "POWERUP_RED_RED": ("RR+", 2), "POWERUP_RED_YELLOW": ("RY+", 4), "POWERUP_YELLOW_YELLOW": ("YY+", 2),
}
"""The cubes of a tile, `+` for a powerup card, and how many such tiles there are."""

POWERUPS = [f"{sort}_{colour}" for sort in ("SCOPE", "NEWTON", "TAGBACK", "TELEPORTER") for colour in COLOURS.values()]

Line = dict[str, Any]


@cache
def core(board: str) -> Core:
    return load(ROOT, 3, {"board": board})


@cache
def walker() -> Walker:
    return engine(load_flow(ROOT, 3, {}))


def cubes(letters: str) -> list[str]:
    return [COLOURS[letter] for letter in sorted(letters)]


def by(who: str, what: str, **told: object) -> Line:
    return {"by": who, "do": what, "with": told}


def verdict(places: Line, counters: Line, *lines: Line) -> LogVerdict:
    """A game from ana's turn on, all three of them on the board."""
    state = {"at": "play.choice", "turn": "ana", "place": places, "set": {
        "square of ana": "a2", "square of ben": "b2", "square of cleo": "d1", "skulls_left": 8, "first_player": "ana",
        **counters}}
    header = {"schema": "referee/log/1", "ruleset": "adrenaline", "players": ["ana", "ben", "cleo"], "state": state}
    text = "".join(json.dumps(line) + "\n" for line in (header, *lines))

    def known(_: Header) -> Walker:
        return walker()

    return judge_log(Log(io.BytesIO(text.encode()), "made.jsonl"), known)




@pytest.mark.parametrize("board", BOARDS)
def test_one_sees_and_goes_as_the_board_lies(board: str) -> None:
    made = core(board)
    names = [str(name) for name in made.domains["arena"].labels]
    sees, far = made.tables["sees on arena"].values, made.tables["distance on arena"].values
    found: dict[str, tuple[set[str], int]] = {name: (set(), 0) for name in names}
    for (at, one), (to, other) in product(enumerate(names), repeat=2):
        seen, moves = found[one]
        step = far[at * len(names) + to]
        assert isinstance(step, int)
        found[one] = (seen | {other} if sees[at * len(names) + to] else seen, moves + step)
    assert found == {name: (set(seen.split()), moves) for name, (seen, moves) in BOARDS[board].items()}


FRENZY = {"frenzy": True, "skulls_left": 0, "skulls of ben": 8, "last_turns": 1, "first_player": "cleo",
          "actions_left": 2}
WAYS: dict[str, tuple[int, str, Line, list[Line], str]] = {
    "grabbed": (1, "for_sale of RED", {"actions_left": 2}, [], "it can be paid, the top cube being free"),
    "loaded": (0, "weapons of ana", {"actions_left": 0}, [], "it can be paid"),
    "loaded in the frenzy": (0, "weapons of ana", FRENZY, [by("ana", "shoot", to="a2")], "it can be paid"),
}
"""How a weapon is paid for: how many cubes are free, where it lies, what else is so and comes first, the guard.

Without another weapon that is loaded nobody shoots in the frenzy who cannot pay for one."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("weapon", WEAPONS)
def test_a_weapon_costs_its_cubes_without_the_top_one_when_it_is_grabbed(weapon: str, way: str) -> None:
    free, place, counters, before, guard = WAYS[way]
    cost = WEAPONS[weapon][free:]
    how = by("ana", "reload", weapon=weapon) if free == 0 else by("ana", "grab_weapon", weapon=weapon)
    track = {"killshot_track": ["Token of cleo"] * 8} if counters is FRENZY else {}
    loaded = ["WHISPER" if weapon == "THOR" else "THOR"] if counters is FRENZY else []

    def tried(cubes_held: str, *lines: Line) -> LogVerdict:
        held = {"ammo of ana": cubes(cubes_held), place: [weapon, *loaded], **track}
        return verdict(held, {**counters, **{f"loaded of {one}": True for one in loaded}}, *before, how, *lines)

    paid = [by("ana", "pay", cubes=cubes(cost), cards=[])] if cost else []
    just = tried(cost, *paid, {"assert": {f"loaded of {weapon}": True, "number of ammo of ana": 0}})
    assert just.outcome is LogOutcome.LEGAL, just.wrong
    for missing in set(cost):
        poor = tried(cost.replace(missing, "", 1))
        assert poor.wrong is not None
        assert [one.text for one in poor.wrong.failed] == [guard]


@pytest.mark.parametrize("tile", TILES)
def test_a_tile_brings_its_cubes_and_its_card(tile: str) -> None:
    brought, _ = TILES[tile]
    drawn = [by("fate", "draw", to="ana", card="NEWTON_RED")] if "+" in brought else []
    numbers = Counter(brought)
    claims = {f"number of {name} in ammo of ana": numbers[letter] for letter, name in COLOURS.items()}
    claims["number of hand of ana"] = len(drawn)
    got = verdict({"tile_on at a3": tile}, {"actions_left": 2}, by("ana", "grab_ammo", to="a3"), *drawn,
                  {"assert": claims})
    assert got.outcome is LogOutcome.LEGAL, got.wrong


def test_all_weapons_tiles_and_cards_are_in_the_box() -> None:
    number = Counter[str]()
    for one in core("ten").components:
        if one.kind in ("Weapon", "Tile", "Powerup"):
            number[str(one.name)] += one.number
    tiles = {name: many for name, (_, many) in TILES.items()}
    assert number == {**dict.fromkeys(WEAPONS, 1), **tiles, **dict.fromkeys(POWERUPS, 2)}


def used(sort: str, card: str) -> LogVerdict:
    """A card is played for what it is good for."""
    if sort == "NEWTON":
        return verdict({"hand of ana": [card]}, {"actions_left": 2},
                       by("ana", "newton", card=card, figure="ben", to="c2"), {"assert": {"square of ben": "c2"}})
    if sort == "TELEPORTER":
        return verdict({"hand of ana": [card]}, {"actions_left": 2}, by("ana", "teleporter", card=card, to="c1"),
                       {"assert": {"square of ana": "c1"}})
    whose = "ana" if sort == "SCOPE" else "ben"
    answer = [by("ana", "targeting_scope", card=card, target="ben"), by("ana", "pay", cubes=["BLUE"], cards=[]),
              {"assert": {"number of track of ben": 3}}]
    if whose == "ben":
        answer = [by("ben", "tagback_grenade", card=card), {"assert": {"marks(ana, ben)": 1}}]
    return verdict({f"hand of {whose}": [card], "ammo of ana": {"BLUE": 1}, "weapons of ana": ["LOCK_RIFLE"]},
                   {"actions_left": 2, "loaded of LOCK_RIFLE": True}, by("ana", "shoot", to="a2"),
                   by("ana", "play", weapon="LOCK_RIFLE"), by("ana", "lock_rifle", target="ben"), *answer)


@pytest.mark.parametrize("card", POWERUPS)
def test_a_powerup_card_pays_for_a_cube_of_its_colour_or_does_what_it_is_good_for(card: str) -> None:
    sort, colour = card.split("_")
    weapon = {"BLUE": "LOCK_RIFLE", "RED": "ROCKET_LAUNCHER", "YELLOW": "SHOTGUN"}[colour]
    paid = verdict({"hand of ana": [card], "for_sale of RED": [weapon]}, {"actions_left": 2},
                   by("ana", "grab_weapon", weapon=weapon), by("ana", "pay", cubes=[], cards=[card]))
    assert paid.outcome is LogOutcome.LEGAL, paid.wrong
    played = used(sort, card)
    assert played.outcome is LogOutcome.LEGAL, played.wrong
