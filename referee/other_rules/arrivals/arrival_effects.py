"""What happens where somebody or something comes to: the effects that stand behind a move and look at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from referee.core.expr import At, Const, Expr, Get, Let, Local, Look, Op, Operator
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core, Form, Role
from referee.core.stmt import Bind, Block, Branch, Each, Move, Origin, Put, is_whole
from referee.core.traverse import statements, walk
from referee.core.types import PLAYER, Elem, Int
from referee.other_rules.arrivals.renamed_copies import names_given_in
from referee.other_rules.arrivals.what_follows import Arrival, Bodies, Mover, blocks_by_the_rules, with_tails
from referee.other_rules.forms import as_a
from referee.other_rules.tracks.track_counters import LEAST_PLACES


class Arrivals:
    """The moves of one core, and what happens where they lead."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.bodies = Bodies(core)
        self._counters = {name for name, var in core.vars.items() if var.role is Role.STATE and len(var.keys) == 1
                          and any(kind.hi - kind.lo >= LEAST_PLACES for kind in walk(var.type, Int))
                          and any(one.domain == PLAYER for one in walk(var.keys[0], Elem))}  # fmt: skip
        begun = self.bodies.reached(core.main[: core.setup]) - self.bodies.reached(core.main[core.setup :])
        self.movers = tuple(one for body, block in self.bodies.blocks.items() if body not in begun
                            for one in self._movers(body, block, ()))  # fmt: skip
        found = [one for body, block in self.bodies.blocks.items() for one in self._effects(body, block, ())]
        self.arrivals = tuple(one for one in found if any(
            self.bodies.follows(one, mover) for mover in self.movers if mover.goal == one.goal))
        """Those that stand behind some move."""

    # ------------------------------------------------------------------ moves
    def _movers(self, body: str, block: Block, around: tuple[Block, ...]) -> Iterator[Mover]:
        for stmt, tails in with_tails(block, around):
            put, move = as_a(stmt, Put), as_a(stmt, Move)
            if put is not None and put.var in self._counters and is_whole(put):
                yield Mover(body, put, put.var, put.keys[0], tails, self._cited(body, put.origin))
            spot = None if move is None else move.to.spot
            if move is not None and spot is not None and self._core.zones[move.to.zone].form is Form.SLOTS:
                yield Mover(body, move, move.to.zone, spot, tails, self._cited(body, move.origin))

    def _cited(self, body: str, where: Origin) -> Origin:
        kind, _, name = body.partition(" ")
        return where if where.cites or kind != "action" else Origin(where.span, self._core.actions[name].origin.cites)

    # ------------------------------------------------------------------ effects
    def _effects(self, body: str, block: Block, known: tuple[Bind, ...]) -> Iterator[Arrival]:
        """The outermost effects of a block whose condition speaks of a place."""
        for stmt in block:
            bind = as_a(stmt, Bind)
            known = known if bind is None else (*known, bind)
            branch, each = as_a(stmt, Branch), as_a(stmt, Each)
            heads: tuple[object, ...] = () if branch is None else (branch.cond,)
            heads = heads if each is None else (each.source,)
            effect = branch or each
            found = None if effect is None else self._of(body, effect, heads, known)
            if found is not None:
                yield found
                continue
            for inner in blocks_by_the_rules(stmt):
                yield from self._effects(body, inner, known)

    def _of(self, body: str, effect: Branch | Each, heads: Sequence[object], known: tuple[Bind, ...]
            ) -> Arrival | None:  # fmt: skip
        """An effect as one of arriving; None if its head speaks of no place, or nothing in it of single ones."""
        binds = _needed((effect,), known)
        named = locals_of(tuple(heads))
        looked = (*heads, *(one.value for one in binds if one.name in named))
        every = ((effect,), tuple(one.value for one in binds))
        for get in walk(looked, Get):
            kept = {Local(one.name, one.value.type) for one in binds if one.value == get}
            if get.var in self._counters and _is_free(get.keys[0], effect) and self._tells_places(every, get, kept):
                return Arrival(body, effect, binds, get.var, get.keys[0])
        for at in walk(looked, At):
            zone = at.place.zone
            if self._core.zones[zone].form is Form.SLOTS and locals_of(at.spot) and _is_free(at.spot, effect):
                return Arrival(body, effect, binds, zone, at.spot)
        return None

    def _tells_places(self, part: object, get: Get, kept: Set[Expr]) -> bool:
        """Whether a part tells single places of a counter apart, and not its ends alone, or whether it was moved.
        `kept`: what the place was before."""
        kind = self._core.vars[get.var].type
        ends = [end for one in walk(kind, Int) for end in (one.lo, one.hi)]
        meant = {get, *(Local(one.var, one.value.type) for one in walk(part, Let) if one.value == get)}
        if any(key in meant for one in walk(part, Look) for key in one.keys):
            return True
        for one in walk(part, Op):
            if one.op is Operator.IN and one.args[0] in meant:
                return True
            if one.op in (Operator.EQ, Operator.NE) and not meant.isdisjoint(one.args):
                other = one.args[1] if one.args[0] in meant else one.args[0]
                at_an_end = any(value is other and value.value in ends for value in walk(other, Const))
                if other not in kept and not at_an_end:
                    return True
        return False

    def are_apart(self, arrival: Arrival, mover: Mover) -> bool:
        """Whether two sentences speak of them, or one of what may go on in a chain."""
        effect, move = (set(self._core.statements_in(one.origin.cites)) for one in (arrival, mover))
        chain = any(here is mover.stmt for here in statements((arrival.effect,))) and mover.where != arrival.where
        return bool(effect) and (chain or not effect & move)


def _needed(block: Block, known: tuple[Bind, ...]) -> tuple[Bind, ...]:
    """The names that a block goes by and that were given before it, with those that they go by."""
    wanted, found = set(locals_of(block)), list[Bind]()
    for bind in reversed(known):
        if bind.name in wanted and bind.name not in [one.name for one in found]:
            found.insert(0, bind)
            wanted |= locals_of(bind.value)
    return tuple(found)


def _is_free(where: Expr, effect: Branch | Each) -> bool:
    """Whether who or what is meant is known before the effect."""
    return not locals_of(where) & names_given_in((effect,))
