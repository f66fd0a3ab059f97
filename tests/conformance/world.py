"""The small world of the samples: a variable of every type, a zone of every form, a game that offers them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.core.expr import All, End, Expr, Get, Local, Op, Operator, Place
from referee.core.ruleset import Core, Form, Role, Sight, Table
from referee.core.stmt import Action, Block, Branch, Decide, Move, Option, Procedure, Repeat
from referee.core.types import COMPONENT, PLAYER, Bool, Elem, Int, Many, Maybe, SetOf, Type
from tests import cores

SEAT = Elem(PLAYER, 0, 2)
THING = Elem(COMPONENT, 0, 2)
SPOTS = cores.enum("spot", "north", "south", "east")
SPOT = SPOTS.whole
TAKEN = cores.enum("taken", "first", "second", "neither")
NUMBER = Int(0, 6)
WIDE = Int(-10, 20)
ZONES = (
    cores.zone("hand", Form.BAG, SEAT, sight=Sight(False, (0,)), capacity=4), cores.zone("row", Form.LINE, capacity=4),
    cores.zone("deck", Form.PILE, sight=Sight(False)), cores.zone("board", Form.SLOTS, spots=SPOT, capacity=3),
    cores.zone("queue", Form.LINE, capacity=4), cores.zone("heap", Form.PILE, sight=Sight(False)),
    cores.zone("rack", Form.SLOTS, spots=SPOT, capacity=3),
)
"""`queue`, `heap` and `rack` are what `row`, `deck` and `board` are swapped with."""
VARIABLES = (
    cores.state("n", NUMBER, 2), cores.state("m", NUMBER, 3), cores.state("flag", Bool(), False),
    cores.state("at", SEAT, 0), cores.state("maybe", Maybe(SEAT), None), cores.state("one", THING, 0),
    cores.state("what", Maybe(THING), None), cores.state("seats", SetOf(SEAT), frozenset({1})),
    cores.state("things", SetOf(THING), frozenset({0, 2})), cores.state("few", Many(THING, 4), (0, 1)),
    cores.state("kept", NUMBER, 0, SEAT), cores.state("worn", Bool(), False, THING), cores.state("where", SPOT, 0),
)
GIVEN = cores.state("given", NUMBER, 4, role=Role.PARAMETER)
WORTH = Table("worth", (THING,), NUMBER, (1, 3, 6))
PAIRS = Table("pairs", (Int(1, 4),), SetOf(THING), tuple(map(frozenset, ({0, 1}, {2}, {1, 2}, ()))))
"""Sets of things that are taken out of others; the empty one never is."""
LIES = Table("lies", (SEAT, SPOT), Bool(), (True, False, True, False, False, True, True, True, False))

N, M, FLAG, AT = (Get("n", (), NUMBER), Get("m", (), NUMBER), Get("flag", (), Bool()), Get("at", (), SEAT))
MAYBE, ONE, WHAT = Get("maybe", (), Maybe(SEAT)), Get("one", (), THING), Get("what", (), Maybe(THING))
WHERE, FEW = Get("where", (), SPOT), Get("few", (), Many(THING, 4))
SEATS, THINGS = Get("seats", (), SetOf(SEAT)), Get("things", (), SetOf(THING))
ROW, DECK = Place("row"), Place("deck")
DECK_TOP, DECK_BOTTOM = Place("deck", end=End.TOP), Place("deck", end=End.BOTTOM)
ROW_TOP, ROW_BOTTOM = Place("row", end=End.TOP), Place("row", end=End.BOTTOM)
HAND, NEXT_HAND = Place("hand", (AT,)), Place("hand", (Op(Operator.ADD, (AT, cores.num(1)), Int(1, 3)),))
"""`NEXT_HAND` is none where `at` is the last seat."""
BOARD, SQUARE = Place("board"), Place("board", (), WHERE)
QUEUE, HEAP, RACK = Place("queue"), Place("heap"), Place("rack")
ROW_AT = Place("row", (), N)
PLACES = (HAND, NEXT_HAND, ROW, ROW_TOP, ROW_BOTTOM, ROW_AT, DECK, DECK_TOP, DECK_BOTTOM, BOARD, SQUARE)

STORED: tuple[tuple[type, str], ...] = ((Bool, "flag"), (Maybe, "maybe"), (SetOf, "seats"), (Many, "few"), (Int, "n"))


def stored(value: Expr) -> Block:
    """Statements that keep the value of an expression in a variable of its type; of a number whatever it is."""
    kind: Type = value.type
    of = kind.of if isinstance(kind, Maybe | SetOf) else kind
    if isinstance(of, Elem):
        names = {PLAYER: ("at", "maybe", "seats"), COMPONENT: ("one", "what", "things"), "spot": ("where", "", "")}
        name = names[of.domain][1 if isinstance(kind, Maybe) else 2 if isinstance(kind, SetOf) else 0]
    else:
        name = next(name for one, name in STORED if isinstance(kind, one))
    return (cores.put(name, value),)


def core(bodies: Sequence[Block], procedures: Sequence[Procedure] = (), actions: Sequence[Action] = ()) -> Core:
    """A game in which somebody takes one of the bodies, again and again."""
    number = Local("number", Int(0, 3))
    offered = [Action(f"go{index}", f"go{index}", (cores.param("number", Int(0, 3), All(Int(0, 3))),), (),
                      (cores.put("m", number), *body), cores.HERE) for index, body in enumerate(bodies)]
    options = tuple(Option(one.name) for one in offered)
    asked = Decide(cores.point("play"), cores.Const(0, SEAT), options, None)
    main = (*dealt(), Repeat(cores.FOREVER, (asked,), None, cores.HERE))
    made = cores.made(main, domains=[SPOTS, TAKEN], variables=[*VARIABLES, GIVEN], zones=ZONES,
                      actions=[*offered, *actions], components=cores.things("deck", 3, 2, 1), procedures=procedures,
                      tables=[WORTH, LIES, PAIRS], players=3)
    return replace(made, setup=len(dealt()))


def dealt() -> Block:
    """Something in every zone."""
    to = (Place("hand", (cores.Const(0, SEAT),)), ROW, Place("board", (), cores.Const(1, SPOT)))
    return tuple(Move(cores.Const(index, THING), None, DECK, place, cores.HERE) for index, place in enumerate(to))


def when(cond: Expr, *body: object) -> Branch:
    """Statements under a condition."""
    return Branch(cond, body, (), cores.HERE)  # type: ignore[arg-type]
