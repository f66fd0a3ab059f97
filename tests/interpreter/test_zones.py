"""Moving components: each form of zone, its ends and spots, and what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from referee.core.expr import Const, End, Expr, Place, Within
from referee.core.flow import Flow
from referee.core.ruleset import Form
from referee.core.stmt import Merge, Move, Stmt
from referee.core.types import Elem, Many
from referee.game.state import Layout
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.statement_closures import step
from referee.interpreter.initial_state import home
from referee.interpreter.interruptions import Fault
from tests import cores
from tests.cores import HERE

SPOTS = cores.enum("spot", "north", "south")
THING = Elem("component", 0, 2)
ZONES = [cores.zone("bag", Form.BAG), cores.zone("line", Form.LINE, capacity=4), cores.zone("pile", Form.PILE),
         cores.zone("slots", Form.SLOTS, spots=SPOTS.whole, capacity=2)]
TOP, BOTTOM = End.TOP, End.BOTTOM


@dataclass
class Lying:
    frame: Frame

    def __getitem__(self, zone: str) -> object:
        return self.frame.slots[self.frame.layout.zones[zone].base]

    def do(self, *statements: Stmt) -> Lying:
        for one in statements:
            step(one, self.frame.code)(self.frame.slots, {})
        return self

    def fails(self, statement: Stmt) -> str:
        with pytest.raises(Fault) as fault:
            step(statement, self.frame.code)(self.frame.slots, {})
        return fault.value.code


@pytest.fixture
def lying() -> Lying:
    made = cores.made((), domains=[SPOTS], zones=ZONES, components=cores.things("bag", 3, 2, 1))
    layout = Layout(Flow(made, (), 0, made.vars))
    return Lying(Frame(ExpressionClosures(layout), home(layout)))


def move(what: int | tuple[int, ...], source: Place, to: Place, number: Expr | None = None) -> Move:
    moved = Const(what, THING if isinstance(what, int) else Many(THING, 9))
    return Move(moved, number, source, to, HERE)


BAG, LINE, PILE = Place("bag"), Place("line"), Place("pile")


def spot(index: int) -> Place:
    return Place("slots", (), Const(index, SPOTS.whole))


def test_components_begin_at_home(lying: Lying) -> None:
    assert (lying["bag"], lying["line"], lying["pile"], lying["slots"]) == ((0, 0, 0, 1, 1, 2), (), (), (None, None))


def test_a_bag_counts(lying: Lying) -> None:
    lying.do(move(0, BAG, PILE, cores.num(2)))
    assert lying["bag"] == (0, 1, 1, 2)
    assert lying.fails(move(0, BAG, PILE, cores.num(2))) == "RT02"


def test_moving_none_of_something_does_nothing(lying: Lying) -> None:
    lying.do(move(2, BAG, PILE, cores.num(0)), move((), BAG, PILE))
    assert (lying["bag"], lying["pile"]) == ((0, 0, 0, 1, 1, 2), ())


def test_a_line_is_ordered(lying: Lying) -> None:
    lying.do(move(0, BAG, LINE), move(1, BAG, LINE), move(2, BAG, Place("line", end=BOTTOM)),
             move(1, BAG, Place("line", (), cores.num(1))))
    assert lying["line"] == (2, 1, 0, 1)
    assert lying.fails(move(0, BAG, LINE)) == "RT03"
    assert lying.fails(move(0, Place("line", end=TOP), BAG)) == "RT02"
    lying.do(move(1, Place("line", end=TOP), BAG), move(2, Place("line", end=BOTTOM), BAG),
             move(0, Place("line", (), cores.num(1)), BAG))
    assert lying["line"] == (1,)
    assert lying.fails(move(1, Place("line", (), cores.num(3)), BAG)) == "RT02"


def test_a_spot_holds_one(lying: Lying) -> None:
    lying.do(move(1, BAG, spot(0)))
    assert lying["slots"] == (1, None)
    assert lying.fails(move(0, BAG, spot(0))) == "RT03"
    assert lying.fails(move(0, BAG, Place("slots"))) == "RT03"
    assert lying.fails(move(0, spot(0), BAG)) == "RT02"
    lying.do(move(1, spot(0), spot(1)), move(1, Place("slots"), BAG))
    assert lying["slots"] == (None, None)


def test_a_pile_is_made_of_blocks(lying: Lying) -> None:
    lying.do(move((0, 1), BAG, PILE), move(2, BAG, PILE), move(0, BAG, Place("pile", end=BOTTOM)))
    assert lying["pile"] == ((2,), (0, 1), (0,))
    assert lying.fails(move(1, Place("pile", end=TOP), BAG)) == "RT02"
    assert lying.fails(move(1, Place("pile", end=BOTTOM), BAG)) == "RT02"
    lying.do(move((1, 2), Place("pile", end=TOP), BAG))
    assert lying["pile"] == ((0,), (0,))


def test_from_an_end_the_next_block_comes_only_when_the_first_is_used_up(lying: Lying) -> None:
    lying.do(move((0, 1), BAG, PILE), move((0, 2), BAG, PILE))
    assert lying.fails(move((0, 1), Place("pile", end=TOP), BAG)) == "RT02"
    lying.do(move((0, 0, 2), Place("pile", end=TOP), BAG))
    assert lying["pile"] == ((1,),)


def test_from_no_end_a_component_is_taken_wherever_it_lies(lying: Lying) -> None:
    lying.do(move((0, 1), BAG, PILE), move((0, 2), BAG, PILE), move(1, PILE, BAG), move(0, PILE, BAG))
    assert lying["pile"] == ((2,), (0,))


def test_shuffling_makes_one_block(lying: Lying) -> None:
    lying.do(move((0, 1), BAG, PILE), move(2, BAG, PILE), move(1, BAG, spot(1)),
             Merge(PILE, (Place("slots"), BAG), HERE))
    assert lying["pile"] == ((0, 0, 0, 1, 1, 2),)
    assert (lying["bag"], lying["slots"]) == ((), (None, None))


def test_what_is_inside_a_place(lying: Lying) -> None:
    lying.do(move((0, 0), BAG, PILE), move(2, BAG, PILE), move(1, BAG, LINE), move(0, BAG, LINE), move(1, BAG, spot(1)))
    frame = lying.frame
    assert frame.members(Within(PILE)) == (0, 0, 2)
    assert frame.distinct(Within(PILE)) == (0, 2)
    assert frame.members(Within(Place("pile", end=TOP))) == (2,)
    assert frame.members(Within(LINE)) == (1, 0)
    assert frame.members(Within(Place("line", end=TOP))) == (0,)
    assert frame.members(Within(spot(1))) == (1,)
    assert frame.members(Within(spot(0))) == ()
