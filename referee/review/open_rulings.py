"""What stands open at a point at which the table would rule, what comes of each ruling, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from referee.analysis.position_words import Words
from referee.core.flow import Flow, Rule
from referee.core.read_write_sets import locals_of, variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Gap, Move, Put, Swap, Unspecified
from referee.core.traverse import blocks, bodies, statements
from referee.core.types import PLAYER, Elem
from referee.frontend.desugaring.simultaneous_effects import NEXT
from referee.game.event import Event
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.review.finding import Continuation
from referee.review.rule_lines import breaks_ties
from referee.simulation.divergence import Differ, Divergence
from referee.system.deadline import Clock

Way = tuple[tuple[Event, ...], Step]
"""A way to rule, of an order the whole of it, and what comes of it."""
MESSAGES = {
    Gap.TIE: "several are the best, and the rules do not say who chooses",
    Gap.WHOSE: "the game ends for several at once, and the rules do not say for whom",
    Gap.ENDS: "two rules end the game at once, and neither comes first",
    Gap.WAY: "turns go round the table, and the rules do not say which way",
    Gap.ORDER: "several things happen at once, and their order makes a difference",
}
_LISTED = "`, as listed` after `for each ...`"
_LATER = "`, after those above` on what comes later"
_SETTLES = {
    Gap.TIE: "after it: `, ties: PLAYER chooses`, `, ties: random`, `, ties: all` or `, ties: nobody`",
    Gap.WHOSE: "a condition that holds for one only, or below it `the p in players with the most ..., ties: ... wins`",
    Gap.ENDS: "the second as a case of the first: `else as soon as ...`",
    Gap.WAY: "`turns from ..., to the left` or `, to the right`",
    Gap.ORDER: "`, in order from PLAYER` after `for each ...`",
}
DIMENSIONS = {Gap.TIE: "tie", Gap.WHOSE: "who", Gap.ENDS: "ends", Gap.ORDER: "order", Gap.WAY: "way"}
"""What a question about such a point is about."""
WORDINGS = {
    Gap.TIE: ("Of several who are level, it is the one whom ... chooses.", "Of several who are level, it is nobody."),
    Gap.WHOSE: ("If it comes for several at once, all of them have won.",
                "If it comes for several at once, ... decides who of them has won."),
    Gap.ENDS: ("If both come at once, the first counts.", "If both come at once, the second counts."),
    Gap.ORDER: ("They do so in turn, the player whose turn it is first.",
                "The player whose turn it is says in which order."),
    Gap.WAY: ("Turns go round the table to the left.", "Turns go round the table to the right."),
}  # fmt: skip
"""What a rulebook could say at such a point: two answers."""


class OpenRulings:
    """Plays the rulings of one flow on, side by side."""

    def __init__(self, walker: Walker, words: Words, clock: Clock) -> None:
        self._walker, self._words = walker, words
        self._differ = Differ(walker, words, clock)

    def ways(self, state: State, node: Rule) -> tuple[list[Way], bool]:
        """The ways to rule here, each with what comes of it; and whether these are all."""
        if node.gap is Gap.ORDER:
            return self._differ.orders(state)
        return [((event,), self._walker.advance(state, event)) for event in self._walker.legal(state)], True

    def difference(self, state: State, node: Rule) -> tuple[Divergence | None, bool]:
        """What tells two rulings apart, if anything does; and, if not, whether that is so however the game goes on."""
        ways, complete = self.ways(state, node)
        for _, step in ways[1:]:
            compared = self._differ.compare(ways[0][1], step)
            if compared.apart is not None:
                return compared.apart, False
            complete = complete and compared.complete
        return None, complete

    def message(self, state: State, node: Rule, *, overwrites: bool = False) -> str:
        """What is open, in a sentence. `overwrites`: of an order, that it is a conflict."""
        if overwrites:
            return "two rules hold at once and leave different values in one place, and neither comes first"
        if node.gap is Gap.ORDER and _asked_only(self.difference(state, node)[0]):
            return "several decide one after the other, and the rules do not say who comes first"
        return MESSAGES[node.gap]

    def candidates(self, state: State, node: Rule) -> Iterator[Continuation]:
        """Each way to rule with its end: followed by the same events as far as it takes to tell two of them apart."""
        ways, _ = self.ways(state, node)
        compared = (self._differ.compare(ways[0][1], step).apart for _, step in ways[1:])
        apart = next((one for one in compared if one is not None), None)
        further = apart.events if apart is not None else ()
        ends: list[Way] = []
        for events, step in ways:
            for event in further:
                if not isinstance(step, State) or self._walker.check(step, event) is not None:
                    break
                step = self._walker.advance(step, event)
                events = (*events, event)
            ends.append((events, step))
        for (first, _), (events, step) in zip(ways, ends, strict=True):
            others = [s for _, s in ends if s is not step]
            said = ", then ".join(self._words.choice(e) for e in first)
            text = f"{said} first" if node.gap is Gap.ORDER and len(first) == 1 else said
            yield Continuation(text, self._words.apart(step, others), events)


def points_of(flow: Flow) -> Iterator[tuple[int, Rule]]:
    """The points at which the table rules one of several things, with where they stand in the flow."""
    for at, node in enumerate(flow.nodes):
        if isinstance(node, Rule) and node.candidates is not None:
            yield at, node


def _asked_only(apart: Divergence | None) -> bool:
    """True if nothing is different but who has to act, and what he knows then."""
    return apart is not None and apart.only is not None and not apart.events


def settled(core: Core, node: Rule, text: str) -> str:
    """The least that could be written to settle it, after what stands there."""
    if node.gap is Gap.TIE and breaks_ties(text):
        return _SETTLES[Gap.TIE].replace("ties: ", "then ")
    if node.gap is Gap.ORDER and len(set(ordered(core, node.point.name))) > 1:
        return _LATER
    of_players = isinstance(node.type, Elem) and node.type.domain == PLAYER
    return _LISTED if node.gap is Gap.ORDER and not of_players else _SETTLES[node.gap]


# ---------------------------------------------------------------------- order or conflict
def is_conflict(core: Core, node: Rule) -> bool:
    """Of an order: whether neither sees what the other does, and both leave a value in the same place."""
    return node.gap is Gap.ORDER and _only_overwrite(ordered(core, node.point.name))


def ordered(core: Core, point: str) -> list[Block]:
    """The blocks that are put in order at a point; of a loop its body, once for each of two rounds."""
    for block in bodies(core):
        for inner in blocks(block):
            for index, stmt in enumerate(inner):
                if isinstance(stmt, Unspecified) and stmt.point.name == point:
                    return _cases(inner[index + 2 :])
    return []


def _cases(rest: Block) -> list[Block]:
    """What is chosen from: the cases of what happens by itself, or the body of a loop."""
    found: list[Block] = []
    inner = rest
    while len(inner) == 1 and isinstance(inner[0], Branch) and _tells_apart(inner[0]):
        found.append(inner[0].yes)
        inner = inner[0].no
    return found if len(found) > 1 else [rest, rest]


def _tells_apart(branch: Branch) -> bool:
    return locals_of(branch.cond) == {NEXT}


def _only_overwrite(bodies: list[Block]) -> bool:
    """True if the blocks write to a variable in common, and none reads what another writes."""
    written = [{s.var for s in statements(b, Put)} for b in bodies]
    if len(bodies) < 2 or any(True for b in bodies for _ in statements(b, Move, Swap)):
        return False
    pairs = permutations(range(len(bodies)), 2)
    return bool(set.intersection(*written)) and not any(written[i] & variables_of(bodies[j]) for i, j in pairs)
