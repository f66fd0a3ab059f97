"""Reads chess games in PGN by python-chess: the main line, move by move; variations are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.convert.foreign_game import MOST_STEPS, BoundedLines, ForeignGame, ForeignStep, diagnostic, remark, trouble
from referee.diagnostics.diagnostic import Problems

if TYPE_CHECKING:  # it need not be installed as long as nobody reads such games
    import chess

GAME = "chess"
_RESULTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
_CLOCK = re.compile(r"\[%clk ([0-9:.]{1,20})\]")
_BEGINS = ('[Event "..."]', "1. e4")
_MARKS = re.compile(r"[;{}(]|[a-h][1-8]|[O0]-[O0]|--")
"""What begins or ends a remark or a variation, and what is a part of a move."""
_PLAIN = {"", "standard", "chess", "from position", "normal"}


def read_movetext(lines: BoundedLines) -> Iterator[ForeignGame]:
    """Each game of a file, as far as it can be followed: moves as `e2e4`, `e7e8q`, `O-O` and `O-O-O`.

    Raises `Problems` (CV03, CV04) where the file cannot be read on, and CV05 where no game is in it. A remark or a
    variation that nothing closes is the trouble of its game (CV13), as nobody knows what belongs to it, and so is a
    variation before the first move (CV14), which python-chess would take for moves of the game. What stands
    behind the last game, and is none, is passed over as what stands between games is.
    """
    import chess.pgn

    found = False
    remarks = _Remarks(lines)
    while True:
        lines.begin()
        remarks.begin()
        visitor = _MainLine(remarks, chess.pgn.SKIP)
        try:
            game = chess.pgn.read_game(remarks, Visitor=lambda v=visitor: v)
        except Problems:
            visitor.end_game()
            if not visitor.empty:
                yield visitor.game
            raise
        except (ValueError, RecursionError, OverflowError) as error:
            visitor.wrong("CV07", f"it cannot be read on: {error}")
            yield visitor.game
            return
        if game is None:
            if not found:
                raise trouble("CV05", "the file holds no game", lines.path, 1, _BEGINS)
            return
        if visitor.empty:
            continue
        found = True
        yield visitor.game


class _Remarks:
    """Lines as they are read, and on which of them a remark was opened that is not closed yet, or a variation before
    any move of the game: python-chess reads on without a word of either."""

    def __init__(self, lines: BoundedLines) -> None:
        self.lines = lines
        self.opened: int | None = None
        self.early: int | None = None
        self._moved = False

    def begin(self) -> None:
        """Another game: none of its moves was read yet."""
        self.early, self._moved = None, False

    def readline(self) -> str:
        """The next line with its end; empty after the last. Tags and lines behind `%` open nothing, nor what stands
        behind `;`."""
        text = self.lines.readline()
        if self.opened is not None or not text.startswith(("[", "%")):
            for mark in _MARKS.findall(text):
                if mark == "}":
                    self.opened = None
                elif self.opened is not None:
                    continue
                elif mark == ";":
                    break
                elif mark == "{":
                    self.opened = self.lines.line
                elif mark != "(":
                    self._moved = True
                elif not self._moved:
                    self.early = self.early or self.lines.line
        return text


class _MainLine:
    """Takes the moves of the main line; after something that is none, nothing more of that game.

    It has the methods that python-chess calls while it reads.
    """

    def __init__(self, remarks: _Remarks, skip: object) -> None:
        self._skip = skip
        self._ended = False
        self._remarks = remarks
        self._lines = remarks.lines
        self._variation: int | None = None
        self.game = ForeignGame(self._lines.line + 1, GAME)

    @property
    def empty(self) -> bool:
        """Whether there was nothing of a game: no tag, no move, no result, and nothing to complain about."""
        game = self.game
        return not game.notes and not game.steps and game.results is None and game.trouble is None and not self._ended

    def wrong(self, code: str, message: str, line: int | None = None) -> None:
        """The first complaint about a game stays. `line`: if it is not the one that was read last."""
        self.game.trouble = self.game.trouble or diagnostic(code, message, self._lines.path, line or self._lines.line)

    def begin_game(self) -> None:
        """The line on which the game begins."""
        self.game.line = self._lines.line

    def begin_headers(self) -> None:
        """Tags are kept here, not by python-chess."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Keeps a tag, and where it starts from."""
        if len(self.game.notes) < 40:
            self.game.notes[tagname] = remark(tagvalue) or ""
        if tagname == "FEN":
            self.game.start = tagvalue[:200]

    def end_headers(self) -> object:
        """Passes over games by other rules."""
        if self.game.notes.get("Variant", "").lower() not in _PLAIN:
            self.wrong("CV06", f"another game: {self.game.notes['Variant'][:80]}")
            return self._skip
        return None

    def begin_variation(self) -> object:
        """Passes over what was not played."""
        self._variation = self._lines.line
        return self._skip

    def begin_parse_san(self, board: chess.Board, san: str) -> object:
        """Passes over what comes after trouble."""
        self._tell_early()
        if len(self.game.steps) >= MOST_STEPS:
            self.wrong("CV04", f"a game of more than {MOST_STEPS} steps")
        return self._skip if self.game.trouble is not None else None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """The move that a text means; `ValueError` if it is none, or not legal."""
        return board.parse_san(san)

    def visit_board(self, board: chess.Board) -> None:
        """Positions are not kept."""

    def visit_nag(self, nag: int) -> None:
        """Marks of moves are passed over."""

    def end_variation(self) -> None:
        """Nothing of it was taken."""
        self._variation = None

    def end_game(self) -> None:
        """Tells what was opened and is not closed, and took what may have been moves of the game."""
        if not self.empty:
            self._tell_early()
        if self._variation is not None:
            self.wrong("CV13", "a variation begins here with `(` and is not closed", self._variation)
        if self._remarks.opened is not None:
            self.wrong("CV13", "a remark begins here with `{` and is not closed", self._remarks.opened)

    def _tell_early(self) -> None:
        """Tells a variation that stands before all moves: it is of none of them."""
        if self._remarks.early is not None:
            self.wrong("CV14", "a variation begins here with `(`, before any move", self._remarks.early)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Takes a move."""
        text = move.uci()
        if board.is_castling(move):
            text = "O-O" if board.is_kingside_castling(move) else "O-O-O"
        self.game.steps.append(ForeignStep(self._lines.line, text))

    def visit_comment(self, comment: str) -> None:
        """Keeps a remark and the clock with the move before it."""
        if not self.game.steps or self.game.trouble is not None:
            return
        last = self.game.steps[-1]
        clock = _CLOCK.search(comment)
        note = remark(_CLOCK.sub("", comment[:MOST_STEPS]))
        self.game.steps[-1] = ForeignStep(last.line, last.text, note or last.note,
                                          clock[1] if clock is not None else last.at)

    def visit_result(self, result: str) -> None:
        """Takes the result."""
        self.game.results = _RESULTS.get(result)
        self._ended = True

    def handle_error(self, error: Exception) -> None:
        """Tells where the moves cannot be followed."""
        self.wrong("CV07", f"no move that fits here: {str(error)[:120]}")

    def result(self) -> ForeignGame:
        """The game."""
        return self.game
