"""A grid game made by hand: two players set marks in turn, three in a row win."""

from __future__ import annotations

from referee.core.expr import All as Every
from referee.core.expr import (
    At,
    Const,
    Expr,
    Fold,
    FoldKind,
    If,
    Local,
    Look,
    Members,
    Place,
    Within,
)
from referee.core.ruleset import Component, Core, Form, Home, Table
from referee.core.stmt import Branch, Decide, Finish, Move, Option, Repeat
from referee.core.types import COMPONENT, Bool, Domain, DomainKind, Elem, Int, Maybe, SetOf
from tests.cores import (
    FOREVER,
    HERE,
    TWO,
    action,
    count,
    eq,
    get,
    guard,
    made,
    param,
    point,
    put,
    seat,
    state,
    zone,
)

CELLS = Domain("cell", DomainKind.CELL, ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"))
CELL = CELLS.whole
LINES = Int(0, 7)
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MARK = Elem(COMPONENT, 0, 1)


def mark_at(cell: Expr) -> At:
    return At(Place("grid"), cell, Maybe(MARK))


def grid() -> Core:
    turn = get("turn", TWO)
    me, cell = Local("me", TWO), Local("cell", CELL)
    line = Look("lines", (Local("line", LINES),), SetOf(CELL))
    full = Fold(FoldKind.ALL, "at", Members(line), None, eq(mark_at(Local("at", CELL)), me), Bool())
    won = Fold(FoldKind.ANY, "line", Every(LINES), None, full, Bool())
    mark = action(
        "mark", [param("cell", CELL, Every(CELL))],
        [guard("the cell is free", eq(mark_at(cell), Const(None, Maybe(MARK))), ("on it", mark_at(cell)))],
        (
            Move(me, None, Place("box", (me,)), Place("grid", (), cell), HERE),
            Branch(won, (
                Branch(eq(me, seat(0)), (Finish(Const(frozenset({0}), SetOf(TWO)), HERE),),
                       (Finish(Const(frozenset({1}), SetOf(TWO)), HERE),), HERE),), (), HERE),
            Branch(eq(count(Within(Place("grid"))), Const(9, Int(9, 9))),
                   (Finish(Const(frozenset(), SetOf(TWO)), HERE),), (), HERE),
            put("turn", If(eq(turn, seat(0)), seat(1), seat(0), TWO)),
        ))
    marks = tuple(Component(name, "thing", (Home("box", (index,), None, 5),)) for index, name in enumerate("xo"))
    table = Table("lines", (LINES,), SetOf(CELL), tuple(frozenset(row) for row in ROWS))
    main = (Repeat(FOREVER, (Decide(point("turn"), turn, (Option("mark"),), None),), None, HERE),)
    return made(main, domains=[CELLS], variables=[state("turn", TWO, 0)],
                zones=[zone("grid", Form.SLOTS, spots=CELL, capacity=9), zone("box", Form.BAG, TWO)],
                components=marks, actions=[mark], tables=[table])
