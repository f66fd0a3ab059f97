"""Where a component goes that has been used: where other answers to "where to?" are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from referee.core.expr import End, Expr, Local, Place
from referee.core.ruleset import Core, Form, Sight, Zone
from referee.core.stmt import Block, Branch, Merge, Move, Procedure, Stmt
from referee.core.traverse import bodies, drawn_actions, statements, walk, with_blocks
from referee.core.types import PLAYER, Elem
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import OtherAnswers

WHERE_TO = "where_to"
STAYS, ELSEWHERE, BACK, OTHER_END, SHUFFLED, BOX, NOT_BACK = (
    "stays", "elsewhere", "back_to_hand", "the_other_end", "shuffled_in", "out_of_the_game", "not_back")  # fmt: skip
OUTSIDE = "out of the game"
"""The zone of what is out of the game. A name of the rules has no space in it."""


def outside(core: Core) -> Zone:
    """Where nothing comes back from."""
    kinds = tuple(dict.fromkeys(one.kind for one in core.components))
    every = sum(one.number for one in core.components)
    return Zone(OUTSIDE, (), Form.BAG, kinds, None, Sight(True), None, every, next(iter(core.zones.values())).origin)


def used_zones(core: Core, written: Mapping[str, frozenset[Span]]) -> tuple[str, ...]:
    """The zones in which what was used may lie and into which moves of play lay something, most moved into first."""
    played, lines, piles = _played(core), _lines_of_moves(written), _piles_of_nobody(core)
    plays = (core.main[core.setup :], *(core.actions[n].body for n in sorted(played)),
             *(one.body for one in core.procedures.values()))  # fmt: skip
    found: dict[str, int] = {}
    for move in (one for body in plays for one in statements(body, Move)):
        name, span = move.to.zone, move.origin.span
        if (span.path, span.line) in lines and name in piles:
            found[name] = found.get(name, 0) + 1
    return tuple(sorted(found, key=lambda name: (-found[name], name)))


def _piles_of_nobody(core: Core) -> frozenset[str]:
    """Where what was used may lie: the bags and piles of nobody, or of a player from which he takes no action."""
    taken_from = {place.zone for name in _played(core) for param in core.actions[name].params
                  for place in walk(param.source, Place)}  # fmt: skip
    return frozenset(
        zone.name for zone in core.zones.values()
        if zone.form in (Form.BAG, Form.PILE)
        and (not zone.keys or (zone.sight.everybody and zone.name not in taken_from)))  # fmt: skip


def _played(core: Core) -> set[str]:
    """The actions that players take, not chance."""
    return set(core.actions) - set(drawn_actions(core))


def _lines_of_moves(written: Mapping[str, frozenset[Span]]) -> set[tuple[str, int]]:
    """Where moves are written in rules."""
    return {(span.path, span.line) for span in written["move"] | written["move_all"]}


class Destinations:
    """The moves of one core that end where used components lie, with other places for what they move."""

    def __init__(self, core: Core, others: OtherAnswers, written: Mapping[str, frozenset[Span]]) -> None:
        self._core, self._others = core, others
        self._lines = _lines_of_moves(written)
        self._played = _played(core)
        self._ends, self._piles = used_zones(core, written), _piles_of_nobody(core)
        play = (core.main[core.setup :], *bodies(core)[1:])
        self._emptied = {place.zone for one in play for move in walk(one, Move, Merge)
                         for place in (move.sources if isinstance(move, Merge) else (move.source,))}  # fmt: skip
        self._boxed = False

    def made(self) -> Core:
        """The rules with all other places; set-up is left as it is."""
        core = self._core
        setup, play = core.main[: core.setup], core.main[core.setup :]
        return replace(
            core, main=(*setup, *self._block(play, None)),
            actions={n: replace(one, body=self._block(one.body, Local("me", self._player)))
                     if n in self._played else one for n, one in core.actions.items()},
            procedures={n: replace(one, body=self._block(one.body, self._owner(one)))
                        for n, one in core.procedures.items()},
            zones={**core.zones, OUTSIDE: outside(core)} if self._boxed else core.zones,
        )  # fmt: skip

    def _owner(self, procedure: Procedure) -> Expr | None:
        """The only player of whom a procedure speaks."""
        found = [Local(name, self._player) for name, kind in procedure.params
                 if any(one.domain == PLAYER for one in walk(kind, Elem))]  # fmt: skip
        return found[0] if len(found) == 1 else None

    @property
    def _player(self) -> Elem:
        return Elem(PLAYER, 0, self._core.seats.number - 1)

    def _is_written(self, move: Move) -> bool:
        span = move.origin.span
        return (span.path, span.line) in self._lines

    # ------------------------------------------------------------------ blocks
    def _block(self, block: Block, me: Expr | None) -> Block:
        found: list[Stmt] = []
        for number, stmt in enumerate(block):
            if isinstance(stmt, Move):
                found += self._moved(stmt, me, block[number + 1 :])
            elif isinstance(stmt, Merge) and stmt.sources:
                found.append(self._merged(stmt))
            else:
                found.append(with_blocks(stmt, lambda inner: self._block(inner, me)))
        return tuple(found)

    def _moved(self, move: Move, me: Expr | None, rest: Sequence[Stmt]) -> Block:
        to = self._core.zones[move.to.zone]
        passes_on = any(one.source.zone == to.name for one in walk(tuple(rest), Move))
        taken = bool(to.keys) and not self._core.zones[move.source.zone].keys  # what somebody takes is not used up
        stays = not self._is_written(move) or to.name not in self._piles
        if stays or passes_on or move.source.zone == to.name or taken:
            return (move,)
        instead = [*self._stays(move), *self._places(move, me)]
        made: Stmt = move
        for test, block in instead:
            made = Branch(test, block, (made,), move.origin)
        return made, *self._after(move)

    def _merged(self, merge: Merge) -> Stmt:
        """What is shuffled back; for another answer it stays out of the game."""
        test = self._others.test(WHERE_TO, NOT_BACK, merge.origin)
        return merge if test is None else Branch(test, (), (merge,), merge.origin)

    def _stays(self, move: Move) -> Iterator[tuple[Expr, Block]]:
        test = self._others.test(WHERE_TO, STAYS, move.origin, there=move.to.zone)
        if test is not None:
            yield test, ()

    def _places(self, move: Move, me: Expr | None) -> Iterator[tuple[Expr, Block]]:
        to = move.to
        other = next((n for n in self._ends if n not in (to.zone, move.source.zone)
                      and self._core.zones[n].kinds == self._core.zones[to.zone].kinds), None)  # fmt: skip
        if other is not None:
            yield from self._to(ELSEWHERE, move, self._lying(other, ()))
        if to.zone in self._emptied:
            self._boxed = self._others.asked
            yield from self._to(BOX, move, self._lying(OUTSIDE, ()))
        hand = self._hand(move)
        if hand is not None and me is not None:
            yield from self._to(BACK, move, self._lying(hand, (me,)))
        if to.end is not None:
            yield from self._to(OTHER_END, move, replace(to, end=End.TOP if to.end is End.BOTTOM else End.BOTTOM))

    def _to(self, name: str, move: Move, place: Place) -> Iterator[tuple[Expr, Block]]:
        test = self._others.test(WHERE_TO, name, move.origin, there=move.to.zone, other=place.zone)
        if test is not None:
            yield test, (replace(move, to=place),)

    def _lying(self, zone: str, keys: tuple[Expr, ...]) -> Place:
        pile = zone != OUTSIDE and self._core.zones[zone].form is Form.PILE
        return Place(zone, keys, None, End.BOTTOM if pile else None)

    def _hand(self, move: Move) -> str | None:
        """The only zone of each player that holds the same kinds; not one from which it comes."""
        kinds = self._core.zones[move.to.zone].kinds
        found = [one.name for one in self._core.zones.values()
                 if one.kinds == kinds and one.keys == (self._player,) and one.form is Form.BAG]  # fmt: skip
        return found[0] if len(found) == 1 and found[0] != move.source.zone else None

    def _after(self, move: Move) -> Block:
        """What is laid on a pile is shuffled into it, for another answer."""
        if move.to.end is None:
            return ()
        test = self._others.test(WHERE_TO, SHUFFLED, move.origin)
        return () if test is None else (Branch(test, (Merge(replace(move.to, end=None), (), move.origin),), (),
                                               move.origin),)  # fmt: skip
