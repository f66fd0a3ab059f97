"""Steps as terms, said once for every representation: what an event needs, what is stored when it is taken.

How the nodes after it are followed, and what parameters are offered, is each representation's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar, final

from referee.core.flow import Alternative, Flow, Gather, Rule
from referee.core.stmt import Param
from referee.core.types import Maybe
from referee.game.state import Layout
from referee.smt import term
from referee.smt.semantics.context import Context, ErrorCondition, P_co
from referee.smt.semantics.expression_semantics import Interpreter
from referee.smt.semantics.statement_semantics import Executor
from referee.smt.semantics.term_position import TermPosition
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Sym

ME = "me"
P = TypeVar("P", bound=TermPosition)
"""How positions are represented."""
I = TypeVar("I", bound=Interpreter[TermPosition])  # noqa: E741
"""What turns expressions into terms there."""


@dataclass
class Landing(Generic[P_co]):
    """Where a step may lead. Conditions exclude each other; what none covers was not reached.

    `at`: by point; `stops`: by point, the rules do not say how it goes on; `over`: the end; `failures`: errors, of
    which the first that holds counts; `lost`: the step was not followed faithfully there; `broken`: what is to hold
    inside actions did not hold on the way.
    """

    store: P_co
    at: dict[int, Cond] = field(default_factory=dict)
    stops: dict[int, Cond] = field(default_factory=dict)
    over: Cond = False
    failures: list[ErrorCondition] = field(default_factory=list)
    lost: Cond = False
    broken: Cond = False


class FlowFollower(ABC, Generic[P, I]):
    """Follows the steps of a flow."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self.flow, self.layout = flow, layout

    # ------------------------------------------------------------------ each representation's own
    @abstractmethod
    def performer(self, store: P) -> Executor[P]:
        """What carries statements out on a position, which is changed in place."""

    @abstractmethod
    def context(self, store: P) -> Context[P]:
        """Where a position is read."""

    @abstractmethod
    def evaluator(self, context: Context[P]) -> I:
        """What turns expressions into terms."""

    @abstractmethod
    def allowed(self, param: Param, given: Sym, evaluate: I) -> Cond:
        """Whether a value is one that a parameter's source offers."""

    @abstractmethod
    def follow(self, start: int, performer: Executor[P]) -> Landing[P]:
        """Where the nodes from one on lead, what was done before them being done already."""

    # ------------------------------------------------------------------ events
    @final
    def legal(self, store: P, alternative: Alternative, by: Num | None, args: Mapping[str, Sym]) -> Cond:
        """Whether an actor may take an alternative with these parameters (by their names, all but the fixed)."""
        context = self.context(store)
        evaluate = self.evaluator(context)
        cond: Cond = True
        context.env = self.entered(alternative, by, evaluate)
        for param in alternative.params:
            with context.under(cond):
                cond = term.both(cond, self.allowed(param, args[param.name], evaluate))
            context.env = {**context.env, param.name: args[param.name]}
        for guard in alternative.guards:
            if context.sure(cond) is False:
                break
            with context.under(cond):
                cond = term.both(cond, evaluate.condition(guard.cond))
        return term.both(cond, term.no(context.failed))

    @final
    def entered(self, alternative: Alternative, by: Num | None, evaluate: Interpreter[TermPosition]) -> dict[str, Sym]:
        """The locals of an alternative before its parameters."""
        env: dict[str, Sym] = {} if by is None else {ME: by}
        for name, expr in alternative.fixed:
            with evaluate.context.bound(env):
                env[name] = evaluate(expr)
        return env

    @final
    def enter(
        self, performer: Executor[P], alternative: Alternative, by: Num | None, args: Mapping[str, Sym], key: list[Num]
    ) -> None:
        """Stores what an alternative that is taken stores in registers."""
        env = {**self.entered(alternative, by, performer.evaluate), **args}
        for register, local in alternative.stores:
            self.keep(performer, register, key, env[local])

    @final
    def take(self, store: P, alternative: Alternative, by: Num | None, args: Mapping[str, Sym]) -> Landing[P]:
        """What becomes of a position when an alternative is taken. The store given is not changed."""
        performer = self.performer(store.copy())
        self.enter(performer, alternative, by, args, [])
        return self.follow(alternative.next, performer)

    @final
    def commit(
        self, store: P, node: Gather, alternative: Alternative, by: int, args: Mapping[str, Sym], at: int
    ) -> Landing[P]:
        """What becomes of a position when one of a group has chosen."""
        performer = self.performer(store.copy())
        self.enter(performer, alternative, by, args, [by])
        pending = self.pending(performer.context.store, node)
        left = Bits(pending.lo, tuple(False if i == by else bit for i, bit in pending.members()))
        self.keep(performer, node.pending, [], left)
        done = term.conj(term.no(bit) for bit in left.bits)
        with performer.context.under(done):
            landing = self.follow(node.next, performer)
        landing.at[at] = term.disj((landing.at.get(at, False), term.no(done)))
        return landing

    @final
    def pending(self, store: TermPosition, node: Gather) -> Bits:
        """The players of a group who have still to choose."""
        found, _ = store.read(self.layout.defs[node.pending], [])
        assert isinstance(found, Bits)
        return found

    @final
    def rule(self, store: P, node: Rule, choice: Sym) -> Landing[P]:
        """What becomes of a position when the table has ruled."""
        performer = self.performer(store.copy())
        if node.into is not None:
            self.keep(performer, node.into, [], choice)
        return self.follow(node.next, performer)

    @final
    def start(self, store: P) -> Landing[P]:
        """What set-up makes of the position before it."""
        return self.follow(self.flow.start, self.performer(store.copy()))

    @final
    def keep(self, performer: Executor[P], register: str, keys: list[Num], new: Sym) -> None:
        """Stores a value in a register."""
        var = self.layout.defs[register]
        sure = isinstance(var.type, Maybe) and not isinstance(new, Opt | Bits | Counts)
        performer.context.store.write(var, keys, Opt(True, new) if sure else new, performer.going())
