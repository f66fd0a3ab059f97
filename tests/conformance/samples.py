"""A sample of every kind of the core and of flow; the kinds are those of the union types, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias, get_args

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    End,
    Expr,
    Fold,
    FoldKind,
    Get,
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
from referee.core.flow import Ask, Draw, Fork, Gather, Node, Rule, Run
from referee.core.ruleset import Core, Form
from referee.core.stmt import (
    Action,
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
    Part,
    Procedure,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type
from tests import cores
from tests.conformance import world
from tests.conformance.world import (
    AT,
    BOARD,
    DECK,
    DECK_BOTTOM,
    DECK_TOP,
    FEW,
    FLAG,
    HAND,
    HEAP,
    MAYBE,
    NEXT_HAND,
    NUMBER,
    ONE,
    PLACES,
    QUEUE,
    RACK,
    ROW,
    ROW_AT,
    ROW_BOTTOM,
    ROW_TOP,
    SEAT,
    SEATS,
    SPOT,
    SQUARE,
    THING,
    THINGS,
    WHAT,
    WHERE,
    WIDE,
    M,
    N,
    stored,
    when,
)
from tests.cores import HERE, num, put

Kind: TypeAlias = "type | Operator | FoldKind | Form | End"
KINDS: tuple[Kind, ...] = (
    *(one for union in (Stmt, Expr, Domainlike, Node, Type) for one in get_args(union)),
    *Operator, *FoldKind, *Form, *End,
)
NEXT = Op(Operator.ADD, (AT, num(1)), Int(1, 3))
"""No seat after the last."""
HALF = Int(0, 3)


def less(one: Expr, other: Expr) -> Expr:
    return cores.less(one, other)


def op(operator: Operator, kind: Type, *args: Expr) -> Op:
    return Op(operator, args, kind)


def fold(kind: FoldKind, source: Domainlike, member: Int | Elem, where: bool = True, empty: bool = True) -> Fold:
    """A fold that looks at its members, and at what each is worth."""
    one = Local("x", member)
    worth: Expr = Look("worth", (one,), NUMBER) if member == THING else one
    cond = less(worth, num(5)) if where else None
    truth = kind in (FoldKind.ANY, FoldKind.ALL)
    body: Expr | None = None if kind is FoldKind.COUNT else less(num(1), worth) if truth else worth
    least = num(0) if empty and kind in (FoldKind.MIN, FoldKind.MAX) else None
    return Fold(kind, "x", source, cond, body, Bool() if truth else WIDE, least)


SOURCES: tuple[tuple[Int | Elem, Domainlike], ...] = (
    (NUMBER, Numbers(num(1), N)), (NUMBER, Numbers(M, N, True)), (SEAT, All(SEAT)), (SEAT, All(SEAT, AT)),
    (SEAT, All(SEAT, AT, True)), (SEAT, All(SEAT, None, True)), (SEAT, Members(SEATS)), (SEAT, Members(SEATS, AT)),
    (SEAT, Members(SEATS, AT, True)), (THING, Members(THINGS, None, True)), (THING, Members(FEW)),
    *((THING, Within(place)) for place in PLACES),
)


def folds(kind: FoldKind) -> tuple[Block, ...]:
    most = Op(Operator.LOWER, (fold(kind, Members(SEATS), SEAT), num(6)), NUMBER)
    flat = [stored(fold(kind, source, member, bool(index % 2), bool(index % 3)))
            for index, (member, source) in enumerate(SOURCES)]
    return (*flat, *(() if kind in (FoldKind.ANY, FoldKind.ALL) else (stored(most),)))


def over(kind: type) -> tuple[Block, ...]:
    """What can be done with a source: gone through, counted, looked into, filtered, and looked for the first in it."""
    found: list[Block] = []
    for member, source in SOURCES:
        if not isinstance(source, kind):
            continue
        one = Local("x", member)
        worth: Expr = Look("worth", (one,), NUMBER) if member == THING else one
        sum_ = op(Operator.LOWER, NUMBER, op(Operator.ADD, WIDE, N, worth), num(6))
        found.append((Each("x", source, (put("n", sum_),), HERE),))
        found.append(stored(fold(FoldKind.COUNT, source, member, False)))
        if member != NUMBER:
            found.append(stored(Where("x", source, less(worth, M), SetOf(member))))
        if not isinstance(source, Numbers):
            inside = Where("x", source, None, SetOf(member))
            found.append(stored(op(Operator.IN, Bool(), ONE if member == THING else AT, inside)))
        if member == THING:
            found.append((Each("x", source, (when(op(Operator.NE, Bool(), one, ONE), put("one", one)),), HERE),))
    return tuple(found)


def operators() -> Mapping[Kind, tuple[Expr, ...]]:
    b, i, s = Bool(), WIDE, SetOf(SEAT)
    pair = op(Operator.SET, s, AT, cores.Const(1, SEAT))
    pairs = ((N, M), (AT, a_seat()), (N, num(3)))
    ordered: dict[Kind, tuple[Expr, ...]] = {
        one: tuple(op(one, b, left, right) for left, right in pairs)
        for one in (Operator.LT, Operator.LE, Operator.GT, Operator.GE)}
    equal: dict[Kind, tuple[Expr, ...]] = {one: tuple(op(one, b, left, right) for left, right in (
        (N, M), (AT, MAYBE), (MAYBE, Const(None, Maybe(SEAT))), (SEATS, pair), (FLAG, less(N, M)), (WHAT, ONE),
        (At(SQUARE, WHERE, Maybe(THING)), WHAT), (FEW, Const((0, 1), Many(THING, 4))))) for one in (
            Operator.EQ, Operator.NE)}
    return {
        Operator.NOT: (op(Operator.NOT, b, FLAG), op(Operator.NOT, b, less(N, M))),
        Operator.ADD: (op(Operator.ADD, i, N, M), op(Operator.ADD, i, N, num(1))),
        Operator.SUB: (op(Operator.SUB, i, N, M), op(Operator.SUB, i, num(6), N)),
        Operator.MUL: (op(Operator.MUL, Int(0, 36), N, M), op(Operator.MUL, i, N, num(2))),
        Operator.NEG: (op(Operator.ADD, i, num(6), op(Operator.NEG, i, N)), op(Operator.NEG, i, N)),
        Operator.LOWER: (op(Operator.LOWER, NUMBER, N, M), op(Operator.LOWER, NUMBER, N, num(2))),
        Operator.HIGHER: (op(Operator.HIGHER, NUMBER, N, M), op(Operator.HIGHER, NUMBER, num(2), N)),
        Operator.IN: (op(Operator.IN, b, AT, SEATS), op(Operator.IN, b, ONE, THINGS), op(
            Operator.IN, b, ONE, Where("x", Within(HAND), None, SetOf(THING)))),
        Operator.SET: (op(Operator.SET, s), pair, op(Operator.SET, SetOf(THING), ONE, Const(2, THING))),
        Operator.UNION: (op(Operator.UNION, s, SEATS, pair), op(
            Operator.UNION, SetOf(THING), THINGS, Where("x", Within(ROW), None, SetOf(THING)))),
        Operator.MINUS: (op(Operator.MINUS, s, SEATS, pair), op(Operator.MINUS, SetOf(THING), THINGS, op(
            Operator.SET, SetOf(THING), ONE))),
        Operator.SIZE: (op(Operator.SIZE, NUMBER, SEATS), op(Operator.SIZE, NUMBER, FEW), op(
            Operator.SIZE, NUMBER, Where("x", Within(DECK), None, SetOf(THING)))),
        Operator.BETWEEN: (op(Operator.BETWEEN, NUMBER, N, M), op(Operator.BETWEEN, NUMBER, num(4), N)),
        **ordered, **equal,
    }


def a_seat() -> Expr:
    return Only(op(Operator.SET, SetOf(SEAT), Const(1, SEAT)), SEAT)


def expressions() -> Mapping[Kind, tuple[Expr, ...]]:
    beyond = Get("kept", (NEXT,), NUMBER)
    """In error where `at` is the last seat."""
    safe = less(AT, Const(2, SEAT))
    board = replace(BOARD, spot=None)
    x, kept = Local("x", SEAT), Get("kept", (Local("x", SEAT),), NUMBER)
    others = Where("y", All(SEAT), op(Operator.NE, Bool(), Local("y", SEAT), Local("h", SEAT)), SetOf(SEAT))
    return {
        Const: (num(3), num(9), Const(frozenset({0, 2}), SetOf(SEAT)), Const((0, 0, 1), Many(THING, 4)),
                Const(None, Maybe(THING)), Const(True, Bool())),
        Local: (Let("y", N, Local("y", NUMBER), NUMBER), fold(FoldKind.MAX, All(SEAT), SEAT)),
        Get: (N, FLAG, MAYBE, WHAT, SEATS, THINGS, FEW, Get("kept", (AT,), NUMBER), beyond,
              Get("worn", (ONE,), Bool()), Get("given", (), NUMBER)),
        Look: (Look("worth", (ONE,), NUMBER), Look("lies", (AT, WHERE), Bool()), Look("worth", (NEXT,), NUMBER)),
        Op: tuple(found[0] for found in operators().values()),
        And: (And((safe, less(beyond, N))), And((less(N, M), FLAG, less(num(1), N))), And(())),
        Or: (Or((cores.no(safe), less(beyond, N))), Or((less(N, M), FLAG)), Or(())),
        If: (If(safe, beyond, num(0), NUMBER), If(FLAG, SEATS, Const(frozenset({2}), SetOf(SEAT)), SetOf(SEAT)),
             If(less(N, M), WHAT, Const(1, THING), Maybe(THING)), If(FLAG, less(N, M), FLAG, Bool())),
        At: (At(board, WHERE, Maybe(THING)), At(ROW, N, Maybe(THING)), At(ROW, num(0), Maybe(THING)),
             At(board, N, Maybe(THING)), op(Operator.EQ, Bool(), At(ROW, M, Maybe(THING)), ONE)),
        Fold: tuple(fold(kind, source, member) for kind in FoldKind for member, source in SOURCES[:8]),
        Where: tuple(Where("x", source, less(M, Look("worth", (Local("x", THING),), NUMBER)), SetOf(THING))
                     for member, source in SOURCES if member == THING),
        Connected: (connected(AT, others, less(kept, N)), connected(a_seat(), SEATS, less(kept, M)),
                    connected(AT, op(Operator.SET, SetOf(SEAT), a_seat(), AT), FLAG), connected(AT, others, None),
                    connected(AT, others, less(Get("kept", (op(Operator.ADD, Int(1, 3), x, num(1)),), NUMBER), N)),
                    Connected(ONE, "h", Where("y", Within(HAND), None, SetOf(THING)), "x",
                              Get("worn", (Local("x", THING),), Bool()), SetOf(THING))),
        Split: (*(split(kind, Where("x", Within(place), None, SetOf(THING)))
                  for kind, place in ((FoldKind.MIN, HAND), (FoldKind.MAX, DECK), (FoldKind.MIN, NEXT_HAND))),
                split(FoldKind.MAX, THINGS), split(FoldKind.MIN, Where("x", Members(FEW), None, SetOf(THING))),
                Split(FoldKind.MIN, THINGS, "pairs", "r",
                      Look("worth", (Only(Local("r", SetOf(THING)), THING),), NUMBER), NUMBER)),
        Let: (Let("y", op(Operator.LOWER, NUMBER, N, M), op(
            Operator.ADD, WIDE, Local("y", NUMBER), Local("y", NUMBER)), WIDE), Let("y", beyond, num(1), NUMBER),
              Let("y", WHAT, op(Operator.EQ, Bool(), Local("y", Maybe(THING)), ONE), Bool())),
        Only: (Only(SEATS, SEAT), Only(MAYBE, SEAT), Only(WHAT, THING), Only(At(board, WHERE, Maybe(THING)), THING),
               Only(Where("x", Within(HAND), None, SetOf(THING)), THING), Only(op(Operator.SET, SetOf(SEAT), AT), SEAT),
               Only(Where("x", Within(ROW), less(M, Look("worth", (Local("x", THING),), NUMBER)), SetOf(THING)),
                    THING)),
        After: afters(),
    }


def split(kind: FoldKind, of: Expr) -> Expr:
    """What the things left are worth together, or more than `n` of them."""
    rest = Members(Local("r", of.type))
    worth = Fold(FoldKind.SUM, "x", rest, None, Look("worth", (Local("x", THING),), NUMBER), WIDE)
    body = op(Operator.ADD, WIDE, op(Operator.LOWER, NUMBER, worth, num(5)), op(Operator.LOWER, NUMBER, N, num(1)))
    return op(Operator.LOWER, NUMBER, Split(kind, of, "pairs", "r", body, WIDE), num(6))


def afters() -> tuple[Expr, ...]:
    """What holds after statements of every kind; an error on the way told, or turned into a value."""
    there = op(Operator.LOWER, NUMBER, Fold(FoldKind.COUNT, "y", Within(HAND), None, None, NUMBER), num(6))
    hand = op(Operator.EQ, Bool(), At(ROW, num(0), Maybe(THING)), ONE)
    no = Const(False, Bool())
    lifted = tuple(replace(stmt, more=False) if isinstance(stmt, Put) else stmt for stmt in statements()[Put][5])
    dear = less(M, Look("worth", (Local("x", THING),), NUMBER))
    each = (Bind("b", N, HERE), Each("x", Within(DECK), (
        when(dear, Move(Local("x", THING), None, DECK, HAND, HERE)),), HERE),
            put("n", op(Operator.LOWER, NUMBER, Local("b", NUMBER), M)))
    return (
        After((Move(ONE, None, HAND, ROW, HERE), put("n", M)), And((hand, less(N, num(4)))), Bool(), no),
        After(each, op(Operator.LOWER, NUMBER, op(Operator.ADD, WIDE, N, there), num(6)), NUMBER),
        After((), less(Get("kept", (NEXT,), NUMBER), N), Bool(), no),
        Let("y", M, After((*lifted, Branch(FLAG, (Move(ONE, None, DECK_TOP, SQUARE, HERE),), (
            Move(ONE, None, ROW_BOTTOM, NEXT_HAND, HERE),), HERE)), op(Operator.LOWER, NUMBER, op(
                Operator.ADD, WIDE, Local("y", NUMBER), there), num(6)), NUMBER, num(5)), NUMBER),
        Fold(FoldKind.COUNT, "x", All(SEAT), After(
            (put("at", Local("x", SEAT)), put("kept", N, NEXT)), op(Operator.NE, Bool(), AT, MAYBE), Bool(), no), None,
            NUMBER),
        After((Merge(DECK, (HAND, ROW), HERE), Swap(QUEUE, ROW, HERE)), there, NUMBER),
        After((put("kept", N, NEXT),), Get("kept", (AT,), NUMBER), NUMBER),
        Only(After((Swap(RACK, BOARD, HERE),), At(replace(BOARD, spot=None), WHERE, Maybe(THING)), Maybe(THING)),
             THING),
    )


def connected(start: Expr, step: Expr, where: Expr | None) -> Connected:
    """What steps lead to from a seat."""
    return Connected(start, "h", step, "x", where, SetOf(SEAT))


def moves() -> Iterator[Block]:
    """From every place to every other one, of what surely lies there and of what maybe does; one, some, or all."""
    for source in PLACES:
        lowest = Fold(FoldKind.MIN, "x", Within(source), None, None, THING, None)
        for to in (HAND, ROW, DECK_TOP, SQUARE):
            yield (Move(lowest, None, source, to, HERE),)
    for to in (NEXT_HAND, ROW_TOP, ROW_BOTTOM, ROW_AT, DECK, DECK_BOTTOM, BOARD):
        yield (Move(ONE, None, HAND, to, HERE),)
        yield (Move(ONE, None, DECK_TOP, to, HERE),)
    yield (Move(ONE, M, DECK, HAND, HERE),)
    yield (Move(ONE, M, HAND, ROW, HERE),)
    yield (Move(ONE, op(Operator.SUB, WIDE, M, num(2)), ROW, DECK_TOP, HERE),)
    yield (Move(WHAT, None, HAND, SQUARE, HERE),)
    yield (Move(At(BOARD, WHERE, Maybe(THING)), None, SQUARE, HAND, HERE),)
    yield (Move(FEW, None, DECK, HAND, HERE),)
    yield (Move(FEW, None, HAND, ROW, HERE),)
    yield (Move(Where("x", Within(HAND), None, SetOf(THING)), None, HAND, DECK_BOTTOM, HERE),)
    yield (Move(THINGS, None, ROW, BOARD, HERE),)
    one = Local("x", THING)
    for source in (HAND, ROW, DECK_TOP, BOARD):
        there = Fold(FoldKind.COUNT, "y", Within(source), op(Operator.EQ, Bool(), Local("y", THING), one), None, NUMBER)
        yield (Each("x", Within(source), (Move(one, there, source, DECK_BOTTOM, HERE),), HERE),)
        yield (Each("x", Within(source), (Move(one, None, source, HAND, HERE),), HERE),)


GIVE = Action("give", "give", (cores.param("seat", SEAT, Members(SEATS)),), (cores.guard("other", op(
    Operator.NE, Bool(), Local("seat", SEAT), Local("me", SEAT))),), (put("at", Local("seat", SEAT)),), HERE)
SHOW = Action("show", "show", (cores.param("thing", THING, Within(HAND)),), (), (
    put("one", Local("thing", THING)), Move(Local("thing", THING), None, HAND, ROW, HERE)), HERE)
PICK = Action("pick", "pick", (cores.param("level", HALF, Numbers(num(0), M)),), (cores.guard(
    "not too much", cores.no(less(num(2), Local("level", HALF)))),), (put("n", Local("level", HALF)),), HERE)
TURN_UP = Action("turn_up", "turn_up", (cores.param("thing", THING, Within(DECK_TOP)),), (),
                 (Move(Local("thing", THING), None, DECK_TOP, HAND, HERE),), HERE)
DEAL = Action("deal", "deal", (cores.param("things", Many(THING, 3), Within(DECK), count=(num(1), M)),), (),
              (Move(Local("things", Many(THING, 3)), None, DECK, HAND, HERE),), HERE)
SIFT = Action("sift", "sift", (cores.param("things", Many(THING, 2), Within(DECK_TOP), count=(num(1), num(2)), among=Op(
    Operator.SET, (ONE, Const(2, THING)), SetOf(THING))),), (), (
        Move(Local("things", Many(THING, 2)), None, DECK_TOP, HAND, HERE),), HERE)
ACTIONS = (GIVE, SHOW, PICK, TURN_UP, DEAL, SIFT)
DOUBLE = Procedure("double", (("given_one", NUMBER),), (("result", NUMBER),), (
    Branch(less(Local("given_one", NUMBER), num(4)), (Bind("result", op(
        Operator.ADD, NUMBER, Local("given_one", NUMBER), Local("given_one", NUMBER)), HERE),),
           (Bind("result", num(0), HERE),), HERE),), HERE)


def decisions() -> tuple[Block, ...]:
    after = put("n", num(1))
    picked = op(Operator.EQ, Bool(), Local("which", world.TAKEN.whole), Const(1, world.TAKEN.whole))
    return (
        (Decide(cores.point("a"), AT, (Option("give"), Option("show")), (put("n", num(5)),)), after),
        (Decide(cores.point("b"), AT, (Option("show"), Option("give")), None), after),
        (Decide(cores.point("c", True), AT, (Option("show"), Option("pick")), (put("n", num(5)),), "which", "taken"),
         Branch(picked, (put("n", num(6)),), (after,), HERE)),
        (Decide(cores.point("n"), AT, (Option("sift"),), None), put("m", num(0))),
        (Decide(cores.point("d"), Const(2, SEAT), (Option("pick", (("level", M),)),), (put("m", num(5)),)), after),
    )


def groups() -> tuple[Block, ...]:
    chosen = Local("level", HALF)
    assert chosen.name == PICK.params[0].name
    return (
        (Commit(cores.point("e"), (Part(SEATS, "pick", ("kept",)),), True, True), put("flag", Const(True, Bool()))),
        (Commit(cores.point("f", True), (Part(op(Operator.SET, SetOf(SEAT), AT), "pick", ("kept",)),), True, False),),
    )


def hangs_on_the_deck() -> Expr:
    """A seat, which one hangs on what lies hidden."""
    first = Fold(FoldKind.ANY, "x", Within(DECK_TOP), op(Operator.EQ, Bool(), Local("x", THING), Const(0, THING)), None,
                 Bool())
    return If(first, Const(0, SEAT), Const(1, SEAT), SEAT)


def statements() -> Mapping[Kind, tuple[Block, ...]]:
    return {
        Put: ((put("n", op(Operator.ADD, WIDE, N, M)),), (put("kept", N, AT),), (put("kept", N, NEXT),),
              (put("what", Const(None, Maybe(THING))), put("maybe", AT)), (put("worn", FLAG, ONE),),
              (replace(put("n", M), more=True), put("m", N))),
        Move: tuple(moves()),
        Merge: ((Merge(DECK, (), HERE),), (Merge(DECK, (HAND, ROW), HERE),), (Merge(DECK, (BOARD,), HERE),),
                (Merge(DECK, (NEXT_HAND,), HERE),)),
        Swap: ((Swap(HAND, NEXT_HAND, HERE),),
               (Swap(ROW, QUEUE, HERE), put("what", At(QUEUE, num(0), Maybe(THING))), Swap(DECK, DECK, HERE)),
               (Swap(HEAP, DECK, HERE, more=True), Swap(BOARD, RACK, HERE),
                put("what", At(BOARD, WHERE, Maybe(THING)))),
               (Swap(Place("hand", (hangs_on_the_deck(),)), HAND, HERE), put("n", Fold(
                   FoldKind.COUNT, "x", Within(HAND), None, None, NUMBER)))),
        Bind: ((Bind("b", op(Operator.LOWER, NUMBER, N, M), HERE), put("n", num(0)), put("m", Local("b", NUMBER))),),
        Branch: ((Branch(less(N, M), (put("n", M),), (put("m", N), put("flag", FLAG)), HERE),),
                 (Branch(FLAG, (), (put("flag", Const(True, Bool())),), HERE),)),
        Each: (*over(All)[:3], (Each("x", Within(HAND), (Move(Local("x", THING), None, HAND, ROW, HERE),), HERE),),
               (Each("x", All(SEAT, AT), (put("kept", op(Operator.LOWER, NUMBER, op(
                   Operator.ADD, WIDE, Get("kept", (Local("x", SEAT),), NUMBER), M), num(6)), Local("x", SEAT)),
                   put("at", Local("x", SEAT))), HERE),)),
        Repeat: ((Repeat(less(num(3), N), (put("n", op(Operator.ADD, NUMBER, N, M)),), 3, HERE),),
                 (Repeat(less(num(4), N), (put("n", op(Operator.ADD, NUMBER, N, num(1))), Decide(
                     cores.point("g"), AT, (Option("pick"),), None)), 2, HERE),)),
        Decide: decisions(),
        Commit: groups(),
        Chance: ((Chance(cores.point("h"), "turn_up"), put("n", num(1))), (Chance(cores.point("i", True), "deal"),)),
        Unspecified: ((Unspecified(cores.point("j"), "who?", "u", SEAT, Members(SEATS)), put("at", Local("u", SEAT))),
                      (Unspecified(cores.point("k"), "which?", "u", THING, Within(HAND)),
                       put("one", Local("u", THING))),
                      (when(FLAG, Unspecified(cores.point("l"), "what now?", None, None, None)),)),
        Finish: ((Finish(SEATS, HERE),),
                 (when(less(N, M), Finish(op(Operator.SET, SetOf(SEAT), AT), HERE)), put("n", M)),
                 (Each("x", Members(SEATS), (Finish(op(Operator.SET, SetOf(SEAT), Local("x", SEAT)), HERE),), HERE),)),
        Call: ((Call("double", (N,), ("r",), HERE), put("m", Local("r", NUMBER))),),
    }


def nodes() -> Mapping[Kind, tuple[Block, ...]]:
    asked = decisions()
    return {
        Run: ((put("n", M),),),
        Fork: ((Branch(less(N, M), asked[0], asked[1], HERE),),),
        Ask: asked,
        Gather: groups(),
        Draw: ((Chance(cores.point("h"), "turn_up"),), (Chance(cores.point("i"), "deal"), put("n", num(1)))),
        Rule: (*statements()[Unspecified], (Unspecified(cores.point("o", True), "who?", "u", NUMBER, Numbers(M, N)),
                                            put("m", Local("u", NUMBER))),
               *((Unspecified(cores.point(name), "which?", "u", THING, Within(place)), put("one", Local("u", THING)))
                 for name, place in (("p", ROW), ("q", RACK)))),
    }


def types() -> Mapping[Kind, tuple[Block, ...]]:
    return {
        Bool: (stored(FLAG), stored(less(N, M))), Int: (stored(N), stored(op(Operator.ADD, WIDE, N, M))),
        Elem: (stored(AT), stored(ONE), (put("one", Only(WHAT, THING)),)), Maybe: (stored(MAYBE), stored(WHAT)),
        SetOf: (stored(SEATS), stored(THINGS), stored(Where("x", Within(DECK), None, SetOf(THING)))),
        Many: (stored(FEW), (Move(FEW, None, DECK, HAND, HERE),)),
    }


def _table() -> dict[Kind, tuple[Block, ...]]:
    made: dict[Kind, tuple[Block, ...]] = {}
    for blocks in (statements(), nodes(), types()):
        made.update(blocks.items())
    for some in (expressions(), operators()):
        made.update((kind, tuple(map(stored, exprs))) for kind, exprs in some.items())
    made.update((kind, folds(kind)) for kind in (
        FoldKind.ANY, FoldKind.ALL, FoldKind.COUNT, FoldKind.SUM, FoldKind.MIN, FoldKind.MAX))
    made.update((kind, over(kind)) for kind in (Numbers, All, Members, Within))
    for form, name in ((Form.BAG, "hand"), (Form.LINE, "row"), (Form.PILE, "deck"), (Form.SLOTS, "board")):
        made[form] = tuple(one for one in _moves_of() if _touches(one, name))
    for end in (End.TOP, End.BOTTOM):
        made[end] = tuple(one for one in _moves_of() if _ends(one, end))
    return made


UNUSUAL: Mapping[str, Block] = {
    "a component of which nothing is known is laid on a pile by itself": (
        Move(Fold(FoldKind.MIN, "x", Within(ROW_BOTTOM), None, None, THING), None, ROW_BOTTOM, DECK_TOP, HERE),),
    "what lies at one position of a line is gone through": (
        Each("x", Within(ROW_AT), (put("one", Local("x", THING)),), HERE),),
    "what may be none is moved": (Move(WHAT, None, HAND, SQUARE, HERE),),
    "some of what lies at an end of a pile may be taken": (Decide(cores.point("p"), AT, (Option("sift"),), ()),),
    "a component is looked for in a set of what lies in a place": stored(
        op(Operator.IN, Bool(), ONE, Where("x", Within(DECK_TOP), None, SetOf(THING)))),
    "all of some pass, without a condition on those that do": stored(
        replace(fold(FoldKind.ALL, Within(HAND), THING), body=None)),
    "not all of some pass, without a condition on those that do": stored(
        replace(fold(FoldKind.ALL, Members(THINGS), THING), body=None)),
    "not all that lies in a place passes, without a condition on what does": stored(
        replace(fold(FoldKind.ALL, Within(ROW), THING), where=less(M, Look("worth", (Local("x", THING),), NUMBER)),
                body=None)),
    "only what lies at one end of a pile is counted": stored(fold(FoldKind.COUNT, Within(DECK_BOTTOM), THING, False)),
    "of a multiset each copy is gone through": (
        put("n", num(0)), when(FLAG, put("few", Const((0, 0, 1), Many(THING, 4)))),
        Each("x", Members(FEW), (put("n", op(Operator.LOWER, NUMBER, op(Operator.ADD, WIDE, N, num(1)), num(6))),),
             HERE)),
}
"""What engines made otherwise once."""


def _moves_of() -> list[Block]:
    return [(Move(ONE, None, source, to, HERE),) for source in PLACES for to in PLACES
            if source != to and not (source.zone == to.zone != "hand")]


def _touches(block: Block, zone: str) -> bool:
    (move,) = block
    assert isinstance(move, Move)
    return zone in (move.source.zone, move.to.zone)


def _ends(block: Block, end: End) -> bool:
    (move,) = block
    assert isinstance(move, Move)
    return end in (move.source.end, move.to.end)


SAMPLES = _table()
"""For each kind, bodies that have it."""


def core_of(kind: Kind, at: int = 0, most: int = 1_000) -> Core:
    """A game that offers the samples of a kind: so many of them from one on, and round again."""
    every = SAMPLES[kind]
    some = [every[(at + index) % len(every)] for index in range(min(most, len(every)))]
    return world.core(some, [DOUBLE], ACTIONS)


def unusual(name: str) -> Core:
    """A game that offers one of the bodies that are unusual."""
    return world.core([UNUSUAL[name]], [DOUBLE], ACTIONS)


__all__ = ["KINDS", "SAMPLES", "SPOT", "UNUSUAL", "Kind", "core_of", "unusual"]
