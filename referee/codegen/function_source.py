"""The source of the functions of a flow: what each key of a function asks for, written by the modules beside this one.

It is imported where a function is to be made that is not kept.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import CodeType
from typing import NamedTuple, assert_never

from referee.codegen.code_scope import Name
from referee.codegen.expression_code import Coder
from referee.codegen.invariant_code import InvariantCode
from referee.codegen.member_code import listed
from referee.codegen.offer_groups import MOST_NODES, choosers, groups, logged, once, successors, who_varies
from referee.codegen.often.conserved_counts import claim_changes
from referee.codegen.often.event_code import Onward
from referee.codegen.often.event_landings import Landings
from referee.codegen.often.local_entries import in_locals
from referee.codegen.point_code import Offered
from referee.codegen.source_text import Objects
from referee.codegen.statement_code import Effects
from referee.codegen.trusted_variables import actor, doubt
from referee.codegen.value_bounds import BoundProver
from referee.core.expr import Const
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, OfferNode, Rule, Run, asks, offered
from referee.core.intervals import Bounds
from referee.game.event import FATE
from referee.game.state import Layout

Key = tuple[str | int, ...]


class WrittenFunction(NamedTuple):
    """The source of a function. `whole`: it never leaves anything to the walker; `doubts`: the claims that may not hold
    any more once it was called, as bits."""

    text: str
    whole: bool
    doubts: int


class FunctionSource:
    """Writes the functions of a flow. All take the entries `s` first."""

    def __init__(self, flow: Flow, layout: Layout, claims: InvariantCode, objects: Objects, landings: Landings) -> None:
        self._flow = flow
        self._layout = layout
        self._claims = claims
        self._objects = objects
        self._landings = landings
        self._prover = BoundProver(layout)
        doubt(flow, self._prover)
        self._ways = Counter(after for node in flow.nodes for after in successors(node))

    def written(self, key: Key) -> WrittenFunction:
        """A function. Raises `TooLong` and `RecursionError` for one that is better not made."""
        code = Coder(self._layout, self._objects, self._prover)
        parameters = self._written(code, key)
        return WrittenFunction(code.out.text(f"def f({', '.join(('s', *parameters))}):"),
                               not (code.out.raises or code.out.opens or code.out.leaves),
                               self._claims.touched(code.changed))

    def compiled(self, key: Key, text: str) -> CodeType:
        """The code of a text. Raises what compiling raises."""
        return compile(in_locals(ast.parse(text), self._plain()) if key[0] == "step" else text, "<generated>", "exec")

    def _plain(self) -> frozenset[int]:
        """The entries that stand by themselves: no function looks for them by a key."""
        entries = [one for some in (self._layout.vars, self._layout.zones) for one in some.values() if not one.sizes]
        return frozenset((*(one.base for one in entries), *self._layout.rulings.values())) & frozenset(
            range(self._layout.fixed))

    def keys(self) -> Iterator[Key]:
        """Every function that there may be, but for those that test events of odd form."""
        for at, node in enumerate(self._flow.nodes):
            match node:
                case Run() | Fork():
                    yield ("run", at)
                case Rule():
                    yield ("found", at)
                    yield ("ruled", at)
                case Ask() | Gather() | Draw():
                    if who_varies(node):
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
        yield from (("claim", bit) for bit in range(self._claims.number))
        if self._flow.core.score is not None:
            yield ("score",)

    # --- what is written for each key

    def _written(self, code: Coder, key: Key) -> Sequence[str]:
        if key[0] == "claim":
            self._claims.holds(code, int(key[1]))
            return ()
        if key[0] == "score":
            self._score(code)
            return ("p",)
        at = int(key[1])
        node = self._flow.nodes[at]
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
        code.changed |= claim_changes(node)
        if node.into is not None:
            code.out.line(f"s[{self._layout.vars[node.into].base}] = v")
        self._chain(code, node.next, set())
        return ("v",)

    def _point(self, code: Coder, key: Key, node: OfferNode) -> Sequence[str]:
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
            start = claim_changes(self._flow.nodes[int(key[1])])
            return lambda at: Onward(self._flow, self._claims, code, self._landings).go(at, start)
        return lambda at: self._chain(code, at, set())

    def _kept(self, code: Coder, node: OfferNode, writer: Offered, on: Callable[[int], None], number: int,
              bound: Sequence[str]) -> None:
        """What a legal event leaves behind, and on to the next point."""
        code.changed |= claim_changes(node)
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
                return f"by not in s[{self._layout.vars[node.pending].base}]"
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
        node = self._flow.nodes[at]
        if asks(node) is not None or (self._ways[at] != 1 and not first) or (
                at in passed or len(passed) >= MOST_NODES):
            code.out.line(f"return {at}")
            return
        passed.add(at)
        code.changed |= claim_changes(node)
        match node:
            case Run():
                watched = tuple(one for one in self._flow.core.invariants if one.everywhere)
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
        score = self._flow.core.score
        assert score is not None
        player = Name("p", Bounds(0, self._flow.core.seats.number - 1))
        code.out.line(f"return {code.value(score.value, {score.player: player})}")
