"""Source that plays by lot from point to point: all that is legal is listed, and one of it drawn as the walker does.

Nothing is drawn for what an event leads to: where that is unusual, what was drawn so far is carried out by others.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import assert_never

from referee.codegen.code_scope import Name
from referee.codegen.offer_groups import groups, logged, once, plain
from referee.codegen.source_text import CodePiece
from referee.codegen.trusted_variables import actor
from referee.codegen.whole_games.game_code import ON, GameCode
from referee.codegen.whole_games.set_scope import NotWhole
from referee.codegen.whole_games.ways_code import WaysOffered
from referee.core.flow import Ask, Draw, offered


class PlayCode(GameCode):
    """Writes the function of one flow. It is told where it is, how many events there may be, and what draws: random
    bits, as `Random.choice` asks for them; `put` is called with each event."""

    def text(self, start: int) -> str:
        """The function of games that begin at a point. Raises `NotWhole` and `AsItLies`."""
        self._begins: list[str] = []
        return super().text(start)

    def _looped(self, pieces: list[CodePiece]) -> str:
        for line in self._begins:
            self._out.line(line)
        alone = len(pieces) == 1
        with self._out.block("for k in range(most):"), nullcontext() if alone else self._out.block("while True:"):
            self._chosen(pieces, 0, len(pieces))
            self._out.line("return None")
        self._out.line("return pc, None, s")
        self._out.opens.clear()  # of what is open no position is given
        return re.sub(f"^( *){ON}$", r"\1" + ("continue" if alone else "break"),
                      self._out.text("def f(s, pc, most, bits, put):"), flags=re.MULTILINE)

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
        offer = WaysOffered(code, offered(node), bounds)
        ways = offer.listed(self._begins.append)
        with out.block(f"if not {ways.number}:"):
            if node.otherwise is None:
                out.line(f"return {self._place(at, used=True)}, None, s")
            else:
                self._nodes, self._used = 0, False
                self._go(node.otherwise, frozenset())
        many = offer.too_many(ways)
        if many is not None:
            out.line(f"if {many}: return {self._place(at, used=True)}, None, s")
        drawn = out.fresh()
        out.line("while bits(1): pass")  # of those who act, of whom there is one
        out.line(f"{drawn} = bits({ways.bits})")
        out.line(f"while {drawn} >= {ways.number}: {drawn} = bits({ways.bits})")
        out.line(f"{drawn} = {ways.all}[{drawn}]")
        out.line(f"put({offer.event(ways, drawn)})")
        known = groups(node)
        for number, one in enumerate(offered(node)):
            if known[one.label, *logged(one)] != (number,):
                raise NotWhole("an event may be taken in several ways")
            with out.block(f"if {drawn}[0] == {number}:") if len(offered(node)) > 1 else nullcontext():
                self._nodes, self._used = 0, True
                offer.apply(number, None, offer.bound(ways, one, drawn))
                self._go(one.next, frozenset())

    def _held(self, doubts: int) -> None:
        """Who plays tests nothing of what always holds."""

    def _ended(self, at: int, changed: frozenset[str], won: str) -> None:
        self._out.line(f"return {at}, {won}, s")
