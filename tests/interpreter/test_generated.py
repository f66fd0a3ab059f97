"""The generated engine answers as the walker does, whatever is asked; no text of a ruleset comes into its source."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest

from referee.codegen.compiled_program import OWN_WORDS, Program, left_to_the_walker
from referee.codegen.generated_engine import Generated
from referee.codegen.kept.code_store import Key
from referee.codegen.source_text import TooLong
from referee.core import expr, flow, stmt
from referee.core.flow import Flow
from referee.core.ruleset import Core, Form, Table
from referee.core.types import COMPONENT, Bool, Elem, Int, Maybe, SetOf
from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.frontend.loading.loader import load_flow
from referee.game.event import TABLE, spoken
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import play_out
from tests import cores
from tests.interpreter.agreement import Pair, places
from tests.laws.games import NAMES
from tests.sample_sizes import CLASSICS, CONSTRUCTS, FULL, by_lot, drawn, fewer, in_turn
from tests.twin.random_core import Maker

SEEDS = range(drawn(12, of=60))

PLACES = in_turn(places(), "generated", 14, CLASSICS | CONSTRUCTS)
MANY = 300
"""A ruleset with more functions of one kind is a large one."""


@cache
def pair(where: Path) -> Pair:
    return Pair(load_flow(where))


@cache
def random_pair(seed: int) -> Pair:
    return Pair(lower(Maker(seed).core()))


@pytest.mark.parametrize("where", PLACES, ids=lambda where: where.stem)
def test_they_agree_on_every_ruleset(where: Path) -> None:
    for seed in range(2):
        pair(where).compare(seed, fewer(where.stem, 50))
        pair(where).same_play_outs(seed, fewer(where.stem, 100))


@pytest.mark.parametrize("where", [where for where in places() if where.is_dir()], ids=lambda where: where.stem)
def test_all_but_rulings_is_followed_without_a_position_for_each_event(where: Path) -> None:
    flow = load_flow(where)
    engine = Generated(flow)
    game = play_out(engine, Setting(flow.core.seats.roles or NAMES[:flow.core.seats.number]), 5, 300)
    step, events = engine.begin(game.setting, test_arrival=False), list(game.events)
    while events:
        assert isinstance(step, State)
        number, after = engine.follow(step, map(spoken, events), tested=True)
        if number == 0:
            assert events[0].by == TABLE, f"{events[0]} is not followed"
            number, after = 1, engine.advance(step, events[0], test_arrival=False)
        step, events = after, events[number:]


@pytest.mark.parametrize("seed", SEEDS)
def test_they_agree_on_random_cores(seed: int) -> None:
    for game in range(2):
        random_pair(seed).compare(game, 25)
        random_pair(seed).same_play_outs(game, 40)


@pytest.mark.parametrize("where", PLACES, ids=lambda where: where.stem)
def test_they_agree_where_nothing_is_stated(where: Path) -> None:
    both = pair(where)
    players = both.walker.core.seats.roles or NAMES[: both.walker.core.seats.number]
    step = both.ask("begin", Setting(players))
    if isinstance(step, State):
        both.ask("asked", step)
        both.ask("broken", step)


@pytest.mark.parametrize("where", by_lot(PLACES, "functions", 2), ids=lambda where: where.stem)
def test_every_function_can_be_compiled(where: Path) -> None:
    program = pair(where).generated.program
    assert [key for key in looked_at(program) if program.function(*key) is left_to_the_walker] == []


# --- every kind of node

WANTED = {
    *(kind for union in (expr.Expr, expr.Domainlike, flow.Node) for kind in union.__args__),
    *(stmt.Put, stmt.Move, stmt.Merge, stmt.Swap, stmt.Branch, stmt.Each, stmt.Finish),
    *expr.Operator, *expr.FoldKind, *expr.End, *Form,
}


def kinds(node: object, of: Flow) -> Iterator[object]:
    """The kinds of nodes, operators, folds and zones in a node of a flow."""
    if isinstance(node, Enum):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from kinds(part, of)
    elif hasattr(node, "__dataclass_fields__"):
        yield type(node)
        if isinstance(node, expr.Place):
            yield of.core.zones[node.zone].form
        for name in node.__dataclass_fields__:
            if name not in ("origin", "span", "type"):
                yield from kinds(getattr(node, name), of)


def test_games_that_were_compared_went_through_every_kind_of_node() -> None:
    left = set(WANTED)
    for both in many():
        left.difference_update(passed(both))
        if not left:
            break
    assert {str(kind) for kind in left} == set()


def many() -> Iterator[Pair]:
    """Small ones first."""
    yield Pair(lower(uncommon()))
    for seed in range(20):
        yield Pair(lower(Maker(seed).core()))
    for where in sorted(places(), key=lambda where: (where.is_dir(), where.stat().st_size)):
        with suppress(Problems):
            yield Pair(load_flow(where))


def passed(both: Pair) -> Iterator[object]:
    """The kinds of the nodes for which functions were called in a game."""
    both.compare(3, 40)
    of = both.generated.flow
    for what, *rest in both.generated.program.called():
        if rest and what != "claim":
            yield from kinds(of.nodes[int(rest[0])], of)


def uncommon() -> Core:
    """What games hardly ever say: a negative number, a product, the greater of two, a difference of sets, a sum."""
    number = Int(-9, 9)
    negated = expr.Op(expr.Operator.NEG, (cores.num(3),), Int(-3, -3))
    product = expr.Op(expr.Operator.MUL, (cores.get("n", number), cores.num(2)), Int(-18, 18))
    higher = expr.Op(expr.Operator.HIGHER, (product, cores.num(4)), Int(4, 18))
    apart = expr.Op(expr.Operator.NE, (cores.get("n", number), cores.num(4)), Bool())
    most = expr.Op(expr.Operator.LE, (cores.get("n", number), cores.num(4)), Bool())
    least = expr.Op(expr.Operator.GE, (cores.get("n", number), cores.num(4)), Bool())
    above = expr.Op(expr.Operator.GT, (cores.get("n", number), cores.num(4)), Bool())
    tests = (stmt.Branch(expr.Or((apart, most, least, above)), (cores.put("n", cores.num(0)),), (), cores.HERE),)
    few = SetOf(number)
    without = expr.Op(expr.Operator.MINUS, (cores.get("few", few), expr.Const(frozenset((1, 2)), few)), few)
    total = expr.Fold(expr.FoldKind.SUM, "x", expr.Members(without), None, None, Int(-90, 90))
    main = (cores.put("n", negated), cores.put("n", higher), *tests, cores.put("n", total), cores.put("few", without))
    variables = [cores.state("n", number, 0), cores.state("few", few, frozenset((1, 3, 4)))]
    return cores.made(main, variables=variables)


# --- nothing of a ruleset in the source

HOSTILE = ("import", "__import__('os')", "a\nb", 'say "hi"', "it's", "\\", "s", "W", "None", "{0}", "#", "v1", "exit()")
OURS = re.compile(r"[bcefpsvz]|by|left|seen|random|choice|add|append|count|union|fromkeys|__class__|[aekmnptvz][0-9]+")


def hostile() -> Core:
    """A core in which everything that has a name has a bad one."""
    number, thing = Int(0, 9), Elem(COMPONENT, 0, 0)
    first = f"zone {HOSTILE[0]}"
    actions = []
    for name in HOSTILE:
        param = cores.param(name, number, expr.Numbers(cores.num(0), cores.num(3)))
        text = cores.guard(name, cores.less(expr.Local(name, number), cores.num(2)))
        move = stmt.Move(expr.Const(0, thing), None, expr.Place(first), expr.Place(f"zone {name}"), cores.HERE)
        actions.append(cores.action(name, [param], [text], (cores.put(name, expr.Local(name, number)), move)))
    ask = stmt.Decide(cores.point(HOSTILE[2]), cores.seat(0), tuple(stmt.Option(name) for name in HOSTILE), None)
    return cores.made((ask, ask), variables=[cores.state(name, number, 0) for name in HOSTILE], actions=actions,
                      zones=[cores.zone(f"zone {name}", Form.BAG) for name in HOSTILE],
                      components=cores.things(first, 1))


def looked_at(program: Program) -> list[Key]:
    """What can be compiled: of what a large game has hundreds of, one of eight unless full samples are asked for."""
    keys = list(program.source.keys())
    many = {kind for kind, number in Counter(key[0] for key in keys).items() if number > MANY}
    return [key for key in keys if FULL or key[0] not in many or crc32(repr(key).encode()) % 8 == 0]


def words(program: Program) -> Iterator[str]:
    """Every word of the source, and every text in it with its quotes."""
    for key in looked_at(program):
        with suppress(TooLong):
            for token in tokenize.generate_tokens(io.StringIO(program.source.written(key).text).readline):
                if token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT, tokenize.ERRORTOKEN):
                    yield token.string


def foreign(program: Program) -> set[str]:
    """The words of the source that are not the generator's own."""
    return {word for word in words(program) if not (keyword.iskeyword(word) or OURS.fullmatch(word))} - OWN_WORDS


def test_hostile_names_never_reach_the_source() -> None:
    both = Pair(lower(hostile()))
    assert foreign(both.generated.program) == set()
    for seed in range(10):
        assert both.compare(seed, 5) in {"Failed", "Stopped"}


@pytest.mark.parametrize("where", by_lot(PLACES, "words", 2), ids=lambda where: where.stem)
def test_no_word_of_a_ruleset_reaches_the_source(where: Path) -> None:
    assert foreign(Program(pair(where).walker.flow, pair(where).walker.layout)) == set()


def test_what_is_too_deep_for_python_is_left_to_the_walker() -> None:
    number = Int(0, 1)
    cond: expr.Expr = cores.get("kept", Bool())
    for depth in range(30):
        everyone = expr.All(number)
        cond = expr.Fold(expr.FoldKind.ANY, f"x{depth}", everyone, None, cond, Bool())
    action = cores.action("go", [], [cores.guard("deep", cond)])
    ask = stmt.Decide(cores.point("here"), cores.seat(0), (stmt.Option("go"),), None)
    both = Pair(lower(cores.made((ask,), actions=[action], variables=[cores.state("kept", Bool(), True)])))
    assert both.compare(1, 5) == "Stopped"
    assert both.generated.program.function("legal", 0) is left_to_the_walker


# --- what is asked of many entries or components at once

PLACE, FAR, LEVEL, THING = Int(0, 4), Int(0, 6), Int(0, 4), Elem(COMPONENT, 0, 2)
HERE_AND_THERE = (expr.Place("bag"), expr.Place("line"), expr.Place("pile"), expr.Place("slots"))


def at_once(place: expr.Place) -> Core:
    """Marks and levels side by side, things in zones of every form, of which one is looked into; `k` may lie beyond the
    levels, and nothing may lie first in the line."""
    i, one = expr.Local("i", PLACE), expr.Local("one", THING)
    marked, other = cores.get("mark", Bool(), i), cores.get("other", Bool(), i)
    level, wanted = cores.get("level", LEVEL, i), cores.get("level", LEVEL, cores.get("k", FAR))
    either, every = expr.Or((marked, other)), expr.All(PLACE)
    low = expr.Op(expr.Operator.LE, (level, cores.num(3)), Bool())
    folds: list[expr.Expr] = [
        expr.Fold(expr.FoldKind.ALL, "i", every, None, low, Bool()),
        expr.Fold(expr.FoldKind.ALL, "i", every, either, low, Bool()),
        expr.Fold(expr.FoldKind.ANY, "i", every, marked, cores.eq(level, cores.num(2)), Bool()),
        *(cores.less(expr.Fold(expr.FoldKind.COUNT, "one", expr.Within(place), cores.eq(one, what), None, Int(0, 9)),
                     cores.num(1)) for what in (wanted, expr.At(HERE_AND_THERE[1], cores.num(0), Maybe(THING)))),
        expr.Fold(expr.FoldKind.ANY, "one", expr.Within(place), None, cores.eq(cores.num(1), one), Bool()),
    ]
    total = expr.Fold(expr.FoldKind.SUM, "i", every, either, level, Int(0, 100))
    found = [cores.put("found", fold, cores.num(number)) for number, fold in enumerate(folds)]
    mark = cores.action("mark", [cores.param("i", PLACE, every), cores.param("to", LEVEL, expr.All(LEVEL))], [], (
        cores.put("mark", cores.no(marked), i), cores.put("other", marked, expr.Local("to", LEVEL)),
        cores.put("level", expr.Local("to", LEVEL), i)))
    aim = cores.action("aim", [cores.param("k", FAR, expr.All(FAR))], [
        cores.guard("few", cores.less(expr.Local("k", FAR), cores.get("most", FAR)))], (
        cores.put("k", expr.Local("k", FAR)),))
    ways = zip(HERE_AND_THERE, (*HERE_AND_THERE[1:], HERE_AND_THERE[0]), strict=True)
    moves = [cores.action(f"move{number}", [cores.param("one", THING, expr.Within(source))], [], (
        stmt.Move(one, None, source, to, cores.HERE),)) for number, (source, to) in enumerate(ways)]
    hold = cores.action("hold", [], [cores.guard("few", folds[3])])
    actions = [mark, aim, hold, *moves]
    ask = stmt.Decide(cores.point("here"), cores.seat(0), tuple(stmt.Option(one.name) for one in actions), None)
    again = stmt.Repeat(cores.FOREVER, (ask, cores.put("total", total), *found), None, cores.HERE)
    return cores.made((again,), actions=actions, components=cores.things("bag", 2, 2, 2), variables=[
        cores.state("mark", Bool(), False, PLACE), cores.state("other", Bool(), False, PLACE),
        cores.state("level", LEVEL, 0, PLACE), cores.state("k", FAR, 0), cores.state("most", FAR, 6),
        cores.state("total", Int(0, 100), 0), cores.state("found", Bool(), False, Int(0, 20))], zones=[
        cores.zone("bag", Form.BAG), cores.zone("line", Form.LINE), cores.zone("pile", Form.PILE),
        cores.zone("slots", Form.SLOTS, spots=Elem("spot", 0, 9))], domains=[cores.enum("spot", *range(10))])


@pytest.mark.parametrize("place", HERE_AND_THERE, ids=lambda place: place.zone)
def test_what_is_asked_of_many_at_once_is_what_is_asked_of_each(place: expr.Place) -> None:
    both = Pair(lower(at_once(place)))
    ends = {both.compare(seed, 30) for seed in range(12)}
    assert ends == {"State", "Failed"}
    text = "".join(both.generated.program.source.written(key).text for key in both.generated.program.source.keys())
    for idiom in ("compress(", "max(s[", *([".count(", " in s["] if place.zone in ("bag", "line") else [])):
        assert idiom in text


# --- what lies on spots, looked for at once

SPOT = Elem("spot", 0, 9)


def on_spots() -> Core:
    """Things on spots; conditions on a spot that begin with what lies there, and what is the first of numbers."""
    at, one, n = expr.Local("at", SPOT), expr.Local("one", THING), expr.Local("n", FAR)
    every, numbers = expr.All(SPOT), expr.Numbers(cores.num(0), cores.get("k", FAR))
    also, nothing = expr.Local("also", SPOT), expr.Const(None, Maybe(THING))

    def lies(where: expr.Expr = at) -> expr.Expr:
        return expr.At(expr.Place("slots"), where, Maybe(THING))

    def look(table: str) -> expr.Expr:
        return expr.Look(table, (cores.get("k", FAR),), THING)

    def any_(body: expr.Expr, where: expr.Expr | None = None) -> expr.Expr:
        return expr.Fold(expr.FoldKind.ANY, "at", every, where, body, Bool())

    early = cores.less(at, cores.num(5))
    some = expr.Or((cores.eq(lies(), look("one")), cores.eq(look("two"), lies())))
    taken = cores.no(cores.eq(lies(n), nothing))
    first = expr.Fold(expr.FoldKind.MIN, "n", numbers, taken, None, FAR, cores.num(6))
    last = expr.Fold(expr.FoldKind.MAX, "n", expr.Numbers(cores.num(0), cores.get("k", FAR), True), taken, n, FAR,
                     cores.num(0))
    highest = expr.Fold(expr.FoldKind.MAX, "n", numbers, taken, n, FAR, cores.num(0))
    folds: list[expr.Expr] = [
        any_(expr.And((cores.eq(lies(), cores.num(1)), early))), any_(expr.And((some, early))), any_(some, early),
        any_(expr.And((early, cores.eq(cores.num(2), lies())))), any_(cores.eq(lies(), nothing)),
        any_(expr.Or((early, cores.eq(lies(), cores.num(0)), cores.eq(lies(), cores.num(2))))),
        any_(expr.Let("also", at, expr.After(
            (), expr.And((cores.eq(lies(also), look("two")), early)), Bool()), Bool())),
        any_(early, expr.Op(expr.Operator.EQ, (lies(), lies(cores.get("there", SPOT))), Bool())),
        any_(expr.Let("also", cores.get("there", SPOT), cores.eq(lies(also), cores.num(1)), Bool())),
        *(cores.less(fold, cores.num(2)) for fold in (
            expr.Fold(expr.FoldKind.COUNT, "at", every, some, None, Int(0, 10)), first, last, highest)),
    ]
    where = cores.param("at", SPOT, every)
    lay = cores.action("lay", [cores.param("one", THING, expr.Within(expr.Place("bag"))), where], [
        cores.guard("free", cores.eq(lies(), nothing))], (
        stmt.Move(one, None, expr.Place("bag"), expr.Place("slots", (), at), cores.HERE),))
    lift = cores.action("lift", [cores.param("at", SPOT, expr.Members(expr.Where(
        "at", every, expr.Op(expr.Operator.NOT, (cores.eq(lies(), cores.num(1)),), Bool()), SetOf(SPOT))))], [
        cores.guard("there", some)], (
        stmt.Move(expr.Only(lies(), THING), None, expr.Place("slots", (), at), expr.Place("bag"), cores.HERE),))
    aim = cores.action("aim", [cores.param("n", FAR, expr.All(FAR)), where], [], (
        cores.put("k", n), cores.put("there", at)))
    ask = stmt.Decide(cores.point("here"), cores.seat(0),
                      tuple(stmt.Option(one.name) for one in (lay, lay, lift, aim)), None)
    found = [cores.put("found", fold, cores.num(number)) for number, fold in enumerate(folds)]
    again = stmt.Repeat(cores.FOREVER, (ask, *found), None, cores.HERE)
    return cores.made((again,), actions=[lay, lift, aim], components=cores.things("bag", 3, 3, 3), variables=[
        cores.state("k", FAR, 0), cores.state("there", SPOT, 0), cores.state("found", Bool(), False, Int(0, 20))],
        tables=[Table("one", (FAR,), THING, (0, 1, 2, 0, 1, 2, 0)), Table("two", (FAR,), THING, (2, 2, 2, 1, 1, 1, 0))],
        zones=[cores.zone("bag", Form.BAG), cores.zone("slots", Form.SLOTS, spots=SPOT)],
        domains=[cores.enum("spot", *range(10))])


def test_what_lies_on_spots_is_found_at_once_as_one_by_one() -> None:
    both = Pair(lower(on_spots()))
    for seed in range(12):
        both.compare(seed, 30)
    text = "".join(both.generated.program.source.written(key).text for key in both.generated.program.source.keys())
    for idiom in ("in lying(s[", "in lying_of(s[", "] in k", "break"):
        assert idiom in text
