"""no-chooser, no-order, conflict: the rules leave open which of several it is, and it makes a difference.

Every place where the rules name no chooser, no order or no priority is a point at which the table would rule. It is a
flaw if in some game its candidates lead to different ends; if not, nobody has to hear of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, permutations

from referee.analysis.position_words import Words
from referee.core.flow import Rule
from referee.core.read_write_sets import locals_of, variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Gap, Move, Put, Swap, Unspecified
from referee.core.traverse import blocks, bodies, statements
from referee.core.types import PLAYER, Elem
from referee.frontend.desugaring.simultaneous_effects import NEXT
from referee.game.event import Event
from referee.game.state import State, Step
from referee.review.finding import Continuation, Finding, FindingOutcome, absent, bounded
from referee.review.subject import Subject, Trail
from referee.simulation.divergence import Differ, Divergence
from referee.simulation.guided_search import never_came, not_reached
from referee.simulation.shrinking import replayed

NO_CHOOSER, NO_ORDER, CONFLICT = "no-chooser", "no-order", "conflict"
LOOKED_AT = 150
"""Positions at one point that are looked at for a difference."""
_CLASSES = {
    NO_CHOOSER: (Gap.TIE, Gap.WHOSE), NO_ORDER: (Gap.ORDER, Gap.WAY), CONFLICT: (Gap.ENDS, Gap.ORDER),
}  # fmt: skip
_MESSAGES = {
    Gap.TIE: "several are the best, and the rules do not say who chooses",
    Gap.WHOSE: "the game ends for several at once, and the rules do not say for whom",
    Gap.ENDS: "two rules end the game at once, and neither comes first",
    Gap.WAY: "turns go round the table, and the rules do not say which way",
    Gap.ORDER: "several things happen at once, and their order makes a difference",
}
_LISTED = "`, as listed` after `for each ...`"
_LATER = "`, after those above` on what comes later"
_SETTLES = {
    Gap.TIE: "after it: `, ties: PLAYER chooses`, `, ties: random`, `, ties: all` or `, ties: nobody`",
    Gap.WHOSE: "a condition that holds for one only, or below it `the p in players with the most ..., ties: ... wins`",
    Gap.ENDS: "the second as a case of the first: `else as soon as ...`",
    Gap.WAY: "`turns from ..., to the left` or `, to the right`",
    Gap.ORDER: "`, in order from PLAYER` after `for each ...`",
}


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
    words = Words(subject.walker, subject.players)
    differ = Differ(subject.walker, words, subject.clock)
    _look(subject, points, differ)
    for one in points.values():
        if not one.shown and not one.met:
            _aim(subject, one, differ)
    for name, one in sorted(points.items()):
        if one.found is not None:
            yield _finding(subject, code, name, one, words, differ)
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
    for at, node in enumerate(subject.flow.nodes):
        if isinstance(node, Rule) and node.candidates is not None:
            found.setdefault(node.point.name, _Open(node)).at.add(at)
    return found


def _look(subject: Subject, points: dict[str, _Open], differ: Differ) -> None:
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
        apart, complete = _difference(trail.step, one.node, subject, differ)
        one.complete = one.complete and complete
        if apart is not None:
            one.found = trail, apart


def _aim(subject: Subject, one: _Open, differ: Differ) -> None:
    """Looks for a difference in games that are played toward a point that no other game came to."""
    for game in subject.toward(one.at):
        one.aimed += 1
        one.came += bool(game.came)
        for number, state in game.came:
            apart, _ = _difference(state, one.node, subject, differ)
            if apart is not None:
                one.found = Trail(game.setting, game.events[:number], state, False), apart
                return


def _ways(
    state: State, node: Rule, subject: Subject, differ: Differ
) -> tuple[list[tuple[tuple[Event, ...], Step]], bool]:
    """The ways to rule here, of an order the whole of it, each with what comes of it; and whether these are all."""
    if node.gap is Gap.ORDER:
        return differ.orders(state)
    return [((event,), subject.walker.advance(state, event)) for event in subject.walker.legal(state)], True


def _difference(state: State, node: Rule, subject: Subject, differ: Differ) -> tuple[Divergence | None, bool]:
    ways, complete = _ways(state, node, subject, differ)
    for _, step in ways[1:]:
        compared = differ.compare(ways[0][1], step)
        if compared.apart is not None:
            return compared.apart, False
        complete = complete and compared.complete
    return None, complete


# ---------------------------------------------------------------------- what is told
def _finding(subject: Subject, code: str, name: str, one: _Open, words: Words, differ: Differ) -> Finding:
    assert one.found is not None
    trail, _ = one.found

    def shows(step: Step) -> bool:
        if not isinstance(step, State) or step.at not in one.at:
            return False
        return _difference(step, one.node, subject, differ)[0] is not None

    witness = subject.witness(trail, shows)
    position = trail.step
    if witness is not None:
        position = replayed(subject.walker, witness.setting, witness.events) or position
    assert isinstance(position, State)
    message = _MESSAGES[one.node.gap]
    if code == CONFLICT and one.node.gap is Gap.ORDER:
        message = "two rules hold at once and leave different values in one place, and neither comes first"
    elif one.node.gap is Gap.ORDER and _asked_only(_difference(position, one.node, subject, differ)[0]):
        message = "several decide one after the other, and the rules do not say who comes first"
    origin = one.node.point.origin
    return Finding(
        code, FindingOutcome.FOUND, message, name, (origin.span,), origin.cites, witness,
        tuple(_candidates(position, one.node, subject, words, differ)),
        _settled(subject.core, one.node, subject.places.text(origin.span)), not_reached(witness, one.aimed),
    )  # fmt: skip


def _asked_only(apart: Divergence | None) -> bool:
    """True if nothing is different but who has to act, and what he knows then."""
    return apart is not None and apart.only is not None and not apart.events


def _settled(core: Core, node: Rule, text: str) -> str:
    """The least that could be written to settle it, after what stands there."""
    if node.gap is Gap.TIE and ", ties:" in text:
        return _SETTLES[Gap.TIE].replace("ties: ", "then ")
    if node.gap is Gap.ORDER and len(set(ordered(core, node.point.name))) > 1:
        return _LATER
    of_players = isinstance(node.type, Elem) and node.type.domain == PLAYER
    return _LISTED if node.gap is Gap.ORDER and not of_players else _SETTLES[node.gap]


def _candidates(state: State, node: Rule, subject: Subject, words: Words, differ: Differ) -> Iterator[Continuation]:
    """Each way to rule with its end: followed by the same events as far as it takes to tell two of them apart."""
    ways, _ = _ways(state, node, subject, differ)
    apart = next((a for _, s in ways[1:] if (a := differ.compare(ways[0][1], s).apart) is not None), None)
    further = apart.events if apart is not None else ()
    ends: list[tuple[tuple[Event, ...], Step]] = []
    for events, step in ways:
        for event in further:
            if not isinstance(step, State) or subject.walker.check(step, event) is not None:
                break
            step = subject.walker.advance(step, event)
            events = (*events, event)
        ends.append((events, step))
    for (first, _), (events, step) in zip(ways, ends, strict=True):
        others = [s for _, s in ends if s is not step]
        said = ", then ".join(words.choice(e) for e in first)
        text = f"{said} first" if node.gap is Gap.ORDER and len(first) == 1 else said
        yield Continuation(text, words.apart(step, others), events)


# ---------------------------------------------------------------------- order or conflict
def _is(core: Core, node: Rule, code: str) -> bool:
    """Of an order: a conflict if neither sees what the other does, and both leave a value in the same place."""
    if node.gap is not Gap.ORDER:
        return True
    bodies = ordered(core, node.point.name)
    return _only_overwrite(bodies) == (code == CONFLICT)


def ordered(core: Core, point: str) -> list[Block]:
    """The blocks that are put in order at a point; of a loop its body, once for each of two rounds."""
    for block in bodies(core):
        for inner in blocks(block):
            for index, stmt in enumerate(inner):
                if isinstance(stmt, Unspecified) and stmt.point.name == point:
                    return _cases(inner[index + 2 :])
    return []


def _cases(rest: Block) -> list[Block]:
    """What is chosen from: the cases of what happens by itself, or the body of a loop."""
    found: list[Block] = []
    inner = rest
    while len(inner) == 1 and isinstance(inner[0], Branch) and _tells_apart(inner[0]):
        found.append(inner[0].yes)
        inner = inner[0].no
    return found if len(found) > 1 else [rest, rest]


def _tells_apart(branch: Branch) -> bool:
    return locals_of(branch.cond) == {NEXT}


def _only_overwrite(bodies: list[Block]) -> bool:
    """True if the blocks write to a variable in common, and none reads what another writes."""
    written = [{s.var for s in statements(b, Put)} for b in bodies]
    if len(bodies) < 2 or any(True for b in bodies for _ in statements(b, Move, Swap)):
        return False
    pairs = permutations(range(len(bodies)), 2)
    return bool(set.intersection(*written)) and not any(written[i] & variables_of(bodies[j]) for i, j in pairs)
