"""The text of a component, with effects, modes and costs: what `class NAME of KIND` says below its values.

It stands for an action for each effect and for one case of a procedure, which asks for the effects in turn. So all
that comes later knows nothing of texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.diagnostics.source import Span
from referee.frontend.loading.text_references import Noted, References, arguments_of, chosen_twice
from referee.frontend.names import tree_building as build
from referee.frontend.names.bindings import Price, Texts
from referee.frontend.names.prices import PRICE, dues_of
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, first, head, node, nodes, tried, word, words
from referee.syntax.syntax_tree import Node, Part, Word

EFFECTS = ("basic_effect", "instead", "with_effect", "then_effect")
PLAYER = "p"
"""How the procedure of a text calls who uses the component."""


def written_out(symbols: Symbols, decls: Sequence[Node]) -> list[Node]:
    """The declarations of a ruleset without prices and texts, and what these stand for. Errors are reported."""
    for decl in decls:
        if decl.kind == "price":
            _declare_price(symbols, decl)
    made: list[Node] = []
    lead: dict[str, _Lead] = {}
    for decl in decls:
        if decl.kind == "effects":
            kind = word(decl.parts[1])
            if kind.text in lead:
                symbols.reporter.error("EF01", f"how the effects of {kind.text} are used stands twice", kind.span)
            else:
                lead[kind.text] = _Lead(symbols, decl, decls)
    for decl in decls:
        if decl.kind != "class_decl":
            made.append(decl)
            continue
        own = lead.get(word(decl.parts[1]).text)
        made.append(replace(decl, parts=tuple(p for part in decl.parts for p in _columns(symbols, part))))
        try:
            made += _text(symbols, decl, own)
        except ErrorReported:
            symbols.broken.update(word(n.parts[0]).text for n in nodes(decl, *EFFECTS[1:]))
            if own is not None:
                symbols.broken.add(own.procedure.text)
    for one in lead.values():
        made += one.around()
    return made


def _of_text(part: Part) -> bool:
    return isinstance(part, Node) and part.kind in (*EFFECTS, "unable")


def _declare_price(symbols: Symbols, decl: Node) -> None:
    *columns, able, pays = words(decl, "NAME")
    twice = next((c for i, c in enumerate(columns) if c.text in {o.text for o in columns[:i]}), None)
    if twice is not None or symbols.price is not None:
        said = f"{twice.text} stands twice" if twice is not None else "a second price"
        symbols.reporter.error("PR01", said, (twice or decl).span)
        return
    symbols.price = Price(tuple(c.text for c in columns), pays.text, able.text, tuple(nodes(decl, "cite")))


def _text(symbols: Symbols, decl: Node, lead: _Lead | None) -> Iterator[Node]:
    """What the text of a class stands for; nothing if it has none. Raises Wrong."""
    if not any(map(_of_text, decl.parts)):
        return iter(())
    if lead is None:
        kind = word(decl.parts[1])
        hint = f"write `effects of {kind.text} as NAME, ended by ACTION, noted in COUNTER of TYPE`"
        raise symbols.wrong("EF01", f"nothing is said of how the effects of {kind.text} are used", kind.span, hint=hint)
    return iter(list(_Text(symbols, decl, lead).written()))


def _columns(symbols: Symbols, part: Part) -> Sequence[Part]:
    """The values of a class, without its text: a price as one for each of its parts. An error is reported."""
    if _of_text(part):
        return ()
    if not isinstance(part, Node) or part.kind != "class_value":
        return (part,)
    name, said = word(part.parts[0]), part.parts[1]
    if not isinstance(said, Node) or said.kind != "dues":
        return (part,)
    price = symbols.price
    if price is None or name.text != PRICE:
        symbols.reporter.error("PR01", f"{name.text} is no price", name.span, hint="write `price is ...`")
        return ()
    dues = tried(lambda: dues_of(symbols, said)) or dict.fromkeys(price.columns, 0)
    return [Node("class_value", (Word("NAME", column, part.span), Word("INT", str(due), part.span)), part.span)
            for column, due in dues.items()]


class _Lead:
    """How the effects of a kind are used, as its line `effects of KIND` says, and what their texts need together."""

    def __init__(self, symbols: Symbols, decl: Node, decls: Sequence[Node]) -> None:
        self.decl = decl
        self.procedure, self.stop, self.used = words(decl, "NAME")
        kind, self.labelled = words(decl, "PROPER")
        self.cites = tuple(nodes(decl, "cite"))
        self.any_order = next((n for n in nodes(decl) if n.kind != "cite"), None)
        listed = next((d for d in decls if d.kind == "type_decl" and word(d.parts[0]).text == self.labelled.text), None)
        names = first(listed, "names") if listed is not None else None
        self.labels = tuple(word(part) for part in names.parts) if names is not None else ()
        if not self.labels:
            symbols.reporter.error("EF01", f"{self.labelled.text} is no type with names for effects",
                                   self.labelled.span, hint=f"write `type {self.labelled.text} is basic, second`")
        self.noted: dict[str, Noted] = {}
        self.texts = symbols.texts[kind.text] = Texts(self.procedure.text)

    def around(self) -> Iterator[Node]:
        """The counters that the texts need, and what sets them back."""
        where, span = self.decl, self.decl.span
        going = Node("yes_or_no", (Word("YES_OR_NO", "yes or no", span),), span)
        counters = [Node("counter", (Word("NAME", self.texts.going, span), None, going, None, None), span)]
        counters += [one.declared(where) for one in self.noted.values()]
        yield Node("counters", tuple(counters), span)
        label = build.name("label", span)
        unused = build.each("label", Node("noun", (Word("PROPER", self.labelled.text, span), None), span),
                            [build.flag(build.entry(self.used.text, label, span), False, span)], span)
        back = [unused, *(one.forgotten(where) for one in self.noted.values())]
        lines = [one if one.kind == "for_each" else build.line([one], (), span) for one in back]
        yield Node("procedure", (Word("NAME", self.texts.forgetting, span), None, None, None, *lines), span)


@dataclass(frozen=True, slots=True)
class _Effect:
    """One effect: its name, what stands for it in the counter, when it may be used."""

    node: Node
    name: Word
    label: Word
    before: bool
    free: bool
    """In any order only if the line `effects of KIND` says so."""
    follows: str | None

    @property
    def is_mode(self) -> bool:
        return self.node.kind in EFFECTS[:2]


class _Text:
    """The text of one component."""

    def __init__(self, symbols: Symbols, decl: Node, lead: _Lead) -> None:
        self._symbols = symbols
        self._decl = decl
        self._lead = lead
        self._effects = self._read()
        self._modes = [one for one in self._effects if one.is_mode]
        self._later = [one for one in self._effects if not one.is_mode]
        arguments = {one.name.text: arguments_of(one.node) for one in self._effects}
        labels = {one.name.text: one.label for one in self._effects}
        self._known = References(symbols, lead.used.text, labels, arguments)
        self._cites = build.cited_once((*lead.cites, *(c for one in self._later for c in nodes(one.node, "cite"))))
        self._followed = {one.follows for one in self._later if one.follows is not None}
        lead.texts.most = max(lead.texts.most, len(self._later) + 2)

    # ------------------------------------------------------------------ reading
    def _read(self) -> list[_Effect]:
        said = list(nodes(self._decl, *EFFECTS))
        basics = [n for n in said if n.kind == "basic_effect"]
        if len(basics) != 1 or said[0].kind != "basic_effect":
            what = "a second basic effect" if len(basics) > 1 else "a text begins with its basic effect"
            raise self._symbols.wrong("EF01", what, head((basics[1:] or said or [self._decl])[0]))
        found: list[_Effect] = []
        for one in said:
            name = self._name(one)
            if any(name.text == other.name.text for other in found):
                raise self._symbols.wrong("EF01", f"the effect {name.text} stands twice", name.span)
            twice = chosen_twice(one)
            if twice is not None:
                raise self._symbols.wrong("NM02", f"the argument {twice.text} stands twice", twice.span)
            found.append(self._effect(one, name, found))
        return found

    def _name(self, one: Node) -> Word:
        if one.kind != "basic_effect":
            return next(words(one, "NAME"))
        return Word("NAME", word(self._decl.parts[0]).text.lower(), word(one.parts[0]).span)

    def _effect(self, one: Node, name: Word, above: Sequence[_Effect]) -> _Effect:
        later = sum(1 for effect in above if not effect.is_mode)
        place = 0 if one.kind in EFFECTS[:2] else later + 1
        if place >= len(self._lead.labels):
            said = f"{self._lead.labelled.text} has {len(self._lead.labels)} names, too few for these effects"
            raise self._symbols.wrong("EF01", said, name.span, hint=f"add a name to {self._lead.labelled.text}")
        time = first(one, "at_a_time")
        follows = time.parts[1] if time is not None and len(time.parts) > 1 else None
        if follows is not None and word(follows).text not in {e.name.text for e in above if not e.is_mode}:
            known = {e.name.text for e in above if not e.is_mode}
            raise self._symbols.unknown(word(follows), "an effect above that is used with the basic one", known)
        if one.kind == "with_effect":
            free = time is None and self._lead.any_order is not None
            before = free or (time is not None and word(time.parts[0]).type == "BEFORE_OR_AFTER")
        else:
            free = before = False
        label = self._lead.labels[place]
        return _Effect(one, name, label, before, free, word(follows).text if follows is not None else None)

    # ------------------------------------------------------------------ writing
    def written(self) -> Iterator[Node]:
        """What asks for the effects, and an action for each. Raises Wrong."""
        bodies = {one.name.text: self._lines(one) for one in self._effects}
        actions = [self._action(one, *bodies[one.name.text]) for one in self._effects]
        yield self._procedure()
        for effect, action in zip(self._effects, actions, strict=True):
            noted = [(name, one) for (of, name), one in self._known.noted.items() if of == effect.name.text]
            yield self._with_notes(effect, action, noted)
        unable = first(self._decl, "unable")
        if unable is not None:
            yield self._unable(unable)
        for one in self._known.noted.values():
            known = self._lead.noted.setdefault(one.name, one)
            if (known.many, known.of and known.of.text) != (one.many, one.of and one.of.text):
                said = f"{one.name} notes something else for another component: call the argument differently"
                raise self._symbols.wrong("EF02", said, head(self._decl))

    def _lines(self, one: _Effect) -> tuple[list[Node], list[Node]]:
        """What an effect needs and what it does, in its own words."""
        said = [n for n in nodes(one.node) if n.kind not in ("cost", "at_a_time", "logged", "chosen", "different",
                                                             "cite")]
        lines = [self._known.read(n) for n in said]
        guards = [n for n in lines if n.kind in ("need", "forbidden")]
        return guards, [n for n in lines if n.kind not in ("need", "forbidden")]

    def _action(self, one: _Effect, guards: Sequence[Node], does: Sequence[Node]) -> Node:
        effect, span, lead = one.node, head(one.node), self._lead
        cost = first(effect, "cost")
        before: list[Node] = []
        after = list(self._different(one))
        unused = build.negated(self._used(one, one.name.span))
        if self._again(one) and not any(guard.parts[2:3] and _alike(guard.parts[2], unused) for guard in guards):
            before.append(build.needs("once", unused, (), one.name.span))
        if one.free and lead.any_order is not None:
            first_basic = build.joined("or_", [self._used(self._modes[0], one.name.span), lead.any_order], span)
            before.append(build.needs("the basic effect comes first", first_basic, lead.cites, self._beside(one)))
        if one.before:
            after.append(self._leaves_a_target(one))
        price = self._symbols.price
        lines = [build.line([build.flag(self._used(one, one.name.span), True, one.name.span)], (), span),
                 *self._closed(one),
                 build.line([build.flag(build.name(lead.texts.going, span), True, span)], (), span), *does]
        if cost is not None:
            cites = price.cites if price is not None else ()
            can = Node("can_pay", (build.me(cost.span), Word("CAN_PAY", "can pay", cost.span), cost), cost.span)
            after.append(build.needs("it can be paid", can, cites, cost.span))
            pays = Node("pays", (build.me(cost.span), Word("PAYS", "pays", cost.span), cost), cost.span)
            lines = [build.line([pays], cites, cost.span), *lines]
        params = tuple(arguments_of(effect).values())
        given = Node("params", params, between_all(params)) if params else None
        own = [*nodes(effect, "cite"), *(c for p in nodes(effect, "chosen", "different") for c in nodes(p, "cite"))]
        return Node("action", (one.name, given, None, first(effect, "logged"), *own, *before, *guards, *after,
                               *lines), effect.span)

    def _with_notes(self, one: _Effect, action: Node, noted: Sequence[tuple[str, Noted]]) -> Node:
        """An action that notes its arguments before it does anything of its own, but for what is paid."""
        args = arguments_of(one.node)
        notes = [note.taken(word(args[name].parts[0])) for name, note in noted]
        lines = [n if n.kind == "for_each" else build.line([n], (), n.span) for n in notes]
        first_own = next(i for i, p in enumerate(action.parts) if _notes_use(p, self._lead.used.text)) + 1
        return replace(action, parts=(*action.parts[:first_own], *lines, *action.parts[first_own:]))

    def _used(self, one: _Effect, span: Span) -> Node:
        return build.entry(self._lead.used.text, build.name(one.label.text, span), span)

    def _beside(self, one: _Effect) -> Span:
        """A place of its own for what the head of an effect needs: up to its name."""
        start = one.node.span
        return Span(start.path, start.line, start.column, one.name.span.end_line, one.name.span.end_column)

    def _again(self, one: _Effect) -> bool:
        """Whether an effect is offered although it was used."""
        if one.is_mode or one.name.text in self._followed:
            return False
        return one.before or len(self._later) > 1

    def _closed(self, one: _Effect) -> Iterator[Node]:
        """After one mode there is nothing to come of what goes on from another."""
        mode: _Effect | None = None
        for other in self._effects:
            if other.is_mode:
                mode = other
            elif other.node.kind == "then_effect" and one.is_mode and mode is not one:
                span = one.name.span
                yield build.line([build.flag(self._used(other, span), True, span)], (), span)

    def _different(self, one: _Effect) -> Iterator[Node]:
        """`a different player` is nobody whom another effect has been used on."""
        for part in nodes(one.node, "different"):
            name, span = word(part.parts[0]), part.span
            others = []
            for other in self._effects:
                if other is one or (other.is_mode and one.is_mode) or not (other.is_mode or other.before or self._above(
                        other, one)):
                    continue
                for argument, param in arguments_of(other.node).items():
                    if node(param.parts[2]).kind == "another" and param.parts[1] is None:
                        noted = self._known.note(other.name.text, argument, part)
                        others.append(Node("is_not", (build.name(name.text, span), Word("IS_NOT", "is not", span),
                                                      build.name(noted.name, span)), span))
            if others:
                yield build.needs("it is a different target", build.joined("and_", others, span),
                                  tuple(nodes(part, "cite")), span)

    def _above(self, one: _Effect, other: _Effect) -> bool:
        return self._effects.index(one) < self._effects.index(other)

    def _on_the_way(self, one: _Effect) -> list[_Effect]:
        """What is used before the basic effect, above an effect and free of charge: it may come between the two."""
        return [e for e in self._later if e.before and first(e.node, "cost") is None and self._above(e, one)]

    def _leaves_a_target(self, one: _Effect) -> Node:
        """What is used before the basic effect leaves it possible, at once or by what is on the way."""
        span = head(one.node)
        place = first(one.node, "at_a_time")
        where = place.span if place is not None else one.name.span
        able = build.joined("or_", [self._can(e, where) for e in [*self._modes, *self._on_the_way(one)]], where)
        how = Word(build.UNPAID, "afterwards", where)
        return build.needs("there is a target for the basic effect", able, self._lead.cites, span, how=how,
                           when=build.negated(self._used(self._modes[0], self._beside(one))))

    def _can(self, one: _Effect, span: Span) -> Node:
        return Node("can", (build.me(span), Word("CAN", "can", span), replace(one.name, span=span)), span)

    def _unable(self, said: Node) -> Node:
        """What may be done in place of the basic effect where that cannot be used, and nothing is underway to it."""
        span, lead = said.span, self._lead
        needs = [build.needs("there is no target", build.negated(self._can(self._modes[0], span)), lead.cites, span)]
        underway = [self._used(one, one.name.span) for one in self._later if one.before and self._on_the_way(one)]
        if underway:
            none = build.negated(build.joined("or_", underway, span))
            needs.append(build.needs("no other effect is used", none, lead.cites, word(said.parts[0]).span))
        nothing = build.line([Node("nothing", (), span)], (), span)
        return Node("action", (said.parts[0], None, None, first(said, "logged"), *nodes(said, "cite"), *needs, nothing),
                    span)

    # ------------------------------------------------------------------ what is asked
    def _procedure(self) -> Node:
        span, lead = head(self._decl), self._lead
        case = Node("proc_case", (self._decl.parts[0],), span)
        kind = Node("type", (Word("NAME", "player", span),), span)
        params = Node("proc_params", (case, Node("proc_param", (Word("NAME", PLAYER, span), kind), span)), span)
        unable = first(self._decl, "unable")
        basic = self._modes[0]
        at_first = [e.name for e in self._effects if e.is_mode or e.before]
        if unable is not None:
            at_first.append(word(unable.parts[0]))
        able = next(words(basic.node, "IF_ABLE"), None)
        start = self._asked(at_first, able, basic)
        unused = build.negated(self._used(basic, span))
        rest = self._asked_later()
        cases = Node("if_", (unused, build.body([start], self._cites, start.span), *rest), span)
        return Node("procedure", (lead.procedure, params, None, None, cases), span)

    def _asked_later(self) -> Iterator[Node]:
        stop = self._lead.stop
        if not self._later:
            return
        where = self._later[0]
        names = [one.name for one in self._later]
        if not self._followed and len(names) > 1:
            yield self._otherwise([*names, stop], where)
            return
        until = next((e for e in self._later if e.name.text in self._followed), where)
        at_first = [e.name for e in self._later if e.follows is None]
        asked = self._asked([*at_first, stop], None, where)
        cond = build.negated(self._used(until, where.name.span))
        yield Node("elif_", (cond, build.body([asked], self._cites, where.name.span)), where.name.span)
        if self._followed:
            last = next(e for e in self._later if e.follows is not None)
            yield self._otherwise([*(n for n in names if n.text not in self._followed), stop], last)

    def _otherwise(self, names: Sequence[Word], where: _Effect) -> Node:
        asked = self._asked(names, None, where)
        return Node("else_", (build.body([asked], self._cites, where.name.span),), where.name.span)

    def _asked(self, names: Sequence[Word], able: Word | None, where: _Effect) -> Node:
        span = where.name.span
        offers = [Node("event_name", (name, None), name.span) for name in names]
        who = build.name(PLAYER, span)
        if len(offers) == 1:
            return Node("must", (who, offers[0], able, None), span)
        return Node("must_one", (who, Word("TAKE_ONE_OF", "take one of", span), *offers, able, None, None), span)


def _notes_use(part: Part, used: str) -> bool:
    """Whether a part of an action is the line that notes that it was used."""
    match part:
        case Node("line", (Node("set", (Node("attr_of", (Word(text=text), _)), Node("yes"))),)):
            return text == used
        case _:
            return False


def _alike(one: Part, other: Part) -> bool:
    """Whether two conditions say the same."""
    match one, other:
        case Node(), Node():
            return one.kind == other.kind and len(one.parts) == len(other.parts) and all(
                map(_alike, one.parts, other.parts))
        case Word(), Word():
            return one.text == other.text
        case _:
            return one is other


def between_all(parts: Sequence[Node]) -> Span:
    """From the first of some parts to the last."""
    return parts[0].span.to(parts[-1].span)
