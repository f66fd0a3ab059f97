"""Source that plays by lot from point to point: all that is legal is listed, and one of it drawn as the walker does.

Nothing is drawn for what an event leads to: where that is unusual, what was drawn so far is carried out by others.
"""

from __future__ import annotations

import re
from typing import assert_never

from referee.codegen.code_scope import Name, Scope
from referee.codegen.offer_groups import groups, logged, once, plain, stored
from referee.codegen.source_text import CodePiece
from referee.codegen.trusted_variables import actor
from referee.codegen.whole_games.game_code import ON, GameCode, RowOffered
from referee.codegen.whole_games.set_scope import NotWhole
from referee.core.flow import Alternative, Ask, Draw, offered
from referee.interpreter.playouts import FEW


class PlayCode(GameCode):
    """Writes the function of one flow. It is told where it is, how many events there may be, and what draws; `put` is
    called with each event: the number of the point's node, of the alternative, who, and the arguments."""

    def _looped(self, pieces: list[CodePiece]) -> str:
        with self._out.block("for k in range(most):"), self._out.block("while True:"):
            self._chosen(pieces, 0, len(pieces))
            self._out.line("return None")
        self._out.line("return pc, None, s")
        self._out.opens.clear()  # of what is open no position is given
        return re.sub(f"^( *){ON}$", r"\1break", self._out.text("def f(s, pc, most, choice, put):"),
                      flags=re.MULTILINE)

    def _point(self, at: int, node: Ask | Draw) -> None:
        match node:
            case Draw():
                raise NotWhole("what fate draws is left to others")
            case Ask():
                pass
            case _:
                assert_never(node)
        if node.point.automatic or not once(node) or not plain(node):
            raise NotWhole("what is legal is not known by its words")
        code, out = self.code, self._out
        bounds = actor(node, code.prover)
        me = Name(out.keep(code.value(node.actor, {})), bounds)
        out.line(f"by = {me.text}")
        offer, ways = WaysOffered(code, offered(node), bounds), out.fresh()
        offer.listed(ways)
        with out.block(f"if not {ways}:"):
            if node.otherwise is None:
                out.line(f"return {self._place(at, used=True)}, None, s")
            else:
                self._nodes, self._used = 0, False
                self._go(node.otherwise, frozenset())
        out.line(f"if len({ways}) > {FEW}: return {self._place(at, used=True)}, None, s")
        drawn = out.fresh()
        out.line("choice((by,))")
        out.line(f"{drawn} = choice({ways})")
        known = groups(node)
        for number, one in enumerate(offered(node)):
            if known[one.label, *logged(one)] != (number,):
                raise NotWhole("an event may be taken in several ways")
            with out.block(f"if {drawn}[0] == {number}:"):
                out.line(f"put(({at}, by, *{drawn}))")
                self._nodes, self._used = 0, True
                offer.apply(number, None, offer.bound(one, drawn))
                self._go(one.next, frozenset())

    def _held(self, doubts: int) -> None:
        """Who plays tests nothing of what always holds."""

    def _ended(self, at: int, changed: frozenset[str], won: str) -> None:
        self._out.line(f"return {at}, {won}, s")


class WaysOffered(RowOffered):
    """Writes the ways to take what a point offers."""

    def listed(self, name: str) -> None:
        """A list of all of them: the alternative, and its arguments."""
        self.out.line(f"{name} = []")
        for number, one in enumerate(self._alternatives):
            if any(param.count is not None for param in one.params):
                raise NotWhole("several are taken at once")

            def add(number: int, scope: Scope) -> None:
                values = [scope[param.name].text for param in self._alternatives[number].params]
                self.out.line(f"{name}.append(({', '.join((str(number), *values))},))")

            self._ways(number, 0, self.entered(one), add)

    def bound(self, one: Alternative, drawn: str) -> list[str]:
        """What is kept of a way."""
        scope = dict(self._enter(one))
        for at, param in enumerate(one.params, 1):
            scope[param.name] = Name(f"{drawn}[{at}]", self._bounds(param, scope))
        return [scope[name].text for name in stored(one)]
