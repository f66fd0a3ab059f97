"""What happens where somebody comes to: another answer is that it does not if it is no move of his own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Expr, Get, Local
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Block, Branch, Call, Decide, Each, Origin, Put, Stmt, origin_of
from referee.core.traverse import in_play, statements, with_blocks
from referee.core.types import Bool
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.arrivals.arrival_effects import Arrivals
from referee.other_rules.arrivals.what_follows import ME, Arrival, Mover
from referee.other_rules.forms import as_a
from referee.other_rules.tracks.places_on_tracks import LED_ON

NOT_BROUGHT = "not_when_brought_there"
BY_OTHERS = "was moved by another rule"


def with_own_moves_alone(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect that stands behind moves of one's own and others, and hangs on where they lead; for
    another answer it comes behind the first alone."""
    return _OwnMoves(core, others).made()


class _OwnMoves:
    """The statements of one core that move somebody, or carry out what moves him, and are no action of his.

    What notes that stands around each of them; an effect looks whether it is noted.
    """

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._arrivals = Arrivals(core)
        self._in_actions = frozenset[str]().union(*(self._arrivals.bodies.reached(block) for body, block in
                                                    self._arrivals.bodies.blocks.items() if body.startswith("action ")))
        self._found: dict[int, list[tuple[Origin, Arrival]]] = {}
        for mover in self._arrivals.movers:
            for arrival in self._arrivals.arrivals:
                if self._is_by_another_rule(mover, arrival):
                    self._found.setdefault(id(mover.stmt), []).append((mover.origin, arrival))
        for call, arrival in self._led_on():
            self._found.setdefault(id(call), []).append((call.origin, arrival))
        self._tests: dict[int, list[tuple[str, Expr]]] = {}
        self._noted: dict[str, Var] = {}

    def made(self) -> Core:
        """The rules with this answer; set-up is left as it is."""
        if not self._found:
            return self._core
        noting = in_play(self._core, self._noting)
        made = in_play(noting, self._without)
        return replace(made, vars={**made.vars, **self._noted})

    def _is_by_another_rule(self, mover: Mover, arrival: Arrival) -> bool:
        """Whether the course of the game moves somebody, and an effect stands behind it as behind moves of his own."""
        if arrival.goal != mover.goal or mover.body in self._in_actions or mover.body.startswith("action "):
            return False
        own = any(one.goal == mover.goal and _is_own(one) and self._arrivals.bodies.follows(arrival, one)
                  for one in self._arrivals.movers)  # fmt: skip
        return own and self._arrivals.are_apart(arrival, mover) and self._arrivals.bodies.directly(arrival, mover)

    def _led_on(self) -> Iterator[tuple[Call, Arrival]]:
        """What an effect of a place carries out that moves somebody on, with each other effect behind such a move."""
        for around in self._arrivals.arrivals:
            offered = {one.action for asked in statements((around.effect,), Decide) for one in asked.options}
            inside: list[Block] = [(around.effect,), *(self._core.actions[name].body for name in sorted(offered))]
            for call in (one for block in inside for one in statements(block, Call)):
                led = {f"procedure {call.procedure}", *self._arrivals.bodies.reached((call,))}
                for arrival in self._arrivals.arrivals:
                    moved = [one for one in self._arrivals.movers if one.body in led and one.goal == arrival.goal
                             and self._arrivals.bodies.directly(arrival, one)]  # fmt: skip
                    cited = set(self._core.statements_in(call.origin.cites))
                    if moved and arrival is not around and cited and not cited & set(arrival.origin.cites):
                        yield call, arrival

    # ------------------------------------------------------------------ made
    def _noting(self, block: Block) -> Block:
        """With a note around what moves somebody by another rule: behind a move, as long as the rest of its block."""
        found, over = list[Stmt](), list[Stmt]()
        for stmt in block:
            inner = with_blocks(stmt, self._noting)
            begun, ended = list[Stmt](), list[Stmt]()
            for origin, arrival in self._found.get(id(stmt), ()):
                test = self._others.test(LED_ON, NOT_BROUGHT, origin, alone=True, also=arrival.origin,
                                         apart=str(arrival.span))  # fmt: skip
                if test is not None:
                    name = f"{BY_OTHERS} {len(self._noted) + 1}"
                    self._noted[name] = Var(name, (), Bool(), False, Role.REGISTER, origin)
                    self._tests.setdefault(id(arrival.effect), []).append((name, test))
                    for value, into in ((typed_operators.TRUE, begun), (typed_operators.FALSE, ended)):
                        into.append(Branch(test, (Put(name, (), value, origin),), (), origin))
            call = as_a(stmt, Call) is not None
            found += [*begun, inner, *ended] if call else [inner, *begun]
            over += [] if call else ended
        return (*found, *over)

    def _without(self, block: Block) -> Block:
        """With each such effect only if nothing is noted."""
        found: list[Stmt] = []
        effects = {one.span: id(one.effect) for one in self._arrivals.arrivals}
        for stmt in block:
            inner = with_blocks(stmt, self._without)
            if as_a(stmt, Branch) is not None or as_a(stmt, Each) is not None:
                for name, test in self._tests.get(effects.get(origin_of(stmt).span, 0), ()):
                    noted = typed_operators.both((test, Get(name, (), Bool())))
                    inner = Branch(noted, (), (inner,), origin_of(stmt))
            found.append(inner)
        return tuple(found)


def _is_own(mover: Mover) -> bool:
    """Whether who acts moves himself."""
    named = as_a(mover.where, Local)
    return mover.body.startswith("action ") and named is not None and named.name == ME
