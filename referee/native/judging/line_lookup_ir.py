"""Machine code that knows lines by their bytes: a table of them with a number for each, which somebody fills.

Two lines are the same if all their bytes are: what is made of the bytes only says where to look. A line ends where the
next byte is an end of line; whoever has none is not known.
"""

from __future__ import annotations

from llvmlite import ir

from referee.native.expression_ir import NativeCoder
from referee.native.ir_writer import I8, I64, YES, IrWriter, load, pointer, store, word
from referee.native.value_forms import Ssa

UNKNOWN = -1
"""Stands for the number of a line that is not in the table."""
MASK, SLOTS, TEXTS, USED = range(4)
"""Words of a table: one less than the number of its slots, where they lie, where the texts, and their bytes so far."""
HASH, BEGINS, LENGTH, NUMBER = range(4)
"""Words of a slot; the length is told by one more, and 0 where nothing is."""
SLOT = 4
"""How many words a slot has."""
MOST_PROBES = 16
"""So many slots are looked at for a line: lines that are made to be in each other's way take no longer."""
FOUND_LENGTH, FOUND_SLOT, FOUND_HASH, FOUND_LAST = range(4)
"""Words that a look leaves behind: how long the line is, a slot that is free for it, its hash, its last bytes."""
_SEED, _SPREAD = 0x243F6A8885A308D3, 0x9E3779B97F4A7C15
"""With what the hash of a line begins, and with what it is multiplied for each eight bytes."""
_ENDS, _ONES, _HIGHS = (byte * 0x0101010101010101 for byte in (0x0A, 0x01, 0x80))


def _words(value: int) -> Ssa:
    return ir.Constant(I64, value - (1 << 64) if value >> 63 else value)


def write_find(code: NativeCoder) -> None:
    """Looks a line up: the table, the line, how many bytes may be read, four words for what was found. Its number."""
    out = code.out
    _, _, book, line, size, found = out.function.args
    last, length, mixed = out.local(I64, word(0)), out.local(I64, word(0)), out.local(I64, _words(_SEED))
    ended, endless = out.block(), out.block()
    _read_line(out, line, size, (last, length, mixed), ended, endless)
    out.begin(ended)
    rest, bytes_of = out.at.load(last, typ=I64), out.at.load(length, typ=I64)
    key = _mixed(out, _mixed(out, out.at.load(mixed, typ=I64), rest), bytes_of)
    key = out.at.xor(key, out.at.lshr(key, word(32)))
    for at, value in ((FOUND_LENGTH, bytes_of), (FOUND_SLOT, word(0)), (FOUND_HASH, key), (FOUND_LAST, rest)):
        store(out, value, found, at)
    mask, slots, texts = load(out, book, MASK), pointer(out, book, SLOTS), pointer(out, book, TEXTS)
    with out.counting(word(MOST_PROBES)) as (probe, _):
        at = out.at.mul(out.at.and_(out.at.add(key, probe), mask), word(SLOT))
        slot = out.at.gep(slots, [at], source_etype=I64)
        held = load(out, slot, LENGTH)
        with out.only_if(out.at.icmp_signed("==", held, word(0))):
            store(out, out.at.ptrtoint(slot, I64), found, FOUND_SLOT)
            out.at.ret(word(UNKNOWN))
        same = out.at.and_(out.at.icmp_signed("==", load(out, slot, HASH), key),
                           out.at.icmp_signed("==", held, out.at.add(bytes_of, word(1))))
        with out.only_if(same):
            other = out.block()
            _all_alike(out, line, out.at.gep(texts, [load(out, slot, BEGINS)], source_etype=I8), bytes_of, rest, other)
            out.at.ret(load(out, slot, NUMBER))
            out.begin(other)
    out.at.branch(endless)
    out.begin(endless)
    out.at.ret(word(UNKNOWN))


def _read_line(out: IrWriter, line: Ssa, size: Ssa, kept: tuple[Ssa, Ssa, Ssa], ended: Ssa, endless: Ssa) -> None:
    """Reads a line eight bytes at a time: the bytes behind the last eight, how many there are, what is made of the
    rest."""
    last, length, mixed = kept
    at = out.local(I64, word(0))
    head, whole, single, on, found = (out.block() for _ in range(5))
    out.go(head)
    out.begin(head)
    here = out.at.load(at, typ=I64)
    out.at.cbranch(out.at.icmp_signed("<=", out.at.add(here, word(8)), size), whole, single)
    out.begin(whole)
    eight = out.at.load(out.at.gep(line, [here], source_etype=I8), typ=I64, align=1)
    other = out.at.xor(eight, _words(_ENDS))
    ends = out.at.and_(out.at.and_(out.at.sub(other, _words(_ONES)), out.at.not_(other)), _words(_HIGHS))
    out.at.cbranch(out.at.icmp_unsigned("==", ends, word(0)), on, found)
    out.begin(on)
    out.at.store(_mixed(out, out.at.load(mixed, typ=I64), eight), mixed)
    out.at.store(out.at.add(here, word(8)), at)
    out.at.branch(head)
    out.begin(found)
    bits = out.at.and_(out.at.cttz(ends, YES), word(0x38))
    below = out.at.sub(out.at.shl(word(1), bits), word(1))
    out.at.store(out.at.and_(eight, below), last)
    out.at.store(out.at.add(here, out.at.lshr(bits, word(3))), length)
    out.at.branch(ended)
    out.begin(single)
    with out.counting(out.at.sub(size, here)) as (index, _):
        place = out.at.add(here, index)
        byte = out.at.load(out.at.gep(line, [place], source_etype=I8), typ=I8, align=1)
        with out.only_if(out.at.icmp_unsigned("==", byte, ir.Constant(I8, 0x0A))):
            out.at.store(place, length)
            out.at.branch(ended)
        moved = out.at.shl(out.at.zext(byte, I64), out.at.mul(index, word(8)))
        out.at.store(out.at.or_(out.at.load(last, typ=I64), moved), last)
    out.at.branch(endless)


def _mixed(out: IrWriter, mixed: Ssa, value: Ssa) -> Ssa:
    turned = out.at.or_(out.at.shl(mixed, word(5)), out.at.lshr(mixed, word(59)))
    return out.at.mul(out.at.xor(turned, value), _words(_SPREAD))


def _all_alike(out: IrWriter, line: Ssa, text: Ssa, length: Ssa, rest: Ssa, other: Ssa) -> None:
    """On to another block unless all bytes of a line are those of a text; the text is filled up with zeros."""
    whole = out.at.and_(length, word(~7))
    with out.counting(out.at.lshr(length, word(3))) as (index, _):
        at = out.at.mul(index, word(8))
        one, two = (out.at.load(out.at.gep(block, [at], source_etype=I8), typ=I64, align=1) for block in (line, text))
        on = out.block()
        out.at.cbranch(out.at.icmp_unsigned("==", one, two), on, other)
        out.begin(on)
    on = out.block()
    held = out.at.load(out.at.gep(text, [whole], source_etype=I8), typ=I64, align=1)
    out.at.cbranch(out.at.icmp_unsigned("==", held, rest), on, other)
    out.begin(on)


def write_learn(code: NativeCoder) -> None:
    """Puts a line into the table: the table, the line with its end, their bytes, its number. 1 if it is known then;
    there has to be room for its text."""
    out = code.out
    _, _, book, line, size, number = out.function.args
    found = out.local(I64, number=4)
    known = out.call("find", out.state, out.fixed, book, line, size, found)
    with out.only_if(out.at.icmp_signed("!=", known, word(UNKNOWN))):
        out.at.ret(word(1))
    free = load(out, found, FOUND_SLOT)
    with out.only_if(out.at.icmp_signed("==", free, word(0))):
        out.at.ret(word(0))
    used, length = load(out, book, USED), load(out, found, FOUND_LENGTH)
    whole = out.at.and_(length, word(~7))
    text = out.at.gep(pointer(out, book, TEXTS), [used], source_etype=I8)
    copy = out.at.module.declare_intrinsic("llvm.memcpy", [line.type, line.type, I64])
    out.at.call(copy, [text, line, whole, ir.Constant(ir.IntType(1), 0)])
    out.at.store(load(out, found, FOUND_LAST), out.at.gep(text, [whole], source_etype=I8), align=1)
    store(out, out.at.add(out.at.add(used, whole), word(8)), book, USED)
    slot = out.at.inttoptr(free, out.state.type)
    for at, value in ((HASH, load(out, found, FOUND_HASH)), (BEGINS, used), (NUMBER, number),
                      (LENGTH, out.at.add(length, word(1)))):
        store(out, value, slot, at)
    out.at.ret(word(1))
