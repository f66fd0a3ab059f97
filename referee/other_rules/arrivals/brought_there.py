"""Another answer: what happens at a place happens too to who or what another rule brings there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import All, Const, Expr, Get, Local
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Bind, Block, Branch, Call, Decide, Each, Put, Stmt
from referee.core.traverse import drawn_actions, in_play, rewrite, statements, walk, with_blocks
from referee.core.types import PLAYER, Bool, Elem
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.arrivals.arrival_effects import Arrivals
from referee.other_rules.arrivals.renamed_copies import names_given_in, renamed
from referee.other_rules.arrivals.what_follows import ME, Arrival, Mover
from referee.other_rules.forms import as_a
from referee.other_rules.tracks.places_on_tracks import LED_ON

ALSO_BROUGHT = "also_when_brought_there"
WHO, OF_THE_COPY, BROUGHT = "who is brought there", "of what happens there too", "was brought there"
_Planned = dict[int, list[tuple[Mover, Arrival]]]


def with_effects_of_being_brought(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect that stands behind a move, and hangs on where that leads; for another answer it comes
    also where another sentence brings somebody or something there."""
    return _Brought(core, others).made()


class _Brought:
    """The moves of one core that nothing happens behind, though it does behind others.

    Most effects are done once more right behind such a move. One that may lead to the move again is done behind itself,
    for whom that has moved since.
    """

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._arrivals = arrivals = Arrivals(core)
        self._drawn = {f"action {name}" for name in drawn_actions(core)}
        self._led = {body: set(arrivals.bodies.reached(block)) for body, block in arrivals.bodies.blocks.items()}
        self._at_once: _Planned = {}
        self._later: _Planned = {}
        self._noted: dict[str, Var] = {}
        for mover in arrivals.movers:
            for arrival in arrivals.arrivals:
                if arrival.goal == mover.goal and arrivals.are_apart(arrival, mover) and self._can_be(mover, arrival):
                    self._plan(mover, arrival)

    def made(self) -> Core:
        """The rules with this answer; set-up is left as it is."""
        if not self._at_once and not self._later:
            return self._core
        made = in_play(self._core, self._block)
        return replace(made, vars={**made.vars, **self._noted})

    # ------------------------------------------------------------------ which
    def _can_be(self, mover: Mover, arrival: Arrival) -> bool:
        """Whether an effect does not stand behind a move, and all that it goes by can be said there."""
        put = as_a(mover.stmt, Put)
        start = self._core.vars[mover.goal].start if put is not None else None
        if put is not None and any(one is put.value and one.value == start for one in walk(put.value, Const)):
            return False  # sent back to the start
        if mover.where == arrival.where and any(one is mover.stmt for one in statements((arrival.effect,))):
            return False  # asked of what leads somebody on
        asked = next(walk(arrival.effect, Decide), None) or next(walk(arrival.effect, Call), None)
        if self._arrivals.bodies.follows(arrival, mover) or (asked and mover.body in self._drawn):
            return False
        free = self._unsaid(arrival)
        return not free or (free == {ME} and mover.body.startswith("action "))

    def _plan(self, mover: Mover, arrival: Arrival) -> None:
        led = self._arrivals.bodies.reached((arrival.effect,))
        if mover.body not in led and not any(mover.body in self._led[one] for one in led):
            for body, reached in self._led.items():
                if body == mover.body or mover.body in reached:
                    reached |= led
            self._at_once.setdefault(id(mover.stmt), []).append((mover, arrival))
        elif any(one.domain == PLAYER for one in walk(mover.where.type, Elem)):
            self._later.setdefault(id(mover.stmt), []).append((mover, arrival))

    def _unsaid(self, arrival: Arrival) -> frozenset[str]:
        """The names that an effect goes by and that nothing says elsewhere; who acts is `me`."""
        used = locals_of((arrival.effect, tuple(one.value for one in arrival.binds)))
        used -= names_given_in((*arrival.binds, arrival.effect)) | locals_of(arrival.where)
        return frozenset(ME if self._arrivals.bodies.is_who_acts(arrival.body, one) else one for one in used)

    # ------------------------------------------------------------------ made
    def _block(self, block: Block) -> Block:
        return tuple(made for stmt in block for made in self._with_copies(stmt))

    def _with_copies(self, stmt: Stmt) -> Iterator[Stmt]:
        copies = list[Stmt]()
        for mover, arrival in self._at_once.get(id(stmt), ()):
            test = self._test(mover, arrival)
            if test is not None:
                if not copies:
                    yield Bind(WHO, mover.where, mover.origin)
                copies.append(Branch(test, self._copy(arrival, mover.where), (), mover.origin))
        for mover, arrival in self._later.get(id(stmt), ()):
            test = self._test(mover, arrival)
            if test is not None:
                note = Put(self._note(mover, arrival), (mover.where,), typed_operators.TRUE, mover.origin)
                copies.append(Branch(test, (note,), (), mover.origin))
        yield with_blocks(stmt, self._block)
        yield from copies
        for planned in self._later.values():
            for mover, arrival in planned:
                test = self._test(mover, arrival) if stmt is arrival.effect else None
                if test is not None:
                    yield Branch(test, (self._for_all_noted(mover, arrival),), (), mover.origin)

    def _test(self, mover: Mover, arrival: Arrival) -> Expr | None:
        return self._others.test(LED_ON, ALSO_BROUGHT, mover.origin, alone=True, also=arrival.origin,
                                 apart=str(arrival.span))  # fmt: skip

    def _copy(self, arrival: Arrival, where: Expr) -> Block:
        """An effect as it comes for who or what was brought there."""
        block: Block = (*arrival.binds, arrival.effect)
        names = {one: f"{one} {OF_THE_COPY}" for one in names_given_in(block)}
        names |= {one: ME for one in locals_of(block) if self._arrivals.bodies.is_who_acts(arrival.body, one)
                  and one not in locals_of(arrival.where)}  # fmt: skip
        who = Local(WHO, where.type)
        return renamed(rewrite(block, lambda node: who if node == arrival.where else None), names)

    # ------------------------------------------------------------------ later
    def _note(self, mover: Mover, arrival: Arrival) -> str:
        """What notes whom a move has brought somewhere."""
        name = f"{BROUGHT} by {mover.span.line} to {arrival.span.line}"
        (player,) = walk(mover.where.type, Elem)
        self._noted.setdefault(name, Var(name, (player,), Bool(), False, Role.REGISTER, mover.origin))
        return name

    def _for_all_noted(self, mover: Mover, arrival: Arrival) -> Stmt:
        """An effect for all whom a move has brought somewhere."""
        name = self._note(mover, arrival)
        (player,) = self._noted[name].keys
        who = Local(WHO, player)
        done = (Put(name, (who,), typed_operators.FALSE, mover.origin), *self._copy(arrival, who))
        noted = Branch(Get(name, (who,), Bool()), done, (), mover.origin)
        return Each(WHO, All(player), (noted,), mover.origin)
