"""no-chooser, no-order, conflict: the rules leave open which of several it is, and it makes a difference.

Every place where the rules name no chooser, no order or no priority is a point at which the table would rule. It is a
flaw if in some game its candidates lead to different ends; if not, nobody has to hear of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from referee.analysis.position_words import Words
from referee.core.flow import Rule
from referee.core.ruleset import Core
from referee.core.stmt import Gap
from referee.game.state import State, Step
from referee.review.finding import Finding, FindingOutcome, absent, bounded
from referee.review.open_rulings import OpenRulings, is_conflict, points_of, settled
from referee.review.subject import Subject, Trail
from referee.simulation.divergence import Divergence
from referee.simulation.guided_search import never_came, not_reached
from referee.simulation.shrinking import replayed

NO_CHOOSER, NO_ORDER, CONFLICT = "no-chooser", "no-order", "conflict"
LOOKED_AT = 150
"""Positions at one point that are looked at for a difference."""
_CLASSES = {
    NO_CHOOSER: (Gap.TIE, Gap.WHOSE), NO_ORDER: (Gap.ORDER, Gap.WAY), CONFLICT: (Gap.ENDS, Gap.ORDER),
}  # fmt: skip


@dataclass(slots=True)
class _Open:
    """A point at which the table would rule: where it stands in the flow, and what is known of it."""

    node: Rule
    at: set[int] = field(default_factory=set)
    met: int = 0
    looked_at: int = 0
    complete: bool = True
    found: tuple[Trail, Divergence | None] | None = None
    aimed: int = 0
    came: int = 0

    @property
    def shown(self) -> bool:
        """True if a game shows it that begins with set-up."""
        return self.found is not None and self.found[0].tale is None


def no_chooser(subject: Subject) -> Iterator[Finding]:
    """Ties that nobody breaks, and ends that come for several."""
    return _of_class(subject, NO_CHOOSER)


def no_order(subject: Subject) -> Iterator[Finding]:
    """Things that happen at once, one of which sees what the other has done."""
    return _of_class(subject, NO_ORDER)


def conflict(subject: Subject) -> Iterator[Finding]:
    """Things that happen at once and leave different values in one place; ends that name different winners."""
    return _of_class(subject, CONFLICT)


def _of_class(subject: Subject, code: str) -> Iterator[Finding]:
    points = {
        name: one for name, one in _points(subject).items()
        if one.node.gap in _CLASSES[code] and _is(subject.core, one.node, code)
    }  # fmt: skip
    if not points:
        yield absent(code, "nothing of the kind is left open")
        return
    rulings = OpenRulings(subject.walker, Words(subject.walker, subject.players), subject.clock)
    _look(subject, points, rulings)
    for one in points.values():
        if not one.shown and not one.met:
            _aim(subject, one, rulings)
    for name, one in sorted(points.items()):
        if one.found is not None:
            yield _finding(subject, code, name, one, rulings)
        elif one.complete and subject.space.whole:
            yield absent(code, _silent(one, subject), name)
        else:
            yield bounded(code, _silent(one, subject), name)


def _silent(one: _Open, subject: Subject) -> str:
    if one.came:
        return f"it comes up in {one.came} of {one.aimed} games played toward it, and no difference was seen"
    if not one.met:
        return f"it never comes up in {subject.seen}" + never_came(one.aimed)
    tried = "" if one.looked_at == one.met else f", {one.looked_at} were looked at"
    return f"it comes up {one.met} times in {subject.sampled}{tried}, and no difference was seen"


def _points(subject: Subject) -> dict[str, _Open]:
    found: dict[str, _Open] = {}
    for at, node in points_of(subject.flow):
        found.setdefault(node.point.name, _Open(node)).at.add(at)
    return found


def _look(subject: Subject, points: dict[str, _Open], rulings: OpenRulings) -> None:
    """Looks for a difference at each point, in near positions first."""
    of = {at: one for one in points.values() for at in one.at}
    for trail in chain(subject.trails(), subject.middle()):
        one = of.get(trail.step.at) if isinstance(trail.step, State) else None
        if one is None or one.found is not None:
            continue
        one.met += trail.tale is None
        if one.met > LOOKED_AT:
            one.complete = False
            continue
        one.looked_at += trail.tale is None
        assert isinstance(trail.step, State)
        apart, complete = rulings.difference(trail.step, one.node)
        one.complete = one.complete and complete
        if apart is not None:
            one.found = trail, apart


def _aim(subject: Subject, one: _Open, rulings: OpenRulings) -> None:
    """Looks for a difference in games that are played toward a point that no other game came to."""
    for game in subject.toward(one.at):
        one.aimed += 1
        one.came += bool(game.came)
        for number, state in game.came:
            apart, _ = rulings.difference(state, one.node)
            if apart is not None:
                one.found = Trail(game.setting, game.events[:number], state, False), apart
                return


# ---------------------------------------------------------------------- what is told
def _finding(subject: Subject, code: str, name: str, one: _Open, rulings: OpenRulings) -> Finding:
    assert one.found is not None
    trail, _ = one.found

    def shows(step: Step) -> bool:
        if not isinstance(step, State) or step.at not in one.at:
            return False
        return rulings.difference(step, one.node)[0] is not None

    witness = subject.witness(trail, shows)
    position = trail.step
    if witness is not None:
        position = replayed(subject.walker, witness.setting, witness.events) or position
    assert isinstance(position, State)
    message = rulings.message(position, one.node, overwrites=is_conflict(subject.core, one.node))
    origin = one.node.point.origin
    return Finding(
        code, FindingOutcome.FOUND, message, name, (origin.span,), origin.cites, witness,
        tuple(rulings.candidates(position, one.node)),
        settled(subject.core, one.node, subject.places.text(origin.span)), not_reached(witness, one.aimed),
    )  # fmt: skip


def _is(core: Core, node: Rule, code: str) -> bool:
    return node.gap is not Gap.ORDER or is_conflict(core, node) == (code == CONFLICT)
