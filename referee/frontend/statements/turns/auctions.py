"""Bids that have to be higher than the one before, and auctions: turns of bidding until all others have passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.core.ruleset import Role, Var
from referee.core.stmt import Origin, Stmt
from referee.core.types import Bool, Int, Maybe, Scalar, Type, Value
from referee.diagnostics.diagnostic import Reporter
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names import tree_building as build
from referee.frontend.names.bindings import Scope
from referee.frontend.names.tree_access import ErrorReported, first, node, nodes, word
from referee.frontend.statements.decisions import PASS
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node, Word

AUCTION, OUTBIDS = "auction", "outbids"
_HEAD = ("params", "seen", OUTBIDS, "logged", "cite")
_GUARDS = ("need", "forbidden")
_ONE = "one of an auction"
"""A name, as no text has it, for each player in turn."""


# ---------------------------------------------------------------- what a bid is
def bids_written_out(decls: Sequence[Node], reporter: Reporter) -> list[Node]:
    """The declarations, those of bids with what each needs and sets written out. Errors are reported (BI01)."""
    return [_bid(decl, said, reporter) if decl.kind == "action" and (said := first(decl, OUTBIDS)) else decl
            for decl in decls]


def counters_of_bids(decls: Sequence[Node]) -> list[Node]:
    """The counters of bids that no block of counters declares, where it is kept who has bid: until somebody has, what
    they start with is not asked for."""
    known = {word(one.parts[0]).text for block in decls if block.kind == "counters" for one in nodes(block)}
    made: list[Node] = []
    for decl in decls:
        said = first(decl, OUTBIDS) if decl.kind == "action" else None
        if said is None or (by := _bidder(said)) is None:
            continue
        kinds = [_type_of(node(param.parts[2])) for group in nodes(decl, "params") for param in nodes(group, "param")]
        someone = Node("type_or_none", (Word("NAME", "player", by.span), Word("OR", "or", by.span)), by.span)
        for target, kind in (*zip(_compared(said), kinds, strict=False), (by, someone)):
            name = word(target.parts[0]) if target.kind == "name" else None
            if name is not None and kind is not None and name.text not in known:
                known.add(name.text)
                made.append(Node("counter", (name, None, Node("type", (kind,), name.span), None, None), name.span))
    return [Node("counters", tuple(made), made[0].span)] if made else []


def _type_of(sel: Node) -> Node | Word | None:
    """The type of an argument that is any number of a range or any member, as a counter says it."""
    if sel.kind == "range":
        return sel
    return word(sel.parts[0]) if sel.kind == "name" or (sel.kind == "noun" and sel.parts[1] is None) else None


def _compared(said: Node) -> list[Node]:
    """What a bid is compared with, in its order."""
    return [part for part in nodes(said) if part.kind != "held_by"]


def _bid(decl: Node, said: Node, reporter: Reporter) -> Node:
    """What comes first decides, what comes next among equals; it is kept before all that stands below is done."""
    now = [word(param.parts[0]) for group in nodes(decl, "params") for param in nodes(group, "param")]
    last, by = _compared(said), _bidder(said)
    if len(last) > len(now):
        reporter.error("BI01", "the bid has no argument that this is compared with", last[len(now)].span,
                       hint="what a bid is higher than stands in the order of its arguments, at most one for each")
        return decl
    span, cited = said.span, tuple(nodes(decl, "cite"))
    way = "higher" if "higher" in word(said.parts[0]).text else "lower"
    sign = Word("CMP", ">" if way == "higher" else "<", span)
    pairs = [(build.name(one.text, one.span), before) for one, before in zip(now, last, strict=False)]
    beyond = [] if by is None else [Node("is_", (by, Node("none", (), span)), span)]
    for place, (one, before) in enumerate(pairs):
        level = [Node("equal", pair, span) for pair in pairs[:place]]
        beyond.append(build.joined("and_", [*level, Node("compare", (one, sign, before), span)], span))
    needed = build.needs(f"it is {way}", build.joined("or_", beyond, span), cited, span)
    kept = [build.put(before, one, span) for one, before in pairs]
    kept += [] if by is None else [build.put(by, build.me(span), span)]
    own = [part for part in nodes(decl) if part.kind not in _HEAD]
    guards = [part for part in own if part.kind in _GUARDS]
    rest = [part for part in own if part.kind not in _GUARDS]
    head = tuple(part for part in decl.parts if not isinstance(part, Node) or part.kind in _HEAD)
    return replace(decl, parts=(*head, *guards, needed, build.line(kept, cited, span), *rest))


def _bidder(said: Node) -> Node | None:
    """What keeps who has made the bid, if anything does."""
    held = first(said, "held_by")
    return None if held is None else node(held.parts[-1])


# ---------------------------------------------------------------- the turns of an auction
@dataclass(frozen=True, slots=True)
class _CountedPasses:
    """How passing is counted, as trees: what is set before the first turn, when the auction is over, who has no turn,
    what is done after somebody has passed and after he has not."""

    begun: Node
    over: Node
    skipped: Node | None
    passed: Node
    otherwise: Node | None


class Auctions:
    """Lowering of `auction of bid, double from dealer, to the left`."""

    def __init__(self, values: ExpressionLowering, statements: Statements) -> None:
        self._statements = statements
        self._symbols = values.symbols
        self._sources = values.sources
        statements.rules[AUCTION] = self._auction

    def _auction(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Nobody has bid; then turns in which one may bid or pass, until all have passed but who has bid."""
        span, events = stmt.span, list(nodes(stmt, "event_name"))
        start, way, out, _, idle = stmt.parts[-5:]
        by, none = self._by(events), Node("none", (), span)
        counted = self._in_a_row if out is None else self._for_good
        how = counted(scope, where, by, node(idle) if idle is not None else None)
        taken = self._sources.fresh("taken")
        may = Node("may", (Node("turn_player", (Word("TURN_PLAYER", "turn player", span),), span),
                           Word("TAKE_ONE_OF", "take one of", span), *events, Word("NAME", taken, span)), span)
        goes_on = () if how.otherwise is None else (Node("else_", (build.body([how.otherwise], (), span),), span),)
        passed = Node("is_", (build.name(taken, span), build.name(PASS, span)), span)
        noted = Node("if_", (passed, build.body([how.passed], (), span), *goes_on), span)
        skipping = None if how.skipped is None else Word("SKIPPING", ", skipping", span)
        turns = Node("turns", (start, way, skipping, how.skipped, how.over, None, may, noted), span)
        cites = (Node("cite", (Word("CITE", f"[{' '.join(where.cites)}]", span),), span),) if where.cites else ()
        done = [build.put(by, none, span), how.begun, turns]
        return list(self._statements.block(build.body(done, cites, span), scope)), scope

    def _by(self, events: Sequence[Node]) -> Node:
        """What keeps who has made the last bid: the first of the actions that is a bid says so. Raises Wrong."""
        for event in events:
            action = self._symbols.action_nodes.get(word(event.parts[0]).text)
            said = first(action, OUTBIDS) if action is not None else None
            if said is not None and (by := _bidder(said)) is not None:
                kept = self._symbols.vars.get(word(by.parts[0]).text)
                if kept is not None and kept.type != Maybe(self._symbols.player):
                    raise ErrorReported  # of the bid: it is never none
                return by
        raise self._symbols.wrong("BI02", "none of these actions is a bid that keeps who has made it", events[0].span,
                                  hint="write `action bid(coins: 1..20), higher than price, by buyer`")

    def _in_a_row(self, scope: Scope, where: Origin, by: Node, idle: Node | None) -> _CountedPasses:
        """Who has passed may bid in a later turn: passes count until somebody does not pass."""
        span, seats = where.span, self._symbols.seats.number
        passes = build.name(self._counter(scope, where, "passes", (), Int(0, seats), 0), span)
        those: Node = build.number(seats, span)
        if idle is not None:
            number = Node("number", (Word("NUMBER_OF", "number of", span), Node("group", (idle,), span), None), span)
            those = Node("group", (Node("minus", (those, number), span),), span)
        others = Node("minus", (those, build.number(1, span)), span)
        bid = Node("is_not", (by, Word("IS_NOT", "is not", span), Node("none", (), span)), span)
        enough = Word("CMP", ">=", span)
        over = build.joined("or_", [
            Node("compare", (passes, enough, those), span),
            build.joined("and_", [Node("compare", (passes, enough, others), span), bid], span)], span)
        none = build.put(passes, build.number(0, span), span)
        one_more = Node("raise_", (passes, build.number(1, span), None, None), span)
        return _CountedPasses(none, over, idle, one_more, none)

    def _for_good(self, scope: Scope, where: Origin, by: Node, idle: Node | None) -> _CountedPasses:
        """Who has passed has no more turns."""
        span = where.span
        passed = self._counter(scope, where, "passed", (self._symbols.player,), Bool(), False)
        who = build.name(_ONE, span)
        gone = [build.entry(passed, who, span)]
        gone += [] if idle is None else [
            Node("is_in", (who, Word("IS_IN", "is in", span), Node("group", (idle,), span)), span)]
        skipped = Node("where", (Node("players", (), span), Word("NAME", _ONE, span),
                                 build.joined("or_", gone, span)), span)
        left = build.joined("or_", [*gone, Node("is_", (who, by), span)], span)
        over = Node("every_player", (Word("NAME", _ONE, span), None, left), span)
        each = Word("OF_EVERY_PLAYER", "of each player", span)
        everybody = Node("of_every_player", (Word("NAME", passed, span), each), span)
        his = build.entry(passed, Node("turn_player", (Word("TURN_PLAYER", "turn player", span),), span), span)
        return _CountedPasses(build.flag(everybody, False, span), over, skipped, build.flag(his, True, span), None)

    def _counter(self, scope: Scope, where: Origin, what: str, keys: tuple[Scalar, ...], kind: Type,
                 start: Value) -> str:
        """What an auction counts for itself: with a blank in its name, so that a position may leave it out."""
        name = self._symbols.numbered(f"{what} in {scope.owner}", self._symbols.vars, " ")
        self._symbols.vars[name] = Var(name, keys, kind, start, Role.STATE, where)
        return name
