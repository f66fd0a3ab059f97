"""Other programs that know a game, asked for what is legal: OpenSpiel and python-chess, which need not be installed.

An oracle stands at a position. What is legal there is told as events of a log, by the mapping of the ruleset.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from referee.convert.conversion import FollowedGame, UnfitStep, begun
from referee.convert.foreign_game import ForeignGame
from referee.convert.mapping import FormatMapping
from referee.game.log.strict_json import Json


class Oracle(Protocol):
    """A position of a game."""

    @property
    def events(self) -> Mapping[str, tuple[str, ...]]:
        """Each legal event, written as JSON, and the steps that it is in the format."""

    @property
    def results(self) -> tuple[float, ...] | None:
        """What each player has, in the order of the format, once the game is over; else None."""

    def after(self, event: str) -> Oracle:
        """The position after a legal event."""


def written(event: Mapping[str, Json]) -> str:
    """An event, always written alike."""
    return json.dumps({key: event[key] for key in ("by", "do", "with") if event.get(key)}, sort_keys=True)


@dataclass(frozen=True)
class SpielOracle:
    """A position of OpenSpiel, and where the rules stand when they have followed it. `left_out`: states of OpenSpiel
    that are not gone to; chance that the mapping does not have is not either."""

    state: Any
    followed: FollowedGame
    left_out: Callable[[Any], bool] | None = None

    @cached_property
    def _ways(self) -> dict[str, tuple[tuple[str, ...], Any]]:
        """Each legal event with its steps and the state after it; `ValueError` for a step that the rules give to
        another player, `UnfitStep` for one of a player that the mapping does not have."""
        here = replace(self.followed, kept={}, gathered=[], lines=[])
        untold = here.untold()
        if untold is not None:
            return {written(untold): ((), self.state)}
        found: dict[str, tuple[tuple[str, ...], Any]] = {}
        waiting: list[tuple[Any, tuple[str, ...], dict[str, str], list[dict[str, str]]]] = [(self.state, (), {}, [])]
        seen = set[tuple[str, ...]]()
        unordered = any(step.steps > 1 for step in here.mapping.steps)
        while waiting:
            state, steps, kept, gathered = waiting.pop()
            mover = state.current_player()
            for action in state.legal_actions():
                text = state.action_to_string(mover, action)
                here.kept, here.gathered = dict(kept), list(gathered)
                alike = tuple(sorted((*steps, text)))
                if unordered and alike in seen:
                    continue
                seen.add(alike)
                try:
                    meant = here.meaning(text)
                except UnfitStep as unfit:
                    if unfit.code == "CV07" and mover < 0:
                        continue
                    raise
                after = state.child(action)
                if self.left_out is not None and self.left_out(after):
                    continue
                if meant is None:
                    waiting.append((after, (*steps, text), here.kept, here.gathered))
                    continue
                if mover >= 0 and meant["by"] != here.mapping.order[mover]:
                    raise ValueError(f"{here.mapping.order[mover]} does {text}, the rules ask {meant['by']}")
                found.setdefault(written(meant), ((*steps, text), after))
        return found

    @property
    def events(self) -> Mapping[str, tuple[str, ...]]:
        return {event: steps for event, (steps, _) in self._ways.items()}

    def by_lot(self, choose: Callable[[dict[str, Any], Any], str]) -> tuple[str, tuple[str, ...], SpielOracle] | None:
        """An event that comes next, its steps, and the position after it, without looking at all others; None if there
        is none. `choose`: of the texts of steps, each with its number, and the state."""
        here = replace(self.followed, kept={}, gathered=[], lines=[])
        untold = here.untold()
        if untold is not None:
            event = written(untold)
            return event, (), SpielOracle(self.state, _advanced(self.followed, event), self.left_out)
        state, steps = self.state, list[str]()
        while True:
            mover = state.current_player()
            ways = {state.action_to_string(mover, action): action for action in state.legal_actions()}
            meant: dict[str, Json] | None = None
            while ways:
                text = choose(ways, state)
                after = state.child(ways.pop(text))
                if self.left_out is not None and self.left_out(after):
                    continue
                try:
                    meant = here.meaning(text)
                    break
                except UnfitStep as unfit:
                    if unfit.code != "CV07" or mover >= 0:
                        raise
            else:
                return None
            state = after
            steps.append(text)
            if meant is not None:
                event = written(meant)
                return event, tuple(steps), SpielOracle(state, _advanced(self.followed, event), self.left_out)

    @property
    def results(self) -> tuple[float, ...] | None:
        over = self.state.is_terminal() and self.followed.untold() is None
        return tuple(self.state.returns()) if over else None

    def after(self, event: str) -> SpielOracle:
        _, state = self._ways[event]
        return SpielOracle(state, _advanced(self.followed, event), self.left_out)


def _advanced(followed: FollowedGame, event: str) -> FollowedGame:
    further = replace(followed, kept={}, gathered=[], lines=[])
    if not further.play(json.loads(event)):
        raise UnfitStep("CV09", f"legal there, and not here: {event}")
    return further


def repeated(state: Any) -> bool:
    """Whether a game of go is over though nobody has passed twice: by a position that has come again, or by length."""
    return bool(state.is_terminal()) and state.history()[-2:] != [state.num_distinct_actions() - 1] * 2


LEFT_OUT: dict[str, Callable[[Any], bool]] = {"go": repeated}
"""Of each game what OpenSpiel does otherwise, and no option says."""


def spiel_oracle(game: str, ruleset: str, mapping: FormatMapping, load: Any) -> SpielOracle:
    """The beginning of a game of OpenSpiel, named with its parameters."""
    import pyspiel

    from referee.convert.step_text import begun_by

    name, parameters = begun_by(game)
    followed = begun(ForeignGame(1, name, parameters), ruleset, mapping, load)
    return SpielOracle(pyspiel.load_game(game).new_initial_state(), followed, LEFT_OUT.get(name))


@dataclass(frozen=True)
class ChessOracle:
    """A position of python-chess. What the rules end by themselves is over here too: mate, stalemate, dead positions,
    75 moves and the fifth time."""

    board: Any

    @cached_property
    def _moves(self) -> dict[str, Any]:
        ranks = {2: "knight", 3: "bishop", 4: "rook", 5: "queen"}
        by = "white" if self.board.turn else "black"
        found = {}
        for move in () if self.results is not None else self.board.legal_moves:
            text = move.uci()
            if self.board.is_castling(move):
                side = "king_side" if self.board.is_kingside_castling(move) else "queen_side"
                event: dict[str, Json] = {"by": by, "do": "castle", "with": {"side": side}}
            else:
                where: dict[str, Json] = {"from": text[:2], "to": text[2:4]}
                if move.promotion is not None:
                    where["promote"] = ranks[move.promotion]
                event = {"by": by, "do": "move", "with": where}
            found[written(event)] = move
        if self.results is None and (self.board.halfmove_clock >= 100 or self.board.is_repetition(3)):
            found[written({"by": by, "do": "claim_draw"})] = None
        return found

    @property
    def events(self) -> Mapping[str, tuple[str, ...]]:
        return {event: (self.board.san(move),) for event, move in self._moves.items() if move is not None} | {
            event: () for event, move in self._moves.items() if move is None}

    @cached_property
    def results(self) -> tuple[float, ...] | None:
        outcome = self.board.outcome()
        if outcome is None:
            return None
        return (0.5, 0.5) if outcome.winner is None else (1.0, 0.0) if outcome.winner else (0.0, 1.0)

    def after(self, event: str) -> ChessOracle:
        board = self.board.copy()
        board.push(self._moves[event])
        return ChessOracle(board)
