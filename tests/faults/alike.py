"""Whether faulty rules play the same games: random ones side by side, and every game from before the fault."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from referee.core.expr import Const, Get, Op, Operator
from referee.core.flow import Ask, Draw, Gather
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Action, Block, Branch, Decide, Each, Origin, Put, Repeat, Stmt
from referee.core.types import Int
from referee.diagnostics.source import Span
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.interruptions import Fault as Failing
from referee.interpreter.interruptions import Unsettled
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from tests.laws.games import setting_for

EVENTS = 400
"""Events of a random game."""
PLACES, POSITIONS = 2, 6
"""So many positions of one game, and of all, from which the fault is come to at once, are looked at in depth."""
EVERY, WIDE = 400, 4_000
"""So many events are tried from each of them, and more if it takes more to try every event there."""
LOTS = 1_000_000
PASSED, NUMBER, NOWHERE = "passed", Int(0, LOTS), Origin(Span("", 1, 1, 1, 1))
COUNT = Put(PASSED, (), Op(Operator.ADD, (Get(PASSED, (), NUMBER), Const(1, Int(1, 1))), NUMBER), NOWHERE)
"""Counts how often the place where it stands is come to."""


@dataclass
class Compared:
    """What came of games of the faulty rules: `broken`, an invariant or law that fails; `differs`, a difference; how
    often the fault was come to, and from how many of the positions before every game of `depth` events is the same."""

    broken: str = ""
    differs: str = ""
    come_to: int = 0
    positions: int = 0
    depth: int | None = None


class Pair:
    """The rules as they are and faulty ones, in one shape."""

    def __init__(self, core: Core, changed: Core, sound: Walker) -> None:
        """Raises ValueError or KeyError if the faulty rules cannot be played."""
        self.sound, self.faulty = sound, engine(lower(changed))
        self._offered = frozenset(name for name, one in core.actions.items()
                                  if name in changed.actions and _asked(one) != _asked(changed.actions[name]))
        self._limited = [zone for zone in core.zones if changed.zones[zone] != core.zones[zone]]
        marked = _marked(core, changed)
        self._marked = None if marked is None else engine(lower(marked))

    def play(self, seed: int, so_far: Compared) -> None:
        """Plays a game of the faulty rules; adds what came of it."""
        random = Random(seed)
        setting = setting_for(self.sound, random)
        try:
            step: Step = self.faulty.begin(setting)
            there: Step | None = self.sound.begin(setting)
            told: Step | None = None if self._marked is None else self._marked.begin(setting)
            deep = 0
            for _ in range(EVENTS):
                if isinstance(step, Failed):
                    so_far.broken = f"law: rules make no errors ({step.code} {step.message})"
                    return
                if not isinstance(step, State):
                    break
                broken = self.faulty.broken(step)
                if broken:
                    so_far.broken = f"invariant: {broken[0].name.replace('_', ' ')}"
                    return
                event = choose(self.faulty, step, random)
                before = there, step
                if isinstance(there, State) and not so_far.differs:
                    if self.sound.check(there, event) is not None:
                        so_far.differs, there = f"{event.label} is legal", None
                    else:
                        there = self.sound.advance(there, event)
                step = self.faulty.advance(step, event)
                if so_far.differs or there is None:
                    continue
                if not _alike(self.faulty, step, self.sound, there):
                    so_far.differs = "the game goes on otherwise"
                come_to, told = self._come_to(before[0], event, told)
                so_far.come_to += come_to
                few = deep < PLACES and so_far.positions < POSITIONS
                if come_to and few and isinstance(before[0], State) and not so_far.differs:
                    deep += 1
                    self._every_game(before[0], before[1], so_far)
            if isinstance(step, Stopped) and isinstance(there, State):
                so_far.differs = so_far.differs or "the game stops"
        except (Failing, Unsettled) as fault:
            so_far.broken = f"law: rules make no errors ({fault})"
        except (ValueError, IndexError, KeyError):
            so_far.broken = "law: somebody can always do something"

    def _come_to(self, there: Step | None, event: Event, told: Step | None) -> tuple[bool, Step | None]:
        """Whether an event comes to where the fault is, and where the marked rules have come to with it."""
        come_to = False
        if self._marked is not None and isinstance(told, State):
            after = self._marked.advance(told, event)
            come_to, told = _marks(self._marked, after) > _marks(self._marked, told), after
        if isinstance(there, State) and not come_to:
            node = self.sound.flow.nodes[there.at]
            ways = (node.alternatives if isinstance(node, Ask) else [one for _, one in node.parts]
                    if isinstance(node, Gather) else [node.alternative] if isinstance(node, Draw) else [])
            come_to = any(one.action in self._offered for one in ways) or any(
                self._is_full(zone, there) for zone in self._limited)
        return come_to, told

    def _is_full(self, name: str, there: State) -> bool:
        zone, entries = self.sound.core.zones[name], self.sound.layout.zones[name]
        most = None if zone.limit is None else self.sound.evaluate(there, zone.limit)
        return isinstance(most, int) and any(
            amount(zone, there.slots[entries.find(key)]) >= most for key in entries.keys())

    def _every_game(self, there: State, step: State, so_far: Compared) -> None:
        """Every game from a position, event by event, as far as so many events reach."""
        layer, depth, tried = [(there, step)], 0, 0
        while layer:
            following: dict[State, tuple[State, State]] = {}
            for one, other in layer:
                for event in self.sound.legal(one):
                    tried += 1
                    if tried > (EVERY if depth else WIDE):
                        if depth:
                            so_far.depth = depth if so_far.depth is None else min(depth, so_far.depth)
                            so_far.positions += 1
                        return
                    if self.faulty.check(other, event) is not None:
                        so_far.differs = f"{event.label} is not legal"
                        return
                    after, faulty = self.sound.advance(one, event), self.faulty.advance(other, event)
                    if not _alike(self.faulty, faulty, self.sound, after):
                        so_far.differs = "a game goes on otherwise"
                        return
                    if isinstance(after, State) and isinstance(faulty, State):
                        following[after] = after, faulty
                for event in self.faulty.legal(other):
                    if self.sound.check(one, event) is not None:
                        so_far.differs = f"{event.label} is legal"
                        return
            layer, depth = list(following.values()), depth + 1
        so_far.positions += 1


def _marks(marked: Walker, step: Step) -> int:
    state = step.state if isinstance(step, Ended | Stopped | Failed) else step
    marks = 0 if state is None else state.slots[marked.layout.vars[PASSED].base]
    return marks if isinstance(marks, int) else 0


def _asked(action: Action) -> object:
    """What an action asks for before it is carried out."""
    return action.params, action.guards


def _marked(core: Core, changed: Core) -> Core | None:
    """The rules as they are, counting how often a statement is come to that differs; None if none differs."""
    def marked(block: Block, other: Block) -> Block:
        if len(block) != len(other):
            at = next((n for n, (one, two) in enumerate(zip(block, other, strict=False)) if one != two), len(other))
            return (*block[:at], COUNT, *block[at:])
        return tuple(stmt for one, two in zip(block, other, strict=True) for stmt in inner(one, two))

    def inner(one: Stmt, two: Stmt) -> Block:
        if one == two:
            return (one,)
        match one, two:
            case (Branch(), Branch()) if one.cond == two.cond:
                return (replace(one, yes=marked(one.yes, two.yes), no=marked(one.no, two.no)),)
            case (Each(), Each()) if one.source == two.source:
                return (replace(one, body=marked(one.body, two.body)),)
            case (Repeat(), Repeat()) if one.until == two.until and one.limit == two.limit:
                return (replace(one, body=marked(one.body, two.body)),)
            case (Decide(), Decide()) if one.options == two.options and one.otherwise and two.otherwise:
                return (replace(one, otherwise=marked(one.otherwise, two.otherwise)),)
            case _:
                return COUNT, one

    setup = marked(core.main[:core.setup], changed.main[:changed.setup])
    found = replace(
        core, setup=len(setup), main=(*setup, *marked(core.main[core.setup:], changed.main[changed.setup:])),
        vars={**core.vars, PASSED: Var(PASSED, (), NUMBER, 0, Role.STATE, NOWHERE)},
        actions={name: replace(one, body=marked(one.body, changed.actions[name].body))
                 for name, one in core.actions.items()},
        procedures={name: replace(one, body=marked(one.body, changed.procedures[name].body))
                    for name, one in core.procedures.items()})
    same = found.main == core.main and found.actions == core.actions and found.procedures == core.procedures
    return None if same else found


def _alike(faulty: Walker, step: Step, sound: Walker, there: Step) -> bool:
    """True if the same can be seen of both; where rules lay their state out alike, equal slots say so at once."""
    if isinstance(step, State) and isinstance(there, State) and faulty.layout == sound.layout:
        if step.slots == there.slots:
            return True
    return _seen(faulty, step) == _seen(sound, there)


def _seen(walker: Walker, step: Step) -> object:
    """What can be seen of where a game stands: every variable and zone of the rules, and who won."""
    if not isinstance(step, State | Ended):
        return type(step)
    state = step if isinstance(step, State) else step.state
    layout = walker.layout
    spreads = [layout.vars[name] for name in walker.core.vars] + [layout.zones[name] for name in walker.core.zones]
    entries = tuple(state.slots[spread.base:spread.base + spread.count] for spread in spreads)
    return entries, step.winners if isinstance(step, Ended) else None
