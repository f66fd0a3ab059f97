"""The end of the game: what `end as soon as` tests after each statement that writes what it reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from referee.core.expr import All, Expr, Fold, FoldKind, Local, Members, Or, Where
from referee.core.read_write_sets import reads
from referee.core.stmt import Block, Branch, Gap, Point, Unspecified
from referee.core.types import Bool, DomainKind, Scalar, SetOf
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Bound, DomainOf, Scope
from referee.frontend.names.free_locals import local_types
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import all_tried, head, node, nodes, origin, word
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node

MOST_CASES = 40
"""Ways to end the game: rules with more are refused."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A block that ends the game if it is time, whether it is, and what decides that."""

    check: Block
    reads: frozenset[str]
    due: Expr


class Endings:
    """Lowering of `end as soon as`."""

    def __init__(self, symbols: Symbols, values: ExpressionLowering, statements: Statements) -> None:
        self._symbols = symbols
        self._values = values
        self._statements = statements
        self._number = 0

    def ending(self, decl: Node) -> Ending:
        """Reads one `end as soon as`, with its `else as soon as`."""
        cases = list(nodes(decl, "end_case"))
        self._number += len(cases)
        if self._number > MOST_CASES:
            raise self._symbols.wrong("EN01", f"more than {MOST_CASES} ways to end the game", head(decl))
        check: Block = ()
        conds: list[Expr] = []
        made = all_tried(partial(self._case, c) for c in cases)
        for case, (cond, body) in reversed(list(zip(cases, made, strict=True))):
            conds.append(cond)
            check = (Branch(cond, body, check, origin(case)),)
        due = Or(tuple(conds))
        return Ending(check, reads(due), due)

    def _case(self, case: Node) -> tuple[Expr, Block]:
        cond = node(case.parts[0])
        scope = Scope(owner="end")
        if cond.kind not in ("some", "some_player"):
            return self._values.terms.condition(cond, scope), self._statements.body(case.parts[1], scope)
        name = word(cond.parts[0]).text
        source = self._source(cond, scope, name)
        test = self._values.terms.condition(node(cond.parts[-1]), self._values.sources.inside(scope, name, source))
        where = test if source.where is None else typed_operators.both((source.where, test))
        found = Fold(FoldKind.ANY, name, source.domain, None, where, Bool(), None, cond.span)
        members = Where(name, source.domain, where, SetOf(source.type), cond.span)
        return found, self._several(case, name, members, source.type, scope)

    def _source(self, cond: Node, scope: Scope, name: str) -> MemberSource:
        if cond.kind == "some_player":
            return self._values.terms.through(DomainOf(self._symbols.player, cond.span), cond.span)
        return self._values.sources.source(node(cond.parts[1]), scope, name)

    def _several(self, case: Node, name: str, members: Where, kind: Scalar, scope: Scope) -> Block:
        """One that it holds for: the game ends for him. Several at the same moment: nobody says for whom."""
        body = self._statements.body(case.parts[1], scope.bind(name, Bound(Local(name, kind))))
        if name not in local_types(body):
            return body
        point = Point(self._symbols.point(f"end.{name}"), False, origin(case))
        question = f"this holds for several at once ({self._symbols.text(case.span)}): for whom does the game end?"
        return (Unspecified(point, question, name, kind, Members(members), Gap.WHOSE), *body)

    def together(self, decls: list[Node], endings: list[Ending]) -> Ending:
        """Several declarations as one: where more than one holds at the same moment, nobody says which counts."""
        if len(endings) == 1:
            return endings[0]
        labels = tuple(f"the end of line {d.span.line}" for d in decls)
        which = self._symbols.domain("end", DomainKind.ENUM, labels).whole
        holds: list[Expr] = []
        check: Block = ()
        for index, (decl, ending) in enumerate(zip(decls, endings, strict=True)):
            this = typed_operators.equal(Local("end", which), typed_operators.member(index, which), decl.span)
            holds.append(typed_operators.both((this, ending.due)))
            check = (Branch(this, ending.check, check, origin(decl)),)
        due = Or(tuple(e.due for e in endings))
        point = Point(self._symbols.point("end"), False, origin(decls[0]))
        members = Members(Where("end", All(which), Or(tuple(holds)), SetOf(which)))
        question = "the game ends in several ways at once: which counts?"
        rule = Unspecified(point, question, "end", which, members, Gap.ENDS)
        return Ending((Branch(due, (rule, *check), (), origin(decls[0])),), reads(due), due)
