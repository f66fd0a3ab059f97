"""simultaneity: a sentence lists several effects, and at once they come to something else than one after the other.

The effects that one sentence lists are rewritten as if they happened at once, and both games are played side by side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.analysis.position_words import Words
from referee.core.expr import Const, Get, Local
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role
from referee.core.stmt import Bind, Block, Branch, Put, Stmt, is_whole
from referee.core.traverse import inner_blocks, walk, with_blocks
from referee.diagnostics.source import Span
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.native.engine_names import engine
from referee.review.finding import Continuation, Finding, FindingOutcome, absent, bounded
from referee.review.subject import Subject
from referee.review.way_scenes import way_scenes
from referee.simulation.side_by_side import Both, PartedGames, SideBySide
from referee.simulation.state_space import settings
from referee.simulation.witness import Witness

CODE = "simultaneity"
MOST_LISTS, MOST_GAMES, MOST_PAIRS = 16, 60, 4_000
"""Lists of effects that are looked at; further games for each; pairs of positions in a search through all."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Effects that stand one after the other: where, and what they cite in common."""

    span: Span
    owner: str
    puts: tuple[Put, ...]
    cites: tuple[str, ...]


def simultaneity(subject: Subject) -> Iterator[Finding]:
    """Each list of effects of which a later one reads what an earlier one has changed."""
    found = [one for name, block in _blocks(subject.core) for one in lists(subject.core, name, block)]
    lists_ = list({one.span: one for one in found}.values())[:MOST_LISTS]
    if not lists_:
        yield absent(CODE, "no effect of a list reads what another changes")
    for one in lists_:
        yield _Sides(subject, one).finding()


def _blocks(core: Core) -> Iterator[tuple[str, Block]]:
    yield "play", core.main
    yield from ((name, action.body) for name, action in core.actions.items())
    yield from ((name, procedure.body) for name, procedure in core.procedures.items())


def lists(core: Core, owner: str, block: Block) -> Iterator[Listed]:
    """The lists in a block: neighbours that cite a statement in common, or none of which cites any.

    What stands in a branch on a reading is a reading of the question already.
    """
    for index, stmt in enumerate(block):
        if not (isinstance(stmt, Branch) and _is_reading(core, stmt)):
            yield from (one for inner in inner_blocks(stmt) for one in lists(core, owner, inner))
        if _begins(core, block, index):
            puts = _run(core, block[index:])
            if _depends(puts):
                yield Listed(puts[0].origin.span, owner, puts, _common(core, puts[0], puts[1]))


def _is_reading(core: Core, stmt: Branch) -> bool:
    return any(core.vars[name].role is Role.READING for name in variables_of(stmt.cond) if name in core.vars)


def _is_effect(core: Core, stmt: Stmt) -> bool:
    return isinstance(stmt, Put) and not stmt.more and core.vars[stmt.var].role is Role.STATE


def _begins(core: Core, block: Block, index: int) -> bool:
    """True for the first effect of a list: not the last of what is `together`, nor one in the middle."""
    before = block[index - 1] if index else None
    if not _is_effect(core, block[index]) or (before is not None and not is_whole(before)):
        return False
    return not (isinstance(before, Put) and _is_effect(core, before) and _linked(core, before, block[index]))


def _run(core: Core, block: Block) -> tuple[Put, ...]:
    """The first effect of a block with those that are listed with it; tests that are woven in between do not count."""
    found: list[Put] = []
    for stmt in block:
        if isinstance(stmt, Put) and _is_effect(core, stmt) and (not found or _linked(core, found[-1], stmt)):
            found.append(stmt)
        elif not (isinstance(stmt, Branch) and found and _woven(stmt, found[-1])):
            break
    return tuple(found)


def _woven(stmt: Branch, after: Put) -> bool:
    """True for the test of a trigger or an end: its text stands elsewhere."""
    there, here = stmt.origin.span, after.origin.span
    return there.path != here.path or not here.line < there.line < here.line + 20


def _linked(core: Core, one: Put, other: Stmt) -> bool:
    """True if two effects are of one sentence; assumptions are none."""
    if not isinstance(other, Put):
        return False
    return bool(_common(core, one, other)) or not any(core.statements_in(put.origin.cites) for put in (one, other))


def _common(core: Core, one: Put, other: Put) -> tuple[str, ...]:
    return tuple(cite for cite in core.statements_in(one.origin.cites) if cite in other.origin.cites)


def _depends(puts: Sequence[Put]) -> bool:
    """True if a later effect reads an entry that an earlier one changes; none is changed twice."""
    entries = [(put.var, put.keys) for put in puts]
    if len(set(entries)) < len(entries):
        return False
    return any(
        name == earlier.var and (name, keys) != (put.var, put.keys)
        for index, put in enumerate(puts) for name, keys in _entries((put.value, put.keys)) for earlier in puts[:index]
    )  # fmt: skip


def _entries(node: object) -> Iterator[tuple[str, object]]:
    """Every entry of a variable that is read in a node."""
    return ((one.var, one.keys) for one in walk(node, Get))


class _Sides:
    """The rules as they are, and with one list carried out at once."""

    def __init__(self, subject: Subject, listed: Listed) -> None:
        self._subject, self._listed = subject, listed
        self._written = subject.walker
        self._at_once = engine(lower(rewritten(subject.core, listed)))
        self._words = Words(self._written, subject.players)
        self._others = Words(self._at_once, subject.players)
        self._sides = SideBySide[bool](self._written, self._at_once, lambda one: (one, one), self._apart)

    def finding(self) -> Finding:
        """What is known of the list."""
        place = f"{self._listed.owner}.{'_and_'.join(dict.fromkeys(put.var for put in self._listed.puts))}"
        every = settings(self._subject.walker, Setting(self._subject.players))
        if every is not None:
            near, complete = self._near(every)
            if near is not None:
                return self._told(place, *near, True)
            if complete:
                return absent(CODE, "one after the other or at once, every game goes the same way", place)
        games = self._subject.plays.games[: self._subject.plays.told + MOST_GAMES]
        for game in games:
            self._subject.clock.tick()
            apart = self._sides.parted(game.setting, game.events)
            if apart is not None:
                return self._told(place, game.setting, apart, False)
        return bounded(CODE, f"it makes no difference in {len(games)} games", place)

    def _near(self, every: Sequence[Setting]) -> tuple[tuple[Setting, PartedGames[bool]] | None, bool]:
        """The nearest difference, from every setting; and if there is none, whether all positions were looked at."""
        waiting: deque[tuple[Setting, Both, tuple[Event, ...]]] = deque((s, self._sides.begin(s), ()) for s in every)
        seen = set[Both]()
        while waiting:
            setting, now, events = waiting.popleft()
            if self._apart(*now):
                return (setting, PartedGames(events, *now, True)), False
            if now in seen or not isinstance(now[0], State):
                continue
            seen.add(now)
            self._subject.clock.tick()
            if len(seen) > MOST_PAIRS:
                return None, False
            offered = list(self._written.legal(now[0]))
            if isinstance(now[1], State) and set(offered) != set(self._at_once.legal(now[1])):
                return None, False
            for event in offered:
                after = self._sides.after(now, event)
                if after is None:
                    return None, False
                waiting.append((setting, after, (*events, event)))
        return None, True

    def _apart(self, one: Step, other: Step) -> bool | None:
        """True if two steps show something else, else None."""
        if type(one) is not type(other):
            return True
        a, b = (step if isinstance(step, State) else step.state for step in (one, other))
        same = a is None or b is None or self._words.open_to_all(a) == self._others.open_to_all(b)
        return None if same else True

    def _told(self, place: str, setting: Setting, apart: PartedGames[bool], shortest: bool) -> Finding:
        shorter, least = self._sides.shortest(setting, apart.events, self._subject.clock)
        apart = shorter or apart
        puts = self._listed.puts
        spans = (puts[0].origin.span, puts[-1].origin.span)
        one, other = apart.one, apart.other
        written, at_once = way_scenes(self._subject.core, self._words, one, other, others=self._others)
        return Finding(
            CODE, FindingOutcome.FOUND,
            "at once, these effects come to something else than one after the other", place, spans,
            self._listed.cites, Witness(setting, apart.events, shortest, least),
            (Continuation("one after the other, as written", self._words.apart(one, [other]), scene=written),
             Continuation("at once", self._others.apart(other, [one]), scene=at_once)),
            "`together` above them; or a citation of its own for each, if the text says in which order",
        )  # fmt: skip


# ---------------------------------------------------------------------- the same rules, with one list at once
def rewritten(core: Core, listed: Listed) -> Core:
    """The rules with the effects of a list carried out at once: every value is read before the first is written."""
    def block(old: Block) -> Block:
        made: list[Stmt] = []
        for stmt in old:
            if isinstance(stmt, Put) and stmt == listed.puts[0] and stmt.origin == listed.puts[0].origin:
                made.extend(_at_once(listed.puts))
            elif not (isinstance(stmt, Put) and any(stmt is put for put in listed.puts[1:])):
                made.append(inside(stmt))
        return tuple(made)

    def inside(stmt: Stmt) -> Stmt:
        return with_blocks(stmt, block)

    return replace(
        core, main=block(core.main),
        actions={n: replace(a, body=block(a.body)) for n, a in core.actions.items()},
        procedures={n: replace(p, body=block(p.body)) for n, p in core.procedures.items()},
    )  # fmt: skip


def _at_once(puts: Sequence[Put]) -> Iterator[Stmt]:
    written: list[Put] = []
    for number, put in enumerate(puts):
        value, keys = put.value, put.keys
        if not isinstance(value, Const | Local):
            name = f"at once {number}"
            yield Bind(name, value, put.origin)
            value = Local(name, value.type)
        written.append(replace(put, value=value, keys=keys, more=number < len(puts) - 1))
    yield from written
