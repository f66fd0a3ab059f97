"""Machine code that begins a game: set-up, up to the first point at which somebody is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, asks, is_decision, ways_on
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import word
from referee.native.playing_ir import gone_on
from referee.native.value_forms import NotNative, Ssa

MOST_FIRST = 64
"""If a game may begin with more different questions, set-up is left to others."""


def write_begin(flow: Flow, code: NativeCoder, start: Ssa) -> None:
    """Carries out set-up from the node `start` on: where the game then is. If that is asked for, what is left there
    undone until an event is refused is done now: whether anything is possible."""
    out = code.out
    tested = out.function.args[2]
    first = sorted(at for at in _first(flow) if _untested(flow.nodes[at]))
    if len(first) > MOST_FIRST:
        raise NotNative("a game that may begin with many questions")
    come = gone_on(code, start, start)
    known, asked = out.block(), out.block()
    out.at.cbranch(out.at.icmp_signed("!=", tested, word(0)), asked, known)
    out.begin(asked)
    switch = out.at.switch(come, known)
    for at in first:
        here = out.block()
        switch.add_case(word(at), here)
        out.begin(here)
        by = out.call(f"who {at}", out.state, out.fixed)
        some = out.call(f"some {at}", out.state, out.fixed, by)
        out.at.cbranch(out.at.icmp_signed("!=", some, word(1)), out.leaving, known)
    out.begin(known)
    out.at.ret(come)


def _first(flow: Flow) -> Iterator[int]:
    """The points that a game may come to before any event."""
    waiting, seen = [flow.start], {flow.start}
    while waiting:
        at = waiting.pop()
        if asks(flow.nodes[at]) is not None:
            yield at
        for after in _unasked(flow.nodes[at]):
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def _unasked(node: Node) -> tuple[int, ...]:
    """Where a node may go on without an event."""
    match node:
        case Run() | Fork() | Gather() | Rule():
            return ways_on(node)
        case Draw():
            return ways_on(node) if node.point.automatic else ()
        case Ask():
            return ways_on(node) if node.point.automatic or node.otherwise is not None else ()
        case _:
            assert_never(node)


def _untested(node: Node) -> bool:
    """Whether it is left open at a point whether anything is possible."""
    match node:
        case Ask():
            return is_decision(node) and node.otherwise is None and not node.point.automatic
        case Draw() | Gather() | Rule() | Run() | Fork():
            return False
        case _:
            assert_never(node)
