"""What a game that is over came to, and why: the parts of each score, the conditions that named the winners."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
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
from referee.game.log.log_lines import EndLine
from referee.game.state import Ended, State, Step
from referee.interpreter.deciding_parts import DecidingParts
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import KnownValue
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.possible_worlds import PossibleState
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
MOST_PARTS = 8
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


def _score(state: State, score: Score, player: int, walker: Walker, names: Names,
           reasons: LineReasons) -> tuple[KnownValue, Reason] | None:
    """The score of a player with its parts, if it is told."""
    deciding = DecidingParts(walker.course.code, RecordingSlots(state.slots))
    env = {score.player: player}
    whole = deciding.known(score.value, env)
    if whole is None or not _told(whole, reasons):
        return None
    found = (deciding.known(part, env) for part in islice(_summands(score.value), MOST_PARTS))
    shows = [reasons.words.value(one) for one in found if one is not None and _told(one, reasons)]
    total = names.value(whole.value, score.value.type)
    parts = tuple(one for one in shows if one is not None) if len(shows) > 1 else ()
    text = f"score of {names.who(player)}: {total}"
    return whole, Reason(text, parts, score.origin.cites, score.origin.span)


def _told(value: KnownValue, reasons: LineReasons) -> bool:
    return reasons.sight is None or reasons.sight.sees(value.reads, value.expr)


def _summands(expr: Expr) -> Iterator[Expr]:
    """The parts that a value is the sum of."""
    match expr:
        case Op(op, args):
            if op is not Operator.ADD:
                yield expr
                return
            for arg in args:
                yield from _summands(arg)
        case (Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            yield expr
        case _:
            assert_never(expr)
