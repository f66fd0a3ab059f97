"""Outlines of core and flow: one line for each node, in words, with its place and what it cites."""

from __future__ import annotations

import pytest

from referee.core.expr import (
    All,
    And,
    At,
    Connected,
    Const,
    End,
    Expr,
    Fold,
    FoldKind,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Form
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Option,
    Origin,
    Part,
    Procedure,
    Put,
    Repeat,
    Swap,
    Unspecified,
)
from referee.core.types import Bool, Int, Many, Maybe, SetOf, Type, Value
from referee.diagnostics.source import Span
from referee.report.text.formula import Formulas
from referee.report.text.outline import CoreOutline, core_outline, origin_text
from tests.cores import HERE, TWO, YES, action, made, num, point, seat, things, zone

BOTH = SetOf(TWO)
FORMULAS = Formulas(made(()))
MINE = Place("hand", (Local("me", TWO),))
THING = Local("c", TWO)
ANYBODY = All(TWO)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [(True, Bool(), "yes"), (3, Int(0, 9), "3"), (1, TWO, "seat2"), (None, Maybe(TWO), "nothing"),
     (0, Maybe(TWO), "seat1"),
     (frozenset({1, 0}), BOTH, "{seat1, seat2}"), ((1, 1), Many(TWO, 2), "{seat2, seat2}"), (7, TWO, "player #7")],
)
def test_values_are_written_by_their_labels(value: Value, kind: Type, text: str) -> None:
    assert FORMULAS.value(value, kind) == text


@pytest.mark.parametrize(
    ("kind", "text"),
    [(Bool(), "yes | no"), (Int(1, 4), "1..4"), (TWO, "player"), (Maybe(Int(0, 1)), "0..1 or nothing"),
     (BOTH, "set of player"), (Many(TWO, 3), "up to 3 of player"), (type(TWO)("player", 1, 1), "player seat2..seat2")],
)
def test_types_are_written_in_words(kind: Type, text: str) -> None:
    assert FORMULAS.kind(kind) == text


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (Op(Operator.ADD, (num(1), num(2)), Int(0, 9)), "(1 + 2)"),
        (Op(Operator.NOT, (YES,), Bool()), "not yes"),
        (Op(Operator.LOWER, (num(1), num(2)), Int(0, 9)), "lower(1, 2)"),
        (Op(Operator.SET, (seat(0), seat(1)), BOTH), "{seat1, seat2}"),
        (And((YES, Or((YES, YES)))), "(yes and (yes or yes))"),
        (If(YES, num(1), num(2), Int(1, 2)), "(if yes then 1 else 2)"),
        (Look("next", (seat(0),), TWO), "next[seat1]"),
        (At(Place("board"), num(3), Maybe(TWO)), "what is at 3 in board"),
        (Fold(FoldKind.ANY, "p", ANYBODY, None, YES, Bool()), "(any p in all player: yes)"),
        (Fold(FoldKind.SUM, "n", Numbers(num(1), num(3), True), YES, None, Int(0, 9), num(0)),
         "(sum of n over n in 1..3 backwards where yes, if none 0)"),
        (Where("p", Members(Const(frozenset({0}), BOTH), seat(1)), YES, BOTH),
         "{p in members of {seat1} from seat2 where yes}"),
        (Connected(seat(0), "h", Const(frozenset({1}), BOTH), "p", YES, BOTH),
         "{what seat1 leads to by steps from h to p in {seat2} where yes}"),
        (Split(FoldKind.MIN, Const(frozenset({1}), BOTH), "pairs", "rest", num(2), Int(2, 2)),
         "(the least 2 for rest left of {seat2} without pairs)"),
        (Let("x", num(1), Local("x", Int(1, 1)), Int(1, 1)), "(let x = 1: x)"),
        (Only(Where("c", Within(Place("deck", end=End.TOP)), None, BOTH), TWO), "the only {c in the top of deck}"),
    ],
)
def test_expressions_are_written_in_words(expr: Expr, text: str) -> None:
    assert FORMULAS.text(expr) == text


STATEMENTS: list[tuple[Block, list[str]]] = [
    ((Put("turn", (seat(0),), num(1), HERE),), ["set turn[seat1] to 1"]),
    ((Move(THING, num(2), Place("deck", end=End.TOP), MINE, HERE),), ["move 2 c from the top of deck to hand[me]"]),
    ((Merge(Place("deck"), (Place("discards"),), HERE),), ["shuffle deck with discards"]),
    ((Swap(Place("deck"), MINE, HERE),), ["swap deck with hand[me]"]),
    ((Bind("x", num(1), HERE), Finish(Const(frozenset({0}), BOTH), HERE)), ["let x = 1", "finish, won by {seat1}"]),
    ((Branch(YES, (Bind("x", num(1), HERE),), (Bind("y", num(2), HERE),), HERE),),
     ["if yes", "  let x = 1", "else", "  let y = 2"]),
    ((Each("p", ANYBODY, (Bind("x", num(1), HERE),), HERE),), ["for each p in all player", "  let x = 1"]),
    ((Repeat(YES, (), 5, HERE),), ["repeat until yes, at most 5 times"]),
    ((Decide(point("ask", automatic=True), seat(0), (Option("go", (("n", num(1)),), silent=True),), ()),),
     ["decide ask (rest, automatic) by seat1", "  option go(n = 1), may be left out of a log", "otherwise"]),
    ((Commit(point("both"), (Part(Const(frozenset({0, 1}), BOTH), "go", ("kept",)),), True, True),),
     ["commit both (rest), hidden until all have chosen", "  part go by each of {seat1, seat2} into kept"]),
    ((Chance(point("roll"), "go"),), ["chance roll (rest): go"]),
    ((Unspecified(point("tie"), "which?", "it", TWO, ANYBODY),),
     ['unspecified tie (rest) "which?" among all player as it']),
    ((Call("help", (num(1),), ("a", "b"), HERE),), ["let a, b = call help(1)"]),
]


@pytest.mark.parametrize(("block", "expected"), STATEMENTS, ids=lambda part: type(part[0]).__name__)
def test_each_statement_is_a_line(block: Block, expected: list[str]) -> None:
    outline = CoreOutline(made(block, actions=[action("go")]))
    assert ["  " * depth + text for depth, text, _ in outline.block(block, 0)] == expected


def test_a_core_names_everything_it_declares() -> None:
    core = made(
        tuple(statement for block, _ in STATEMENTS for statement in block), actions=[action("go")],
        zones=[zone("deck", Form.PILE)], components=things("deck", 3, 1),
        procedures=[Procedure("help", (("n", Int(0, 1)),), (("a", TWO),), (), HERE)],
    )
    shown = "\n".join(core_outline(core))
    for wanted in ('core made "made by hand" 1, 2 players', "zone deck: pile of thing, seen by everybody",
                   "component 3 T1 (thing): 3 in deck", "action go, logged as go", "procedure help(n) gives a", "main"):
        assert wanted in shown


def test_an_origin_is_a_place_and_what_it_cites() -> None:
    assert origin_text(Origin(Span("some/where/game.rules", 12, 1, 12, 5), ("A-1", "A-2"))) == "game.rules:12 [A-1 A-2]"


def test_nothing_in_an_outline_moves_the_cursor() -> None:
    lines = list(core_outline(made((Bind("x\x1b[2J", num(1), HERE),))))
    assert all(line.isprintable() for line in lines)
