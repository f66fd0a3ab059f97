"""Turns that end with a round only: whether the turn has come back to, or gone past, who had the first one."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.expr import And, Expr, Get
from referee.core.read_write_sets import locals_of, reads
from referee.core.ruleset import TURN, Role, Var
from referee.core.stmt import Block, Branch, Origin, Put, Stmt
from referee.core.types import Bool, Maybe
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.symbol_table import Symbols

_FIXED = (Role.GIVEN, Role.READING, Role.PARAMETER)


@dataclass(frozen=True, slots=True)
class FullRounds:
    """Who had the first turn of these turns, and a variable that a round has just ended (as it has before them)."""

    first: Expr
    turn: Expr
    ended: str
    noted: Block
    where: Origin

    @classmethod
    def of(cls, symbols: Symbols, owner: str, start: Expr, where: Origin) -> FullRounds:
        """For the turns of a procedure or of the course. Who begins is noted, unless he is fixed for a game."""
        player = Maybe(symbols.player)
        turn = Get(TURN, (), player)
        ended = symbols.numbered(f"{owner}.round over", symbols.vars, " ")
        symbols.vars[ended] = Var(ended, (), Bool(), False, Role.REGISTER, where)
        fixed = not locals_of(start) and all(
            name in symbols.vars and symbols.vars[name].role in _FIXED for name in reads(start))
        if fixed:
            return cls(start, turn, ended, (), where)
        first = symbols.numbered(f"{owner}.first turn", symbols.vars, " ")
        symbols.vars[first] = Var(first, (), player, None, Role.REGISTER, where)
        return cls(Get(first, (), player), turn, ended, (Put(first, (), start, where),), where)

    def begun(self) -> Block:
        """Before the first turn: nothing has been played that a round would have to complete."""
        return *self.noted, Put(self.ended, (), typed_operators.TRUE, self.where)

    def goes_on(self) -> Stmt:
        """After a turn, before it is passed on."""
        return Put(self.ended, (), typed_operators.FALSE, self.where)

    def reached(self) -> Stmt:
        """Each time the turn is passed on, also to somebody who is skipped then."""
        here = typed_operators.equal(self.first, self.turn)
        return Branch(here, (Put(self.ended, (), typed_operators.TRUE, self.where),), (), self.where)

    def over(self, until: Expr, span: Span) -> Expr:
        """That the turns are over: the condition, and that a round has ended."""
        return And((Get(self.ended, (), Bool()), until), span)
