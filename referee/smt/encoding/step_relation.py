"""Steps as terms on positions of which everything is kept, whatever is known of it."""

from __future__ import annotations

from typing import assert_never

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.core.stmt import Param
from referee.game.state import Layout
from referee.smt.encoding import offered_values
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.encoding.term_execution import Performer, carried
from referee.smt.encoding.term_store import TermStore
from referee.smt.semantics.context import Context
from referee.smt.semantics.spreading import Spreading, Ways
from referee.smt.semantics.statement_semantics import Executor
from referee.smt.semantics.step_semantics import Landing
from referee.smt.term import Cond
from referee.smt.value import Sym


class Stepper(Spreading[TermStore, Evaluator]):
    """Follows the steps of a flow."""

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow, Layout(flow))
        self._watched = tuple(one for one in flow.core.invariants if one.everywhere)

    def performer(self, store: TermStore) -> Executor[TermStore]:
        return Performer(Context(store, carry=carried), self._watched)

    def context(self, store: TermStore) -> Context[TermStore]:
        return Context(store, carry=carried)

    def evaluator(self, context: Context[TermStore]) -> Evaluator:
        return Evaluator(context)

    def allowed(self, param: Param, given: Sym, evaluate: Evaluator) -> Cond:
        return offered_values.allowed(param, given, evaluate)

    def node(self, index: int, performer: Executor[TermStore], landing: Landing[TermStore]) -> Ways:
        node = self.flow.nodes[index]
        match node:
            case Run():
                yield from self.run(node, performer)
            case Fork():
                yield from self.fork(node, performer)
            case Ask():
                yield from self.asked(index, node, performer, landing)
            case Gather():
                yield from self.gathered(index, node, performer, landing)
            case Draw():
                self.rest(index, performer, landing, True)
            case Rule():
                yield from self.ruled(index, node, performer, landing)
            case _:
                assert_never(node)


__all__ = ["Landing", "Stepper"]
