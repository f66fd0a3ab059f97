"""The functions of a flow, each written and compiled when it is first called.

This is the one place where text becomes code: text that the modules beside this one have written, from numbers and
words of their own. Whatever a ruleset says stays outside of it, as an object with a number.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import compress
from operator import or_
from types import CodeType
from typing import Any, assert_never

from referee.codegen import runtime_support
from referee.codegen.code_scope import Name
from referee.codegen.expression_code import Coder
from referee.codegen.invariant_code import InvariantCode
from referee.codegen.member_code import listed
from referee.codegen.often.event_code import Landings, Onward
from referee.codegen.often.local_entries import in_locals
from referee.codegen.point_code import Offered, logged
from referee.codegen.source_text import Objects, TooLong
from referee.codegen.statement_code import Effects
from referee.codegen.trusted_variables import actor, doubt
from referee.codegen.value_bounds import BoundProver
from referee.core.expr import Const, Expr
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, OfferNode, Rule, Run, asks, offered, ways_on
from referee.core.intervals import Bounds
from referee.core.read_write_sets import changes
from referee.game.event import FATE, Event
from referee.game.state import Layout, Open
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.multisets import ends, every_taken, is_taken, sample_from, wanted

Function = Callable[..., Any]
Key = tuple[str | int, ...]
MOST_NODES = 40
"""So many nodes are in one function at most."""
_BUILTINS: dict[str, Any] = {one.__name__: one for one in (
    abs, bool, dict, frozenset, int, len, list, map, max, min, next, range, set, sorted, sum, tuple)}
_CALLED = {
    "W": runtime_support.StepError,
    "A": runtime_support.Again,
    "O": Open,
    "E": Event,
    "turned": runtime_support.turned,
    "only": runtime_support.only,
    "lying": runtime_support.lying,
    "lying_of": runtime_support.lying_of,
    "bag_without": runtime_support.bag_without,
    "bag_with": runtime_support.bag_with,
    "moved": runtime_support.moved,
    "bag_less": runtime_support.bag_less,
    "pile_less": runtime_support.pile_less,
    "take": runtime_support.take,
    "lay": runtime_support.lay,
    "gathered": runtime_support.gathered,
    "nothing_in": runtime_support.nothing_in,
    "blocks_of": runtime_support.blocks_of,
    "ends": ends,
    "every_taken": every_taken,
    "is_taken": is_taken,
    "sample": sample_from,
    "wanted": wanted,
    "amount": amount,
    "compress": compress,
    "either": or_,
}
OWN_WORDS = frozenset((*_CALLED, *_BUILTINS))
"""The names that the source may use besides its own locals and numbered objects."""


def space() -> dict[str, Any]:
    """What generated source may use."""
    return {"__builtins__": _BUILTINS, **_CALLED}


def carried_out(code: CodeType, names: dict[str, Any]) -> Function:
    """The function `f` that compiled source of ours defines, with what it may use."""
    exec(code, names)  # noqa: S102 our own text, see above
    made: Function = names.pop("f")
    return made


class Program:
    """The functions of a flow by what they do and the node that they do it at. All take the entries `s` first."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self.flow = flow
        self.layout = layout
        self.claims = InvariantCode(flow)
        self._objects = Objects()
        self._prover: BoundProver | None = None
        self._made: dict[Key, Function] = {}
        self._whole: set[Key] = set()
        self._doubts: dict[Key, int] = {}
        self.landings = Landings()
        self._space = space()
        self._ways = Counter(after for node in flow.nodes for after in successors(node))

    def function(self, *key: str | int) -> Function:
        """A function; one that cannot be compiled leaves everything to the walker."""
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = self._compiled(key)
        return known

    def whole(self, *key: str | int) -> bool:
        """True if a function never leaves anything to the walker."""
        self.function(*key)
        return key in self._whole

    def doubts(self, *key: str | int) -> int:
        """The claims that may not hold any more once a function was called, as bits."""
        self.function(*key)
        return self._doubts[key]

    def step(self, at: int, group: Sequence[int]) -> Function | None:
        """What takes an event of one of some alternatives and goes on as far as it goes; None if it cannot be made."""
        made = self.function("step", at, *group)
        return None if made is left_to_the_walker else made

    def _plain(self) -> frozenset[int]:
        """The entries that stand by themselves: no function looks for them by a key."""
        entries = [one for some in (self.layout.vars, self.layout.zones) for one in some.values() if not one.sizes]
        return frozenset((*(one.base for one in entries), *self.layout.rulings.values())) & frozenset(
            range(self.layout.fixed))

    def called(self) -> tuple[Key, ...]:
        """The functions that were needed so far."""
        return tuple(self._made)

    def _compiled(self, key: Key) -> Function:
        try:
            text = self.text(*key)
            self._space.update(self._objects.named)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # a constant compared with a constant
                code = in_locals(ast.parse(text), self._plain()) if key[0] == "step" else text
                made = carried_out(compile(code, "<generated>", "exec"), self._space)
        except (TooLong, RecursionError, SyntaxError, MemoryError):
            self._whole.discard(key)
            self._doubts[key] = self.claims.all
            return left_to_the_walker
        return made

    def text(self, *key: str | int) -> str:
        """The source of a function. Raises `TooLong` and `RecursionError` for one that is better not made."""
        if self._prover is None:
            self._prover = BoundProver(self.layout)
            doubt(self.flow, self._prover)
        code = Coder(self.layout, self._objects, self._prover)
        parameters = self._written(code, key)
        self._doubts[key] = self.claims.touched(code.changed)
        if not (code.out.raises or code.out.opens or code.out.leaves):
            self._whole.add(key)
        return code.out.text(f"def f({', '.join(('s', *parameters))}):")

    def keys(self) -> Iterator[Key]:
        """Every function that there may be, but for those that test events of odd form."""
        for at, node in enumerate(self.flow.nodes):
            match node:
                case Run() | Fork():
                    yield ("run", at)
                case Rule():
                    yield ("found", at)
                    yield ("ruled", at)
                case Ask() | Gather() | Draw():
                    if _who_varies(node):
                        yield ("who", at)
                    yield ("legal", at)
                    yield ("ways", at)
                    yield ("some", at)
                    for group in groups(node).values():
                        yield ("check", at, *group)
                        yield ("take", at, *group)
                        yield ("step", at, *group)
                    for number in range(len(offered(node))):
                        yield ("apply", at, number)
                        yield ("draw", at, number)
                case _:
                    assert_never(node)
        yield from (("claim", bit) for bit in range(self.claims.number))
        if self.flow.core.score is not None:
            yield ("score",)

    # --- what is written for each key

    def _written(self, code: Coder, key: Key) -> Sequence[str]:
        if key[0] == "claim":
            self.claims.holds(code, int(key[1]))
            return ()
        if key[0] == "score":
            self._score(code)
            return ("p",)
        at = int(key[1])
        node = self.flow.nodes[at]
        match node:
            case Run() | Fork():
                self._chain(code, at, set(), first=True)
                return ()
            case Rule():
                return self._rule(code, str(key[0]), node)
            case Ask() | Gather() | Draw():
                return self._point(code, key, node)
            case _:
                assert_never(node)

    def _rule(self, code: Coder, what: str, node: Rule) -> Sequence[str]:
        if what == "found":
            listing = "()" if node.candidates is None else listed(code, node.candidates, {})
            code.out.line(f"return tuple(dict.fromkeys({listing}))")
            return ()
        code.changed |= changes(node)
        if node.into is not None:
            code.out.line(f"s[{self.layout.vars[node.into].base}] = v")
        self._chain(code, node.next, set())
        return ("v",)

    def _point(self, code: Coder, key: Key, node: OfferNode) -> Sequence[str]:
        assert self._prover is not None
        writer = Offered(code, offered(node), actor(node, self._prover), choosers(node))
        what, rest = key[0], [int(part) for part in key[2:]]
        if what == "who":
            self._who(code, node)
            return ()
        if what == "legal":
            writer.legal(bool(rest and rest[0]) or once(node))
            return ("by",)
        if what == "ways":
            writer.ways(once(node))
            return ("by",)
        if what == "some":
            writer.some()
            return ("by",)
        if what in ("check", "take", "step"):
            use = None if what == "check" else partial(self._kept, code, node, writer, self._on(code, key))
            writer.check(rest, self._stranger(code, node), use)
            return ("by", *(f"a{index}" for index in range(len(logged(offered(node)[rest[0]])))))
        if what == "draw":
            writer.draw(rest[0])
            return ("by", "random")
        names = writer.bound_names(rest[0])
        self._kept(code, node, writer, self._on(code, key), rest[0], names)
        return ("by", *names)

    def _on(self, code: Coder, key: Key) -> Callable[[int], None]:
        """What writes how it goes on from a node, behind an event."""
        if key[0] == "step":
            start = changes(self.flow.nodes[int(key[1])])
            return lambda at: Onward(self.flow, self.claims, code, self.landings).go(at, start)
        return lambda at: self._chain(code, at, set())

    def _kept(self, code: Coder, node: OfferNode, writer: Offered, on: Callable[[int], None], number: int,
              bound: Sequence[str]) -> None:
        """What a legal event leaves behind, and on to the next point."""
        code.changed |= changes(node)
        match node:
            case Ask() | Draw():
                writer.apply(number, None, bound)
                on(offered(node)[number].next)
            case Gather():
                writer.apply(number, node, bound)
                on(node.next)
            case _:
                assert_never(node)

    def _stranger(self, code: Coder, node: OfferNode) -> str:
        match node:
            case Ask():
                return f"by != {code.value(node.actor, {})}"
            case Gather():
                return f"by not in s[{self.layout.vars[node.pending].base}]"
            case Draw():
                return f"by != {FATE}"
            case _:
                assert_never(node)

    def _who(self, code: Coder, node: OfferNode) -> None:
        match node:
            case Ask():
                code.out.line(f"return {code.value(node.actor, {})}")
            case Gather():
                actors = ", ".join(code.value(one, {}) for one in choosers(node))
                code.out.line(f"return frozenset().union({actors})")
            case Draw():
                raise TypeError("that fate draws needs no function")
            case _:
                assert_never(node)

    def _chain(self, code: Coder, at: int, passed: set[int], first: bool = False) -> None:
        """The nodes from one on that no other way leads to, up to a point; the last is what is returned."""
        node = self.flow.nodes[at]
        if asks(node) is not None or (self._ways[at] != 1 and not first) or (
                at in passed or len(passed) >= MOST_NODES):
            code.out.line(f"return {at}")
            return
        passed.add(at)
        code.changed |= changes(node)
        match node:
            case Run():
                watched = tuple(one for one in self.flow.core.invariants if one.everywhere)
                Effects(code, at, watched).block(node.body, {})
                self._chain(code, node.next, passed)
            case Fork(Const(value)):
                self._chain(code, node.yes if value else node.no, passed)
            case Fork():
                with code.out.block(f"if {code.value(node.cond, {})}:"):
                    self._chain(code, node.yes, passed)
                self._chain(code, node.no, passed)
            case Ask() | Gather() | Draw() | Rule():
                raise TypeError(f"somebody is asked at node {at}")
            case _:
                assert_never(node)

    def _score(self, code: Coder) -> None:
        score = self.flow.core.score
        assert score is not None
        player = Name("p", Bounds(0, self.flow.core.seats.number - 1))
        code.out.line(f"return {code.value(score.value, {score.player: player})}")


def successors(node: Node) -> tuple[int, ...]:
    """Where a node may go on, once for each place in the source that does."""
    match node:
        case Gather():
            return ways_on(node) * max(1, len(node.parts))
        case Run() | Fork() | Ask() | Draw() | Rule():
            return ways_on(node)
        case _:
            assert_never(node)


def choosers(node: OfferNode) -> Sequence[Expr]:
    """Who may take which alternative, where that differs."""
    match node:
        case Gather():
            return [actors for actors, _ in node.parts]
        case Ask() | Draw():
            return ()
        case _:
            assert_never(node)


def _who_varies(node: OfferNode) -> bool:
    """Whether it hangs on the position who acts at a point."""
    match node:
        case Ask() | Gather():
            return True
        case Draw():
            return False
        case _:
            assert_never(node)


def groups(node: OfferNode) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Label and arguments of an event, in order, with the alternatives that may be meant."""
    found: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(offered(node)):
        found.setdefault((one.label, *logged(one)), []).append(number)
    meant = Counter((label, frozenset(args)) for label, *args in found)
    return {key: tuple(numbers) for key, numbers in found.items()
            if meant[key[0], frozenset(key[1:])] == 1 and len(set(key[1:])) == len(key) - 1}


def plain(node: OfferNode) -> bool:
    """True if each event that is offered is known by its label and arguments."""
    known = groups(node)
    return all((one.label, *logged(one)) in known for one in offered(node))


def once(node: OfferNode) -> bool:
    """True if no two ways of taking what is offered are the same event."""
    ways = offered(node)
    return len({one.label for one in ways}) == len(ways) and all(
        param.arg is not None for one in ways for param in one.params)


def left_to_the_walker(*_: Any) -> Any:
    """What stands for a function that cannot be compiled."""
    raise runtime_support.Again
