"""Conditions that the rules tested on the way of a game, in words: what decided, its values, the statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referee.core.expr import Get, Where, Within
from referee.core.flow import Flow
from referee.core.ruleset import Role
from referee.core.traverse import walk
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.deciding_parts import MOST_MEMBERS, whole_set
from referee.interpreter.trace import DecidingPart, KnownValue, TracedFork
from referee.judge.reasons.chance.member_conditions import said_of
from referee.judge.reasons.part_words import PartWords, Shows
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.verdict import Reason

LOOPS = ("rounds ", "for each ", "turns ", "repeat ")
"""How the words for a loop begin."""
_NOT = "not "
_CASE = "depending on "
_NONE = re.compile(r"^(.+) is (not )?none$")
_SAME = re.compile(r"^\S+ is (?:not )?\S+$")


class ForkWords:
    """The words of one game for what its rules tested."""

    def __init__(self, flow: Flow, code: ExpressionClosures, words: RuleWords) -> None:
        self._flow = flow
        self._words = words
        self._parts = PartWords(flow, code, words)

    def told(self, fork: TracedFork, line: int | None) -> Iterator[Reason]:
        """A condition that was tested, with the parts that decided it; nothing if there are no words for it."""
        told = [(self.part(part), part) for part in fork.parts]
        told = [(text, part) for text, part in told if text]
        if not told:
            return
        text, first = max(told, key=lambda one: (self._looks(one[1]), _reads(one[1])))
        whole = None if first.through or not first.values else whole_set(first.expr)
        if whole is not None:
            yield self._every(text, first, whole, fork, line)
            return
        parts = [part for said, part in told if said == text or part.chose]
        held = bool(first.through[0].value) if first.through else first.held
        needed = (not held and (bool(first.through) or self._parts.is_unsaid(first))) or bool(first.closest)
        shows = tuple(one for one in self._parts.shows(parts, needed=needed) if one[0] != text)
        text, shows = self._plain(text, first, (*self._within(first), *shows))
        if not first.through and text.startswith(_NOT):
            text, held = text.removeprefix(_NOT), not held
        text, said, shows = _short(text, held, shows)
        spans = [first.expr.span, *(one.expr.span for one in first.through)]
        cites = (*self._words.all_cites(fork.origin, *spans), *self._declared(parts))
        yield Reason(f"{text}{said}", shows, tuple(dict.fromkeys(cites)), fork.origin.span, line)

    def _every(self, text: str, part: DecidingPart, whole: Where, fork: TracedFork, line: int | None) -> Reason:
        """Who is such, where it was asked whether all are; and what is missing with those who are not."""
        such = part.values[0]
        shows: dict[str, str] = {}
        below = [one for one in part.below if not one.chose]
        for one in below[:MOST_MEMBERS]:
            member = next((self._words.names.value(name.value, name.type) for name in one.names
                           if name.name == whole.var), "it")
            shows.update((said_of(said, member), value) for said, value in self._parts.shows(
                [one], needed=not part.held))
        if len(below) > MOST_MEMBERS:
            shows["and more of them"] = str(len(below) - MOST_MEMBERS)
        who = "all" if part.held else f"only {self._words.names.value(such.value, such.expr.type)}" if (
            such.value) else "none"
        exprs = [expr for one in below for expr in (one.expr, *(use.expr for use in one.through))]
        spans = [expr.span for expr in exprs]
        cites = (*self._words.all_cites(fork.origin, part.expr.span, *spans), *self._declared(below))
        return Reason(f"{text}: {who}", tuple(shows.items()), tuple(dict.fromkeys(cites)), fork.origin.span, line)

    def values(self, parts: Sequence[DecidingPart], *, needed: bool = False) -> Shows:
        """The values in parts that decided something; with `needed` also what they were worked out from."""
        return self._parts.shows(parts, needed=needed)

    def made(self, known: KnownValue) -> Shows:
        """What a value was worked out from."""
        return self._parts.made(known)

    def part(self, part: DecidingPart) -> str:
        """The words of what decided, as the rules first name it."""
        outer = part.through[0] if part.through else None
        return self._words.text(part.expr.span, part.names) if outer is None else (
            self._words.text(outer.expr.span, outer.names))

    def _within(self, part: DecidingPart) -> Shows:
        """Of a definition the one in it that decided."""
        return tuple((self._words.text(one.expr.span, one.names), "yes" if one.value else "no")
                     for one in part.through[1:2])

    def _plain(self, text: str, part: DecidingPart, shows: Shows) -> tuple[str, Shows]:
        """Of cases what they tell apart, and of a comparison of what only names stand for the names with what they
        are."""
        for case in shows:
            if case[0].startswith(_CASE):
                return f"{case[0].removeprefix(_CASE)} is {text}", tuple(
                    (said.removeprefix(_CASE), value) for said, value in shows)
        if part.through or not _SAME.match(text):
            return text, shows
        plain = self._words.text(part.expr.span)
        return (plain if all(said in plain.split() for said, _ in shows) else text), shows

    def _looks(self, part: DecidingPart) -> bool:
        """Whether a part looks at what rules write, and not only at what they have at hand."""
        if part.chose:
            return False
        exprs = (part.expr, *(one.expr for one in part.through))
        return any(True for expr in exprs for _ in walk(expr, Within)) or any(
            self._flow.vars[var.var].role is Role.STATE for expr in exprs for var in walk(expr, Get))

    def _declared(self, parts: Sequence[DecidingPart]) -> Iterator[str]:
        """The statements cited by the readings, parameters and givens that were compared."""
        for part in parts:
            for var in walk(part.expr, Get):
                declared = self._flow.vars[var.var]
                if declared.role in (Role.READING, Role.PARAMETER, Role.GIVEN):
                    yield from declared.origin.cites


def _short(text: str, held: bool, shows: Shows) -> tuple[str, str, Shows]:
    """A condition, whether it held, and its values without those that say the same: of what is nothing or not, what it
    is."""
    shows = tuple(one for one in shows if one[0] != text)
    none = _NONE.match(text)
    if none is not None and len(shows) == 1 and shows[0][0] == none[1]:
        value = shows[0][1]
        return (f"{none[1]} is {value}", "" if (none[2] is None) == held else ", not none", ())
    if text.startswith(LOOPS):
        return text, f": {'over' if held else 'not over'}", shows
    return text, f": {'yes' if held else 'no'}", shows


def _reads(part: DecidingPart) -> bool:
    """Whether a part looks at the position, and not only at what the rules print."""
    return not part.chose and (any(one.reads for one in part.values) or any(map(_reads, part.below)))


def with_before(forks: Sequence[TracedFork]) -> Iterator[TracedFork]:
    """Conditions, each followed by those that were tested to find the values compared in it."""
    for fork in forks:
        yield fork
        yield from with_before(fork.after)
