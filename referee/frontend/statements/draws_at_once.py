"""What several players roll or draw at once: fate takes them one by one, and a log may have them in any order."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Const, Expr, Fold, FoldKind, Get, Local, Members, Op, Operator, Within
from referee.core.intervals import fold, of_type
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Role, Var
from referee.core.stmt import Action, Block, Branch, Chance, Origin, Param, Point, Put, Repeat, Stmt, Unspecified
from referee.core.types import Bool, Int, SetOf
from referee.flow.register_names import in_place, substitute
from referee.frontend.desugaring.commutation import Commuting
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import cites, node, nodes
from referee.frontend.statements.decisions import OUTSIDE, SEVERAL, Decisions
from referee.frontend.statements.state_changes import Statements, first_line
from referee.syntax.syntax_tree import Node, Word

KINDS = ("draw", "roll", "roll_dice", "roll_into")
EACH = "each of them"
QUESTION = "fewer lie there, in no order, than all of them draw at once: who gets which?"
_ONE = "one of them"
_WHOSE = ("to", "for")


class DrawsAtOnce:
    """Lowering of `simultaneously` where fate decides: `each player rolls 1..6 as die`.

    It becomes a loop that asks fate as long as somebody is left; who is next is an argument of the event.
    """

    def __init__(self, values: ExpressionLowering, statements: Statements, decisions: Decisions) -> None:
        self._statements = statements
        self._decisions = decisions
        self._symbols = values.symbols
        self._sources = values.sources
        self._secret_choices = statements.rules["simultaneously"]
        statements.rules["simultaneously"] = self._simultaneously

    def _simultaneously(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        body = node(stmt.parts[0])
        found = [(one, line) for line in (body, *nodes(body, "line")) for one in nodes(line)]
        fate = [(one, line) for one, line in found if one.kind in KINDS]
        if not fate:
            return self._secret_choices(stmt, scope, where)
        others = [one for one, _ in found if one.kind not in ("cite", "line") and one is not fate[0][0]]
        if others:
            said = "what players roll or draw at once is one line, for each of them"
            hint = "several such lines are several `simultaneously`, one after the other"
            raise self._symbols.wrong("CM06", said, first_line(others[0]), hint=hint)
        one, line = fate[0]
        if node(one.parts[0]).kind not in SEVERAL:
            hint = "write `each player rolls ...`, `each player where C rolls ...` or `a and b roll ...`"
            raise self._symbols.wrong("CM06", "one alone does nothing at once", one.span, hint=hint)
        here = Origin(one.span, tuple(dict.fromkeys((*where.cites, *cites(line)))))
        return self._loop(one, scope, here), scope

    def _loop(self, line: Node, scope: Scope, where: Origin) -> list[Stmt]:
        """Fate is asked until nobody is left; who is, stands in a register."""
        who, player = node(line.parts[0]), self._symbols.player
        everyone = self._decisions.players(who, scope)
        before, chance = self._of_one(line, scope, where)
        action = self._symbols.actions[chance.action]
        left = self._left(action, scope, where)
        pending = Get(left, (), SetOf(player))
        mine = {one.name for one in action.params if one.name in _WHOSE and OUTSIDE in locals_of(one.source)}
        one_of_them = Param(OUTSIDE, min(mine, default="for"), player, Members(pending), where)
        params = (one_of_them, *(one for one in action.params if one.name not in (OUTSIDE, *mine)))
        rest = Op(Operator.MINUS, (pending, typed_operators.singleton(Local(OUTSIDE, player))), SetOf(player))
        kept, forgotten = self._kept(line, action, scope, where)
        body = (Put(left, (), rest, where), *kept)
        self._symbols.actions[action.name] = replace(action, params=params, body=body)
        bound = tuple((name, value) for name, value in chance.bound if name != OUTSIDE)
        self._symbols.at_once[action.name] = replace(chance, bound=((OUTSIDE, Local(EACH, player)), *bound))
        nobody = typed_operators.equal(Op(Operator.SIZE, (pending,), Int(0, player.hi + 1)), typed_operators.number(0))
        asked = Repeat(nobody, (replace(chance, bound=bound),), None, where)
        enough = self._enough(line, action, everyone, scope, where)
        return [*before, *enough, *forgotten, Put(left, (), everyone, where), asked]

    def _left(self, action: Action, scope: Scope, where: Origin) -> str:
        """The register of who is left, called after what fate decides."""
        got = (one.name for one in action.params if one.arg is not None and one.name not in _WHOSE)
        named = next(got, action.label)
        name = self._decisions.free(f"{scope.owner}.{named} to come")
        self._symbols.vars[name] = Var(name, (), SetOf(self._symbols.player), frozenset(), Role.REGISTER, where)
        return name

    def _of_one(self, line: Node, scope: Scope, where: Origin) -> tuple[Block, Chance]:
        """The line for one of them, who is `me` in it. And what other answers do before anything is drawn, once."""
        name = _name_in(line)
        if name is not None:
            self._symbols.later.discard(name.text)
        span = node(line.parts[0]).span
        alone = replace(line, parts=(Node("me", (Word("ME", "me", span),), span), *line.parts[1:]))
        one = Local(self._sources.fresh("player"), self._symbols.player)
        with self._statements.in_rounds():
            (*before, chance), _ = self._statements.rules[line.kind](alone, replace(scope, me=one), where)
        assert isinstance(chance, Chance)
        return tuple(before), replace(chance, point=replace(chance.point, rest=scope.me is None))

    def _kept(self, line: Node, action: Action, scope: Scope, where: Origin) -> tuple[Block, Block]:
        """What fate decides for one, done: what has a name keeps it for each player, `die of p`. And what it held
        before, forgotten for all: some may not be asked this time."""
        name = _name_in(line)
        if name is None:
            return action.body, ()
        *others, keep = action.body
        assert isinstance(keep, Put)
        del self._symbols.vars[keep.var]
        (param,) = (one for one in action.params if one.name in locals_of(keep.value))
        var = self._decisions.kept_by_each(name, param, where)
        player = self._symbols.player
        body: Block = (*others, replace(keep, var=var.name, keys=(Local(OUTSIDE, player),)))
        if scope.owner == "setup" and line.kind != "draw" and param.seen is None:
            self._symbols.vars[var.name] = replace(var, role=Role.STATE)
            return body, ()
        nothing = Const(() if var.start == () else None, var.type)
        seats = range(self._symbols.seats.number)
        return body, tuple(Put(var.name, (typed_operators.member(one, player),), nothing, where) for one in seats)

    def _enough(self, line: Node, action: Action, players: Expr, scope: Scope, where: Origin) -> Block:
        """Where fewer lie at the end from which all draw than they draw in all, nobody says who gets which.

        On top of a pile that is the block there: what lies below it comes only after it.
        """
        if line.kind != "draw":
            return ()
        found = action.params[-1]
        assert isinstance(found.source, Within)
        place, player = found.source.place, self._symbols.player
        count = typed_operators.number(1) if found.count is None else found.count[1]
        one, other = Local(_ONE, player), Local(EACH, player)
        drawn = substitute(count, {OUTSIDE: other})
        same = [
            typed_operators.equal(substitute(key, {OUTSIDE: other}), substitute(key, {OUTSIDE: one}))
            for key in place.keys
            if OUTSIDE in locals_of(key)
        ]
        total = fold(FoldKind.SUM, of_type(drawn.type), None, self._symbols.seats.number).type
        wanted = Fold(
            FoldKind.SUM, EACH, Members(players), typed_operators.both(same) if same else None, drawn, total, None
        )
        room = Int(0, self._symbols.zones[place.zone].capacity)
        there = Fold(FoldKind.COUNT, "lying", Within(in_place(place, {OUTSIDE: one})), None, None, room)
        few = typed_operators.compare(Operator.LT, there, wanted)
        short = Fold(FoldKind.ANY, _ONE, Members(players), few, None, Bool()) if same else few
        point = Point(self._symbols.point(f"{scope.owner}.too_few"), False, where)
        return (Branch(short, (Unspecified(point, QUESTION, None, None, None),), (), where),)


def check_at_once(symbols: Symbols) -> None:
    """Reports each `simultaneously` in which what fate decides for one has a bearing on another (CM07)."""
    commuting = Commuting(symbols)
    for chance in symbols.at_once.values():
        if not commuting.rounds((chance,), EACH):
            said = "what one of them gets has a bearing on what another gets, so it is not done at once"
            hint = "one after the other it is `for each p in players, in order from ...`"
            symbols.reporter.error("CM07", said, chance.point.origin.span, hint=hint)


def _name_in(line: Node) -> Word | None:
    """What the line calls what it decides."""
    return next((one for one in line.parts[3:] if isinstance(one, Word) and one.type == "NAME"), None)
