"""What may be done again and again."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Get, If, Only
from referee.core.stmt import Origin, Put, Repeat, Stmt
from referee.core.types import Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Scope
from referee.frontend.statements.decisions import Decisions
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node, Word


class RepeatedOffers:
    """Lowering of `p may A, B, any number of times`."""

    def __init__(self, values: ExpressionLowering, statements: Statements, decisions: Decisions) -> None:
        self.statements = statements
        self.decisions = decisions
        self.symbols = values.symbols
        self.sources = values.sources
        statements.rules["may_often"] = self._may_often

    def _may_often(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Asks again after each answer, until the player passes."""
        name = self.sources.fresh("taken")
        once = replace(stmt, parts=(*stmt.parts[:-1], Word("NAME", name, stmt.span)))
        asked, inner = self.decisions.decide(once, scope, where, self.decisions.passing(where))
        taken = inner.names[name].expr
        assert isinstance(taken.type, Elem)
        over = self.decisions.register(f"{scope.owner}.over", (), Int(0, 1), where)
        passed = typed_operators.equal(taken, typed_operators.member(taken.type.hi, taken.type))
        number = typed_operators.number
        # written after every answer: where a game starts at this point, nothing need be told of it
        after = Put(over.name, (), If(passed, number(1), number(0), Int(0, 1)), where)
        is_over = typed_operators.equal(Only(Get(over.name, (), over.type), Int(0, 1)), typed_operators.number(1))
        return [
            Put(over.name, (), typed_operators.number(0), where),
            Repeat(is_over, (*asked, after), None, where),
        ], scope
