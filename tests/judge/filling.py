"""The slow and obvious way to judge a log with holes: fill them in every way, and judge each log without holes."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from referee.core.ruleset import Core
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.game.event import Event
from referee.game.log.header_setting import setting_of
from referee.game.log.log_lines import EventLine
from referee.game.log.log_reader import Log
from referee.game.signatures import Signatures
from referee.game.value_codec import decode_event, encode_value
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.verdict import LogOutcome, WrongKind

Lines = list[dict[str, Any]]
CLAIMS = (WrongKind.BROKEN_CLAIM, WrongKind.WRONG_RESULT, WrongKind.EARLY_END, WrongKind.BROKEN_INVARIANT)


@dataclass
class Said:
    """`lines`: what is said of each line (`unsure`: legal or possible); `ways`: how often holes can be filled (None:
    too often to count); `wrong`: the first wrong line."""

    lines: list[str]
    ways: int | None
    wrong: int | None


def read(lines: Lines) -> Log:
    return Log(io.StringIO("".join(f"{json.dumps(line)}\n" for line in lines)), "game.jsonl")


def by_judge(walker: Walker, lines: Lines) -> Said | None:
    """What the judge says, None if it cannot."""
    log = read(lines)
    judge = Judge(walker, setting_of(log.header, walker.core))
    said: list[str] = []
    for line in log:
        known = len(judge.found)
        judge.feed(line)
        if judge.halt is not None:
            assert judge.halt.outcome is LogOutcome.UNKNOWN
            return None
        if len(judge.found) > known:
            said.append("claim" if judge.found[-1].wrong.kind in CLAIMS else "illegal")
            if said[-1] == "illegal":
                break
            continue
        ways = None if judge.holes is None else judge.holes.branches
        said.append("legal" if ways is None else "possible" if line.number in ways.narrowing
                    else "unsure" if line.number in ways.unsure else "legal")
    wrong = [found.wrong.line for found in judge.found[:1]]
    if judge.holes is None:
        return Said(said, 1, min(wrong, default=None))
    branches = judge.holes.branches
    broken = branches.broken()
    wrong += [] if broken is None else [broken.wrong.line]
    for number in branches.doubtful():
        said[number - 2] = "claim"
    return Said(said, branches.ways, min(wrong, default=None))


def by_hand(walker: Walker, lines: Lines) -> Said:
    """Every filling is judged as a log of its own; the verdicts follow from their definitions."""
    core, head = walker.core, lines[0]
    setting = setting_of(read(lines).header, core)
    worlds: list[tuple[tuple[object, ...], Judge, frozenset[int]]] = [((), Judge(walker, setting), frozenset())]
    said: list[str] = []
    wrong: list[int] = []
    for number, raw in enumerate(lines[1:], 2):
        after = []
        for values, _, _ in worlds:
            filled = [(one, events) for one, events in _fillings(core, setting.players, raw)]
            for key, line in filled:
                judge, broken, legal = _judged(walker, head, [*_texts(values), line])
                if legal:
                    after.append((_known(values, key, line), judge, broken))
        keys = {_keys(values)[:-1] for values, _, _ in after}
        before = {_keys(values) for values, _, _ in worlds}
        if not after:
            said.append("illegal")
            wrong.append(number)
            break
        said.append("legal" if keys == before else "possible")
        worlds = list({_keys(world[0]): world for world in after}.values())
    marks = [broken for _, _, broken in worlds]
    for number in frozenset().union(*marks):
        said[number - 2] = "claim"
    if all(marks):
        wrong.append(max(min(broken) for broken in marks))
    return Said(said, len(worlds), min(wrong, default=None))


def facts_by_hand(walker: Walker, lines: Lines) -> dict[tuple[int, str], tuple[bool, tuple[str, ...]]]:
    """Of each argument with holes, by line and name: whether it is several; the values it may have, or, of several,
    what is among them however the holes are filled."""
    core, head = walker.core, lines[0]
    setting = setting_of(read(lines).header, core)
    worlds: list[Lines] = [[]]
    for raw in lines[1:]:
        filled = [line for _, line in _fillings(core, setting.players, raw)]
        worlds = [[*world, line] for world in worlds for line in filled if _judged(walker, head, [*world, line])[2]]
    found = {}
    for at, raw in enumerate(lines[1:]):
        for name, value in raw.get("with", {}).items():
            if any(world[at]["with"][name] != value for world in worlds):
                found[at + 2, name] = _in_all([world[at]["with"][name] for world in worlds])
    return found


def _in_all(values: list[Any]) -> tuple[bool, tuple[str, ...]]:
    if not isinstance(values[0], list):
        return False, tuple(sorted({str(value) for value in values}))
    sure = Counter(map(str, values[0]))
    for value in values[1:]:
        sure &= Counter(map(str, value))
    return True, tuple(sorted(sure.elements()))


def _known(values: tuple[Any, ...], key: object, line: Any) -> tuple[Any, ...]:
    return (*values, (key, line))


def _texts(values: tuple[Any, ...]) -> Lines:
    return [line for _, line in values]


def _keys(values: tuple[Any, ...]) -> tuple[object, ...]:
    return tuple(key for key, _ in values)


def _judged(walker: Walker, head: dict[str, Any], lines: Lines) -> tuple[Judge, frozenset[int], bool]:
    """The judge of a log without holes, the lines with broken claims, and whether its moves are legal."""
    log = read([head, *lines])
    judge = Judge(walker, setting_of(log.header, walker.core))
    for line in log:
        judge.feed(line)
    assert judge.halt is None
    kinds = [(found.wrong.line, found.wrong.kind) for found in judge.found]
    broken = frozenset(number for number, kind in kinds if kind in CLAIMS)
    return judge, broken, all(kind in CLAIMS for _, kind in kinds)


def _fillings(core: Core, players: tuple[str, ...], raw: dict[str, Any]) -> list[tuple[object, dict[str, Any]]]:
    """The lines that a line with holes may stand for, each with what tells it from the others."""
    line = next(iter(read([{"schema": "referee/log/1", "ruleset": "x", "players": list(players)}, raw])))
    if not isinstance(line, EventLine) or not line.holes:
        return [("", raw)]
    names = list(line.args)
    ways = [_values(core, players, _kinds(core, raw, name), line.args[name]) for name in names]
    found: dict[object, dict[str, Any]] = {}
    for values in product(*ways):
        filled = {**raw, "with": dict(zip(names, values, strict=True))}
        event = decode_event(core, setting_of(read([{"schema": "referee/log/1", "ruleset": "x",
                                                     "players": list(players)}]).header, core), filled)
        if isinstance(event, Event):
            found.setdefault(event, filled)
    return list(found.items())


def _values(core: Core, players: tuple[str, ...], kinds: tuple[Type, ...], raw: Any) -> list[Any]:
    match raw:
        case "?":
            return [value for kind in kinds for value in _all(core, players, kind)]
        case {"in": list(among)}:
            return [value for one in among for value in _values(core, players, kinds, one)]
        case list(parts):
            inner = tuple(kind.of for kind in kinds if isinstance(kind, SetOf | Many))
            return [list(one) for one in product(*(_values(core, players, inner, part) for part in parts))]
        case _:
            return [raw]


def _all(core: Core, players: tuple[str, ...], kind: Type) -> list[Any]:
    match kind:
        case Bool():
            return [False, True]
        case Int(lo, hi):
            return list(range(lo, hi + 1))
        case Elem(_, lo, hi):
            return [encode_value(core, players, kind, one) for one in range(lo, hi + 1)]
        case Maybe(of):
            return [None, *_all(core, players, of)]
        case SetOf(of) | Many(of):
            one = _all(core, players, of)
            return [list(some) for number in range(4) for some in product(one, repeat=number)]


def holed(random: Random, lines: Lines, core: Core, players: tuple[str, ...], share: float, damage: bool) -> Lines:
    """The log with holes in the place of some values, maybe with something wrong in it."""
    found: Lines = json.loads(json.dumps(lines))
    events = [line for line in found[1:] if "do" in line]
    if damage and events:
        _damage(random, found, events, core, players)
    for line in found[1:]:
        for name, value in line.get("with", {}).items():
            if name != "point" and random.random() < share:
                line["with"][name] = _hole(random, value, core, players, line, name)
    return found


def _damage(random: Random, lines: Lines, events: Lines, core: Core, players: tuple[str, ...]) -> None:
    line = random.choice(events)
    match random.randrange(4):
        case 0 if line.get("with"):
            name = random.choice(sorted(line["with"]))
            line["with"][name] = _other(random, core, players, line, name)
        case 1:
            lines.remove(line)
        case 2:
            lines.insert(lines.index(line), json.loads(json.dumps(line)))
        case _:
            line["by"] = random.choice([*players, "fate"])


def _kinds(core: Core, line: dict[str, Any], name: str) -> tuple[Type, ...]:
    known = Signatures.of(core)
    if line["do"] == "rule":
        return (known.rulings[line["with"]["point"]],) if name == "choice" else ()
    return known.labels.get(line["do"], {}).get(name, ())


def _other(random: Random, core: Core, players: tuple[str, ...], line: dict[str, Any], name: str) -> Any:
    kinds = _kinds(core, line, name)
    if not kinds:
        return line["with"][name]
    return random.choice(_all(core, players, random.choice(kinds)))


def _hole(random: Random, value: Any, core: Core, players: tuple[str, ...], line: dict[str, Any], name: str) -> Any:
    match random.randrange(3):
        case 0:
            return {"in": random.sample([value, _other(random, core, players, line, name)], random.choice([1, 2]))}
        case 1 if isinstance(value, list) and value:
            return ["?" if random.random() < 0.6 else one for one in value]
        case _:
            return "?"
