"""Source for points: who is asked, what is legal, whether an event is, and what is kept of one that happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from referee.codegen.code_scope import Name, Scope, known
from referee.codegen.expression_code import Coder
from referee.codegen.member_code import listed, loop, member_test
from referee.codegen.offer_groups import logged, stored
from referee.codegen.source_text import CodePiece
from referee.core.expr import Domainlike, Expr, Within
from referee.core.flow import Alternative, Gather
from referee.core.intervals import Bounds
from referee.core.stmt import Param
from referee.interpreter.multisets import cap
from referee.interpreter.offers import ME, guards_by_stage

Use = Callable[[int, Sequence[str]], None]
"""Writes what is done with an alternative, by its number, and what stands for what is bound in it."""


class Offered:
    """Writes what is done with the alternatives of one point. `me` is the local `by`."""

    def __init__(self, code: Coder, alternatives: Sequence[Alternative], me: Bounds,
                 parts: Sequence[Expr] = ()) -> None:
        self.code = code
        self._me = me
        self.out = code.out
        self._alternatives = alternatives
        self._parts = parts  # in a group: who may take which alternative

    # --- what is legal

    def legal(self, once: bool) -> None:
        """Every event, in a fixed order; `once`: no two ways are the same event."""
        if not once:
            self.out.line("seen = set()")
        self._each_way(self._yield if once else self._yield_new)

    def ways(self, once: bool) -> None:
        """The same without making the events: of each the number of its alternative, who, what is kept and logged. Of
        several ways that are the same event, the first."""
        if not once:
            self.out.line("seen = set()")
        self._each_way(self._yield_way if once else self._yield_new_way)

    def some(self) -> None:
        """True if anything is legal."""
        for number, one in enumerate(self._alternatives):
            with self._offered(number):
                self._ways(number, 0, self._enter(one), lambda *_: self.out.line("return True"))
        self.out.line("return False")

    def _each_way(self, use: Callable[[int, Scope], None]) -> None:
        for number, one in enumerate(self._alternatives):
            with self._offered(number):
                self._ways(number, 0, self._enter(one), use)
        self.out.line("if False: yield")

    def _ways(self, number: int, index: int, scope: Scope, use: Callable[[int, Scope], None]) -> None:
        one = self._alternatives[number]
        with self._held(one, index, scope):
            if index == len(one.params):
                use(number, scope)
                return
            with self._values(one.params[index], scope) as inner:
                self._ways(number, index + 1, inner, use)

    def _yield(self, number: int, scope: Scope) -> None:
        self.out.line(f"yield {self._event(self._alternatives[number], scope)}")

    def _yield_new(self, number: int, scope: Scope) -> None:
        self.out.line(f"e = {self._event(self._alternatives[number], scope)}")
        with self.out.block("if e not in seen:"):
            self.out.line("seen.add(e)")
            self.out.line("yield e")

    def _yield_way(self, number: int, scope: Scope) -> None:
        self.out.line(f"yield {self._way(number, scope)}")

    def _way(self, number: int, scope: Scope) -> str:
        one = self._alternatives[number]
        values = [scope[param.name].text for param in one.params if param.arg is not None]
        return f"({', '.join((str(number), 'by', *self._bound(one, scope), *values))})"

    def _yield_new_way(self, number: int, scope: Scope) -> None:
        """Events with the same label and arguments in the same order are the same if the values are."""
        one = self._alternatives[number]
        key = [(other.label, logged(other)) for other in self._alternatives].index((one.label, logged(one)))
        values = [scope[param.name].text for param in one.params if param.arg is not None]
        self.out.line(f"e = ({', '.join((str(key), *values))},)")
        with self.out.block("if e not in seen:"):
            self.out.line("seen.add(e)")
            self._yield_way(number, scope)

    def _event(self, one: Alternative, scope: Scope) -> str:
        args = [f"({self._word(param.arg)}, {scope[param.name].text})" for param in one.params if param.arg is not None]
        return f"E(by, {self._word(one.label)}, ({''.join(arg + ', ' for arg in args)}))"

    def _word(self, text: str) -> str:
        """A label or the name of an argument: an object, never text of the source."""
        return self.code.objects.name("n", text, text)

    # --- whether an event is legal

    def check(self, chosen: Sequence[int], stranger: str, use: Use | None = None) -> None:
        """The first of these alternatives that the arguments a0, a1, ... fit: its number and what is bound.

        `stranger`: the condition under which somebody else is asked; `use`: what is done with it instead.
        """
        self.out.line(f"if {stranger}: return None")
        for index in chosen:
            with self._offered(index):
                self._fits(index, 0, self._enter(self._alternatives[index]), 0, use or self._told)
        self.out.line("return None")

    def _told(self, number: int, bound: Sequence[str]) -> None:
        self.out.line(f"return ({number}, {', '.join(('by', *bound))},)")

    def _fits(self, number: int, index: int, scope: Scope, arg: int, use: Use) -> None:
        one = self._alternatives[number]
        with self._held(one, index, scope):
            if index == len(one.params):
                use(number, self._bound(one, scope))
                return
            param = one.params[index]
            if param.arg is None:
                with self._values(param, scope) as inner:
                    self._fits(number, index + 1, inner, arg, use)
                return
            with self._allowed(param, f"a{arg}", scope) as inner:
                self._fits(number, index + 1, inner, arg + 1, use)

    @contextmanager
    def _allowed(self, param: Param, text: str, scope: Scope) -> Iterator[Scope]:
        several = param.count is not None
        self.out.leave(f"{text}.__class__ is not {'tuple' if several else 'int'}")
        with self.out.apart() as piece:
            if several:
                test = f"is_taken({self._pile(param, scope)}, {text})"
            else:
                test = member_test(self.code, param.source, text, scope)
        with self.out.block(f"if {self._tried(piece, test, 'False')}:"):
            yield {**scope, param.name: Name(text, self._bounds(param, scope))}

    # --- what is drawn

    def draw(self, number: int) -> None:
        """One try to draw the parameters of an alternative: a way as in `ways`, or None."""
        self._drawn(number, 0, self._enter(self._alternatives[number]))
        self.out.line("return None")

    def _drawn(self, number: int, index: int, scope: Scope) -> None:
        one = self._alternatives[number]
        with self._held(one, index, scope):
            if index == len(one.params):
                self.out.line(f"return {self._way(number, scope)}")
                return
            param = one.params[index]
            name = self.out.fresh()
            with self.out.apart() as piece:
                if param.count is not None:
                    text = f"sample({self._pile(param, scope)}, {param.repeated}, random)"
                else:
                    many = self.out.keep(listed(self.code, param.source, scope))
                    text = f"(random.choice({many}) if {many} else None)"
            self.out.line(f"{name} = {self._tried(piece, text, 'None')}")
            with self.out.block(f"if {name} is not None:"):
                self._drawn(number, index + 1, {**scope, param.name: Name(name, self._bounds(param, scope))})

    # --- what is kept

    def apply(self, number: int, gather: Gather | None, kept: Sequence[str]) -> None:
        """What a legal event leaves in registers. `kept`: what stands for what is bound, in the order of `stored`."""
        one = self._alternatives[number]
        bound = stored(one)
        layout = self.code.layout
        for register, local in one.stores:
            entries = layout.vars[register]
            text = "by" if local == ME else kept[bound.index(local)]
            at = str(entries.base) if gather is None else f"{entries.base - entries.lows[0]} + by"
            self.out.line(f"s[{at}] = {text}")
        if gather is not None:
            pending = layout.vars[gather.pending].base
            self.out.line(f"left = s[{pending}] - {{by}}")
            self.out.line(f"s[{pending}] = left")
            self.out.line("if left: return -1")

    def bound_names(self, number: int) -> list[str]:
        """The parameters of `apply`."""
        return [f"p{index}" for index in range(len(stored(self._alternatives[number])))]

    def _bound(self, one: Alternative, scope: Scope) -> list[str]:
        return [scope[name].text for name in stored(one)]

    # --- shared

    @contextmanager
    def _offered(self, index: int) -> Iterator[None]:
        """In a group only to those of its part."""
        if not self._parts:
            yield
            return
        with self.out.block(f"if by in {self.code.value(self._parts[index], {})}:"):
            yield

    def _enter(self, one: Alternative) -> Scope:
        scope: dict[str, Name] = {ME: Name("by", self._me)}
        for name, value in one.fixed:
            text = self.out.keep(self.code.value(value, scope))
            scope[name] = Name(text, self.code.prover.value(value, known(scope)))
        return scope

    @contextmanager
    def _held(self, one: Alternative, index: int, scope: Scope) -> Iterator[None]:
        """Inside, the guards hold that can be tested once so many parameters are bound. One in error does not."""
        conditions = [guard.cond for guard in guards_by_stage(one)[index]]
        if not conditions:
            yield
            return
        with self.out.apart() as piece:
            text = self.code.chained([self.code.piece(cond, scope) for cond in conditions], "and")
        with self.out.block(f"if {self._tried(piece, text, 'False')}:"):
            yield

    def _tried(self, piece: CodePiece, text: str, failing: str) -> str:
        """A value; `failing` if it cannot be had."""
        if not piece.raises:
            self.out.insert(piece)
            return text
        name = self.out.fresh()
        raised = self.out.raises
        with self.out.block("try:"):
            self.out.insert(piece)
            self.out.line(f"{name} = {text}")
        with self.out.block("except W:"):
            self.out.line(f"{name} = {failing}")
        self.out.raises = raised
        return name

    @contextmanager
    def _values(self, param: Param, scope: Scope) -> Iterator[Scope]:
        """A loop over the values that a parameter can take, each once; none if its source is in error."""
        with self.out.apart() as tried:
            if param.count is not None:
                text = f"every_taken({self._pile(param, scope)})"
            else:
                text = listed(self.code, param.source, scope)
        if param.count is None and not tried.raises:
            with loop(self.code, param.source, param.name, scope, once=True) as inner:
                yield inner
            return
        text = self._tried(tried, text, "()")
        if param.count is None and not self.code.distinct(param.source):
            text = f"dict.fromkeys({text})"
        name = self.out.fresh()
        with self.out.block(f"for {name} in {text}:"):
            yield {**scope, param.name: Name(name, self._bounds(param, scope))}

    def _bounds(self, param: Param, scope: Scope) -> Bounds:
        return self.code.prover.members(param.source, known(scope))

    def _pile(self, param: Param, scope: Scope) -> str:
        """What several are taken from, and how many: blocks, least, most."""
        assert param.count is not None
        blocks = self.out.keep(self._blocks(param.source, scope))
        if param.among is not None:
            blocks = f"wanted({blocks}, {self.code.value(param.among, scope)})"
        if param.repeated:
            blocks = f"[sorted(b * {cap(param)}) for b in {blocks}]"
        blocks = self.out.keep(blocks)
        least, most = (self.code.value(end, scope) for end in param.count)
        return f"{blocks}, *ends({blocks}, {least}, {most}, {cap(param)})"

    def _blocks(self, source: Domainlike, scope: Scope) -> str:
        if isinstance(source, Within) and source.place.end is not None:
            zone = self.code.layout.core.zones[source.place.zone]
            if zone.form.in_blocks:
                named = self.code.objects.name("z", zone.name, zone)
                end = self.code.objects.name("e", source.place.end, source.place.end)
                return f"blocks_of({named}, {self.code.content(source.place, scope)}, {end})"
        return f"[list({listed(self.code, source, scope)})]"
