"""What one effect of a component says of another: whether it was used, and whom or what it was used on.

`used of NAME`, with the name of an effect, is an entry of the counter that notes what was used; `target of NAME` is
what the argument `target` of that effect was. For each argument that is spoken of so a counter is made, which the
effect sets; a set of players is noted player by player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from referee.frontend.names import tree_building as build
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import node, nodes, word
from referee.syntax.syntax_tree import Node, Part, Word

_PLAYERS = ("another", "players", "others")


@dataclass(frozen=True, slots=True)
class Noted:
    """A counter for what an argument of an effect was: of one of the type `of`, or (`many`) for each player."""

    name: str
    of: Word | None
    many: bool

    def declared(self, where: Node) -> Node:
        """Its line among the counters."""
        called, span = Word("NAME", self.name, where.span), where.span
        if self.many:
            keys = Node("keys", (Word("NAME", "player", span),), span)
            kind = Node("yes_or_no", (Word("YES_OR_NO", "yes or no", span),), span)
            return Node("counter", (called, keys, kind, None, None), span)
        of = self.of or Word("NAME", "player", span)
        kind = Node("type", (Node("type_or_none", (of, Word("OR", "or", span)), span),), span)
        return Node("counter", (called, None, kind, None, None), span)

    def taken(self, argument: Word) -> Node:
        """Sets it to what the argument is."""
        span = argument.span
        if self.many:
            one = build.name("it's", span)
            return build.each("it's", build.name(argument.text, span),
                              [build.flag(build.entry(self.name, one, span), True, span)], span)
        return build.put(build.name(self.name, span), build.name(argument.text, span), span)

    def forgotten(self, where: Node) -> Node:
        """Sets it back."""
        span = where.span
        if self.many:
            one = build.name("it's", span)
            return build.each("it's", Node("players", (), span),
                              [build.flag(build.entry(self.name, one, span), False, span)], span)
        return build.put(build.name(self.name, span), Node("none", (), span), span)


@dataclass(slots=True)
class References:
    """The effects of one component as they speak of each other.

    `labels`: by the name of an effect what stands for it in the counter `used`; `arguments`: its arguments.
    """

    symbols: Symbols
    used: str
    labels: Mapping[str, Word]
    arguments: Mapping[str, Mapping[str, Node]]
    noted: dict[tuple[str, str], Noted] = field(default_factory=dict)

    def note(self, effect: str, argument: str, where: Node) -> Noted:
        """The counter for what an argument of an effect was. Raises Wrong."""
        known = self.noted.get((effect, argument))
        if known is None:
            sel = node(self.arguments[effect][argument].parts[2])
            many = self.arguments[effect][argument].parts[1] is not None
            named = next((part for part in sel.parts if isinstance(part, Word)), None)
            if sel.kind not in _PLAYERS and (many or named is None or sel.kind not in ("name", "noun")):
                said = f"what {argument} of {effect} was cannot be told later"
                hint = "this is so of one player, of players, and of one of a type: `to: TYPE`"
                raise self.symbols.wrong("EF02", said, where.span, hint=hint)
            of = None if sel.kind in _PLAYERS else named
            name = f"{self.labels[effect].text}_{argument}"
            known = self.noted[effect, argument] = Noted(name, of, many)
        return known

    def read(self, part: Node) -> Node:
        """A part of an effect, with what it says of the others told by counters. Raises Wrong."""
        match part:
            case Node("is_in" | "is_not_in", (Node() as value, *_, Node() as among)):
                noted = self._noted(among)
                if noted is not None and noted.many:
                    found = build.entry(noted.name, self.read(value), part.span)
                    return found if part.kind == "is_in" else build.negated(found)
            case Node("attr_of", (Word(text=text), Node("name", (Word() as effect,)))):
                if text == self.used and effect.text in self.labels:
                    return build.entry(text, build.name(self.labels[effect.text].text, effect.span), part.span)
                noted = self._noted(part)
                if noted is not None:
                    return _all_noted(noted, part) if noted.many else build.name(noted.name, part.span)
            case _:
                pass
        return replace(part, parts=tuple(self._part(one) for one in part.parts))

    def _part(self, part: Part) -> Part:
        return self.read(part) if isinstance(part, Node) else part

    def _noted(self, part: Node) -> Noted | None:
        """The counter for `ARGUMENT of EFFECT`; None if this is something else."""
        match part:
            case Node("attr_of", (Word(text=argument), Node("name", (Word(text=effect),)))):
                return self.note(effect, argument, part) if argument in self.arguments.get(effect, ()) else None
            case _:
                return None


def _all_noted(noted: Noted, part: Node) -> Node:
    chosen = build.entry(noted.name, Node("it", (), part.span), part.span)
    return Node("group", (Node("where", (Node("players", (), part.span), chosen), part.span),), part.span)


def arguments_of(effect: Node) -> dict[str, Node]:
    """The arguments of an effect by name, in order; `a different player` is another player."""
    found: dict[str, Node] = {}
    for part in nodes(effect, "chosen", "different"):
        param = node(part.parts[0]) if part.kind == "chosen" else _other(part)
        found[word(param.parts[0]).text] = param
    return found


def _other(part: Node) -> Node:
    span = word(part.parts[1]).span
    return Node("param", (part.parts[0], None, Node("another", (), span), None), part.span)


def chosen_twice(effect: Node) -> Word | None:
    """The second of two arguments of one name."""
    known: set[str] = set()
    for name in _names(nodes(effect, "chosen", "different")):
        if name.text in known:
            return name
        known.add(name.text)
    return None


def _names(parts: Iterable[Node]) -> Iterable[Word]:
    return (word(node(part.parts[0]).parts[0]) if part.kind == "chosen" else word(part.parts[0]) for part in parts)
