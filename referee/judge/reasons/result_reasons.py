"""What a game that is over came to, and why: the parts of each score, the conditions that named the winners."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.ruleset import Score
from referee.core.types import Scalar, Value
from referee.game.log.log_lines import EndLine
from referee.game.state import Ended, State, Step
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.deciding_parts import DecidingParts
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import KnownValue
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.reasons.chance.member_conditions import said_of
from referee.judge.reasons.end_reasons import ended_by, how_it_ended
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.values.value_story import ValueStory
from referee.judge.verdict import FailedLine, OpenKind, Reason, WrongKind

MOST_COURSES = 4
"""So many courses that what is open leaves are told of an end."""
MOST_WRONG = 2
"""Of so many scores that are claimed wrongly it is told what made them."""
MOST_MADE = 2
"""So many reasons are told of each of them."""
MOST_PARTS = 16
"""So many parts of a sum are looked at where a score is told."""
MOST_PLAYERS = 6
"""The scores of so many players are told."""
_END = re.compile(r"^end as soon as .*$")
"""How the statement begins that ends a game wherever it stands."""


def false_end(line: EndLine, claims: Sequence[tuple[PossibleState, str | None]], walker: Walker, names: Names,
              reasons: LineReasons) -> FailedLine:
    """The wrong line of an end that claims what is not so in any course of the game."""
    score = walker.flow.core.score
    here, message = claims[0]
    rule, span = ("score", score.origin.span) if score is not None else (None, None)
    cites = score.origin.cites if score is not None else ()
    named = ended_by(here.step, reasons) if isinstance(here.step, Ended) else None
    if named is not None and (score is None or not _are_winners(line, here.step, names)):
        rule, span = _END.sub("end", reasons.words.declaration(named.span)), named.span
    because = tuple(_because(here, line, walker, names, reasons))
    ending = [cite for one in because[:2] for cite in one.cites if one.line is not None]
    said = (_message(claims) or message or "") + _one_of(line, claims)
    return FailedLine(line.number, WrongKind.WRONG_RESULT, "end", said, rule, span,
                      tuple(dict.fromkeys((*cites, *ending))), because=because)


def _are_winners(line: EndLine, step: Step, names: Names) -> bool:
    """Whether a line claims no other winners than there are."""
    return line.winners is None or not isinstance(step, Ended) or (
        set(line.winners) == {names.who(winner) for winner in step.winners})


def _message(claims: Sequence[tuple[PossibleState, str | None]]) -> str | None:
    """What is claimed wrongly in each course that what is open leaves; None if it is the same in all."""
    told = {wrong: here for here, wrong in reversed(claims) if wrong is not None}
    if len(told) < 2:
        return None
    said = [f"if {' and '.join(map(str, here.worlds[0]))}: {wrong}" if here.worlds and here.worlds[0] else wrong
            for wrong, here in islice(reversed(told.items()), MOST_COURSES)]
    return "; ".join(said) + ("; ..." if len(told) > MOST_COURSES else "")


def _one_of(line: EndLine, claims: Sequence[tuple[PossibleState, str | None]]) -> str:
    """That those who are said to have won together are each a choice of the table, which chooses one; else nothing."""
    claimed = set(line.winners or ())
    for here, _ in claims:
        for made in (made for world in here.worlds for made in world):
            if made.open == OpenKind.RULING.value and len(claimed) > 1 and claimed <= set(made.among):
                return f"; at {made.name} the table chooses one of them: the rules offer no win that is shared"
    return ""


def _because(here: PossibleState, line: EndLine, walker: Walker, names: Names,
             reasons: LineReasons) -> Iterator[Reason]:
    """How the game ended and the score of each player; before them what made the scores that are claimed wrongly."""
    step = here.step
    if not isinstance(step, Ended) or reasons.hides:
        return
    scores = [] if walker.flow.core.score is None else [
        found for player in range(min(walker.flow.core.seats.number, MOST_PLAYERS))
        if (found := _score(step.state, walker.flow.core.score, player, walker, names, reasons)) is not None]
    claimed = line.scores or {}
    for whole, _ in [(whole, said) for player, (whole, said) in enumerate(scores)
                     if claimed.get(names.who(player), whole.value) != whole.value][:MOST_WRONG]:
        yield from ValueStory(reasons).of_entries(step.state, whole.reads).because[:MOST_MADE]
    yield from how_it_ended(step, reasons)
    yield from (said for _, said in scores)


@dataclass(frozen=True, slots=True)
class _Summand:
    """A part of a sum, with what names in it stand for. `member`: of a sum over members the one that adds it."""

    expr: Expr
    env: Env
    member: tuple[Value, Scalar] | None = None


def _score(state: State, score: Score, player: int, walker: Walker, names: Names,
           reasons: LineReasons) -> tuple[KnownValue, Reason] | None:
    """The score of a player with its parts, if it is told."""
    deciding = DecidingParts(walker.course.code, RecordingSlots(state.slots))
    env = {score.player: player}
    whole = deciding.known(score.value, env)
    if whole is None or not _told(whole, reasons):
        return None
    summands = tuple(islice(_summands(score.value, env, deciding), MOST_PARTS + 1))
    if len(summands) > MOST_PARTS:
        summands = ()
    shows = [shown for part in summands if (shown := _shown(part, deciding, reasons)) is not None]
    total = names.value(whole.value, score.value.type)
    parts = tuple(shows) if len(shows) > 1 else ()
    text = f"score of {names.who(player)}: {total}"
    return whole, Reason(text, parts, score.origin.cites, score.origin.span)


def _told(value: KnownValue, reasons: LineReasons) -> bool:
    return reasons.sight is None or reasons.sight.sees(value.reads, value.expr)


def _shown(part: _Summand, deciding: DecidingParts, reasons: LineReasons) -> tuple[str, str] | None:
    """A part of a sum in words, with its value."""
    known = deciding.known(part.expr, part.env)
    said = None if known is None or not _told(known, reasons) else reasons.words.value(known)
    if said is None or part.member is None:
        return said
    return said_of(said[0], reasons.words.names.value(*part.member)), said[1]


def _summands(expr: Expr, env: Env, deciding: DecidingParts) -> Iterator[_Summand]:
    """The parts that a value is the sum of, also in a definition; of a sum over members what each of them adds."""
    match expr:
        case Op(op, args):
            if op is not Operator.ADD:
                yield _Summand(expr, env)
                return
            for arg in args:
                yield from _summands(arg, env, deciding)
        case Let(var, value, body):
            known = deciding.known(value, env)
            if known is not None:
                yield from _summands(body, {**env, var: known.value}, deciding)
        case Fold(FoldKind.SUM, var, All(kind), None, body) if body is not None:
            for member in range(kind.lo, kind.hi + 1):
                inner = {**env, var: member}
                known = deciding.known(body, inner)
                if known is not None and known.value:
                    yield _Summand(body, inner, (member, kind))
        case (Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Only() | After()):
            yield _Summand(expr, env)
        case _:
            assert_never(expr)
