"""A game in the terminal: numbered legal moves, typed moves, and why a typed move is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from referee.api.errors import FAILING, Cancelled, IllegalEvent, RulesError
from referee.api.game import Game
from referee.api.results.game_events import Choice, GameEvent, Prompt
from referee.cli.typed_moves import TypingFault, told_move, typed_move
from referee.report.text.printable import printable
from referee.report.text.verdict_text import reasons
from referee.system.deadline import Deadline

MOST_SHOWN = 60
"""So many legal moves are listed, and can be taken by their number."""
LISTING = 1.0
"""For so many seconds it is looked for what can be done."""
HELP = """  NUMBER   take the move with this number
  MOVE     type a move: as it is listed, or `label value value`, or `label name=value`
  ?        show the table and the legal moves once more
  undo     take back the last decision
  quit     stop here"""
FATE, TABLE = "fate", "table"


class Quit(Exception):
    """Whoever types has had enough."""


class Session:
    """One game. `say` prints a line, `read` asks for one with a prompt and raises `EOFError` if there is none left."""

    def __init__(self, game: Game, say: Callable[[str], None], read: Callable[[str], str]) -> None:
        self._game = game
        self._say, self._read = say, read
        self._decided: list[int] = []
        self._known: dict[str, dict[int, str]] = {}
        self._at: tuple[str, int] | None = None
        self._listed: list[Choice] = []
        self._cut = False

    def play(self) -> RulesError | None:
        """Plays to the end, or until whoever types has had enough; what went wrong if the rules fail."""
        try:
            while (asked := self._game.asked) is not None:
                self._turn(asked)
        except Quit:
            pass
        except EOFError:
            self._say("")
        except RulesError as error:
            self._say(failure(error))
            return error
        if self._game.outcome != "playing" and (drawing := self._game.drawing("public")):
            self._say(f"\n{drawing}")
        self._say(self._closing())
        return None

    def _turn(self, asked: Prompt) -> None:
        by = asked.who[0]
        if by == FATE:
            self._game.play_out(max_events=1)
            self._say(f"fate: {printable(self._overheard())}")
            return
        self._show(asked, by)
        while not self._answered(asked, by, self._read(f"{'the table' if by == TABLE else by}> ").strip()):
            pass

    def _overheard(self) -> str:
        """The last event as everybody at this terminal may know it."""
        return told_move(self._game.view("public").events[-1])

    def _show(self, asked: Prompt, by: str) -> None:
        self._say("")
        drawing = self._game.drawing("public" if by == TABLE else by)
        if drawing:
            self._say(drawing)
        for line in self._news(by) if by != TABLE else ():
            self._say(line)
        if asked.question is not None:
            self._say(f"the rules do not say: {printable(asked.question)}")
        legal = self._legal(by)
        for number, choice in enumerate(legal[:MOST_SHOWN], 1):
            self._say(f"{number:4}  {printable(told_move(choice.event, choice.most))}")
        if len(legal) > MOST_SHOWN:
            self._say("      and more")
        elif self._cut:
            self._say("      and maybe more: there are too many sets to look at them all")

    def _news(self, player: str) -> Iterator[str]:
        """What a player has come to know of what is no business of everybody, and was not told before."""
        told = self._known.setdefault(player, {})
        views = [self._game.view(who).events for who in (player, "public")]
        for number, (own, open_) in enumerate(zip(*views, strict=True)):
            text = printable(f"{own.by}: {told_move(own)}")
            if own != open_ and own.by != player and told.get(number) != text:
                told[number] = text
                yield f"  only some know: {text}"

    def _legal(self, by: str) -> Sequence[Choice]:
        """What the player can do; it is listed once at a position, so that numbers mean the same."""
        at = by, len(self._game.events)
        if self._at != at:
            self._at, self._listed = at, []
            soon = Deadline(LISTING)
            self._cut = False
            try:
                mine = (one for one in self._game.choices(cancel=lambda: soon.passed) if one.event.by == by)
                self._listed.extend(islice(mine, MOST_SHOWN + 1))
            except Cancelled:
                self._cut = True
        return self._listed

    def _answered(self, asked: Prompt, by: str, text: str) -> bool:
        """Whether a move was made or taken back; if not, it was said why."""
        if text == "quit":
            raise Quit
        if text == "undo":
            return self._undone()
        if text in {"", "?", "help"}:
            self._show(asked, by)
            self._say(HELP)
            return False
        move = self._numbered(by, text) if text.isascii() and text.isdigit() else self._typed(by, text)
        return move is not None and self._taken(move)

    def _numbered(self, by: str, text: str) -> GameEvent | None:
        legal = self._legal(by)[:MOST_SHOWN]
        number = int(text[:6])
        if 1 <= number <= len(legal):
            choice = legal[number - 1]
            wide = [name for name, most in choice.most.items() if most > choice.event.with_[name]]
            if wide:
                said = " ".join(f"{name}={choice.event.with_[name]}" for name in wide)
                self._say(f"  type it with a number of your own: {printable(choice.event.do)} {printable(said)}")
                return None
            return choice.event
        listed = f"1 to {len(legal)}, or type a move" if legal else "type a move"
        self._say(f"  there is no number {text[:6]}: {listed} (? for help)")
        return None

    def _typed(self, by: str, text: str) -> GameEvent | Mapping[str, Any] | None:
        listed = [one.event for one in self._legal(by)[:MOST_SHOWN] if printable(told_move(one.event)) == text]
        if len(listed) == 1:
            return listed[0]
        try:
            move = typed_move(text, {"rule": ("point", "choice")} if by == TABLE else self._game.actions)
        except TypingFault as fault:
            self._say(f"  {printable(str(fault))} (? for help)")
            return None
        return {"by": by, **move}

    def _taken(self, move: GameEvent | Mapping[str, Any]) -> bool:
        """Whether a move was legal. If not, it is said what the judge would say of it."""
        before = len(self._game.events)
        self._at = None
        try:
            self._game.play(move)
        except IllegalEvent as error:
            wrong = error.verdict.inside().wrong
            for line in reasons(wrong) if wrong is not None else ():
                self._say(line)
            return False
        self._decided.append(before)
        return True

    def _undone(self) -> bool:
        if not self._decided:
            self._say("  nothing was decided yet")
            return False
        number = self._decided.pop()
        self._at = None
        while len(self._game.events) > number:
            self._game.undo()
        return True

    def _closing(self) -> str:
        game = self._game
        if game.outcome == "playing":
            return "the game is not over"
        if game.reason is not None:
            return f"the game stops at {printable(game.reason)}"
        winners = game.winners or ()
        who = " and ".join([", ".join(winners[:-1]), winners[-1]] if len(winners) > 1 else winners) or "nobody"
        return f"the game is over: {printable(who)} {'wins' if len(winners) < 2 else 'win'}"


def failure(error: RulesError) -> str:
    """That the rules fail, as it is said at the end of a game."""
    at = f" ({error.span})" if error.span is not None else ""
    return f"the rules fail: {error.code} {printable(error.message.removeprefix(FAILING))}{at}"
