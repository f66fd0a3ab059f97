"""What a player has who is out of the game: where another answer to "what becomes of it?" is asked for."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Const, Expr, Fold, FoldKind, Local, Place, Where, Within
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import TURN, Core, Form, Role
from referee.core.stmt import Block, Branch, Each, Move, Origin, Put, Repeat, Stmt
from referee.core.traverse import bodies, in_play, itself, rewrite_each, walk
from referee.core.types import COMPONENT, PLAYER, Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.destinations import OUTSIDE, outside
from referee.other_rules.forms import with_value
from referee.other_rules.joined_blocks import in_a_row

OUT, GOES_AWAY = "out", "goes_away"
IT = "one that he has"


def with_things_of_players_out(core: Core, others: OtherAnswers) -> Core:
    """The rules with everything that a player keeps who has no turn any more; for another answer it is taken out of the
    game when that comes about."""
    skipped = _skipped(core)
    zones = [one.name for one in core.zones.values() if one.form is Form.BAG and len(one.keys) == 1
             and any(kind.domain == PLAYER for kind in walk(one.keys[0], Elem))]  # fmt: skip
    if skipped is None or not zones:
        return core
    read = {name for name in variables_of(skipped.where) if core.vars[name].role is Role.STATE} - _set_back(core)
    made = list[Origin]()

    def left(put: Put) -> object | None:
        if put.var not in read or len(put.keys) != 1 or put.more or not _is_player(put.keys[0]):
            return None
        test = others.test(OUT, GOES_AWAY, put.origin, alone=True)
        if test is None:
            return None
        made.append(put.origin)
        gone = _out(skipped, put.keys[0])
        away = tuple(_emptied(core, zone, put.keys[0], put.origin) for zone in zones)
        after: Stmt = Branch(typed_operators.both((test, gone)), away, (), put.origin)
        return in_a_row(put, after)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Put, left, lambda _: False)

    changed = in_play(core, inside)
    return replace(changed, zones={OUTSIDE: outside(core), **changed.zones}) if made else core


def _skipped(core: Core) -> Where | None:
    """The players whom turns pass over, as far as that changes in play."""
    for body in bodies(core):
        for loop in walk(body, Repeat):
            if not any(put.var == TURN for put in walk(loop.body[:1], Put)):
                continue  # another loop than that which passes the turn on
            for found in walk(loop.until, Where):
                everybody = any(one is found.source and _is_all(one) for one in walk(found.source, All))
                if everybody and found.where is not None:
                    return found
    return None


def _set_back(core: Core) -> set[str]:
    """What becomes again in play as it was at the start: by that somebody sits out for a while, and is not out."""
    found = set[str]()

    def noted(block: Block) -> Block:
        for put in walk(block, Put):
            found.update(put.var for value in itself(put.value, Const) if value.value == core.vars[put.var].start)
        return block

    in_play(core, noted)
    return found


def _is_all(source: All) -> bool:
    return any(kind.domain == PLAYER for kind in walk(source.of, Elem))


def _is_player(key: Expr) -> bool:
    return any(kind.domain == PLAYER for kind in walk(key.type, Elem))


def _out(skipped: Where, player: Expr) -> Expr:
    """That a player is one of those who are skipped."""
    assert skipped.where is not None
    return with_value(skipped.where, skipped.var, player)


def _emptied(core: Core, zone: str, player: Expr, where: Origin) -> Stmt:
    """Everything in the place of a player taken out of the game."""
    kinds = core.zones[zone].kinds
    numbers = [n for n, one in enumerate(core.components) if one.kind in kinds]
    it = Local(IT, Elem(COMPONENT, min(numbers), max(numbers)))
    here = Place(zone, (player,))
    same = typed_operators.equal(Local("it", it.type), it)
    there = Fold(FoldKind.COUNT, "it", Within(here), same, None, Int(0, core.zones[zone].capacity))
    return Each(IT, Within(here), (Move(it, there, here, Place(OUTSIDE), where),), where)
