"""Why a game is not over yet, and why one is: the conditions of the end, with their values and their statements.

Not over: what `end as soon as` waits for, in the position; else the last condition on the way to it that kept the game
going, with what would then have ended it; else the event after which it would be over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from referee.core.flow import Flow, body_of, ways_on
from referee.core.ruleset import WINNERS, Role
from referee.core.stmt import Block, Branch, Finish, Origin
from referee.core.traverse import statements
from referee.game.event import FATE, TABLE
from referee.game.state import Ended, State, Step
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.step_replay import Entries
from referee.interpreter.trace import NOTHING_READ, Trace, TracedEvent, TracedFork, TracedWrite, TraceEntry, flat
from referee.interpreter.walker import Walker
from referee.judge.reasons.fork_words import LOOPS
from referee.judge.reasons.line_reasons import MOST_SECONDS, LineReasons
from referee.judge.reasons.part_words import Shows
from referee.judge.reasons.sight.seen_steps import SeenStep, is_crossing
from referee.judge.reasons.turning_points import leading_to
from referee.judge.reasons.values.winner_choice import winner_choice
from referee.judge.reasons.way_ahead import WayAhead, lets_choose
from referee.judge.verdict import Reason
from referee.system.deadline import Deadline

MOST_STEPS = 24
"""So many steps back it is looked for what kept the game going."""
MOST_TRIED = 60
"""So many events are tried where it is not known what led to a position."""
MOST_DRAWS = 2
"""So many draws or rulings may lie between a condition and the end that it kept away."""
MOST_CONDITIONS = 3
"""So many conditions on the way to an end are told, the last first."""


def not_over(state: State, reasons: LineReasons) -> tuple[Reason, ...]:
    """What the end of a game waits for that is not over; if that is not found, in what it still is."""
    if reasons.hides:
        return ()
    until = reasons.deadline.computing_within(MOST_SECONDS)
    found = list(_due(state, reasons))
    kept = list(_kept_on(state, reasons, until))
    ahead: list[Reason] = []
    if reasons.sight is None and not until.passed:  # a player may not know where the game stands
        ahead += WayAhead(state, reasons, _ends(reasons.replay.flow)).told()
    # What came within one condition of an end says more than the end that is far away.
    near = any(one.line is None for one in kept)
    told = _once(*found, *(kept if near else ()), *ahead, *kept)
    if not kept and not found:
        told = _once(*told, *_last_event(state, reasons, until))
    return told or reasons.stands(state)


def _once(*reasons: Reason) -> tuple[Reason, ...]:
    """Reasons without those that say the same as one before."""
    found: dict[tuple[str, Shows], Reason] = {}
    for one in reasons:
        found.setdefault((one.text, one.shows), one)
    return tuple(found.values())


def how_it_ended(ended: Ended, reasons: LineReasons) -> tuple[Reason, ...]:
    """The statement that ended a game, and the conditions tested last before it."""
    if reasons.hides:
        return ()
    last = reasons.last_step(ended.state)
    if last is None:
        return ()
    line, won = last.step.line, next((entry for entry in flat(last.trace.entries) if _says_who_won(entry)), None)
    if not isinstance(won, TracedWrite):
        return () if last.cut else tuple(_conditions(last.trace, line, reasons))
    choice = winner_choice(ended.state, won.origin, reasons, line)
    slots = {at: entries for at, _, entries in last.crossings}
    return (reasons.written(won, line), *choice, *_conditions(last.trace, line, reasons, slots))


def ended_by(ended: Ended, reasons: LineReasons) -> Origin | None:
    """The statement that named the winners of a game; None if that is not known, or not told."""
    last = None if reasons.hides else reasons.last_step(ended.state)
    found = () if last is None else (one for one in flat(last.trace.entries) if _says_who_won(one))
    return next((one.origin for one in found if isinstance(one, TracedWrite)), None)


def _says_who_won(entry: TraceEntry) -> bool:
    return isinstance(entry, TracedWrite) and entry.name == WINNERS


def _conditions(trace: Trace, line: int | None, reasons: LineReasons,
                slots: Mapping[int, Entries] | None = None) -> Iterator[Reason]:
    """The last conditions on the way to an end, the last first: those that stand where it is stated who has won.
    `slots`: the entries at nodes of the way, as far as they are known."""
    entries = list(flat(trace.entries))
    at = next((index for index, entry in enumerate(entries) if _says_who_won(entry)), None)
    won = None if at is None else entries[at]
    place = reasons.words.declaration(won.origin.span) if isinstance(won, TracedWrite) else None
    told = 0
    left: int | None = None
    tested: set[int] = set()
    for entry in reversed(entries[:at]):
        if told >= MOST_CONDITIONS:
            return
        if isinstance(entry, TracedFork) and (entry.node in tested or (
                _only_settings(entry, reasons) or _is_inside(entry, left, reasons.replay.flow))):
            continue
        if isinstance(entry, TracedFork) and entry.node is not None:
            tested.add(entry.node)  # of what is tested again and again only the last time has led here
        if isinstance(entry, TracedFork) and place in (None, reasons.words.declaration(entry.origin.span)):
            for one in reasons.fork(entry, line, (slots or {}).get(entry.node if entry.node is not None else -1)):
                if one.text.startswith(LOOPS) and one.text.endswith(": over"):
                    left = entry.node
                told += 1
                yield one
        elif isinstance(entry, TracedEvent) and not entry.asked and entry.event is not None and not entry.only:
            told += 1
            yield reasons.passed(entry, line)


def _is_inside(fork: TracedFork, loop: int | None, flow: Flow) -> bool:
    """Whether a condition belongs to a round of a loop that was left later, which alone says that it is over."""
    if loop is None or fork.node in (None, loop):
        return False
    return fork.node in leading_to(flow, frozenset((loop,))) and loop in leading_to(flow, frozenset((fork.node or 0,)))


def _only_settings(fork: TracedFork, reasons: LineReasons) -> bool:
    """Whether a condition asks for nothing but a reading, a parameter or a given: `under` tells these."""
    declared = [reasons.replay.flow.vars.get(reasons.replay.name_of(index)[0]) for index in fork.reads]
    return bool(declared) and all(
        one is not None and one.role in (Role.READING, Role.PARAMETER, Role.GIVEN) for one in declared)


# ---------------------------------------------------------------------- `end as soon as`
def _due(state: State, reasons: LineReasons) -> Iterator[Reason]:
    """What `end as soon as` waits for at a position, each part by itself."""
    deciding = reasons.replay.deciding(state)
    for branch in _cases(reasons.replay.flow.core.ending):
        if reasons.sight is not None and not reasons.sight.sees(reasons.reads(state, [branch.cond]), branch.cond):
            continue
        parts = deciding.of(branch.cond, {})
        whole = TracedFork(branch.cond, False, parts, NOTHING_READ, branch.origin)
        for part in parts:
            if not part.held:
                yield from reasons.fork(replace(whole, parts=(part,)), None)


def _cases(ending: Block) -> Iterator[Branch]:
    """The conditions of an `end as soon as` and of its `else as soon as`."""
    inside = {id(inner) for one in statements(ending, Branch) for inner in statements(one.yes, Branch)}
    return (one for one in statements(ending, Branch) if id(one) not in inside)


# ---------------------------------------------------------------------- the end of the course of play
def _kept_on(state: State, reasons: LineReasons, until: Deadline) -> Iterator[Reason]:
    """The last condition that kept the game going where it would have ended else, and what would have ended it."""
    replay = reasons.replay
    anyway = {branch.origin for branch in _cases(replay.flow.core.ending)}
    near = leading_to(replay.flow, _ends(replay.flow))
    for seen in reasons.back(state, MOST_STEPS, until):
        line = seen.step.line
        inside = next((entry for entry in reversed(list(flat(seen.trace.entries)))
                       if isinstance(entry, TracedFork) and entry.kept_on and entry.origin not in anyway), None)
        for fork, _, other, slots in _passed(seen, reasons):
            led = _led(other, slots, reasons) if other in near and not until.passed else None
            if led is not None:
                yield from _not_reached(fork, seen.trace, line, reasons)
                yield from reasons.stayed(fork, line)
                yield from _by(led, reasons, "otherwise")
                return
        inside = inside or next((fork for fork, taken, other, _ in _passed(seen, reasons)
                                 if other in near and taken not in near), None)
        if inside is not None:
            yield from reasons.stayed(inside, line)
            return


def _passed(seen: SeenStep, reasons: LineReasons) -> Iterator[tuple[TracedFork, int, int, Entries]]:
    """The forks between runs that a step passed, the last first, as far as the entries there are kept, with the way
    taken and the other one."""
    crossed = [entry for entry in seen.trace.entries if is_crossing(entry)]
    for fork, (at, after, slots) in zip(reversed(crossed), reversed(seen.crossings), strict=False):
        if isinstance(fork, TracedFork) and at == fork.node and after is not None:
            other = next((way for way in ways_on(reasons.replay.flow.nodes[at]) if way != after), after)
            yield fork, after, other, slots


def _led(at: int, slots: Entries, reasons: LineReasons) -> Trace | None:
    """The way from a node, if it leads to an end of the game, where chance and the table alone come between."""
    step = reasons.seen.known(lambda: reasons.seen.otherwise(at, slots))
    if isinstance(step, State) and reasons.sight is None:
        start = step
        step = reasons.seen.known(lambda: _by_chance(start, reasons.replay.plain))
    return reasons.replay.way(at, slots) if isinstance(step, Ended) else None


def _by_chance(state: State, walker: Walker) -> Step:
    """Where draws and rulings alone lead, the first of each."""
    step: Step = state
    for _ in range(MOST_DRAWS):
        event = next(walker.legal(step), None) if isinstance(step, State) and (
            walker.who(step) in ({FATE}, {TABLE})) else None
        if not isinstance(step, State) or event is None:
            break
        step = walker.advance(step, event)
    return step


def _ends(flow: Flow) -> frozenset[int]:
    """The runs that end the game by a statement of the course of play."""
    anyway = {one.origin for one in statements(flow.core.ending, Finish)}
    return frozenset(index for index, node in enumerate(flow.nodes)
                     if any(one.origin not in anyway for one in statements(body_of(node), Finish)))


def _by(trace: Trace, reasons: LineReasons, when: str) -> Iterator[Reason]:
    """The conditions on a way to an end that was not taken."""
    for one in _conditions(_deciding_on(trace, reasons.replay.flow), None, reasons):
        yield replace(one, text=f"{when} it would be over: {one.text}")


def _deciding_on(trace: Trace, flow: Flow) -> Trace:
    """A way without the conditions that only options decide, which say nothing of an end that has not come, and without
    those beside which the game would be over as well."""
    return replace(trace, entries=tuple(
        one for one in trace.entries if not isinstance(one, TracedFork) or (
            (one.reads or one.inside) and not _is_over_anyway(one, flow))))


def _is_over_anyway(fork: TracedFork, flow: Flow) -> bool:
    """Whether a condition decides nothing of whether the game is over: it ends without a decision of a player,
    whatever holds."""
    if fork.node is None:
        return not any(map(_says_who_won, flat(fork.inside)))
    ends, found, waiting = _ends(flow), set[int](), [*ways_on(flow.nodes[fork.node])]
    while waiting:
        index = waiting.pop()
        if index not in found:
            if lets_choose(flow.nodes[index]):
                return False
            found.add(index)
            waiting.extend(() if index in ends else ways_on(flow.nodes[index]))
    return True


def _not_reached(fork: TracedFork, trace: Trace, line: int | None, reasons: LineReasons) -> Iterator[Reason]:
    """The last condition before a fork that kept from it what it compares."""
    read = {reasons.replay.name_of(index)[0] for index in fork.reads}
    before: TracedFork | None = None
    for entry in flat(trace.entries):
        if entry is fork:
            break
        if isinstance(entry, TracedFork) and entry.kept_away & read and entry.origin.cites:
            before = entry
    if before is not None:
        yield from reasons.fork(before, line)


# ---------------------------------------------------------------------- one event more
def _last_event(state: State, reasons: LineReasons, until: Deadline) -> Iterator[Reason]:
    """An event after which the game would be over, with what would end it."""
    if reasons.sight is not None:
        return
    try:
        events = list(islice(reasons.replay.plain.legal(state), MOST_TRIED))
    except (Unsettled, Fault):
        return
    for event in events:
        if until.passed:
            return
        try:
            trace = reasons.replay.step(state, event)
        except (Unsettled, Fault, ValueError):
            continue
        if isinstance(trace.step, Ended):
            yield Reason(f"after {reasons.event(event)} it would be over")
            yield from _by(trace, reasons, "then")
            return
