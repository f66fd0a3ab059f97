"""Texts that go through phases: each is carried out if all before it were passed.

`class NAME of KIND` with phases stands for a case of a procedure, `procedure ..., in phases` for a procedure: nested
branches, and a result that says whether all phases were passed. A contest within (`a of X against b of Y`) is between
the first two players among the parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.diagnostics.source import Span
from referee.frontend.names import tree_building as build
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, first, head, node, nodes, word, words
from referee.syntax.syntax_tree import Node, Part, Word

PHASES = ("phase", "phase_block", "phase_by")


def phases_written_out(symbols: Symbols, decls: Sequence[Node]) -> list[Node]:
    """The declarations without phases, and what these stand for. Errors are reported."""
    contests = _contests(symbols, decls)
    leads = _leads(symbols, decls)
    made: list[Node] = []
    for decl in decls:
        try:
            if decl.kind == "phased":
                text = _PhasedText(symbols, word(decl.parts[0]), node(decl.parts[1]), word(decl.parts[2]), contests)
                made.append(text.procedure(decl, node(decl.parts[1])))
            elif decl.kind == "class_decl" and first(decl, *PHASES) is not None:
                made.append(replace(decl, parts=tuple(part for part in decl.parts if not _of_text(part))))
                made.append(_case(symbols, decl, leads, contests))
            elif decl.kind not in ("phases", "contests"):
                made.append(decl)
        except ErrorReported:
            lead = leads.get(word(decl.parts[1]).text) if decl.kind == "class_decl" else decl
            symbols.broken.update(name.text for name in ([*words(lead, "NAME")][:1] if lead is not None else ()))
    return made


def _of_text(part: Part) -> bool:
    return isinstance(part, Node) and part.kind in PHASES


def _contests(symbols: Symbols, decls: Sequence[Node]) -> Node | None:
    said = [decl for decl in decls if decl.kind == "contests"]
    for extra in said[1:]:
        symbols.reporter.error("PH02", "what contests are stands twice", head(extra))
    return said[0] if said else None


def _leads(symbols: Symbols, decls: Sequence[Node]) -> dict[str, Node]:
    """How the texts of a kind are carried out, by its name."""
    found: dict[str, Node] = {}
    for decl in decls:
        if decl.kind == "phases":
            kind = next(words(decl, "PROPER"))
            if kind.text in found:
                symbols.reporter.error("PH01", f"the phases of {kind.text} stand twice", kind.span)
            found.setdefault(kind.text, decl)
    return found


def _case(symbols: Symbols, decl: Node, leads: dict[str, Node], contests: Node | None) -> Node:
    """The case of a procedure that the text of a class stands for. Raises Wrong."""
    kind = word(decl.parts[1])
    lead = leads.get(kind.text)
    if lead is None:
        hint = f"write `phases of {kind.text} as NAME(us: player, them: player) gives RESULT`"
        raise symbols.wrong("PH01", f"nothing is said of how the phases of {kind.text} are carried out", kind.span,
                            hint=hint)
    name, *result = words(lead, "NAME")
    params = node(first(lead, "proc_params"))
    case = Node("proc_case", (decl.parts[0],), head(decl))
    text = _PhasedText(symbols, name, params, result[0] if result else None, contests)
    return text.procedure(decl, replace(params, parts=(case, *params.parts)))


@dataclass(frozen=True, slots=True)
class _PhasedText:
    """One text: the name of its procedure, the parameters, what it gives, what contests are."""

    symbols: Symbols
    name: Word
    params: Node
    result: Word | None
    contests: Node | None

    def procedure(self, decl: Node, params: Node) -> Node:
        """The procedure that carries the text out. Raises Wrong."""
        phases = list(nodes(decl, *PHASES))
        numbers = [next(words(phase, "INT")) for phase in phases]
        for before, said in pairwise(numbers):
            if int(said.text) <= int(before.text):
                raise self.symbols.wrong("PH01", f"phase {said.text} stands behind phase {before.text}", said.span)
        gives: tuple[Node, ...] = ()
        if self.result is not None:
            span = self.result.span
            kind = Node("yes_or_no", (Word("YES_OR_NO", "yes or no", span),), span)
            gives = (Node("give", (self.result, kind), span),)
        lines = list(self._from(phases, head(phases[-1])))
        return Node("procedure", (self.name, params, *gives, None, *lines, *nodes(decl, "cite")), decl.span)

    def _from(self, phases: Sequence[Node], last: Span) -> Iterator[Node]:
        """Some phases up to the last one. Conditions that follow each other are tested as one. Raises Wrong."""
        tests: list[Node] = []
        cited: list[Node] = []
        for at, phase in enumerate(phases):
            said = [self._read(n) for n in nodes(phase) if n.kind not in ("cite", "way")]
            rest = phases[at + 1:]
            if phase.kind == "phase" and said[0].kind == "nothing":
                continue
            last, before, around = head(phase), cited, tests
            cited = [*cited, *nodes(phase, "cite")]
            if phase.kind == "phase" and said[0].kind != "do":
                tests = [*tests, said[0]]
                continue
            if phase.kind == "phase_by":
                done = self._by(phase, rest)
                around = [*tests, self._possible(phase)]
            elif phase.kind == "phase":
                done = self._carried_out(phase, said[0], rest)
            else:
                done = iter([*said, *self._from(rest, last)])
            if around:
                yield self._if(build.joined("and_", around, around[0].span), list(done), before or cited)
            else:
                yield from done
            return
        yield from self._said(build.joined("and_", tests, tests[0].span) if tests else Node("yes", (), last), cited)

    def _said(self, passed: Node, cited: Sequence[Node]) -> Iterator[Node]:
        """What the text gives, if it gives anything."""
        if self.result is not None:
            yield Node("let", (self.result, passed, *build.cited_once(cited)), passed.span)

    def _possible(self, phase: Node) -> Node:
        """Whether any of the conditions of a phase may hold."""
        conds = [self._read(node(one.parts[1])) for one in nodes(phase, "way")]
        return Node("possible", tuple(cond for cond in conds if cond.kind != "no"), head(phase))

    def _by(self, phase: Node, rest: Sequence[Node]) -> Iterator[Node]:
        """A phase whose condition hangs on what is chosen in it."""
        name = next(words(phase, "NAME"))
        way = f"phase {next(words(phase, 'INT')).text}"
        sides = [build.name(side.text, name.span) for side in self._sides(name.span)]
        yield self._as(build.carried_out(name.text, sides, name.span), way, list(nodes(phase, "cite")))
        ways = list(nodes(phase, "way"))
        cited = [cite for part in (phase, *ways) for cite in nodes(part, "cite")]
        cond = Node("no", (), head(phase))
        for one in reversed(ways):
            label, needed = word(one.parts[0]), self._read(node(one.parts[1]))
            this = Node("is_", (build.name(way, label.span), build.name(label.text, label.span)), label.span)
            cond = Node("either", (this, needed, cond), one.span)
        yield from self._passed(cond, rest, cited)

    def _carried_out(self, phase: Node, do: Node, rest: Sequence[Node]) -> Iterator[Node]:
        """A phase that is passed if what is carried out gives yes."""
        passed = f"phase {next(words(phase, 'INT')).text}"
        yield self._as(do, passed, list(nodes(phase, "cite")))
        yield from self._passed(build.name(passed, do.span), rest, list(nodes(phase, "cite")))

    def _as(self, do: Node, way: str, cited: Sequence[Node]) -> Node:
        return replace(do, parts=(*do.parts[:3], Word("NAME", way, do.span), *cited))

    def _passed(self, cond: Node, rest: Sequence[Node], cited: Sequence[Node]) -> Iterator[Node]:
        """What comes after a phase that is passed if a condition holds."""
        if rest:
            yield self._if(cond, list(self._from(rest, cond.span)), cited)
        else:
            yield from self._said(cond, cited)

    def _if(self, cond: Node, then: Sequence[Node], cited: Sequence[Node]) -> Node:
        span = cond.span
        tested = build.name(build.TESTED, span)
        otherwise = [Node("else_", (build.body([said], (), span),), span) for said in self._said(tested, cited)]
        return Node("if_possible", (cond, build.body(then, (), span), *otherwise, *build.cited_once(cited)), span)

    # ------------------------------------------------------------------ contests
    def _read(self, part: Node) -> Node:
        """A part of the text, with its contests told by what is compared. Raises Wrong."""
        if part.kind == "contested":
            return self._contest(part)
        return replace(part, parts=tuple(self._read(one) if isinstance(one, Node) else one for one in part.parts))

    def _contest(self, part: Node) -> Node:
        if self.contests is None:
            hint = "write `contests are DEFINITION against DEFINITION, won if DEFINITION`"
            raise self.symbols.wrong("PH02", "nothing is said of what contests are", part.span, hint=hint)
        attack, defence, won = words(self.contests, "NAME")
        ours, theirs = self._sides(part.span)
        left, right, margin = node(part.parts[0]), node(part.parts[1]), part.parts[2]
        return Node("contest", (self._side(left, attack, ours), self._side(right, defence, theirs), won, margin),
                    part.span)

    def _side(self, part: Node, value: Word, player: Word) -> Node:
        """`a of X` as the value that `a`, `X` and the player have; anything else is a value itself."""
        match part:
            case Node("attr_of", (Word() as what, Node() as whose)):
                args = [build.name(player.text, player.span), build.name(what.text, what.span), whose]
                return build.call(value.text, args, part.span)
            case _:
                return part

    def _sides(self, where: Span) -> tuple[Word, Word]:
        """The first two players among the parameters. Raises Wrong."""
        found = [word(one.parts[0]) for one in nodes(self.params, "proc_param") if _is_player(one)]
        if len(found) < 2:
            raise self.symbols.wrong("PH02", "contests are between two players, who stand among the parameters", where,
                                     hint=f"write `{self.name.text}(us: player, them: player)`")
        return found[0], found[1]


def _is_player(param: Node) -> bool:
    match param.parts[1]:
        case Node("type", (Word(text="player"),)):
            return True
        case _:
            return False
