"""Neighbouring effects in the other order: where other answers to "which first?" are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import assert_never

from referee.core.expr import Expr
from referee.core.read_write_sets import variables_of
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Origin,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    is_whole,
    origin_of,
)
from referee.core.traverse import inner_blocks, itself, walk
from referee.frontend.desugaring.commutation import Commuting
from referee.frontend.expressions import typed_operators
from referee.frontend.names.symbol_table import Symbols

ORDER, OTHER_FIRST, ONE_BY_ONE = "order", "the_other_first", "one_after_the_other"
WINDOWS, OTHER_SIDE = "windows", "on_the_other_side_of_the_choice"


def with_swaps(symbols: Symbols, lines: Sequence[Block]) -> Block:
    """Lines of a block one after the other, each with the one behind it in the other order for another answer.

    Only where the order can matter, nobody is asked and no name is given in either, and the later one does not clear
    what the one before it looks at, or take what that lays there: swapped, there would be nothing. Or where both are
    steps of their own, each of which the rulebook has in a sentence. Or where each hangs on the same counter, by a
    sentence of its own, and somebody is asked in one of them.
    """
    if not symbols.others.asked:
        return tuple(stmt for line in lines for stmt in line)
    commuting = Commuting(symbols)
    tests: list[Expr | None] = []
    for one, other in pairwise(lines):
        steps = _is_step(one) and _is_step(other) and not commuting.blocks(one, other)
        bound = commuting.clears(other, one) or commuting.hands_on(one, other)
        free = not (_plain(one) and _plain(other)) or commuting.blocks(one, other) or bound
        if _of_one_event(one, other):
            tests.append(_test(symbols, one, other))
        elif _is_answered(one, other) or _is_answered(other, one):
            where, also = _of_both(one, other), origin_of(other[0])
            tests.append(symbols.others.test(WINDOWS, OTHER_SIDE, where, alone=True, also=also))
        else:
            tests.append(_test(symbols, one, other) if steps or not free else None)
    return tuple(_woven(lines, tests))


def _test(symbols: Symbols, one: Block, other: Block) -> Expr | None:
    """Whether the rules go by the other order of two lines."""
    where, also = _of_both(one, other), origin_of(other[0])
    steps = {"first": _step(one), "second": _step(other)} if _is_step(one) and _is_step(other) else {}
    return symbols.others.test(ORDER, OTHER_FIRST, where, alone=True, also=also, **steps)


def one_after_the_other(symbols: Symbols, at_once: Block, lines: Sequence[Stmt]) -> Block:
    """What happens at once; for another answer line by line, if a later line looks at what one before it changes."""
    changed, met = set[str](), False
    for line in lines:
        met |= bool(changed & set(variables_of(line)))
        changed |= {put.var for put in walk(line, Put)}
    cites = tuple(dict.fromkeys(cite for line in lines for cite in origin_of(line).cites))
    test = symbols.others.test(ORDER, ONE_BY_ONE, Origin(origin_of(lines[0]).span, cites), alone=True) if met else None
    return at_once if test is None else (Branch(test, tuple(lines), at_once, origin_of(lines[0])),)


def _woven(lines: Sequence[Block], tests: Sequence[Expr | None]) -> list[Stmt]:
    """Each line; before it the one behind it, if they are swapped, which is left out at its own place then."""
    found: list[Stmt] = []
    for index, line in enumerate(lines):
        swapped = tests[index] if index < len(tests) else None
        if swapped is not None:
            later = lines[index + 1]
            found.append(Branch(swapped, later, (), origin_of(later[0])))
        done = tests[index - 1] if index else None
        found += line if done is None else [Branch(typed_operators.negate(done), line, (), origin_of(line[0]))]
    return found


def _is_answered(choice: Block, window: Block) -> bool:
    """Whether the one is a choice and the other a window in which others may answer, which does not look at it."""
    chosen = [one for one in walk(choice, Decide) if len(choice) == 1 and one is choice[0]]
    asked = [one for one in walk(window, Decide) if ".window" in one.point.name]
    if len(chosen) != 1 or ".choose_" not in chosen[0].point.name or not asked or len(window) < len(asked):
        return False
    name = chosen[0].point.name.replace(".choose_", ".")
    return not any(read == name or read.startswith(f"{name} ") for read in variables_of(window))


def _of_one_event(one: Block, other: Block) -> bool:
    """Whether both are done under a condition, by sentences of their own, that looks at the same counter, and one of
    them asks somebody: both may come about at once."""
    if len(one) != 1 or len(other) != 1:
        return False
    first, second = _conditions(one[0]), _conditions(other[0])
    ours, theirs = ({cite for stmt in walk(block, Put, Move, Decide, Each) for cite in origin_of(stmt).cites}
                    for block in (one, other))  # fmt: skip
    asked = [ask for block in (one, other) for ask in walk(block, Decide)]
    return (bool(variables_of(first) & variables_of(second)) and bool(ours and theirs) and not ours & theirs
            and bool(asked) and all(ask.taken is None for ask in asked)
            and all(map(_is_plain_or_asks, (*one, *other))))  # fmt: skip


def _conditions(stmt: Stmt) -> tuple[object, ...]:
    """What has to be so that anything of a statement is done."""
    branches = [one for one in itself(stmt, Branch) if not one.no]
    loops = [*itself(stmt, Each)]
    inside = [one for each in (*(branch.yes for branch in branches), *(loop.body for loop in loops)) for one in each]
    return (*(one.cond for one in branches), *(one.source for one in loops),
            *(_conditions(inside[0]) if len(inside) == 1 else ()))  # fmt: skip


def _is_plain_or_asks(stmt: Stmt) -> bool:
    """Whether it changes something or asks somebody, under conditions, and gives nothing a name but within."""
    match stmt:
        case Put() | Move() | Merge() | Swap() | Decide() | Bind():
            return True
        case Branch() | Each():
            return all(_is_plain_or_asks(inside) for block in inner_blocks(stmt) for inside in block)
        case Call() | Chance() | Commit() | Finish() | Repeat() | Unspecified():
            return False
        case _:
            assert_never(stmt)


def _is_step(block: Block) -> bool:
    """Whether it carries out a procedure, and does nothing else."""
    calls = tuple(one for one in walk(block, Call) if not one.results)
    return len(block) == 1 and block == calls and bool(calls[0].origin.cites)


def _step(block: Block) -> str:
    (call,) = walk(block, Call)
    return call.procedure


def _plain(block: Block) -> bool:
    """Whether it only changes what lies where and what is counted."""
    return bool(block) and is_whole(block[-1]) and all(map(_is_plain, block))


def _is_plain(stmt: Stmt) -> bool:
    match stmt:
        case Put() | Move() | Merge() | Swap():
            return True
        case Branch() | Each():
            return all(_is_plain(inside) for block in inner_blocks(stmt) for inside in block)
        case Bind() | Call() | Chance() | Commit() | Decide() | Finish() | Repeat() | Unspecified():
            return False
        case _:
            assert_never(stmt)


def _of_both(one: Block, other: Block) -> Origin:
    a, b = origin_of(one[0]), origin_of(other[0])
    return Origin(a.span, tuple(dict.fromkeys((*a.cites, *b.cites))))
