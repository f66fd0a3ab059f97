"""What the last round still holds: other answers are that a step of it is left out, or that it is not the last."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.core.expr import And, Expr, Get, Numbers, Or
from referee.core.read_write_sets import block_writes, reads
from referee.core.ruleset import TURN, Core, Role, Var
from referee.core.stmt import Bind, Block, Branch, Each, Origin, Put, Repeat, Stmt, is_whole, origin_of
from referee.core.traverse import carried_out, offered, rewrite_each, statements
from referee.core.types import Bool
from referee.frontend.desugaring.later_moments import WHEN
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.forms import as_a
from referee.other_rules.moments.broken_turns import surely_asks
from referee.other_rules.players.player_rounds import asking_procedures, asks, of_players

LEFT_OUT, NOT_GONE_ROUND, OTHERS_NO_MORE = "not_in_the_last_round", "no_further_time_round", "the_others_no_more"
ANOTHER_ROUND = "after_another_round"
_ROUNDS = 100_000
"""So many rounds no game has: a round in which nobody is asked has to end some day."""
_BEFORE = "so before the last step"
"""How the names begin of what is noted of the end before a step in which it may come about."""


@dataclass(frozen=True, slots=True)
class _Round:
    """A loop of rounds that are played until a condition holds, and the procedures in which somebody decides."""

    core: Core
    loop: Repeat
    asking: frozenset[str]

    def changes(self, stmt: Stmt) -> frozenset[str]:
        """What a step changes, with the procedures and actions that it has carried out."""
        done = ((stmt,), *(self.core.actions[name].body for name in offered(self.core, (stmt,))))
        inside = (one for block in done for one in carried_out(self.core.procedures, block))
        return frozenset().union(*map(block_writes, inside))

    def goes_round(self, block: Block) -> bool:
        """Whether each player has something to decide in a block of it."""
        return any(of_players(each.source) and asks(each.body, self.asking)
                   for one in carried_out(self.core.procedures, block) for each in statements(one, Each))  # fmt: skip

    def cites(self, stmt: Stmt) -> tuple[str, ...]:
        """The statements that a step cites, or what it carries out."""
        inside = carried_out(self.core.procedures, (stmt,))
        found = (cite for one in inside for line in statements(one) for cite in origin_of(line).cites)
        return self.core.statements_in(dict.fromkeys(found))


def with_rounds_cut_short(core: Core, others: OtherAnswers) -> Core:
    """The rules with rounds that are played until something is so; for other answers a step behind that is left out in
    the last of them, who has not had his turn has none, or a further round is played if it came about at the end of
    one. Not of `turns`, the moments of which are other answers of their own."""
    asking, noted = asking_procedures(core), dict[str, Var]()

    def found(loop: Repeat) -> object | None:
        inner = replace(loop, body=rewrite_each(loop.body, Repeat, found, lambda _: False))
        round_ = _Round(core, inner, asking)
        if TURN in block_writes(loop.body) or not round_.goes_round(loop.body):
            return inner
        return _cut(round_, others, noted)

    setup, play = core.main[: core.setup], core.main[core.setup :]
    made = replace(core, main=(*setup, *rewrite_each(play, Repeat, found, lambda _: False)))
    return replace(made, vars={**made.vars, **noted})


def _cut(round_: _Round, others: OtherAnswers, noted: dict[str, Var]) -> Repeat:
    loop, done = round_.loop, list[Stmt]()
    until, begun, may_be_so = loop.until, False, False
    for stmt in loop.body:
        asked, brings_it = asks((stmt,), round_.asking), not round_.changes(stmt).isdisjoint(reads(loop.until))
        where, kept = origin_of(stmt), (_inside(round_, stmt, others) if brings_it and asked else stmt,)
        if may_be_so and as_a(stmt, Bind) is None and is_whole(stmt) and _is_a_step(round_, stmt):
            cites = tuple(dict.fromkeys((*where.cites, *loop.origin.cites)))
            test = others.test(WHEN, LEFT_OUT, Origin(where.span, cites), alone=True, also=loop.origin)
            kept = kept if test is None else (_unless(test, loop.until, kept, where),)
        if brings_it and begun and not (asked and round_.goes_round((stmt,))) and round_.cites(stmt):
            test = others.test(WHEN, ANOTHER_ROUND, loop.origin, alone=True, also=where)
            if test is not None:
                name = f"{_BEFORE} {len(noted) + 1}"
                noted[name] = Var(name, (), Bool(), False, Role.REGISTER, where)
                done.append(Put(name, (), loop.until, where))
                until = And((until, Or((typed_operators.negate(test), Get(name, (), Bool())))))
        done += kept
        begun, may_be_so = begun or asked, may_be_so or brings_it
    made = replace(loop, until=until, body=tuple(done))
    sure = loop.limit is not None or surely_asks(round_.core, made.body)
    return made if sure or made == loop else replace(made, limit=_ROUNDS)


def _inside(round_: _Round, stmt: Stmt, others: OtherAnswers) -> Stmt:
    """A loop within the round in which the end may come about: broken off between two times round, or two players."""
    loop, until = round_.loop, round_.loop.until

    def broken(each: Each) -> object | None:
        inner = replace(each, body=rewrite_each(each.body, Each, broken, lambda _: False))
        times, name = as_a(each.source, Numbers) is not None, OTHERS_NO_MORE
        if not asks(each.body, round_.asking) or not (times or of_players(each.source)):
            return inner
        if times:
            name = NOT_GONE_ROUND
        where = each.origin if each.origin.cites else Origin(each.origin.span, loop.origin.cites)
        test = others.test(WHEN, name, where, alone=True, also=loop.origin)
        return inner if test is None else replace(inner, body=(_unless(test, until, inner.body, each.origin),))

    return rewrite_each(stmt, Each, broken, lambda _: False)


def _is_a_step(round_: _Round, stmt: Stmt) -> bool:
    """Whether it is something that a sentence of its own has done in a round, and no bookkeeping."""
    own = set(round_.core.statements_in(origin_of(stmt).cites)) - set(round_.loop.origin.cites)
    return bool(own) and any(as_a(one, Put) is None for one in statements((stmt,)))


def _unless(test: Expr, until: Expr, block: Block, where: Origin) -> Stmt:
    return Branch(typed_operators.negate(typed_operators.both((test, until))), block, (), where)
