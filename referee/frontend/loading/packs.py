"""`kind Card is a pack from 2 to ace in deck`: written out as types of suits and ranks, kind and pile."""

from __future__ import annotations

from referee.diagnostics.diagnostic import Reporter
from referee.frontend.names.tree_access import first, word
from referee.syntax.syntax_tree import Node, Part, Word

PACK = "pack"
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("ace", *map(str, range(2, 11)), "jack", "queen", "king", "ace")
"""As they follow each other; the ace is the lowest where a pack begins with it, and else the highest."""


def packs_written_out(decl: Node, reporter: Reporter) -> tuple[Node, ...]:
    """A declaration without a pack: itself, or the types of a pack and their kind. What is wrong is reported (KD03)."""
    said = first(decl, PACK) if decl.kind == "kind" else None
    if said is None:
        return (decl,)
    lowest, highest = word(said.parts[1]), word(said.parts[2])
    unknown = next((one for one in (lowest, highest) if one.text not in RANKS), None)
    start = RANKS.index(lowest.text) if lowest.text in RANKS else 1
    above = [at for at, rank in enumerate(RANKS) if rank == highest.text and at > start]
    if unknown is not None or not above:
        told = "is no rank of a pack" if unknown is not None else f"does not lie above {lowest.text}"
        reporter.error("KD03", f"{(unknown or highest).text} {told}", (unknown or highest).span,
                       expected=("`a pack from 2 to ace`", "`a pack from ace to king`", "`a pack from 7 to ace`"))
        above = [len(RANKS) - 1]
    span = said.span

    def named(text: str) -> Word:
        return Word("INT" if text.isdigit() else "NAME", text, span)

    ranks = RANKS[start : above[0] + 1]
    numbers = [rank for rank in ranks if rank.isdigit()]
    steps: list[Part] = []
    for rank in ranks:
        if not rank.isdigit():
            steps.append(named(rank))
        elif rank == numbers[0]:
            steps.append(Node("rung", (named(numbers[0]), named(numbers[-1])), span))
    ladder = steps[0] if len(steps) == 1 and isinstance(steps[0], Node) else Node("ladder", tuple(steps), span)
    kind = Node("each_of", (Word("EACH_OF", "each of", span), _proper("Suit", said), _proper("Rank", said)), span)
    pile = said.parts[3]
    return (
        *(_pile(pile, word(decl.parts[0])) if isinstance(pile, Word) else ()),
        Node("type_decl", (_proper("Suit", said), Node("names", tuple(map(named, SUITS)), span)), decl.span),
        Node("type_decl", (_proper("Rank", said), ladder), decl.span),
        Node("kind", tuple(kind if part is said else part for part in decl.parts), decl.span),
    )


def _pile(name: Word, kind: Word) -> tuple[Node, Node]:
    """One of each card in a pile, face down, and the pile."""
    at = name.span
    card, here = Word("PROPER", kind.text, at), Node("place", (Node("name", (name,), at),), at)
    stock = Node("stock_each", (Word("INT", "1", at), Word("OF_EACH", "of each", at), card, here), at)
    face_down = Node("face_down", (Word("FACE_DOWN", "face down", at),), at)
    pile = Node("zone", (name, None, Word("FORM", "pile of", at), card, None, face_down), at)
    return Node("components", (stock,), at), Node("zones", (pile,), at)


def _proper(text: str, at: Node) -> Word:
    return Word("PROPER", text, at.span)
