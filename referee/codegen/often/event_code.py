"""Source that takes an event and goes on to where somebody is asked next.

It goes through runs, and rulings of which only one is possible; what may have been broken is tested at its end.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import assert_never

from referee.codegen.expression_code import Coder
from referee.codegen.invariant_code import InvariantCode
from referee.codegen.member_code import listed
from referee.codegen.often.conserved_counts import claim_changes
from referee.codegen.often.event_landings import EventLanding, Landings
from referee.codegen.statement_code import Effects
from referee.core.expr import Const
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, is_rest

MOST_NODES = 8
"""So many nodes are written into one function at most."""
MOST_CLAIMS = 4
"""Of more claims none is tested in the function itself."""


class Onward:
    """Writes what comes behind an event: returned is the point where somebody is asked, and every claim holds; or what
    stands for a landing."""

    def __init__(self, flow: Flow, claims: InvariantCode, code: Coder, landings: Landings) -> None:
        self._flow = flow
        self._claims = claims
        self._code = code
        self._landings = landings
        self._nodes = 0

    def go(self, at: int, changed: frozenset[str], passed: Collection[int] = ()) -> None:
        """From a node on. `changed`: the variables and zones that may have been changed on the way there."""
        code, node = self._code, self._flow.nodes[at]
        self._nodes += 1
        if at in passed or self._nodes > MOST_NODES:
            self._leave(at, changed)
            return
        passed = (*passed, at)
        match node:
            case Run():
                changed |= claim_changes(node)
                code.changed |= changed
                watched = tuple(one for one in self._flow.core.invariants if one.everywhere)
                Effects(code, at, watched).block(node.body, {})
                self.go(node.next, changed, passed)
            case Fork(Const(value)):
                self.go(node.yes if value else node.no, changed, passed)
            case Fork():
                with code.out.block(f"if {code.value(node.cond, {})}:"):
                    self.go(node.yes, changed, passed)
                self.go(node.no, changed, passed)
            case Rule():
                self._rule(at, node, changed, passed)
            case Ask() if rests(node):
                code.out.keep(code.value(node.actor, {}))  # that there is nobody to be asked is an error of the rules
                self._rest(at, changed)
            case Ask() | Gather() | Draw():
                self._leave(at, changed)
            case _:
                assert_never(node)

    def _rule(self, at: int, node: Rule, changed: frozenset[str], passed: Collection[int]) -> None:
        """A ruling that is the only one possible is made."""
        code = self._code
        if node.candidates is None:
            self._leave(at, changed)
            return
        found = code.out.keep(f"tuple(dict.fromkeys({listed(code, node.candidates, {})}))")
        with code.out.block(f"if len({found}) != 1:"):
            self._leave(at, changed)
        changed |= claim_changes(node)
        code.changed |= changed
        if node.into is not None:
            code.out.line(f"s[{code.layout.vars[node.into].base}] = {found}[0]")
        self.go(node.next, changed, passed)

    def _rest(self, at: int, changed: frozenset[str]) -> None:
        doubts = self._claims.touched(changed)
        if doubts.bit_count() > MOST_CLAIMS or not self._claims.plain(doubts):
            self._code.out.line(f"return {self._landings.code(EventLanding(at, doubts, True))}")
            return
        for bit in range(self._claims.number):
            if doubts >> bit & 1:
                self._claims.asserted(self._code, bit)
        self._code.out.line(f"return {at}")

    def _leave(self, at: int, changed: frozenset[str]) -> None:
        self._code.out.line(f"return {self._landings.code(EventLanding(at, self._claims.touched(changed), False))}")


def rests(node: Node) -> bool:
    """Whether a game rests at a node and what always holds is tested there, though not that anything is possible."""
    match node:
        case Ask():
            return node.otherwise is None and not node.point.automatic and is_rest(node)
        case Run() | Fork() | Gather() | Draw() | Rule():
            return False
        case _:
            assert_never(node)
