"""Small games made by hand in which something is open, chance acts, a pass may be left out, or limits hold."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Expr, Get, Local, Only, Op, Operator, Or, Place, Where, Within
from referee.core.ruleset import Core, Form, Invariant, Reading, ReadingChoice, Role, Score, Sight
from referee.core.stmt import Action, Block, Branch, Chance, Decide, Finish, Move, Option, Origin, Stmt, Unspecified
from referee.core.types import Bool, Elem, Int, SetOf
from referee.diagnostics.source import Span
from tests.cores import (
    HERE,
    TWO,
    action,
    add,
    count,
    eq,
    get,
    guard,
    less,
    made,
    num,
    param,
    point,
    put,
    seat,
    state,
    things,
    zone,
)

ANA, BEN = seat(0), seat(1)
TEN = Int(0, 10)
TOTAL = get("total", TEN)


def only(who: Expr) -> Op:
    return Op(Operator.SET, (who,), SetOf(TWO))


def asks(name: str, who: Expr, *options: str, silent: str = "", rest: bool = True) -> Decide:
    chosen = tuple(Option(option, silent=option == silent) for option in options)
    return Decide(replace(point(name), rest=rest), who, chosen, None)


def add_action(*guards: tuple[str, Expr]) -> Action:
    number = Local("number", Int(1, 3))
    tested = [guard(text, cond, ("total", TOTAL)) for text, cond in guards]
    body = (put("total", add(TOTAL, number, TEN)),)
    return action("add", [param("number", Int(1, 3), All(Int(1, 3)))], tested, body)


ADD = add_action()
PASS = action("pass")
TOTAL_VAR = state("total", TEN, 0)


def tie() -> Core:
    """Ana adds; the table says who begins then; he adds; the table says once more who is asked, who wins."""
    who = get("who", TWO)
    rules = Unspecified(point("tie.first"), "who begins?", "first", TWO, All(TWO))
    main: Block = (
        asks("start", ANA, "add"), rules, put("who", Local("first", TWO)),
        asks("next", who, "add"), Finish(only(who), HERE),
    )
    return made(main, variables=[TOTAL_VAR, state("who", TWO, 0)], actions=[ADD])


def many_ties(number: int) -> Core:
    """Ana adds, the table rules so many times, then Ben may add if it always ruled for him."""
    def bit(index: int) -> Get:
        return get(f"bit {index}", TWO)

    ties: list[Stmt] = []
    for index in range(number):
        ties.append(Unspecified(point(f"tie {index}"), "who?", "chosen", TWO, All(TWO)))
        ties.append(put(f"bit {index}", Local("chosen", TWO)))
    always = [(f"{index} is his", eq(bit(index), BEN)) for index in range(number)]
    strict = replace(add_action(*always), name="strict", label="add")
    main: Block = (asks("start", ANA, "add"), *ties, asks("next", BEN, "strict", "pass"), Finish(only(BEN), HERE))
    bits = [state(f"bit {index}", TWO, 0) for index in range(number)]
    return made(main, variables=[TOTAL_VAR, *bits], actions=[ADD, strict, PASS])


def harmless_tie() -> Core:
    """The table chooses, and nothing depends on it."""
    main: Block = (asks("start", ANA, "add"), Unspecified(point("order"), "who first?", "first", TWO, All(TWO)),
                   asks("next", BEN, "add"), Finish(only(BEN), HERE))
    return made(main, variables=[TOTAL_VAR], actions=[ADD])


def gap() -> Core:
    """After Ana's turn the rules say nothing."""
    return made((asks("start", ANA, "add"), Unspecified(point("market"), "what if it is empty?", None, None, None)),
                variables=[TOTAL_VAR], actions=[ADD])


def window() -> Core:
    """Ana adds, Ben may answer or pass (aloud or not), then Ben adds."""
    main: Block = (asks("start", ANA, "add"), asks("defence", BEN, "answer", "pass", silent="pass"),
                   asks("next", BEN, "add"), Finish(only(BEN), HERE))
    answer = action("answer", guards=[guard("the total is odd", eq(TOTAL, num(1)), ("total", TOTAL))],
                    body=(put("total", num(9)),))
    return made(main, variables=[TOTAL_VAR], actions=[ADD, PASS, answer])


def dealt() -> Core:
    """Fate deals one of two things to each, which only he sees; Ana may play what she holds; then she must draw."""
    hand = Sight(False, (0,))
    who = Local("to", TWO)
    kind = Elem("component", 0, 1)
    thing = Local("card", kind)
    deal = action("deal", [param("to", TWO, All(TWO)), param("card", kind, Within(Place("deck")))],
                  [guard("an empty hand", eq(count(Within(Place("hand", (who,)))), num(0)))],
                  (Move(thing, None, Place("deck"), Place("hand", (who,)), HERE),))
    held = count(Within(Place("hand", (BEN,))))
    play = action("play", [param("card", kind, Within(Place("hand", (Local("me", TWO),))))],
                  [guard("ben holds nothing", eq(held, num(0)), ("cards of ben", held))])
    main: Block = (Chance(point("deal"), "deal"), Chance(point("deal again"), "deal"),
                   asks("turn", ANA, "play", "fold"), asks("draw", BEN, "draw"), Finish(only(BEN), HERE))
    return made(main, zones=[zone("deck", Form.BAG), zone("hand", Form.BAG, TWO, sight=hand)],
                components=things("deck", 1, 1), actions=[deal, play, action("fold"), action("draw")])


def bounded() -> Core:
    """An invariant (the total is never 6) and two adds."""
    invariant = Invariant("total_is_not_six", guard("the total is not 6", Op(Operator.NE, (TOTAL, num(6)), Bool()),
                                                    ("total", TOTAL)))
    main: Block = (asks("one", ANA, "add"), asks("two", BEN, "add"), asks("three", ANA, "add"),
                   Finish(only(ANA), HERE))
    return replace(made(main, variables=[TOTAL_VAR], actions=[ADD]), invariants=(invariant,))


def unknown_limit(*, default: int | None = None) -> Core:
    """The total may not pass a number that the rulebook lost."""
    limit = Get("limit", (), Int(1, 6))
    number = Local("number", Int(1, 3))
    above = Op(Operator.LE, (add(TOTAL, number, TEN), limit), Bool())
    var = state("limit", Int(1, 6), default, role=Role.PARAMETER)
    turns: tuple[Stmt, ...] = tuple(asks(f"turn {n}", (ANA, BEN)[n % 2], "add", "pass") for n in range(4))
    ends = Branch(less(TOTAL, limit), (Finish(only(ANA), HERE),), (Finish(only(BEN), HERE),), HERE)
    return made((*turns, ends), variables=[TOTAL_VAR, var], actions=[add_action(("within the limit", above)), PASS])


def given_starter() -> Core:
    """Who begins is a fact from outside."""
    starter = Get("starter", (), TWO)
    return made((asks("start", starter, "add"), Finish(only(starter), HERE)),
                variables=[TOTAL_VAR, state("starter", TWO, None, role=Role.GIVEN)], actions=[ADD])


def two_readings() -> Core:
    """By one reading the total may pass 3, by the other not."""
    origin = Origin(Span("made.rules", 7, 1, 7, 9), ("MA-7",))
    strict = Get("strict", (), Int(0, 1))
    number = Local("number", Int(1, 3))
    small = Op(Operator.LE, (add(TOTAL, number, TEN), num(3)), Bool())
    either = replace(guard("no more than three", Or((eq(strict, num(0)), small))), origin=origin)
    main: Block = (asks("one", ANA, "add"), asks("two", BEN, "add"), Finish(only(BEN), HERE))
    core = made(main, variables=[TOTAL_VAR, state("strict", Int(0, 1), 1, role=Role.READING)],
                actions=[replace(ADD, guards=(either,))],
                score=Score("p", TOTAL, HERE))
    reading = Reading(
        "strict",
        "may one pass three?",
        (ReadingChoice("loose", "one may"), ReadingChoice("tight", "one may not")),
        1,
        origin,
    )
    return replace(core, readings={"strict": reading})


def failing() -> Core:
    """The total leaves its range with the second add of three; then the actor is nobody's seat."""
    small = Int(0, 4)
    number = Local("number", Int(1, 3))
    grow = action("add", [param("number", Int(1, 3), All(Int(1, 3)))],
                  body=(put("total", add(get("total", small), number, small)),))
    nobody = Only(Where("p", All(TWO), less(num(1), num(0)), SetOf(TWO)), TWO)
    main: Block = (asks("one", ANA, "add"), asks("two", BEN, "add", "pass"), asks("three", nobody, "add"))
    return made(main, variables=[state("total", small, 0)], actions=[grow, PASS])
