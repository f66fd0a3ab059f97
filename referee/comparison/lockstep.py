"""Two games beside each other, by two rulesets: where they stand, and what is not the same there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from referee.comparison.correspondence import Correspondence, SharedEvent, in_words
from referee.comparison.side import ComparedSide, SharedOffer, Standpoint, only_state
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.refusals import BAD_ARGUMENT, GUARD

MOST_REASONS = 20
"""Of so many events of a label that only one side allows it is asked why the other does not."""


class PartingKind(Enum):
    """What is not the same."""

    RESULT = "result"  # over in one of them alone, or with another winner or other scores
    ASKED = "asked"  # somebody else acts
    BROKEN = "broken"  # an invariant or limit does not hold in one of them alone
    LEGAL = "legal"  # an event is legal in one of them alone
    CLAIM = "claim"  # an expression that the correspondence names has another value
    STATE = "state"  # a counter or place that both have holds something else


@dataclass(frozen=True, slots=True)
class SidesParting:
    """Something that is not the same in two games after the same events.

    `event`: one that `side` (0: the first) alone allows; `about`: the label, claim or place, or what does not hold in
    `side` alone; `reason`: of the side that does not allow it, or the name of a zone or counter; `values`: of both
    sides; `after`: the label of the last event.
    Partings of the same `cause` are one difference.
    """

    kind: PartingKind
    about: str
    side: int = 0
    event: SharedEvent | None = None
    reason: tuple[str, ...] = ()
    values: tuple[str, str] = ("", "")
    after: str = ""

    @property
    def cause(self) -> tuple[object, ...]:
        """What makes it the same difference as another one."""
        if self.kind is PartingKind.STATE:
            return self.kind, self.after, self.reason
        if self.kind is PartingKind.BROKEN:
            return self.kind, self.about, self.side
        if self.kind is PartingKind.ASKED or self.kind is PartingKind.RESULT:
            return self.kind, self.after, self.about
        return self.kind, self.about, self.side, self.reason

    @property
    def ends(self) -> bool:
        """Whether the two games have nothing more in common."""
        return self.kind in (PartingKind.RESULT, PartingKind.ASKED, PartingKind.BROKEN)


@dataclass(frozen=True, slots=True)
class Both:
    """Where both games stand, and the label of the event that led there (`set-up` at the beginning)."""

    one: Standpoint
    other: Standpoint
    last: str


class Lockstep:
    """Two sides beside each other."""

    def __init__(self, one: ComparedSide, other: ComparedSide, correspondence: Correspondence) -> None:
        self.sides = one, other
        self._scored = all(side.walker.core.score is not None for side in self.sides)
        self._claims = [text for text, _ in correspondence.claims]
        here = {title: spot for title, spot in one.spots({}).items() if correspondence.compares(spot.name)}
        there = other.spots({second: first for first, second in correspondence.same.items()})
        self.spots = [(title, spot, there[title]) for title, spot in here.items() if title in there]

    def begin(self, settings: tuple[Setting, Setting]) -> Both:
        """Both games at their beginning. Raises `TooManyStandpoints`."""
        one, other = (side.begin(setting) for side, setting in zip(self.sides, settings, strict=True))
        return Both(one, other, "set-up")

    def after(self, both: Both, event: SharedEvent) -> Both | None:
        """Both games after an event, None if it is not legal in both. Raises `TooManyStandpoints`."""
        one, other = self.sides
        if not one.ways(both.one, event) or not other.ways(both.other, event):
            return None
        return Both(one.after(both.one, event), other.after(both.other, event), event.do)

    def offers(self, both: Both) -> tuple[SharedOffer, SharedOffer]:
        """What is possible in each."""
        one, other = self.sides
        return one.offer(both.one), other.offer(both.other)

    def common(self, both: Both) -> list[SharedEvent]:
        """The events that are legal in both, as far as they are listed, in the order of the first rules."""
        here, there = self.offers(both)
        _, other = self.sides
        return [event for event in here.ways
                if event in there.ways or (not there.whole and other.ways(both.other, event))]

    def partings(self, both: Both, state: bool = True) -> list[SidesParting]:
        """Everything that is not the same here; `state`: what lies where, too."""
        found = list(self._observed(both))
        if any(one.ends for one in found):
            return found
        return [*found, *(self._shown(both) if state else ())]

    def _observed(self, both: Both) -> Iterator[SidesParting]:
        one, other = self.sides
        over, there_over = one.results(both.one, self._scored), other.results(both.other, self._scored)
        here, there = self.offers(both)
        if over != there_over:
            yield SidesParting(PartingKind.RESULT, _result_kind(over, there_over), after=both.last)
            return
        broken = one.broken(both.one), other.broken(both.other)
        if bool(broken[0]) != bool(broken[1]):
            side = 0 if broken[0] else 1
            yield SidesParting(PartingKind.BROKEN, ", ".join(broken[side]), side, after=both.last)
            return
        who, there_who = ({event.by for event in offer.ways} for offer in (here, there))
        if who != there_who and here.whole and there.whole and not here.several and not there.several:
            yield SidesParting(PartingKind.ASKED, _who(who, there_who), after=both.last)
            return
        for side, (own, foreign) in enumerate(((here, there), (there, here))):
            if not foreign.several:
                yield from self._alone(both, side, own)
        a, b = only_state(both.one), only_state(both.other)
        if self._claims and a is not None and b is not None:
            for text, value, its in zip(self._claims, one.claimed(a), other.claimed(b), strict=True):
                if value != its:
                    values = in_words(value), in_words(its)
                    yield SidesParting(PartingKind.CLAIM, text, values=values, after=both.last)

    def _alone(self, both: Both, side: int, own: SharedOffer) -> Iterator[SidesParting]:
        """The events that one side alone allows, one for each label and reason of the other."""
        foreign, there = self.sides[1 - side], (both.other, both.one)[side]
        asked: dict[str, int] = {}
        seen = set[tuple[object, ...]]()
        for event in own.ways:
            if asked.get(event.do, 0) >= MOST_REASONS or foreign.ways(there, event):
                continue
            asked[event.do] = asked.get(event.do, 0) + 1
            reason = _reason(foreign, there, event)
            found = SidesParting(PartingKind.LEGAL, event.do, side, event, reason, after=both.last)
            if found.cause not in seen:
                seen.add(found.cause)
                yield found

    def _shown(self, both: Both) -> Iterator[SidesParting]:
        """The first place that does not hold the same."""
        a, b = only_state(both.one), only_state(both.other)
        if a is None or b is None:
            return
        one, other = self.sides
        for title, spot, its in self.spots:
            here, there = one.text(a, spot), other.text(b, its)
            if here != there:
                yield SidesParting(PartingKind.STATE, title, reason=(spot.name,), values=(here, there), after=both.last)
                return


def _reason(side: ComparedSide, there: Standpoint, event: SharedEvent) -> tuple[str, ...]:
    """Why a side does not allow an event, as far as it tells one difference from another."""
    own = side.own(event)
    state = next((step for step in there if isinstance(step, State)), None)
    if not isinstance(own, Event) or state is None:
        return ("no such event",)
    refusal = side.walker.check(state, own)
    if refusal is None:
        return ()
    if refusal.kind == GUARD:
        return (GUARD, *(one.guard.text for one in refusal.failed))
    if refusal.kind == BAD_ARGUMENT:
        return (BAD_ARGUMENT, *(one.arg for one in refusal.arguments))
    return (refusal.kind,)


def _result_kind(one: frozenset[tuple[object, ...]], other: frozenset[tuple[object, ...]]) -> str:
    """`end, on`: in which way both go on or are over."""
    return ", ".join("/".join(sorted({str(result[0]) for result in results})) or "on" for results in (one, other))


def _who(one: set[str], other: set[str]) -> str:
    kinds = [{name if name in ("fate", "table") else "player" for name in who} for who in (one, other)]
    return ", ".join("/".join(sorted(names)) for names in kinds)


def ends_here(found: Sequence[SidesParting]) -> bool:
    """Whether nothing that comes after these counts."""
    return any(one.ends or one.kind is PartingKind.STATE for one in found)
