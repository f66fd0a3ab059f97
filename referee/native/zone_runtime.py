"""Functions of the module that are the same for every ruleset: lists of components, and what zones do with them.

Lists are 16-bit words side by side; zone instances lie as `MemoryLayout.words` says.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from referee.native.ir_writer import I1, I16, I64, NO, POINTER, YES, IrWriter, word
from referee.native.value_forms import Ssa

VOID = ir.VoidType()
TOP, BOTTOM, ANYWHERE = 0, 1, 2
"""From where something is taken out of a pile."""


def add_runtime(module: Ssa) -> None:
    """Writes the functions into a module."""
    for name, back, kinds, write in _FUNCTIONS:
        function = ir.Function(module, ir.FunctionType(back, kinds), name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        out = IrWriter(function)
        write(out, *function.args)
        if not out.at.block.is_terminated:
            out.at.ret_void()
        out.finish_without_leaving()


def _same(out: IrWriter, one: Ssa, first: Ssa, other: Ssa, second: Ssa) -> None:
    unequal = out.block()
    on = out.block()
    out.at.cbranch(out.at.icmp_signed("==", first, second), on, unequal)
    out.begin(on)
    with out.counting(first) as (index, _):
        on = out.block()
        same = out.at.icmp_signed("==", out.load_word(one, index), out.load_word(other, index))
        out.at.cbranch(same, on, unequal)
        out.begin(on)
    out.at.ret(YES)
    out.begin(unequal)
    out.at.ret(NO)


def _how_often(out: IrWriter, items: Ssa, count: Ssa, one: Ssa) -> None:
    total = out.local(I64, word(0))
    with out.counting(count) as (index, _):
        same = out.at.zext(out.at.icmp_signed("==", out.load_word(items, index), one), I64)
        out.at.store(out.at.add(out.at.load(total, typ=I64), same), total)
    out.at.ret(out.at.load(total, typ=I64))


def _copy(out: IrWriter, to: Ssa, source: Ssa, count: Ssa) -> None:
    move = out.at.module.declare_intrinsic("llvm.memmove", [POINTER, POINTER, I64])
    out.at.call(move, [to, source, out.at.mul(count, word(2)), NO])


def _copy_words(out: IrWriter, to: Ssa, source: Ssa, count: Ssa) -> None:
    copy = out.at.module.declare_intrinsic("llvm.memcpy", [POINTER, POINTER, I64])
    out.at.call(copy, [to, source, out.at.mul(count, word(8)), NO])


def _clear(out: IrWriter, to: Ssa, count: Ssa) -> None:
    with out.counting(count) as (index, _):
        out.store_word(word(0), to, index)


def _insert(out: IrWriter, items: Ssa, count: Ssa, at: Ssa, one: Ssa) -> None:
    """The list gets one longer; whoever calls says so where its length stands."""
    behind = out.at.sub(count, at)
    with out.only_if(out.at.icmp_signed(">", behind, word(0))):
        out.call("copy_items", out.item(items, out.at.add(at, word(1))), out.item(items, at), behind)
    out.store_word(one, items, at)


def _remove(out: IrWriter, items: Ssa, count: Ssa, at: Ssa) -> None:
    after = out.at.add(at, word(1))
    behind = out.at.sub(count, after)
    with out.only_if(out.at.icmp_signed(">", behind, word(0))):
        out.call("copy_items", out.item(items, at), out.item(items, after), behind)
    out.store_word(word(0), items, out.at.sub(count, word(1)))


def _sort(out: IrWriter, items: Ssa, count: Ssa) -> None:
    """By insertion: the lists are short, and mostly sorted."""
    with out.counting(count) as (index, _):
        one = out.load_word(items, index)
        out.call("insert_at", items, index, out.call("place_in", items, index, one), one)


def _place(out: IrWriter, items: Ssa, count: Ssa, one: Ssa) -> None:
    """Behind all that are not greater, in a sorted list."""
    at = out.local(I64, count)
    head, test, on, behind = out.block(), out.block(), out.block(), out.block()
    out.go(head)
    out.begin(head)
    now = out.at.load(at, typ=I64)
    out.at.cbranch(out.at.icmp_signed(">", now, word(0)), test, behind)
    out.begin(test)
    before = out.at.sub(now, word(1))
    out.at.cbranch(out.at.icmp_signed(">", out.load_word(items, before), one), on, behind)
    out.begin(on)
    out.at.store(before, at)
    out.at.branch(head)
    out.begin(behind)
    out.at.ret(out.at.load(at, typ=I64))


def _where(out: IrWriter, items: Ssa, count: Ssa, one: Ssa) -> None:
    """The first place of a number in a list; -1 if it is not there."""
    with out.counting(count) as (index, _), out.only_if(out.at.icmp_signed("==", out.load_word(items, index), one)):
        out.at.ret(index)
    out.at.ret(word(-1))


def _list_lay(out: IrWriter, words: Ssa, at: Ssa, one: Ssa) -> None:
    count = out.load_word(words, word(0))
    out.call("insert_at", out.item(words, word(1)), count, at, one)
    out.store_word(out.at.add(count, word(1)), words, word(0))


def _bag_lay(out: IrWriter, words: Ssa, one: Ssa) -> None:
    at = out.call("place_in", out.item(words, word(1)), out.load_word(words, word(0)), one)
    out.call("list_lay", words, at, one)


def _list_take_at(out: IrWriter, words: Ssa, at: Ssa) -> None:
    count = out.load_word(words, word(0))
    out.call("remove_at", out.item(words, word(1)), count, at)
    out.store_word(out.at.sub(count, word(1)), words, word(0))


def _bag_take(out: IrWriter, words: Ssa, one: Ssa) -> None:
    """The last that is alike, as a bag is sorted: fewer lie behind it. No if there is none."""
    items = out.item(words, word(1))
    behind = out.call("place_in", items, out.load_word(words, word(0)), one)
    with out.only_if(out.at.icmp_signed("==", behind, word(0))):
        out.at.ret(NO)
    at = out.at.sub(behind, word(1))
    with out.only_if(out.at.icmp_signed("!=", out.load_word(items, at), one)):
        out.at.ret(NO)
    out.call("list_take_at", words, at)
    out.at.ret(YES)


def _list_take(out: IrWriter, words: Ssa, one: Ssa) -> None:
    """The first that is alike; no if there is none."""
    at = out.call("where_in", out.item(words, word(1)), out.load_word(words, word(0)), one)
    with out.only_if(out.at.icmp_signed("<", at, word(0))):
        out.at.ret(NO)
    out.call("list_take_at", words, at)
    out.at.ret(YES)


def _ends_with(out: IrWriter, words: Ssa, items: Ssa, count: Ssa, at_begin: Ssa) -> None:
    """Takes what lies at an end of a line, if it is these components, however they lie."""
    there = out.load_word(words, word(0))
    with out.only_if(out.at.icmp_signed(">", count, there)):
        out.at.ret(NO)
    begin = out.at.select(at_begin, word(0), out.at.sub(there, count))
    with out.counting(count) as (index, _):
        one = out.load_word(items, index)
        lying = out.call("how_often", out.item(words, out.at.add(begin, word(1))), count, one)
        with out.only_if(out.at.icmp_signed("!=", lying, out.call("how_often", items, count, one))):
            out.at.ret(NO)
    with out.counting(count) as (_index, _):
        now = out.load_word(words, word(0))
        out.call("list_take_at", words, out.at.select(at_begin, word(0), out.at.sub(now, word(1))))
    out.at.ret(YES)


def _take_of_block(out: IrWriter, words: Ssa, lying: Ssa, begin: Ssa, size_at: Ssa, wanted: Ssa, left: Ssa) -> None:
    """Of what is wanted, all that lies in one block leaves the pile. `begin`: where the block begins in `lying`;
    `size_at`: which of the words is its size; `left`: where it is counted what is still wanted."""
    looked = out.local(I64, word(0))
    again, look, on = out.block(), out.block(), out.block()
    out.go(again)
    out.begin(again)
    index = out.at.load(looked, typ=I64)
    out.at.cbranch(out.at.icmp_signed("<", index, out.at.load(left, typ=I64)), look, on)
    out.begin(look)
    large = out.load_word(words, size_at)
    found = out.call("where_in", out.item(lying, begin), large, out.load_word(wanted, index))
    got, not_got = out.block(), out.block()
    out.at.cbranch(out.at.icmp_signed(">=", found, word(0)), got, not_got)
    out.begin(got)
    whole = out.load_word(words, word(0))
    out.call("remove_at", lying, whole, out.at.add(begin, found))
    out.store_word(out.at.sub(whole, word(1)), words, word(0))
    out.store_word(out.at.sub(large, word(1)), words, size_at)
    out.call("remove_at", wanted, out.at.load(left, typ=I64), index)
    out.at.store(out.at.sub(out.at.load(left, typ=I64), word(1)), left)
    out.at.branch(again)
    out.begin(not_got)
    out.at.store(out.at.add(index, word(1)), looked)
    out.at.branch(again)
    out.begin(on)


def _pile_take(out: IrWriter, words: Ssa, most: Ssa, items: Ssa, count: Ssa, mode: Ssa) -> None:
    """From an end: block after block, the next only when one is used up. From no end: wherever they lie, topmost."""
    wanted, left = out.local(I16, number=512), out.local(I64, count)
    with out.only_if(out.at.icmp_signed(">", count, word(512))):
        out.at.ret(NO)
    out.call("copy_items", wanted, items, count)
    from_bottom = out.at.icmp_signed("==", mode, word(BOTTOM))
    anywhere = out.at.icmp_signed("==", mode, word(ANYWHERE))
    lying = out.item(words, out.at.add(most, word(2)))
    block = out.local(I64, word(0))
    start = out.local(I64, word(0))
    out.at.store(out.at.select(from_bottom, out.at.sub(out.load_word(words, word(1)), word(1)), word(0)), block)
    out.at.store(out.at.select(from_bottom, out.load_word(words, word(0)), word(0)), start)
    head, inside, behind = out.block(), out.block(), out.block()
    out.go(head)
    out.begin(head)
    now = out.at.load(block, typ=I64)
    below = out.at.icmp_signed("<", now, out.load_word(words, word(1)))
    there = out.at.and_(out.at.icmp_signed(">=", now, word(0)), below)
    more = out.at.icmp_signed(">", out.at.load(left, typ=I64), word(0))
    out.at.cbranch(out.at.and_(there, more), inside, behind)
    out.begin(inside)
    size_at = out.at.add(now, word(2))
    begin = out.at.load(start, typ=I64)
    begin = out.at.select(from_bottom, out.at.sub(begin, out.load_word(words, size_at)), begin)
    out.at.store(begin, start)
    _take_of_block(out, words, lying, begin, size_at, wanted, left)
    remains = out.load_word(words, size_at)
    used_up, kept = out.block(), out.block()
    out.at.cbranch(out.at.icmp_signed("==", remains, word(0)), used_up, kept)
    out.begin(used_up)
    blocks = out.load_word(words, word(1))
    out.call("remove_at", out.item(words, word(2)), blocks, now)
    out.store_word(out.at.sub(blocks, word(1)), words, word(1))
    out.at.store(out.at.select(from_bottom, out.at.sub(now, word(1)), now), block)
    out.at.branch(head)
    out.begin(kept)
    next_ = out.block()
    out.at.cbranch(anywhere, next_, behind)
    out.begin(next_)
    out.at.store(out.at.add(now, word(1)), block)
    out.at.store(out.at.add(begin, remains), start)
    out.at.branch(head)
    out.begin(behind)
    out.at.ret(out.at.icmp_signed("==", out.at.load(left, typ=I64), word(0)))


def _pile_lay(out: IrWriter, words: Ssa, most: Ssa, items: Ssa, count: Ssa, bottom: Ssa) -> None:
    """As one block on an end of the pile."""
    whole, blocks = out.load_word(words, word(0)), out.load_word(words, word(1))
    lying = out.item(words, out.at.add(most, word(2)))
    begin = out.at.select(bottom, whole, word(0))
    out.call("copy_items", out.item(lying, out.at.add(begin, count)), out.item(lying, begin), out.at.sub(whole, begin))
    out.call("copy_items", out.item(lying, begin), items, count)
    out.call("insert_at", out.item(words, word(2)), blocks, out.at.select(bottom, blocks, word(0)), count)
    out.store_word(out.at.add(whole, count), words, word(0))
    out.store_word(out.at.add(blocks, word(1)), words, word(1))


def _next_choice(out: IrWriter, items: Ssa, many: Ssa, chosen: Ssa, count: Ssa) -> None:
    """The next so many places of a sorted list, by what lies there; of what is alike the first places are meant. No
    if those were the last."""
    at = out.local(I64, count)
    head, look, over = out.block(), out.block(), out.block()
    out.go(head)
    out.begin(head)
    behind = out.at.load(at, typ=I64)
    out.at.cbranch(out.at.icmp_signed(">", behind, word(0)), look, over)
    out.begin(look)
    place = out.at.sub(behind, word(1))
    out.at.store(place, at)
    here = out.load_word(chosen, place)
    one, beyond = out.load_word(items, here), out.local(I64, out.at.add(here, word(1)))
    again, same, other = out.block(), out.block(), out.block()
    out.go(again)
    out.begin(again)
    further = out.at.load(beyond, typ=I64)
    on = out.block()
    out.at.cbranch(out.at.icmp_signed("<", further, many), on, head)
    out.begin(on)
    out.at.cbranch(out.at.icmp_signed("==", out.load_word(items, further), one), same, other)
    out.begin(same)
    out.at.store(out.at.add(further, word(1)), beyond)
    out.at.branch(again)
    out.begin(other)
    left, found = out.at.sub(count, place), out.block()
    out.at.cbranch(out.at.icmp_signed(">=", out.at.sub(many, further), left), found, head)
    out.begin(found)
    with out.counting(left) as (index, _):
        out.store_word(out.at.add(further, index), chosen, out.at.add(place, index))
    out.at.ret(YES)
    out.begin(over)
    out.at.ret(NO)


_P, _N = POINTER, I64
_FUNCTIONS: tuple[tuple[str, Ssa, list[Ssa], Callable[..., None]], ...] = (
    ("copy_items", VOID, [_P, _P, _N], _copy),
    ("copy_words", VOID, [_P, _P, _N], _copy_words),
    ("clear_items", VOID, [_P, _N], _clear),
    ("insert_at", VOID, [_P, _N, _N, _N], _insert),
    ("remove_at", VOID, [_P, _N, _N], _remove),
    ("place_in", _N, [_P, _N, _N], _place),
    ("where_in", _N, [_P, _N, _N], _where),
    ("how_often", _N, [_P, _N, _N], _how_often),
    ("same_items", I1, [_P, _N, _P, _N], _same),
    ("sort_items", VOID, [_P, _N], _sort),
    ("list_lay", VOID, [_P, _N, _N], _list_lay),
    ("list_take_at", VOID, [_P, _N], _list_take_at),
    ("list_take", I1, [_P, _N], _list_take),
    ("bag_take", I1, [_P, _N], _bag_take),
    ("bag_lay", VOID, [_P, _N], _bag_lay),
    ("ends_with", I1, [_P, _P, _N, I1], _ends_with),
    ("pile_take", I1, [_P, _N, _P, _N, _N], _pile_take),
    ("pile_lay", VOID, [_P, _N, _P, _N, I1], _pile_lay),
    ("next_choice", I1, [_P, _N, _P, _N], _next_choice),
)
