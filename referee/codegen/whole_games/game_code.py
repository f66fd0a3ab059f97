"""Source for a whole game: rows of events in, who has won and with which scores out; None where anything is unusual.

A row is the kind of an event (its label and arguments, by number), who, and its arguments; the last has no kind. The
function goes from point to point, and through what lies between; where several ways meet is a place of its own, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import assert_never

from referee.codegen.code_scope import Name, Scope
from referee.codegen.invariant_code import InvariantCode
from referee.codegen.member_code import listed, member_test
from referee.codegen.offer_groups import groups, successors
from referee.codegen.often.conserved_counts import claim_changes
from referee.codegen.point_code import Offered, Use
from referee.codegen.source_text import CodePiece, Objects
from referee.codegen.trusted_variables import actor
from referee.codegen.value_bounds import BoundProver
from referee.codegen.whole_games import at_once
from referee.codegen.whole_games.found_values import still_found
from referee.codegen.whole_games.game_function import Kind
from referee.codegen.whole_games.set_code import SetCoder
from referee.codegen.whole_games.set_scope import NotWhole
from referee.codegen.whole_games.spot_effects import SpotEffects
from referee.core.expr import And, Const, Expr, Fold, FoldKind, Or
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, OfferNode, Rule, Run, asks, is_rest, offered
from referee.core.intervals import Bounds
from referee.core.stmt import Param
from referee.core.types import Bool
from referee.game.event import FATE
from referee.game.state import Layout
from referee.interpreter.offers import ME

MOST_INLINE = 24
"""So many nodes are written behind one event at most; what follows is a place of its own."""
MOST_PLACES = 120
"""Points in one game: rules with more are not put into one function."""
MOST_CLAIMS = 12
"""Claims tested at one place: where more are in doubt the rules are not put into one function."""
Place = tuple[int, bool]
"""A node, and whether the event that led there is done with."""
PC = "pc = "
ON = "ON"
"""Stands for what goes on with the next event."""


class GameCode:
    """Writes the function of one flow. `kinds`: the kinds of events by number; `places`: where it can begin; `width`:
    how many arguments a row has."""

    def __init__(self, flow: Flow, layout: Layout, objects: Objects, prover: BoundProver,
                 spots: Mapping[str, str], counted: Collection[str], carried: int) -> None:
        """`spots`, `counted`: as `SetCoder` has them; `carried`: the claims that may be in doubt where a place is come
        to, as bits."""
        self.flow = flow
        self.code = SetCoder(layout, objects, prover, spots, counted)
        self.kinds: dict[Kind, int] = {}
        self.places: list[Place] = []
        self.carried = 0
        self._carried = carried
        self._claims = InvariantCode(flow)
        self._out = self.code.out
        self._met = Counter(after for node in flow.nodes for after in successors(node))
        self._nodes = 0
        self._watched = tuple(one for one in flow.core.invariants if one.everywhere)

    def text(self, start: int) -> str:
        """The function of games that begin at a point. Raises `NotWhole` and `AsItLies`."""
        self._place(start, used=True)
        pieces: list[CodePiece] = []
        while len(pieces) < len(self.places):
            if len(self.places) > MOST_PLACES:
                raise NotWhole("there are too many points")
            with self._out.apart() as piece:
                self._written(*self.places[len(pieces)])
            pieces.append(piece)
        if self.carried:
            self._out.line("d = 0")
        return self._looped(pieces)

    def _looped(self, pieces: list[CodePiece]) -> str:
        """The function, with what is written for each place."""
        with self._out.block("for " + ", ".join(("k", "by", *(f"a{at}" for at in range(self.width)))) + " in it:"):
            alone = len(pieces) == 1
            with nullcontext() if alone else self._out.block("while True:"):
                self._chosen(pieces, 0, len(pieces))
                self._out.line("return None")
        self._out.opens.clear()  # of what is open no position is given
        text = self._out.text("def f(s, pc, it):")
        if alone:
            text = re.sub(f"^ *{PC}.*\n", "", text, flags=re.MULTILINE)
        return re.sub(f"^( *){ON}$", r"\1" + ("continue" if alone else "break"), text, flags=re.MULTILINE)

    @property
    def width(self) -> int:
        """How many arguments a row has."""
        return max((len(words) - 1 for words, _ in self.kinds), default=0)

    def _place(self, at: int, *, used: bool) -> int:
        """The number of a place. Where somebody is asked it is the same whether the last event is done with."""
        place = (at, used or asks(self.flow.nodes[at]) is not None)
        if place not in self.places:
            self.places.append(place)
        return self.places.index(place)

    def _chosen(self, pieces: Sequence[CodePiece], low: int, high: int) -> None:
        """One of some places, found by halves."""
        if high - low == 1:
            self._out.insert(pieces[low])
            return
        middle = (low + high) // 2
        with self._out.block(f"if pc < {middle}:"):
            self._chosen(pieces, low, middle)
        with self._out.block("else:"):
            self._chosen(pieces, middle, high)

    # --- places

    def _written(self, at: int, used: bool) -> None:
        self._nodes, self._used, self.code.found = 0, used, {}
        node = self.flow.nodes[at]
        match node:
            case Ask() | Draw():
                self._point(at, node)
            case Run() | Fork() | Rule():
                self._go(at, frozenset(), first=True)
            case Gather():
                raise NotWhole("several choose at once")
            case _:
                assert_never(node)

    def _point(self, at: int, node: Ask | Draw) -> None:
        code, out = self.code, self._out
        if node.point.automatic:
            raise NotWhole("what is the only thing possible is taken unasked")
        asked = str(FATE) if isinstance(node, Draw) else out.keep(code.value(node.actor, {}))
        bounds = actor(node, code.prover)
        offer, me = RowOffered(code, offered(node), bounds), Name(asked, bounds)
        for (label, *args), numbers in groups(node).items():
            forms = {tuple(param.count is not None for param in one.params if param.arg is not None)
                     for one in (offered(node)[number] for number in numbers)}
            if len(forms) > 1:
                raise NotWhole("arguments are of several forms")
            kind = self.kinds.setdefault(((label, *args), forms.pop()), len(self.kinds))
            self._nodes, self._used = 0, True
            with out.block(f"if k == {kind} and by == {asked}:"):
                for number in numbers:
                    offer.fits(number, partial(self._taken, node, offer))
        match node:
            case Ask(otherwise=int() as otherwise):
                some = self._some(offered(node), me)
                if some is None:
                    raise NotWhole("it is looked whether several can be taken, or something that is worked out")
                with out.block(f"if {some}:"):
                    self._told(at)
                    out.line("return None")
                self._nodes, self._used = 0, False
                self._go(otherwise, frozenset())
            case Ask():
                self._told(at)
            case Draw():
                with out.apart() as piece:
                    some = self._some(offered(node), me)
                if some is not None:
                    out.insert(piece)
                    out.line(f"if not {some}: return None")
                    self._told(at)
            case _:
                assert_never(node)

    def _told(self, at: int) -> None:
        """Behind the last event it is said where the game is."""
        if self._carried:
            self._out.line("if d: return None")
        self._out.line(f"if k < 0: return {at}, None, s")

    def _taken(self, node: OfferNode, offer: RowOffered, number: int, bound: Sequence[str]) -> None:
        """What a legal event leaves behind, and on."""
        offer.apply(number, None, bound)
        self._go(offered(node)[number].next, claim_changes(node))

    def _some(self, alternatives: Sequence[Alternative], me: Name) -> str | None:
        """Whether anything is possible; None if that is not so simple."""
        parts: list[Expr] = []
        for one in alternatives:
            if one.fixed or any(param.count is not None for param in one.params):
                return None
            found: Expr = And(tuple(guard.cond for guard in one.guards))
            for param in reversed(one.params):
                found = Fold(FoldKind.ANY, param.name, param.source, None, found, Bool())
            parts.append(found)
        with self._out.apart() as piece:
            text = self.code.value(Or(tuple(parts)), {ME: me})
        if piece.raises:
            return None
        self._out.insert(piece)
        return text

    # --- between points

    def _go(self, at: int, changed: frozenset[str], first: bool = False) -> None:
        """From a node on, to where somebody is asked next, or several ways meet. `changed`: what claims may be broken
        by."""
        node, found = self.flow.nodes[at], self.code.found
        self._nodes += 1
        match node:
            case Ask() | Draw() | Gather():
                self._rest(at, changed)
                return
            case Run() | Fork() | Rule():
                if not first and not _settled(node) and (self._met[at] > 1 or self._nodes > MOST_INLINE):
                    self._rest(at, changed)
                    return
            case _:
                assert_never(node)
        match node:
            case Run():
                changed |= claim_changes(node)
                self.code.found = {}  # of what is changed meanwhile nothing is known
                SpotEffects(self.code, at, self._watched, partial(self._ended, at, changed)).block(node.body, {})
                self.code.found = still_found(found, node)
                self._go(node.next, changed)
            case Fork(Const(value)):
                self._go(node.yes if value else node.no, changed)
            case Fork():
                with self._out.block(f"if {self.code.value(node.cond, {})}:"):
                    self._go(node.yes, changed)
                self._go(node.no, changed)
            case Rule():
                self._rule(node, changed)
            case _:
                assert_never(node)
        self.code.found = found

    def _rule(self, node: Rule, changed: frozenset[str]) -> None:
        """What the table would have to be asked is unusual, unless the header says it."""
        code, out = self.code, self._out
        if node.candidates is None:
            out.line("return None")
            return
        ruled = f"s[{code.layout.rulings[node.point.name]}]"
        name = out.fresh()
        whole = at_once.source(code, node.candidates, {})
        if whole is not None:
            found = out.keep(whole)
            with out.block(f"if {found} and not {found} & {found} - 1:"):
                out.line(f"{name} = {found}.bit_length() - 1")
            test = f"{found} >> {name} & 1"
        else:
            found = out.keep(f"tuple(dict.fromkeys({listed(code, node.candidates, {})}))")
            with out.block(f"if len({found}) == 1:"):
                out.line(f"{name} = {found}[0]")
            test = f"{name} in {found}"
        with out.block("else:"):
            out.line(f"{name} = {ruled}")
            out.line(f"if {name} is None or not {test}: return None")
        if node.into is not None:
            out.line(f"s[{code.layout.vars[node.into].base}] = {name}")
        code.found = still_found(code.found, node)
        self._go(node.next, changed | claim_changes(node))

    def _rest(self, at: int, changed: frozenset[str]) -> None:
        """On to a place; where the game rests what always holds is tested."""
        out, asked = self._out, asks(self.flow.nodes[at]) is not None
        doubts = self._claims.touched(changed)
        if asked and is_rest(self.flow.nodes[at]):
            self._held(doubts)
        elif doubts:
            self.carried |= doubts
            out.line(f"d |= {doubts}")
        out.line(f"{PC}{self._place(at, used=self._used)}")
        out.line(ON if asked and self._used else "continue")

    def _held(self, doubts: int) -> None:
        """What may be broken is tested: some claims for certain, and those in doubt since before."""
        if (doubts | self._carried).bit_count() > MOST_CLAIMS or not self._claims.plain(doubts | self._carried):
            raise NotWhole("too much has to hold at once")
        self._asserted(doubts)
        if self._carried:
            with self._out.block("if d:"):
                for bit in range(self._claims.number):
                    if self._carried >> bit & 1:
                        with self._out.block(f"if d & {1 << bit}:"):
                            self._asserted(1 << bit)
                self._out.line("d = 0")

    def _asserted(self, claims: int) -> None:
        for bit in range(self._claims.number):
            if claims >> bit & 1:
                self._claims.asserted(self.code, bit)

    def _ended(self, at: int, changed: frozenset[str], won: str) -> None:
        """The game is over: nothing may follow."""
        code, out = self.code, self._out
        self._held(self._claims.touched(changed))
        out.line(f"if {'next(it)[0]' if self._used else 'k'} >= 0: return None")
        score = self.flow.core.score
        if score is None:
            out.line(f"return {won}, None")
            return
        scores = [out.keep(code.value(score.value, {score.player: Name(str(player), Bounds(player, player))}))
                  for player in range(self.flow.core.seats.number)]
        out.line(f"return {won}, ({''.join(f'{one}, ' for one in scores)})")


class RowOffered(Offered):
    """Writes what is done with the alternatives of one point. The arguments are known to be of the right form."""

    def fits(self, number: int, use: Use) -> None:
        """What is done if the arguments a0, a1, ... fit an alternative."""
        self._fits(number, 0, self.entered(self._alternatives[number]), 0, use)

    def entered(self, one: Alternative) -> Scope:
        """What is known before the arguments are."""
        if any(param.arg is None or param.among is not None for param in one.params):
            raise NotWhole("there are parameters that a log does not state, or of which some are wanted")
        return self._enter(one)

    @contextmanager
    def _allowed(self, param: Param, text: str, scope: Scope) -> Iterator[Scope]:
        with self.out.apart() as piece:
            if param.count is not None:
                test = f"is_taken({self._pile(param, scope)}, {text})"
            else:
                test = member_test(self.code, param.source, text, scope)
        with self.out.block(f"if {self._tried(piece, test, 'False')}:"):
            yield {**scope, param.name: Name(text, self._bounds(param, scope))}


def _settled(node: Run | Fork | Rule) -> bool:
    """Whether it is known where the game goes on."""
    match node:
        case Fork(Const()):
            return True
        case Run() | Fork() | Rule():
            return False
        case _:
            assert_never(node)
