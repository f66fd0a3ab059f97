"""What a step changes and what it hangs on, compared with what the core says of the nodes that it passed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from referee.core.flow import Flow, Fork, Node, Run, ways_on
from referee.core.read_write_sets import changes, reads
from referee.core.ruleset import Role
from referee.game.event import Event
from referee.game.state import Ended, Failed, Layout, State, Step
from referee.interpreter.walker import Walker
from tests.conformance.known import name_of
from tests.smt.drawn import some


def undeclared(layout: Layout, flow: Flow, pairs: Sequence[tuple[State, State]]) -> Iterator[str]:
    """Variables and zones that were changed between two positions though no node that was passed is said to."""
    for before, after in pairs:
        may = _may_change(flow, before.at)
        found = {name_of(layout, index) for index, (one, other) in enumerate(zip(
            before.slots, after.slots, strict=True)) if one != other}
        if found - may:
            yield f"declared: {sorted(found - may)} changed at {before.at}, said is {sorted(may)}"


def _may_change(flow: Flow, start: int) -> frozenset[str]:
    """What a node may change, with the points that may be passed after it."""
    found, waiting, seen = changes(flow.nodes[start]), [*ways_on(flow.nodes[start])], set[int]()
    while waiting:
        index = waiting.pop()
        node = flow.nodes[index]
        if index not in seen and not isinstance(node, Run | Fork):
            seen.add(index)
            found |= changes(node)
            waiting.extend(ways_on(node))
    return found


def hangs_on_more(walker: Walker, state: State, event: Event, after: Step, random: Random) -> Iterator[str]:
    """Whether the step is another one where something has another value that no node reads that may be passed, and
    none changes only in part."""
    flow, layout = walker.flow, walker.layout
    looked_at = frozenset[str]().union(*(reads(node) | changes(node) for node in _reached(flow, state.at)))
    slots, other = list(state.slots), set[int]()
    for name, var in layout.defs.items():
        if var.role is Role.STATE and name not in looked_at:
            for index in layout.vars[name].entries:
                slots[index] = some(var.type, random)
                other.add(index)
    changed = State(state.at, tuple(slots))
    if walker.check(changed, event) is not None:
        yield f"declared: {event} is refused where only what is not read differs ({sorted(looked_at)} is)"
        return
    found = walker.advance(changed, event)
    if type(found) is not type(after):
        yield f"declared: {type(found).__name__}, not {type(after).__name__}, where only what is not read differs"
    elif not isinstance(after, Failed) and not isinstance(found, Failed):
        one, two = (step.state if isinstance(step, Ended) or not isinstance(step, State) else step
                    for step in (after, found))
        apart = {name_of(layout, index) for index, (left, right) in enumerate(zip(one.slots, two.slots, strict=True))
                 if index not in other and left != right}
        if apart or one.at != two.at:
            yield f"declared: {sorted(apart)} differ where only what is not read does"


def _reached(flow: Flow, start: int) -> list[Node]:
    """The nodes that may be passed from one on to the next points; a point is looked at when the game arrives there."""
    seen, waiting, found = {start}, [start], list[Node]()
    while waiting:
        node = flow.nodes[waiting.pop()]
        found.append(node)
        for index in ways_on(node):
            if index not in seen:
                seen.add(index)
                waiting.append(index)
    return found
