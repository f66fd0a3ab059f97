"""Triggers: what happens when a condition turns true, put behind the statements that may turn it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from referee.core.expr import Expr, Get, Or
from referee.core.read_write_sets import block_writes, reads, writes
from referee.core.ruleset import Role, Var
from referee.core.stmt import Block, Branch, Call, Chance, Move, Origin, Put
from referee.core.traverse import nested, statements
from referee.core.types import Bool
from referee.diagnostics.source import Span
from referee.frontend.desugaring.commutation import Commuting
from referee.frontend.desugaring.insert_checks import bodies, bounded, everywhere, interlaced, led_to, written_by
from referee.frontend.desugaring.later_moments import MOMENTS, RUN_DRY, delayed, draws_from
from referee.frontend.desugaring.rest_points import restless
from referee.frontend.desugaring.simultaneous_effects import AtOnce, Item, groups
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, all_tried, head, node, origin, tried, words
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node

MOST_TRIGGERS = 40
"""Triggers: rules with more are refused."""
AGAIN, FIRST_TIME = "again", "the_first_time_only"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A `when C: ...`: it fires when C turns true. `was`: the register that holds whether it held when tested last.

    `again`: what is done after the body if that may have made C false.
    """

    label: str
    cond: Expr
    body: Block
    again: Block
    was: str
    after_above: bool
    origin: Origin
    head: Span

    @property
    def fresh(self) -> Expr:
        """That the condition has turned true."""
        return typed_operators.both((self.cond, typed_operators.negate(Get(self.was, (), Bool()))))

    def tested(self) -> Put:
        """Keeps whether the condition holds."""
        return Put(self.was, (), self.cond, self.origin)


class Triggers:
    """Lowering of `when C: ...`."""

    def __init__(self, symbols: Symbols, values: ExpressionLowering, statements: Statements) -> None:
        self._symbols = symbols
        self._values = values
        self._statements = statements
        self._commuting = Commuting(symbols)
        self._made: list[Trigger] = []
        self._checks: dict[tuple[int, ...], Block] = {}
        self._over: frozenset[str] = frozenset()
        self._order: list[int] = []
        self._names: dict[tuple[int, ...], str] = {}
        self._later_bodies: dict[int, Block] = {}

    def read(self, decls: list[Node], over: frozenset[str]) -> None:
        """Reads the triggers. `over`: what the ends of the game look at. Raises Wrong."""
        self._over = over
        if len(decls) > MOST_TRIGGERS:
            more = head(decls[MOST_TRIGGERS])
            raise self._symbols.wrong("TR02", f"there are at most {MOST_TRIGGERS} triggers", more)
        self._made = all_tried(partial(self._trigger, d) for d in decls)
        self._order = list(range(len(decls)))

    def _trigger(self, decl: Node) -> Trigger:
        cond_node = node(decl.parts[0])
        where = origin(decl)
        found = tried(lambda: self._values.terms.condition(cond_node, Scope(owner="when")))
        body = restless(self._statements.body(decl.parts[-1], Scope(owner="when")))
        self._symbols.aside.append(body)
        if found is None:
            raise ErrorReported
        said = self._symbols.text(cond_node.span)
        name = self._symbols.point(f"when {said}"[:80])
        self._symbols.vars[name] = Var(name, (), Bool(), False, Role.REGISTER, where)
        self._symbols.watched[name] = found
        again = (Put(name, (), found, where),) if written_by(self._symbols, body) & reads(found) else ()
        after_above = any(True for _ in words(decl, "AFTER_ABOVE"))
        return Trigger(said, found, body, again, name, after_above, where, head(decl))

    def weave(self) -> None:
        """Puts the tests behind every statement that may set a trigger off. Raises Wrong if they do so in a circle."""
        symbols = self._symbols
        self._order = self._ordered()
        self._bounded()
        everywhere(symbols, lambda block: interlaced(block, lambda written: self._test(self._set_off_by(written))))
        symbols.setup = (*(one.tested() for one in self._made), *symbols.setup)

    # ------------------------------------------------------------------ behind statements
    def _bounded(self) -> None:
        """Complains of triggers that are tested too often, or within too much. Raises Wrong."""
        size, deep = dict[int, int](), dict[int, int]()
        for index in self._order:
            own = list(self._led(self._made[index].body))
            size[index] = 4 + len(own) + sum(size[j] for _, off in own for j in off if j != index)
            deep[index] = max((around + 4 + len(off) + deep[j] for around, off in own for j in off if j != index),
                              default=max((around for around, _ in own), default=0))
        every = [found for body in bodies(self._symbols) for found in self._led(body)]
        for index, one in enumerate(self._made):
            places = [around for around, off in every if index in off]
            whole = len(every) + sum(size[j] for _, off in every for j in off if j <= index)
            bounded(self._symbols, whole, len(places), max(places, default=0) + 2 + deep[index], one.head)

    def _led(self, block: Block) -> Iterator[tuple[int, tuple[int, ...]]]:
        """For each statement the blocks around it, and the triggers that it may set off."""
        return ((around, self._set_off_by(writes(stmt))) for stmt, around in nested(block))

    def _set_off_by(self, written: frozenset[str]) -> tuple[int, ...]:
        return tuple(i for i in self._order if written & reads(self._made[i].cond))

    def _test(self, due: tuple[int, ...]) -> Block:
        """The test of the triggers that a statement may have set off. They form no circle, so this comes to an end."""
        if due not in self._checks:
            free = [(i, j) for i in due for j in due if i != j and self.free(i, j)]
            parts = groups(len(due), lambda a, b: (due[a], due[b]) in free)
            self._checks[due] = tuple(s for part in parts for s in self._check([due[i] for i in part]))
        return self._checks[due]

    def _check(self, due: list[int]) -> Block:
        """One trigger, or several of which the order matters: those that are set off now."""
        made = [self._made[i] for i in sorted(due)]
        bodies = [self._later(i, (*self._inside(i), *self._made[i].again)) for i in sorted(due)]
        if len(made) == 1:
            (one,), (body,) = made, bodies
            fires = (Put(one.was, (), typed_operators.TRUE, one.origin), *body)
            fresh = Branch(Get(one.was, (), Bool()), (), fires, one.origin)
            return (Branch(one.cond, (fresh,), (Put(one.was, (), typed_operators.FALSE, one.origin),), one.origin),)
        items = [Item(o.label, o.fresh, b, o.origin, o.after_above) for o, b in zip(made, bodies, strict=True)]
        name = self._name(tuple(sorted(due)))
        noted, *rest = AtOnce(self._symbols).block(items, name)
        tests = tuple(one.tested() for one in made)
        return (Branch(Or(tuple(o.fresh for o in made)), (noted, *tests, *rest), tests, made[0].origin),)

    def _later(self, index: int, body: Block) -> Block:
        """What a trigger does, with the other answers to when it does it, if they are asked for."""
        symbols, one = self._symbols, self._made[index]
        if not symbols.others.asked:
            return body
        if index not in self._later_bodies:
            made = delayed(symbols, self._at_first(index, body), one.origin, MOMENTS)
            looked_at = reads(one.cond)
            if len(looked_at) == 1 and looked_at <= set(symbols.zones) and _may_fill(body, looked_at):
                made = delayed(symbols, made, one.origin, [draws_from(min(looked_at))], RUN_DRY)
            self._later_bodies[index] = made
        return self._later_bodies[index]

    def _at_first(self, index: int, body: Block) -> Block:
        """What a trigger does each time; for another answer the first time only."""
        symbols, one = self._symbols, self._made[index]
        moves = any(True for _ in statements(body, Move, Chance))  # what is laid anew or refilled is so each time
        test = None if moves else symbols.others.test(AGAIN, FIRST_TIME, one.origin)
        if test is None:
            return body
        name = symbols.numbered("happened once", symbols.vars, " ")
        symbols.vars[name] = Var(name, (), Bool(), False, Role.REGISTER, one.origin)
        over = typed_operators.both((test, Get(name, (), Bool())))
        return (Branch(over, (), (*body, Put(name, (), typed_operators.TRUE, one.origin)), one.origin),)

    def _name(self, due: tuple[int, ...]) -> str:
        """The published name of the point at which these are put in order, wherever that is."""
        if due not in self._names:
            self._names[due] = self._symbols.point("when.order")
        return self._names[due]

    def _inside(self, index: int) -> Block:
        """The body of a trigger, with the tests of those that it sets off; not of itself."""
        def test(written: frozenset[str]) -> Block:
            return self._test(tuple(i for i in self._set_off_by(written) if i != index))

        return interlaced(self._made[index].body, test)

    # ------------------------------------------------------------------ does the order matter?
    def free(self, one: int, other: int) -> bool:
        """True if the order of two triggers is said, or makes no difference."""
        a, b = (self._effects(self._made[i].body, without=j) for i, j in ((one, other), (other, one)))
        return self._commute(a, b)

    def alike(self, one: Block, other: Block) -> bool:
        """True if two blocks lead to the same whichever comes first, with all that they set off."""
        return self._commute(self._effects(one), self._effects(other))

    def _commute(self, one: Block, other: Block) -> bool:
        ended = any(written_by(self._symbols, block) & self._over for block in (one, other))
        return not ended and self._commuting.blocks(one, other)

    def _effects(self, body: Block, without: int | None = None) -> Block:
        """A block with what it may set off, maybe through others."""
        found, open_, known = list(body), [body], {without}
        while open_:
            for index in self._set_off_by(written_by(self._symbols, open_.pop())):
                if index not in known:
                    known.add(index)
                    one = self._made[index]
                    found.append(Branch(one.cond, one.body, (), one.origin))
                    open_.append(one.body)
        return tuple(found)

    def _ordered(self) -> list[int]:
        """The triggers, those that are set off by others before those. Raises Wrong on a circle."""
        made = self._made
        written = [written_by(self._symbols, one.body) for one in made]
        carried = [written_by(self._symbols, self._carried(one.body)) for one in made]
        sets_off = {
            i: [j for j in range(len(made)) if (carried[i] if i == j else written[i]) & reads(made[j].cond)]
            for i in range(len(made))
        }
        order: list[int] = []
        open_: list[int] = []

        def visit(index: int) -> None:
            if index in open_:
                raise self._symbols.wrong(
                    "TR01",
                    "this trigger sets itself off, maybe through others",
                    made[index].head,
                    hint="what undoes its condition stands in the trigger itself, not in a procedure or an action",
                )
            if index not in order:
                open_.append(index)
                for other in sets_off[index]:
                    visit(other)
                open_.pop()
                order.append(index)

        for index in range(len(made)):
            visit(index)
        return order

    def _carried(self, block: Block) -> Block:
        """What leads elsewhere: a trigger is tested there too, but not between its own statements."""
        return tuple(stmt for stmt in statements(block) if led_to(stmt))


def _may_fill(body: Block, zones: frozenset[str]) -> bool:
    """Whether what a trigger does may lay something in a zone: what only notes that it is empty fills nothing."""
    called = next(statements(body, Call, Chance), None)
    return called is not None or bool(block_writes(body) & zones)
