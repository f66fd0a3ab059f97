"""What statements do, said once for every representation of positions: each where it is reached and nothing has failed.

How components are moved is each representation's own. Whoever adds a kind of statement says in every `one` whether it
does there what it does here; nothing is inherited unseen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, assert_never, final

from referee.core.expr import All, Members, Numbers, Within
from referee.core.ruleset import WINNERS, Role
from referee.core.stmt import Bind, Block, Branch, Each, Finish, Put, Stmt, is_whole
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.smt import term, value
from referee.smt.semantics.context import RANGE, ROUNDS, Context, P_co
from referee.smt.semantics.expression_semantics import Interpreter, Member
from referee.smt.semantics.term_position import TermPosition
from referee.smt.term import Cond
from referee.smt.value import Bits, Counts, Opt, Sym


class Executor(ABC, Generic[P_co]):
    """Carries statements out in a context. `over` is true where the game has ended; `broken` where what is to hold
    inside actions did not hold after some statement, and that is no error of the rules."""

    def __init__(self, context: Context[P_co], evaluate: Interpreter[TermPosition]) -> None:
        self.context, self.evaluate = context, evaluate
        self.over: Cond = False
        self.broken: Cond = False

    # ------------------------------------------------------------------ each representation's own
    @abstractmethod
    def one(self, stmt: Stmt) -> None:
        """Carries a statement out: each kind as it is done here, or as a method of this class does it."""

    @abstractmethod
    def tested(self, reached: Cond) -> None:
        """Notes where what holds after every statement does not hold after one that was carried out where `reached`."""

    # ------------------------------------------------------------------ kinds of statements
    @final
    def going(self) -> Cond:
        """Where the step is still going: reached, no error, not over."""
        return term.both(self.context.path, term.no(self.context.failed), term.no(self.over))

    @final
    def block(self, block: Block) -> None:
        """Carries statements out in order; names that they bind end with the last."""
        with self.context.bound({}):
            for stmt in block:
                reached = self.going()
                if reached is False:
                    return
                self.one(stmt)
                if is_whole(stmt):  # else the next statement belongs to this one
                    self.tested(reached)

    @final
    def bind(self, stmt: Bind) -> None:
        """Gives a value a name until the end of the block."""
        self.context.env = {**self.context.env, stmt.name: self.evaluate(stmt.value)}

    @final
    def branch(self, stmt: Branch) -> None:
        """One of two blocks."""
        cond = self.evaluate.condition(stmt.cond)
        with self.context.under(cond):
            self.block(stmt.yes)
        with self.context.under(term.no(cond)):
            self.block(stmt.no)

    def _most(self, member: Member, kind: Type) -> int:
        """How often a member can be in what is gone through: a component no more often than there are such."""
        match kind:
            case Many(of, most):
                known = isinstance(member.value, int) and of.domain == COMPONENT
                return min(most, self.context.store.layout.core.components[member.value].number) if known else most
            case Bool() | Int() | Elem() | Maybe() | SetOf():
                return 1
            case _:
                assert_never(kind)

    @final
    def each(self, stmt: Each) -> None:
        """A block once for each member of a source, which is read before the first; of a multiset for every copy."""
        match stmt.source:
            case Members(of):
                held = [(m, self._most(m, of.type)) for m in self.evaluate.members(stmt.source, False)]
            case Numbers() | All() | Within():
                held = [(m, 1) for m in self.evaluate.members(stmt.source, True)]
            case _:
                assert_never(stmt.source)
        copies = [(term.both(m.there, term.less(copy, m.number)), m.value) for m, most in held for copy in range(most)]
        for there, member in copies:
            if there is False:
                continue
            with self.context.bound({stmt.var: member}), self.context.under(there):
                self.block(stmt.body)

    @final
    def put(self, stmt: Put) -> None:
        """Stores a value in a variable."""
        var = self.context.store.layout.defs[stmt.var]
        keys = [self.evaluate.key(k) for k in stmt.keys]
        new = self.evaluate(stmt.value)
        if var.role not in (Role.REGISTER, Role.COUNTER) or not _cleared(new):
            code = ROUNDS if var.role is Role.COUNTER else RANGE
            self.context.fail(term.no(value.typed(var.type, new)), code, stmt.origin.span)
        inside = self.context.store.write(var, keys, _shaped(new, var.type), self.going())
        self.context.fail(term.no(inside), RANGE, stmt.origin.span)

    @final
    def finish(self, stmt: Finish) -> None:
        """The game is over."""
        winners = self.evaluate(stmt.winners)
        going = self.going()
        self.context.store.write(self.context.store.layout.defs[WINNERS], [], winners, going)
        self.over = term.disj((self.over, going))


def _cleared(new: Sym) -> bool:
    """True for the start value that lowering stores in a register at the end of its scope."""
    return isinstance(new, Opt) and new.has is False


def _shaped(new: Sym, kind: Type) -> Sym:
    """A sure member in the representation of one that may be missing, where the variable may be without."""
    if isinstance(kind, Maybe) and not isinstance(new, Opt):
        assert not isinstance(new, Bits | Counts)
        return Opt(True, new)
    return new.value if isinstance(new, Opt) and not isinstance(kind, Maybe) else new
