"""What is done where a pile is empty from which something is to be drawn: another answer to "if there are none?"."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Expr, Fold, FoldKind, Local, Place, Within
from referee.core.read_write_sets import block_writes
from referee.core.ruleset import TURN, Core, Form
from referee.core.stmt import Block, Branch, Chance, Merge, Move, Origin, Repeat, Stmt, origin_of
from referee.core.traverse import bodies, carried_out, in_play, itself, statements, walk, with_blocks
from referee.core.types import Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import SHORTAGE
from referee.other_rules.components.destinations import OUTSIDE
from referee.other_rules.moments.broken_turns import ALREADY

COMES_BACK = "what_was_used_comes_back"


class EmptyPiles:
    """The places of one core where it is looked whether a pile has enough for what fate draws from it."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._filled = {move.to.zone for body in bodies(core) for move in statements(body, Move)}

    def made(self) -> Core:
        """The rules with what was used shuffled back where a pile is empty, for another answer."""
        core = self._core
        return in_play(core, self._block)

    def _block(self, block: Block) -> Block:
        found: list[Stmt] = []
        for stmt in block:
            inner = with_blocks(stmt, self._block)
            looked = [(branch.cond, (branch.yes, branch.no)) for branch in itself(stmt, Branch)]
            looked += [(loop.until, (tuple(statements(loop.body, Chance)), ()))
                       for loop in itself(stmt, Repeat)
                       if TURN not in block_writes(loop.body)]  # fmt: skip
            found += (*(one for cond, ways in looked for one in self._refilled(cond, ways, origin_of(stmt))), inner)
        return tuple(found)

    def _refilled(self, cond: Expr, ways: tuple[Block, Block], where: Origin) -> Block:
        """What comes before it is looked whether there is enough; nothing where nothing is drawn then."""
        place = self._looked_at(cond, ways)
        used = None if place is None else self._used_of(place)
        test = None if used is None else self._others.test(SHORTAGE, COMES_BACK, where)
        if place is None or used is None or test is None:
            return ()
        there = Fold(FoldKind.COUNT, "it", Within(place), None, None, Int(0, self._core.zones[place.zone].capacity))
        empty = typed_operators.equal(there, typed_operators.number(0))
        back = Merge(place, (replace(place, zone=used),), where)
        return (Branch(typed_operators.both((test, empty)), (back,), (), where),)

    def _looked_at(self, cond: Expr, ways: tuple[Block, Block]) -> Place | None:
        """The pile of which the condition speaks, if something is drawn from it on one side alone."""
        if any(one.name == ALREADY for one in walk(cond, Local)):
            return None  # whether the game is over
        piles = [known.place for one in walk(cond, Fold) for known in itself(one.source, Within)]
        for place in piles:
            drawn = [self._draws(side, place.zone) for side in ways]
            if self._core.zones[place.zone].form is Form.PILE and drawn[0] != drawn[1]:
                return replace(place, end=None, span=None)
        return None

    def _draws(self, block: Block, zone: str) -> bool:
        """Whether something is drawn from a pile in a block, or in what it carries out."""
        core = self._core
        inside = carried_out(core.procedures, block)
        return any(place.zone == zone for here in inside for one in statements(here, Chance)
                   for param in core.actions[one.action].params for place in walk(param.source, Place))  # fmt: skip

    def _used_of(self, place: Place) -> str | None:
        """The only bag or pile beside it, of the same player and of the same things, into which play puts something
        and that everybody sees; nobody takes an action from it, though an effect may let somebody choose there."""
        pile = self._core.zones[place.zone]
        taken = {one.zone for name, action in self._core.actions.items() if "." not in name for param in action.params
                 for one in walk(param.source, Place)}  # fmt: skip
        found = [zone.name for zone in self._core.zones.values()
                 if (zone.keys, zone.kinds) == (pile.keys, pile.kinds) and zone.name in self._filled - taken
                 and zone.sight.everybody and zone.form in (Form.BAG, Form.PILE)
                 and zone.name not in (pile.name, OUTSIDE)]  # fmt: skip
        return found[0] if len(found) == 1 else None
