"""Machine code that judges a log by its text in one call.

Lines that are known become numbers, events are followed, and what the game comes to is told.
"""

from __future__ import annotations

from referee.core.flow import Flow
from referee.core.intervals import Bounds
from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I8, I32, I64, load, pointer, store, word
from referee.native.judging.line_lookup_ir import FOUND_LENGTH
from referee.native.memory_layout import WINNERS_AT
from referee.native.native_scope import NativeName
from referee.native.point_ir import END, UNUSUAL
from referee.native.value_forms import NumberForm

NODE, IMAGE, IN_USE, BOOK, NUMBERS, ROWS, WORDS, TESTED, TOLD = range(9)
"""Words of what is given once for many logs: the node where they begin, the position there and its bytes, the table of
lines, room for numbers, what events say and their arguments, whether what holds is tested, where the result is told."""
MOST_LINES = 1 << 16
"""A log of more lines is not judged in one call."""
LAST, WINNERS, SCORES = 0, 1, 2
"""Words of the result: the number of the last line, who has won, then the score of each seat."""


def write_text(flow: Flow, code: NativeCoder) -> None:
    """Judges the lines of a text from a place on: what is given, the text, where to begin, its bytes. The number of
    events if all lines are known, the last alone is none (its number is below 0), and the game is over behind the
    events before it; else less than 0."""
    out = code.out
    _, _, given, text, begin, size = out.function.args
    numbers, told = pointer(out, given, NUMBERS), pointer(out, given, TOLD)
    found = out.local(I64, number=4)
    at, count, last = out.local(I64, begin), out.local(I64, word(0)), out.local(I64, word(0))
    head, inside, read = out.block(), out.block(), out.block()
    book = pointer(out, given, BOOK)
    out.go(head)
    out.begin(head)
    here = out.at.load(at, typ=I64)
    out.at.cbranch(out.at.icmp_signed("<", here, size), inside, read)
    out.begin(inside)
    index = out.at.load(count, typ=I64)
    out.leave_if(out.at.icmp_signed(">=", index, word(MOST_LINES)))
    line = out.at.gep(text, [here], source_etype=I8)
    number = out.call("find", out.state, out.fixed, book, line, out.at.sub(size, here), found)
    behind = out.at.add(out.at.add(here, load(out, found, FOUND_LENGTH)), word(1))
    ends = out.at.icmp_signed("==", behind, size)
    claims = out.at.icmp_signed("<", number, word(UNUSUAL))
    out.leave_if(out.at.icmp_unsigned("!=", ends, claims))  # an event at the end, or what is none before it
    out.leave_if(out.at.and_(out.at.icmp_signed("<", number, word(0)), out.at.not_(ends)))
    out.at.store(out.at.trunc(number, I32), out.at.gep(numbers, [index], source_etype=I32), align=4)
    out.at.store(number, last)
    out.at.store(behind, at)
    out.at.store(out.at.add(index, word(1)), count)
    out.at.branch(head)
    out.begin(read)
    events = out.at.sub(out.at.load(count, typ=I64), word(1))
    out.leave_if(out.at.icmp_signed("<=", events, word(0)))
    reached = out.local(I64)
    followed = out.call("judge", out.state, out.fixed, load(out, given, NODE), numbers, events,
                        pointer(out, given, ROWS), pointer(out, given, WORDS), load(out, given, TESTED), reached,
                        pointer(out, given, IMAGE), load(out, given, IN_USE))
    out.leave_if(out.at.icmp_signed("!=", followed, events))
    out.leave_if(out.at.icmp_signed("!=", out.at.load(reached, typ=I64), word(END)))
    store(out, out.at.load(last, typ=I64), told, LAST)
    store(out, out.at.load(out.address(out.state, WINNERS_AT), typ=I64, align=8), told, WINNERS)
    score = flow.core.score
    for seat in range(flow.core.seats.number if score is not None else 0):
        assert score is not None
        player = {score.player: NativeName(NumberForm(word(seat)), Bounds(seat, seat))}
        store(out, code.number(score.value, player), told, SCORES + seat)
    out.at.ret(events)
