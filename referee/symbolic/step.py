"""Steps as terms on positions of which everything is kept, whatever is known of it."""

from __future__ import annotations

from typing import assert_never

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.core.stmt import Param
from referee.game.state import Layout
from referee.symbolic import offered
from referee.symbolic.context import Context
from referee.symbolic.evaluate import Evaluator
from referee.symbolic.execute import Executor
from referee.symbolic.follow import Landing
from referee.symbolic.perform import Performer
from referee.symbolic.spread import Spreading, Ways
from referee.symbolic.store import Store
from referee.symbolic.term import Cond
from referee.symbolic.value import Sym


class Stepper(Spreading[Store, Evaluator]):
    """Follows the steps of a flow."""

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow, Layout(flow))
        self._watched = tuple(one for one in flow.core.invariants if one.everywhere)

    def performer(self, store: Store) -> Executor[Store]:
        return Performer(Context(store), self._watched)

    def context(self, store: Store) -> Context[Store]:
        return Context(store)

    def evaluator(self, context: Context[Store]) -> Evaluator:
        return Evaluator(context)

    def allowed(self, param: Param, given: Sym, evaluate: Evaluator) -> Cond:
        return offered.allowed(param, given, evaluate)

    def node(self, index: int, performer: Executor[Store], landing: Landing[Store]) -> Ways:
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
