"""What stands behind a move: in its block, in those around it, and behind what carries it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.core.expr import And, Expr, Local, Op, Operator
from referee.core.read_write_sets import locals_of, variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Block, Branch, Call, Decide, Each, Move, Origin, Put, Stmt, origin_of
from referee.core.traverse import inner_blocks, statements, walk
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import SELECTOR
from referee.other_rules.forms import as_a

MAIN = ""
"""What the course of the game is called among the bodies that hold statements."""
ME = "me"


@dataclass(frozen=True, slots=True)
class Mover:
    """A statement that brings somebody or something somewhere: `where` says who, or where to; `goal` is the counter
    that it sets, or the zone. `tails`: what stands behind it in its block and in those around it. `origin`: of it, or
    of its action, which is cited if it cites nothing."""

    body: str
    stmt: Put | Move
    goal: str
    where: Expr
    tails: tuple[Block, ...]
    origin: Origin

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.stmt.origin.span


@dataclass(frozen=True, slots=True)
class Arrival:
    """An effect that hangs on where somebody or something stands, with the names it goes by. `goal`: the counter or
    zone that says where; `where`: who it is, or which place."""

    body: str
    effect: Branch | Each
    binds: tuple[Bind, ...]
    goal: str
    where: Expr

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.effect.origin.span

    @property
    def origin(self) -> Origin:
        """Where it is written what it does, if that is one sentence; or else where the effect is."""
        done = [origin_of(one) for one in statements((self.effect,))
                if not (as_a(one, Branch) or as_a(one, Each) or as_a(one, Bind)) and origin_of(one).cites]  # fmt: skip
        one_sentence = done and all(set(done[0].cites) & set(one.cites) for one in done)
        return done[0] if one_sentence or (done and not self.effect.origin.cites) else self.effect.origin


class Bodies:
    """The bodies of one core that hold statements, without set-up, and what stands behind what in them."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.blocks = {MAIN: core.main[core.setup :],
                       **{f"action {name}": one.body for name, one in core.actions.items()},
                       **{f"procedure {name}": one.body for name, one in core.procedures.items()}}  # fmt: skip
        every = [(body, *one) for body, block in self.blocks.items() for one in with_tails(block, ())]
        self._calls = [one for one in every if as_a(one[1], Call) is not None]
        self._asked = [one for one in every if as_a(one[1], Decide) is not None]

    def is_who_acts(self, body: str, name: str) -> bool:
        """Whether a value of a procedure is who acts, wherever it is carried out."""
        kind, _, procedure = body.partition(" ")
        if kind != "procedure":
            return False
        params = [one for one, _ in self.core.procedures[procedure].params]
        given = [as_a(dict(zip(params, call.args, strict=True)).get(name), Local)
                 for block in self.blocks.values() for call in statements(block, Call) if call.procedure == procedure]
        return bool(given) and all(one is not None and one.name == ME for one in given)

    def follows(self, arrival: Arrival, mover: Mover) -> bool:
        """Whether an effect stands behind a move, for who or what is moved."""
        return self._behind(arrival, mover.body, mover.tails, mover.where, frozenset())

    def directly(self, arrival: Arrival, mover: Mover) -> bool:
        """Whether it stands behind it in the same body, or in what that carries out."""
        return any(self._within(arrival, mover.body, tail, mover.where, frozenset()) for tail in mover.tails)

    def _behind(self, arrival: Arrival, body: str, tails: tuple[Block, ...], where: Expr, seen: frozenset[str]) -> bool:
        if any(self._within(arrival, body, tail, where, frozenset()) for tail in tails):
            return True
        if body in seen or body == MAIN:
            return False
        seen |= {body}
        kind, _, name = body.partition(" ")
        if kind == "procedure":
            params = [one for one, _ in self.core.procedures[name].params]
            for caller, call, further in self._calls:
                there = as_a(call, Call)
                if there is not None and there.procedure == name:
                    key = _as_argument(where, params, there.args)
                    if key is not None and self._behind(arrival, caller, further, key, seen):
                        return True
            return False
        for asker, stmt, further in self._asked:
            decide = as_a(stmt, Decide)
            if decide is not None and any(one.action == name for one in decide.options):
                mine = as_a(where, Local)
                up = decide.actor if mine is not None and mine.name == ME else where
                if not (locals_of(up) - locals_of(decide.actor)) and self._behind(arrival, asker, further, up, seen):
                    return True
        return False

    def _within(self, arrival: Arrival, body: str, block: Block, where: Expr, seen: frozenset[str]) -> bool:
        """Whether an effect stands in a block of a body, or in what it carries out, for a certain place."""
        for stmt, _ in with_tails(block, ()):
            if body == arrival.body and stmt is arrival.effect and where == arrival.where:
                return True
            call = as_a(stmt, Call)
            if call is None or call.procedure in seen:
                continue
            there = self.core.procedures[call.procedure]
            params = [one for one, _ in there.params]
            for name, arg in zip(params, call.args, strict=True):
                if arg == where and self._within(arrival, f"procedure {call.procedure}", there.body,
                                                 Local(name, where.type), seen | {call.procedure}):  # fmt: skip
                    return True
            if not locals_of(where) and self._within(arrival, f"procedure {call.procedure}", there.body, where,
                                                     seen | {call.procedure}):  # fmt: skip
                return True
        return False

    def reached(self, block: Block) -> frozenset[str]:
        """The bodies that a block carries out, or lets somebody carry out, also by way of others."""
        found: set[str] = set()
        open_ = [block]
        while open_:
            here = open_.pop()
            names = {f"procedure {one.procedure}" for one in statements(here, Call)}
            names |= {f"action {option.action}" for one in statements(here, Decide) for option in one.options}
            open_.extend(self.blocks[name] for name in names - found)
            found |= names
        return frozenset(found)


def with_tails(block: Block, around: tuple[Block, ...]) -> Iterator[tuple[Stmt, tuple[Block, ...]]]:
    """Every statement of a block with what stands behind it, in its block and in those around it."""
    for number, stmt in enumerate(block):
        tails = (block[number + 1 :], *around)
        yield stmt, tails
        for inner in blocks_by_the_rules(stmt):
            yield from with_tails(inner, tails)


def blocks_by_the_rules(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks inside a statement, without what other answers that were made before would do instead."""
    branch = as_a(stmt, Branch)
    if branch is None or SELECTOR not in variables_of(branch.cond):
        return inner_blocks(stmt)
    instead = as_a(branch.cond, And) is not None or any(
        one is branch.cond and one.op is Operator.EQ for one in walk(branch.cond, Op))  # fmt: skip
    return (branch.no,) if instead else (branch.yes,)


def _as_argument(where: Expr, params: Sequence[str], args: Sequence[Expr]) -> Expr | None:
    """What a value of a procedure is where that is carried out; None if nothing there says it."""
    named = as_a(where, Local)
    if named is not None:
        return dict(zip(params, args, strict=True)).get(named.name)
    return None if locals_of(where) else where
