"""Where the turn passes: to who has been given the next one, and whether it has come back to who had the first."""

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
from referee.frontend.names.tree_access import nodes
from referee.syntax.syntax_tree import Node

NEXT_TURN = "next turn"
"""Who has the next turn, if it does not pass on by itself; a variable where rules give turns at all."""
_FIXED = (Role.GIVEN, Role.READING, Role.PARAMETER)
_ROUND_OVER = ".round over"


def says_a_round_is_over(name: str) -> bool:
    """Whether a variable is the one of some `FullRounds` by which a round has just ended: no name of rules has a dot
    and a space in it."""
    return _ROUND_OVER in name


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
        ended = symbols.numbered(f"{owner}{_ROUND_OVER}", symbols.vars, " ")
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


def given_turns(decl: Node) -> bool:
    """Whether somebody is given the next turn in a block."""
    return decl.kind == "next_turn" or any(given_turns(part) for part in nodes(decl))


def declare_next_turn(symbols: Symbols, where: Origin) -> None:
    """For rules in which somebody is given the next turn."""
    player = Maybe(symbols.player)
    symbols.vars[NEXT_TURN] = Var(NEXT_TURN, (), player, None, Role.STATE, where, "who has the next turn")


def given_turn(symbols: Symbols) -> Expr | None:
    """Who has been given the next turn, or none; None where rules give none."""
    return Get(NEXT_TURN, (), Maybe(symbols.player)) if NEXT_TURN in symbols.vars else None


def no_turn_given(symbols: Symbols, where: Origin) -> Block:
    """Before the first turn, and when the turn given is had: it passes on by itself again."""
    given = given_turn(symbols)
    return () if given is None else (Put(NEXT_TURN, (), typed_operators.nothing(symbols.player), where),)


def unless_given(symbols: Symbols, pass_on: Block, where: Origin) -> Block:
    """The turn passes on, or goes to who has been given it."""
    given = given_turn(symbols)
    if given is None:
        return pass_on
    by_itself = typed_operators.equal(given, typed_operators.nothing(symbols.player))
    return (Branch(by_itself, pass_on, (Put(TURN, (), given, where), *no_turn_given(symbols, where)), where),)
