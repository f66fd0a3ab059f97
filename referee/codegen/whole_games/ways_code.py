"""Source for what is legal at a point, listed for who plays by lot, and for the event that each way is.

Where the only alternative has one argument, and it is asked of all its values at once which are legal, they are the
members of a set. Where each value only asks whether some set is met, one member of each is watched: as long as those
are there, and nothing of what was not met, the list is the one of before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from referee.codegen.code_scope import Name, Scope
from referee.codegen.offer_groups import logged, stored
from referee.codegen.whole_games import at_once
from referee.codegen.whole_games.game_code import RowOffered
from referee.codegen.whole_games.set_code import WIDEST, SetCoder
from referee.codegen.whole_games.set_scope import NotWhole
from referee.codegen.whole_games.ways_listed import KnownEvents, event_rows, watched
from referee.core.expr import All, Domainlike, Expr, Members, Numbers, Within
from referee.core.flow import Alternative
from referee.core.stmt import Param
from referee.interpreter.offers import guards_by_stage
from referee.interpreter.playouts import FEW_LISTED

MOST_WATCHED = 256
"""With more values of the only argument no sets are watched for them, and their events are not made beforehand."""


@dataclass(frozen=True)
class Ways:
    """The names of the list of all ways, of how many they are, and of how many bits that number has. `alone`: each is
    the value of the one argument; else it is the number of the alternative and the arguments."""

    all: str
    number: str
    bits: str
    alone: bool
    few: bool


class WaysOffered(RowOffered):
    """Writes the ways to take what a point offers."""

    code: SetCoder

    def listed(self, begins: Callable[[str], None]) -> Ways:
        """A list of all of them. `begins`: takes a line to be written where the function begins."""
        for one in self._alternatives:
            if any(param.count is not None for param in one.params):
                raise NotWhole("several are taken at once")
            self.entered(one)
        name, number, bits = (self.out.fresh() for _ in range(3))
        ways = Ways(name, number, bits, self._alone() is not None, False)
        asked = self._alone()
        if asked is not None:
            return self._watched(ways, *asked, begins) or self._members(ways, *asked) or self._each(ways)
        return self._each(ways)

    def _alone(self) -> tuple[Param, Expr] | None:
        """The one argument that there is to choose, and what is asked of it."""
        match self._alternatives:
            case [Alternative(params=(param,)) as one] if not one.fixed:
                before, asked = ([guard.cond for guard in some] for some in guards_by_stage(one))
                return (param, asked[0]) if not before and len(asked) == 1 else None
            case _:  # other alternatives, or more to choose
                return None

    def _watched(self, ways: Ways, param: Param, asked: Expr, begins: Callable[[str], None]) -> Ways | None:
        values, scope = _all_of(param.source), self.entered(self._alternatives[0])
        met = None if values is None else at_once.met(
            self.code, asked, {**scope, param.name: Name("", self._bounds(param, scope))}, param.name)
        if met is None or values is None or len(values) > MOST_WATCHED:
            return None
        sets, inside = met
        looked, seen = self.out.fresh(), self.out.fresh()
        begins(f"{looked}, {seen} = 0, -1")
        told = tuple(zip(values, sets, strict=True))
        pairs = self.code.objects.name("k", ("watched", told), told)
        with self.out.block(f"if {looked} & {inside} != {seen}:"):
            call = self.code.objects.name("k", "watch", watched)
            self.out.line(f"{ways.all}, {looked}, {seen} = {call}({pairs}, {inside})")
            self._counted(ways)
        return Ways(ways.all, ways.number, ways.bits, True, True)

    def _members(self, ways: Ways, param: Param, asked: Expr) -> Ways | None:
        scope = self.entered(self._alternatives[0])
        if not _in_order(param.source) or not self._bounds(param, scope).inside(0, WIDEST):
            return None
        with self.out.apart() as piece:
            members = at_once.source(self.code, param.source, scope)
            passing = at_once.condition(self.code, asked, param.name, param.source, scope)
        if members is None or passing is None or piece.raises or piece.leaves:
            return None
        self.out.insert(piece)
        self.out.line(f"{ways.all} = M[{members} & {passing}]")
        self._counted(ways)
        return ways

    def _each(self, ways: Ways) -> Ways:
        self.out.line(f"{ways.all} = []")
        for number, one in enumerate(self._alternatives):

            def add(number: int, scope: Scope) -> None:
                values = [scope[param.name].text for param in self._alternatives[number].params]
                way = values[0] if ways.alone else f"({', '.join((str(number), *values))},)"
                self.out.line(f"{ways.all}.append({way})")

            self._ways(number, 0, self.entered(one), add)
        self._counted(ways)
        return ways

    def _counted(self, ways: Ways) -> None:
        self.out.line(f"{ways.number} = len({ways.all})")
        self.out.line(f"{ways.bits} = {ways.number}.bit_length()")

    # --- of the way that was drawn

    def event(self, ways: Ways, drawn: str) -> str:
        """The event that a way is."""
        told = tuple((one.label, logged(one)) for one in self._alternatives)
        if ways.alone:
            param, seats = self._alternatives[0].params[0], self.code.layout.core.seats.number
            bounds = self._bounds(param, self.entered(self._alternatives[0]))
            if self._me.inside(0, seats - 1) and bounds.inside(0, MOST_WATCHED):
                rows = self.code.objects.name("k", ("events", told, bounds.hi), event_rows(*told[0], seats, bounds.hi))
                return f"{rows}[by][{drawn}]"
        known = self.code.objects.name("k", ("known", told), KnownEvents(told))
        return f"{known}[by, {f'0, {drawn}' if ways.alone else f'*{drawn}'}]"

    def bound(self, ways: Ways, one: Alternative, drawn: str) -> list[str]:
        """What is kept of a way."""
        scope = dict(self._enter(one))
        for at, param in enumerate(one.params, 1):
            scope[param.name] = Name(drawn if ways.alone else f"{drawn}[{at}]", self._bounds(param, scope))
        return [scope[name].text for name in stored(one)]

    def too_many(self, ways: Ways) -> str | None:
        """The condition under which they are too many to draw one of a list."""
        return None if ways.few else f"{ways.number} > {FEW_LISTED}"


def _all_of(source: Domainlike) -> range | None:
    """All that a source has, if that is constant, and in its order."""
    match source:
        case All(of, None, False):
            return range(of.lo, of.hi + 1)
        case All() | Numbers() | Members() | Within():
            return None
        case _:
            assert_never(source)


def _in_order(source: Domainlike) -> bool:
    """Whether members of a set come in the order of the source."""
    match source:
        case All(_, first, down) | Members(_, first, down):
            return first is None and not down
        case Numbers() | Within():
            return False
        case _:
            assert_never(source)
