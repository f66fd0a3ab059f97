"""What lowering makes of a core: registers, loops, runs, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.core.expr import All, Const, Local, Members, Op, Operator, Within
from referee.core.expr import Place as At
from referee.core.flow import Ask, Flow, Gather, Run
from referee.core.ruleset import Core, Form, Role
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Commit,
    Decide,
    Each,
    Move,
    Option,
    Part,
    Procedure,
    Put,
    Repeat,
)
from referee.core.types import Bool, Int, SetOf
from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Stopped
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from tests import cores
from tests.cores import FOREVER, HERE, TWO, YES

N = Int(0, 9)
NUMBERS = cores.get("n", N)


def ask(name: str = "ask", *options: str) -> Decide:
    return Decide(cores.point(name), cores.seat(0), tuple(Option(one) for one in options or ("go",)), None)


def core(main: Block, **more: object) -> Core:
    variables = [cores.state("n", N, 0), cores.state("last", TWO, 0), cores.state("secret", N, 0, TWO)]
    more.setdefault("actions", [cores.action("go")])
    return cores.made(main, variables=variables, **more)  # type: ignore[arg-type]


def codes(main: Block, **more: object) -> list[str]:
    with pytest.raises(Problems) as problems:
        lower(core(main, **more))
    return [one.code for one in problems.value.diagnostics]


def registers(flow: Flow) -> set[str]:
    return {name for name, var in flow.vars.items() if var.role in (Role.REGISTER, Role.COUNTER)}


def states(walker: Walker, *events: Event) -> Iterator[State]:
    step = walker.begin(Setting(("ana", "ben")))
    for event in events:
        assert isinstance(step, State)
        yield step
        step = walker.advance(step, event)
    assert isinstance(step, State)
    yield step


GO = Event(0, "go")


def test_statements_without_points_share_a_run() -> None:
    raise_n = cores.put("n", cores.num(3))
    flow = lower(core((raise_n, Bind("b", NUMBERS, HERE), cores.put("n", Local("b", N)), ask())))
    first = flow.nodes[flow.start]
    assert isinstance(first, Run)
    assert isinstance(flow.nodes[first.next], Ask)
    assert [type(one) for one in first.body] == [Put, Put, Put]


def test_a_name_that_crosses_a_point_is_a_register_and_is_cleared_at_the_end_of_its_block() -> None:
    inner = (Bind("b", cores.num(7), HERE), ask("in"), cores.put("n", Local("b", Int(7, 7))))
    walker = Walker(lower(core((Branch(YES, inner, (), HERE), ask("after")))))
    inside, after = states(walker, GO)
    assert walker.layout.read_var(inside, "b") == 7
    assert walker.layout.read_var(after, "n") == 7
    assert walker.layout.read_var(after, "b") == walker.flow.vars["b"].start


def test_parameters_are_kept_only_as_far_as_the_body_reads_them() -> None:
    params = [cores.param("a", N, All(N)), cores.param("b", N, All(N))]
    go = cores.action("go", params, (), (cores.put("n", Local("b", N)),))
    assert registers(lower(core((ask(),), actions=[go]))) == {"go.b"}


def test_equal_positions_are_equal_states() -> None:
    go = cores.action("go", [cores.param("a", N, All(N))], (), (cores.put("n", cores.num(1)),))
    walker = Walker(lower(core((Repeat(FOREVER, (ask(),), None, HERE),), actions=[go])))
    first = list(states(walker, Event(0, "go", (("a", 3),))))
    second = list(states(walker, Event(0, "go", (("a", 5),)), Event(0, "go", (("a", 2),))))
    assert first[-1] == second[-1]


def test_a_loop_with_points_goes_through_a_snapshot() -> None:
    seats = Each("p", All(TWO, cores.seat(1)), (cores.put("last", Local("p", TWO)), ask()), HERE)
    walker = Walker(lower(core((seats, ask("after")))))
    order = [walker.layout.read_var(state, "last") for state in states(walker, GO, GO)]
    assert order == [1, 0, 0]


def test_a_loop_over_a_line_goes_by_position_even_if_the_line_changes() -> None:
    zones = [cores.zone("row", Form.LINE, capacity=3), cores.zone("box", Form.BAG)]
    put_in = tuple(Move(Const(one, cores.Elem("component", 0, 1)), None, At("box"), At("row"), HERE)
                   for one in (1, 0, 1))
    seen = cores.put("n", Local("c", cores.Elem("component", 0, 1)))
    each = Each("c", Within(At("row")), (seen, ask()), HERE)
    walker = Walker(lower(core((*put_in, each, ask("after")), zones=zones, components=cores.things("box", 2, 2))))
    found = [walker.layout.read_var(state, "n") for state in states(walker, GO, GO, GO)]
    assert found == [1, 0, 1, 1]


def test_a_loop_with_a_limit_fails_past_it() -> None:
    loop = Repeat(FOREVER, (cores.put("n", cores.num(1)),), 3, HERE)
    game = play_out(Walker(lower(core((loop,)))), Setting(("ana", "ben")), 1)
    assert (game.outcome, getattr(game.last, "code", None)) == ("failed", "RT06")


def test_results_of_a_procedure_are_names_of_the_caller() -> None:
    double = Procedure("double", (("x", Int(0, 4)),), (("y", N),),
                       (Bind("y", cores.add(Local("x", Int(0, 4)), Local("x", Int(0, 4)), Int(0, 8)), HERE),), HERE)
    main = (Call("double", (cores.num(3),), ("twice",), HERE), ask(), cores.put("n", Local("twice", N)), ask("after"))
    walker = Walker(lower(core(main, procedures=[double])))
    assert walker.layout.read_var(list(states(walker, GO))[-1], "n") == 6


def test_effects_of_a_group_come_after_it_by_seats() -> None:
    bid = cores.action("bid", [cores.param("a", N, All(N))], (),
                       (cores.put("n", Local("a", N)), cores.put("last", Local("me", TWO))))
    group = Commit(cores.point("bids"), (Part(Const(frozenset({0, 1}), SetOf(TWO)), "bid", ()),), True, True)
    walker = Walker(lower(core((group, ask("after")), actions=[bid, cores.action("go")])))
    before, half, after = states(walker, Event(1, "bid", (("a", 4),)), Event(0, "bid", (("a", 6),)))
    assert isinstance(walker.flow.nodes[half.at], Gather)
    assert walker.layout.read_var(half, "n") == 0
    assert (walker.layout.read_var(after, "n"), walker.layout.read_var(after, "last")) == (4, 1)
    assert before != half


def test_a_group_keeps_what_it_is_told_to_keep() -> None:
    bid = cores.action("bid", [cores.param("a", N, All(N))])
    group = Commit(cores.point("bids"), (Part(Const(frozenset({0, 1}), SetOf(TWO)), "bid", ("secret",)),), True, True)
    walker = Walker(lower(core((group, ask("after")), actions=[bid, cores.action("go")])))
    *_, after = states(walker, Event(1, "bid", (("a", 4),)), Event(0, "bid", (("a", 6),)))
    assert [walker.layout.read_var(after, "secret", (seat,)) for seat in (0, 1)] == [6, 4]


def test_a_group_that_reads_what_it_keeps_chooses_by_the_position_before_it() -> None:
    other = cores.eq(cores.get("secret", N, cores.seat(0)), Local("a", N))
    fresh = cores.guard("not that of the other", cores.no(other))
    bid = cores.action("bid", [cores.param("a", N, All(N))], [fresh])
    group = Commit(cores.point("bids"), (Part(Const(frozenset({0, 1}), SetOf(TWO)), "bid", ("secret",)),), True, True)
    walker = Walker(lower(core((group, ask("after")), actions=[bid, cores.action("go")])))
    same = Event(0, "bid", (("a", 6),)), Event(1, "bid", (("a", 6),))
    for first, second in (same, same[::-1]):
        _, half, after = states(walker, first, second)
        assert walker.check(half, second) is None
        assert [walker.layout.read_var(after, "secret", (seat,)) for seat in (0, 1)] == [6, 6]


def test_a_loop_that_can_go_round_without_asking_is_refused() -> None:
    flag = cores.eq(NUMBERS, cores.num(1))
    assert codes((Repeat(flag, (cores.put("n", cores.num(2)),), None, HERE),)) == ["FL01"]
    assert codes((Repeat(flag, (Branch(flag, (ask(),), (), HERE),), None, HERE),)) == ["FL01"]
    skipping = Decide(cores.point("may"), cores.seat(0), (Option("go"),), ())
    assert codes((Repeat(flag, (skipping,), None, HERE),)) == ["FL01"]


@pytest.mark.parametrize(("op", "value", "begins"), [
    (Operator.NE, 3, True), (Operator.NE, 2, False), (Operator.LT, 3, True), (Operator.LE, 3, False),
    (Operator.GT, 2, False), (Operator.GE, 4, True), (Operator.EQ, 2, True), (Operator.EQ, 3, False),
])
def test_a_loop_that_surely_begins_asks_within_another(op: Operator, value: int, begins: bool) -> None:
    """What it waits for is set to 3 just before it: the outer loop asks in each round, where the inner one begins."""
    until = Op(op, (NUMBERS, cores.num(value)), Bool())
    for inner, as_well in ((until, begins), (cores.no(until), not begins)):
        rounds = cores.put("n", cores.num(3)), Repeat(inner, (ask(),), None, HERE)
        outer = Repeat(FOREVER, rounds, None, HERE)
        if as_well:
            lower(core((outer,)))
        else:
            assert codes((outer,)) == ["FL01"]


def test_a_loop_over_members_that_asks_each_is_accepted() -> None:
    some = Each("p", Members(Const(frozenset({0}), SetOf(TWO))), (ask(),), HERE)
    lower(core((Repeat(FOREVER, (some,), None, HERE),)))


def test_recursion_is_refused_and_named() -> None:
    ping = Procedure("ping", (), (), (Call("pong", (), (), HERE),), HERE)
    pong = Procedure("pong", (), (), (Call("ping", (), (), HERE),), HERE)
    with pytest.raises(Problems, match="ping -> pong -> ping"):
        lower(core((ask(),), procedures=[ping, pong]))
    assert codes((ask(),), actions=[cores.action("go", (), (), (ask("again"),))]) == ["FL02"]


def test_a_result_that_is_not_always_given_is_refused() -> None:
    half = Procedure("half", (), (("y", N),), (Branch(YES, (Bind("y", NUMBERS, HERE),), (), HERE),), HERE)
    assert codes((ask(),), procedures=[half]) == ["FL03"]


def test_procedures_that_multiply_are_refused() -> None:
    levels = [Procedure(f"p{level}", (), (), (Call(f"p{level + 1}", (), (), HERE),) * 4, HERE) for level in range(12)]
    last = Procedure("p12", (), (), (ask(),), HERE)
    assert codes((Call("p0", (), (), HERE),), procedures=[*levels, last]) == ["FL04"]


def test_after_the_last_statement_the_rules_have_nothing_to_say() -> None:
    game = play_out(Walker(lower(core((ask(),)))), Setting(("ana", "ben")), 1)
    assert isinstance(game.last, Stopped)
    assert game.last.point.name == "end of the rules"


def test_a_register_has_a_name_of_its_own() -> None:
    flow = lower(core((Bind("n", YES, HERE), ask(), Branch(Local("n", Bool()), (ask(),), (), HERE))))
    assert registers(flow) == {"n 2"}
