"""`trick is laid from leader, trumps are clubs`: who follows suit as a definition, who takes the trick as a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.diagnostics.diagnostic import Reporter
from referee.frontend.names import tree_building as build
from referee.frontend.names.tree_access import first, head, node, nodes, word, words
from referee.syntax.syntax_tree import Node, Word

TRICK = "trick"
FOLLOWS = "follows suit"
"""The name, as no text has it, of the definition that a trick makes."""
IS_TRUMPS = "is_trumps"
"""The kind, as the grammar has none, of the condition that a suit is trumps, which may be of a type of their own."""
_CARD, _ONE, _OTHER = "card of a trick", "one of a trick", "other of a trick"


def tricks_written_out(decls: Sequence[Node], reporter: Reporter) -> tuple[list[Node], Node | None]:
    """The declarations with a definition in the place of a trick, and who takes it, as a value, if there is one.

    The value is put in where it is asked for: several may be the best, and the table is asked then. What a trick is
    laid to and who leads it are declared, where the rules do not say it. What is wrong is reported (TK01).
    """
    said = [decl for decl in decls if decl.kind == TRICK]
    for extra in said[1:]:
        reporter.error("TK01", "a second trick: it is said once what is laid to one", head(extra),
                       notes=(("the first stands here", head(said[0])),))
    if not said:
        return list(decls), None
    zone = word(said[0].parts[1])
    decls = [*decls, *_places(decls, zone), *_leads(decls, node(said[0].parts[2]))]
    kind = _kind_of(decls, zone.text)
    if kind is None:
        reporter.error("TK01", f"{zone.text} is no zone of each player for one kind of cards", zone.span,
                       hint="write  laid of player: bag of Card, open, at most 1")
        return [decl for decl in decls if decl.kind != TRICK], None
    trick = _Trick(said[0], kind)
    return [trick.following() if decl is said[0] else decl for decl in decls
            if decl is said[0] or decl.kind != TRICK], trick.taker()


def _kind_of(decls: Sequence[Node], zone: str) -> str | None:
    """What lies in a zone that each player has, if it is of one kind."""
    for block in decls:
        for one in nodes(block, "zone") if block.kind == "zones" else ():
            keys = first(one, "keys")
            kinds = [found.text for found in words(one, "PROPER")]
            if word(one.parts[0]).text == zone and keys is not None and len(kinds) == 1:
                return kinds[0]
    return None


def _places(decls: Sequence[Node], name: Word) -> list[Node]:
    """`laid of player: bag of Card, open, at most 1`, if no zone is called so, something is of it, and a pack, or one
    kind in all, says of what it is."""
    kinds = [decl for decl in decls if decl.kind == "kind"]
    cards = [decl for decl in kinds if first(decl, "each_of") is not None] or kinds
    declared = any(word(one.parts[0]).text == name.text for one in _listed(decls, "zones", "zone"))
    if declared or len(cards) != 1 or not _has(decls, ("attr_of", "of_every_player"), name.text):
        return []
    span = name.span
    keys = Node("keys", (Word("NAME", "player", span),), span)
    seen = Node("open", (), span)
    most = Node("at_most", (Word("AT_MOST", "at most", span), build.number(1, span), None), span)
    zone = (name, keys, Word("FORM", "bag of", span), word(cards[0].parts[0]), None, seen, most)
    return [Node("zones", (Node("zone", zone, span),), span)]


def _leads(decls: Sequence[Node], leader: Node) -> list[Node]:
    """`leader: player`, if it is a name that rules set and no counter is called so."""
    if leader.kind != "name":
        return []
    name, span = word(leader.parts[0]), leader.span
    declared = any(word(one.parts[0]).text == name.text for one in _listed(decls, "counters", "counter"))
    if declared or not _has(decls, ("set",), name.text):
        return []
    kind = Node("type", (Word("NAME", "player", span),), span)
    return [Node("counters", (Node("counter", (name, None, kind, None, None), span),), span)]


def _listed(decls: Sequence[Node], block: str, kind: str) -> Iterator[Node]:
    """What blocks of declarations list."""
    return (one for decl in decls if decl.kind == block for one in nodes(decl, kind))


def _has(decls: Sequence[Node], kinds: Sequence[str], name: str) -> bool:
    """Whether a node of these kinds begins with a name: with the word, or with the value that it is."""
    ahead = [decl for decl in decls if decl.kind != "scenario"]
    while ahead:
        one = ahead.pop()
        start = one.parts[0] if one.kind in kinds else None
        if isinstance(start, Node) and start.kind == "name":
            start = start.parts[0]
        if isinstance(start, Word) and start.text == name:
            return True
        ahead += nodes(one)
    return False


class _Trick:
    """A trick, as it is declared: trees of what is asked of it."""

    def __init__(self, decl: Node, kind: str) -> None:
        self._decl = decl
        self._at = decl.span
        self._kind = kind
        self._zone = word(decl.parts[1]).text
        self._leader = node(decl.parts[2])
        self._trumps = decl.parts[4] if isinstance(decl.parts[4], Node) else None
        self._suit, self._rank = (
            next((word(decl.parts[place + 1]).text for place, part in enumerate(decl.parts)
                  if isinstance(part, Word) and part.type == said), usual)
            for said, usual in (("SUIT_BY", "suit"), ("RANK_BY", "rank")))

    def following(self) -> Node:
        """The definition of what follows suit: any card of who leads, and what is of the suit that was led."""
        card = Node("define_param", (self._word("PROPER", self._kind), self._word("NAME", _CARD)), self._at)
        led = self._suit_of(self._card_of(self._leader))
        follows = build.joined(
            "or_", [self._laid("is empty", self._leader), self._is(build.name(_CARD, self._at), led)], self._at)
        params = Node("define_params", (card,), self._at)
        name, cites = self._word("NAME", FOLLOWS), nodes(self._decl, "cite")
        return Node("define", (name, params, None, follows, *cites), self._at)

    def taker(self) -> Node:
        """Of those whose card is trumps, or else of the suit led, who has laid the highest."""
        one, other = build.name(_ONE, self._at), build.name(_OTHER, self._at)
        counts = self._is(self._card_of(one), self._suit_of(self._card_of(self._leader)))
        if self._trumps is not None:
            trumped = [self._laid("is not empty", other), self._trumped(self._card_of(other), self._trumps)]
            none = Node("no_player", (self._word("NAME", _OTHER), build.joined("and_", trumped, self._at)), self._at)
            counts = build.joined("or_", [self._trumped(self._card_of(one), self._trumps),
                                          build.joined("and_", [counts, none], self._at)], self._at)
        among = build.joined("and_", [self._laid("is not empty", one), counts], self._at)
        rank = build.entry(self._rank, self._card_of(one), self._at)
        return Node("best", (self._word("NAME", _ONE), Node("players", (), self._at), among,
                             self._word("WITH_THE", "with the highest"), rank, None), self._at)

    def _word(self, kind: str, text: str) -> Word:
        return Word(kind, text, self._at)

    def _laid(self, how: str, player: Node) -> Node:
        return Node("is_state", (build.entry(self._zone, player, self._at), Word("IS_STATE", how, self._at)), self._at)

    def _card_of(self, player: Node) -> Node:
        return Node("the", (Node("noun", (Word("PROPER", self._kind, self._at), None), self._at),
                            build.entry(self._zone, player, self._at)), self._at)

    def _suit_of(self, card: Node) -> Node:
        return build.entry(self._suit, card, self._at)

    def _is(self, card: Node, suit: Node) -> Node:
        return Node("is_", (self._suit_of(card), suit), self._at)

    def _trumped(self, card: Node, trumps: Node) -> Node:
        return Node(IS_TRUMPS, (self._suit_of(card), trumps), self._at)
