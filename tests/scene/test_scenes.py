"""A scene can be made of every position, fits its schema, and holds nothing that its viewers may not know."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from
from jsonschema import Draft202012Validator

from referee.core.ruleset import Form
from referee.frontend.loading.loader import load_flow
from referee.game.player_views import knows, sees
from referee.game.state import Slot, State, Step, unknown
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from referee.report.data.scene_data import scene_data
from referee.report.data.scene_schema import SCENE_SCHEMA
from referee.report.text.scene_text import scene_lines
from referee.scene.arrangement import Arrangement
from referee.scene.scene import BoardShape, Scene, ValueForm
from tests.laws.games import play

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("tests/rulesets/trials/arena_weapon.rules", "rulesets/classics/battleship.rules",
         "rulesets/classics/hearts.rules",
         "rulesets/classics/mancala.rules", "rulesets/classics/side_to_side.rules",
         "tests/language/constructs/secret_dice.rules")  # fmt: skip
FITS = Draft202012Validator(SCENE_SCHEMA)
MOST = 40


@cache
def walker_of(game: str) -> Walker:
    return engine(load_flow(ROOT / game))


@cache
def steps(game: str, seed: int) -> tuple[Step, ...]:
    return play(walker_of(game), seed, MOST).steps


def made(walker: Walker, step: Step, viewers: tuple[int, ...]) -> Scene:
    names = walker.core.seats.roles or ("ana", "ben", "cleo", "dan", "eve")[: walker.core.seats.number]
    return Arrangement(walker, names).scene(step, viewers)


@settings(max_examples=10, deadline=None)
@given(sampled_from(GAMES), integers(0, 1), integers(0, MOST), integers(-1, 1))
def test_a_scene_can_be_made_of_every_position(game: str, seed: int, number: int, viewer: int) -> None:
    """What lies hidden is exchanged for something else: the scene stays as it is."""
    walker, played = walker_of(game), steps(game, seed)
    step, viewers = played[min(number, len(played) - 1)], () if viewer < 0 else (viewer,)
    scene = made(walker, step, viewers)
    FITS.validate(scene_data(scene))
    assert list(scene_lines(scene))
    if isinstance(step, State):
        other = hidden_otherwise(walker, step, None if viewer < 0 else viewer)
        assert scene_data(made(walker, other, viewers)) == scene_data(scene)


def hidden_otherwise(walker: Walker, state: State, viewer: int | None) -> State:
    """The same position for somebody: other components where he sees none, other values of what he may not know."""
    core, layout, slots = walker.core, walker.layout, list(state.slots)
    for zone in core.zones.values():
        for key in layout.zones[zone.name].keys():
            at = layout.zones[zone.name].find(key)
            if not sees(zone.sight, key, viewer):
                slots[at] = mirrored(slots[at], len(core.components), zone.form, zone.sight.spots)
    for var in core.vars.values():
        for key in layout.vars[var.name].keys():
            if not knows(var, key, viewer):
                slots[layout.vars[var.name].find(key)] = unknown(var)
    return State(state.at, tuple(slots))


def mirrored(content: Slot, classes: int, form: Form, spots: bool) -> Slot:
    """Another class for each component, and other spots if nobody is to know which are taken."""
    assert isinstance(content, tuple)
    if form is Form.PILE:
        return tuple(tuple(sorted(classes - 1 - one for one in part)) for part in content if isinstance(part, tuple))
    changed = tuple(None if one is None else classes - 1 - one for one in content if not isinstance(one, tuple))
    return tuple(sorted(one for one in changed if one is not None)) if form is Form.BAG else (
        changed if spots else changed[::-1])  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_players_see_together_what_one_of_them_sees(seed: int) -> None:
    walker = walker_of("rulesets/classics/hearts.rules")
    step = steps("rulesets/classics/hearts.rules", seed)[30]
    hands = [zone for zone in made(walker, step, (0, 2)).zones if zone.name == "hand"]
    assert [zone.seen for zone in hands] == [True, False, True, False]
    assert [len(zone.pieces) > 0 for zone in hands] == [zone.seen for zone in hands]
    assert len({zone.number for zone in hands}) <= 2


def test_dice_show_what_lies_and_only_to_whom_they_are_shown() -> None:
    walker = walker_of("tests/language/constructs/secret_dice.rules")
    scenes = [made(walker, step, (0,)) for step in steps("tests/language/constructs/secret_dice.rules", 0)]
    cups = [[one for one in scene.values if one.name == "cup"] for scene in scenes]
    assert all(one.form is ValueForm.DICE and one.owner == "ana" and (one.low, one.high) == (1, 2)
               for some in cups for one in some)  # fmt: skip
    assert cups[0][0].value == []
    assert any(one.value for some in cups for one in some)


def scene_of(text: str, tmp_path: Path) -> Scene:
    rules = tmp_path / "drawn.rules"
    rules.write_text(text)
    walker = engine(load_flow(rules))
    return made(walker, play(walker, Random(1).randrange(9), 4).steps[-1], ())




def test_each_row_of_hexagons_lies_half_a_cell_further_to_the_right() -> None:
    walker = walker_of("rulesets/classics/side_to_side.rules")
    scene = made(walker, steps("rulesets/classics/side_to_side.rules", 0)[0], ())
    assert scene.boards[0].shape is BoardShape.HEXAGONS
    assert list(scene_lines(scene))[1:8] == [
        "cell:", "  5      . . . . .", "  4     . . . . .", "  3    . . . . .", "  2   . . . . .", "  1  . . . . .",
        "     a b c d e"]  # fmt: skip


HOUSE = """
game "House" for 2 players ann and bob

map house: columns a..c, rows 1..2
  room hall: a1 b1 a2 b2
  room cellar: c1 c2
  wall between b1 and b2
  door between b2 and c2

counters
  place of player: house or none starts b1
  light of house: yes or no

play
  turns from ann, to the left
    turn player must step

action step(square: house)
  needs "it is near": square is not place of me
  set place of me to square
  set light of square to yes
"""


def test_a_map_has_its_walls_and_doors(tmp_path: Path) -> None:
    scene = scene_of(HOUSE, tmp_path)
    (house,) = scene.boards
    cells = {cell.name: cell for cell in house.cells}
    assert house.shape is BoardShape.MAP
    assert (cells["b1"].room, cells["b1"].walls, cells["b1"].doors) == ("hall", ("north", "east"), ())
    assert (cells["c2"].room, cells["c2"].walls, cells["c2"].doors) == ("cellar", (), ("west",))
    assert {one.form for one in scene.values if one.name == "place"} == {ValueForm.MARKER}
