"""Reads poker hands as PHH has them: TOML, a file for each hand, or a numbered table for each of several."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

from referee.convert.foreign_game import MOST_STEPS, BoundedLines, ForeignGame, ForeignStep, diagnostic, remark, trouble
from referee.core.ruleset import PUBLIC
from referee.diagnostics.diagnostic import Diagnostic
from referee.game.log.strict_json import Json

MOST_HAND = 200_000
"""Characters of a hand, at most."""
MOST_WIDE = 8_192
"""Characters of a line of a hand, at most: keys of many parts take a time that grows with their square."""
MOST_CHIPS = 1_000_000_000
"""An amount of more chips is not read."""
HIDDEN = "????"
"""Two cards that nobody has told."""
_TABLE = re.compile(r"\[ *[\w.-]{1,60} *\] *(#.*)?")
_LINE_OF = re.compile(r"at line (\d{1,9})")
_CARDS = re.compile(r"([2-9TJQKA][cdhs])+")
_DECK = tuple(rank + suit for rank, suit in product("23456789TJQKA", "cdhs"))
_WANTED = ("variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions")
_NOTED = ("author", "event", "venue", "city", "country", "currency", "time", "day", "month", "year", "hand", "table")


class _UnfitHand(Exception):
    """A hand that is no game of this reader; the message says why."""


def read_hands(lines: BoundedLines) -> Iterator[ForeignGame]:
    """Each hand of a file. Raises `Problems` (CV03 to CV05)."""
    begun, texts, size, found = 1, list[str](), 0, False
    for raw in lines:
        if _TABLE.fullmatch(raw.strip()) is not None:
            if _said(texts):
                found = True
                yield _hand(texts, begun, lines.path)
            lines.begin()
            begun, texts, size = lines.line, ["\n"], 0
            continue
        size += len(raw)
        if len(raw) > MOST_WIDE or size > MOST_HAND:
            raise trouble("CV04", f"a hand has at most {MOST_HAND} characters, a line of it {MOST_WIDE}", lines.path,
                          lines.line)
        texts.append(raw)
    if _said(texts):
        yield _hand(texts, begun, lines.path)
    elif not found:
        raise trouble("CV05", "the file holds no hand", lines.path, 1, _WANTED)


def _said(texts: Sequence[str]) -> bool:
    return any(text.strip() and not text.lstrip().startswith("#") for text in texts)


def _hand(texts: Sequence[str], begun: int, path: str) -> ForeignGame:
    """One hand. What cannot be read in it is the trouble of the game, and so is what is no game of this reader."""
    try:
        data = tomllib.loads("".join(texts))
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        at = _LINE_OF.search(str(error))
        line = begun + (int(at[1]) - 1 if at is not None else 0)
        raise trouble("CV05", f"the hand is no TOML: {str(error)[:200]}", path, line) from None
    game = ForeignGame(begun)
    try:
        _Hand(data, list(texts), begun).into(game, path)
    except _UnfitHand as why:
        game.refused = diagnostic("CV06", str(why), path, begun)
    return game


@dataclass
class _Hand:
    """The data of a hand, where its lines begin, and what its amounts are multiplied by."""

    data: Mapping[str, Any]
    texts: list[str]
    begun: int
    scale: int = 1
    dealt: dict[str, str] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)

    def into(self, game: ForeignGame, path: str) -> None:
        """Fills a game with it. Raises `_UnfitHand`."""
        for name in _WANTED:
            if name not in self.data:
                raise _UnfitHand(f"the hand has no `{name}`")
        game.game = str(self.data["variant"])[:40]
        if game.game != "NT":
            return
        actions = self.data["actions"]
        if not isinstance(actions, list) or not all(isinstance(one, str) for one in actions):
            raise _UnfitHand("`actions` is a list of texts")
        steps = list(self._placed(actions[:MOST_STEPS + 1]))
        self._scaled(steps)
        stacks = self._list("starting_stacks")
        blinds, antes = self._list("blinds_or_straddles"), self._list("antes")
        small, big = self._blinds(blinds, len(stacks))
        if len(antes) != len(stacks) or len(set(antes)) != 1:
            raise _UnfitHand("antes that are not the same for all")
        names = [f"p{seat}" for seat in range(1, len(stacks) + 1)]
        chips: dict[str, Json] = dict(zip(names, stacks, strict=True))
        game.seats = len(stacks)
        game.facts = {"stacks": chips, "small": small, "big": big, "ante": antes[0], "dealer": names[-1]}
        game.notes = self._notes(names)
        if "finishing_stacks" in self.data:
            after = self._list("finishing_stacks")
            if len(after) != len(stacks):
                raise _UnfitHand("`finishing_stacks` has another length than `starting_stacks`")
            game.results = tuple(float(end - start) for start, end in zip(stacks, after, strict=True))
        self._cards(steps)
        game.viewpoint = self._viewpoint()
        for number, step in enumerate(steps):
            wrong = self._misshown(step, path) if number < MOST_STEPS else diagnostic(
                "CV04", f"a game of more than {MOST_STEPS} steps", path, step.line)
            if wrong is not None:
                game.trouble = wrong
                return
            game.steps.append(self._told(step))

    def _placed(self, actions: Sequence[str]) -> Iterator[ForeignStep]:
        """Each action with its line: the next that has its text in quotes."""
        at = next((number for number, text in enumerate(self.texts) if text.lstrip().startswith("actions")), 0)
        column = 0
        for action in actions:
            here, from_ = at, column
            while here < len(self.texts) and (found := _quoted(self.texts[here], action, from_)) < 0:
                here, from_ = here + 1, 0
            if here < len(self.texts):
                at, column = here, found + len(action) + 2
            said, _, note = action.partition("#")
            yield ForeignStep(self.begun + at, " ".join(said.split())[:300], remark(note))

    # --- amounts

    def _scaled(self, steps: Sequence[ForeignStep]) -> None:
        """Amounts with parts are counted in hundredths."""
        lists = [self.data[name] for name in ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks")
                 if isinstance(self.data.get(name), list)]
        told = [self.data["min_bet"], *(one for some in lists for one in some[:100])]
        told += [step.text.split()[2] for step in steps if _is_raise(step.text)]
        amounts = [_amount(one) for one in told]
        if any(one != one.to_integral_value() for one in amounts):
            self.scale = 100
            if any(one * 100 != (one * 100).to_integral_value() for one in amounts):
                raise _UnfitHand("amounts are finer than hundredths")

    def _chips(self, said: object) -> int:
        return int(_amount(said) * self.scale)

    def _list(self, name: str) -> list[int]:
        values = self.data[name]
        if not isinstance(values, list) or not values or len(values) > 100:
            raise _UnfitHand(f"`{name}` is a list with an amount for each player")
        return [self._chips(one) for one in values]

    def _blinds(self, blinds: Sequence[int], players: int) -> tuple[int, int]:
        if players < 2 or len(blinds) != players or any(blinds[2:]) or not blinds[0] <= blinds[1]:
            raise _UnfitHand("other blinds than a small and a big one of the first two")
        if self._chips(self.data["min_bet"]) != blinds[1]:
            raise _UnfitHand("the least bet is not the big blind")
        return blinds[0], blinds[1]

    # --- cards

    def _cards(self, steps: Sequence[ForeignStep]) -> None:
        """Which cards each was dealt, which were shown later, and which nothing in the hand has."""
        for step in steps:
            words = step.text.split()
            if words[:2] == ["d", "dh"] and len(words) == 4:
                self.dealt[words[2]] = words[3]
            elif len(words) == 3 and words[1] == "sm" and _CARDS.fullmatch(words[2]) is not None:
                self.shown.setdefault(words[0], words[2])
        used = {card for text in self.texts for card in _split_all(text)}
        self.unused = [card for card in _DECK if card not in used]

    def _viewpoint(self) -> str | None:
        """Who may have written it down: the public if only shown cards are told, or the one who tells his."""
        told = [who for who, cards in self.dealt.items() if HIDDEN not in cards and who not in self.shown]
        if all(HIDDEN not in cards for cards in self.dealt.values()) or len(told) > 1:
            return None
        return told[0] if told else PUBLIC

    def _misshown(self, step: ForeignStep, path: str) -> Diagnostic | None:
        words = step.text.split()
        if len(words) == 3 and words[1] == "sm" and _CARDS.fullmatch(words[2]) is not None:
            dealt = self.dealt.get(words[0], HIDDEN)
            if dealt != HIDDEN and sorted(_split(dealt)) != sorted(_split(words[2])):
                return diagnostic("CV07", f"{words[0]} shows other cards than he was dealt", path, step.line)
        return None

    def _told(self, step: ForeignStep) -> ForeignStep:
        """A step with whole amounts, and with the cards that are shown later; where none ever are, it is followed with
        some that are nowhere else."""
        words = step.text.split()
        if _is_raise(step.text):
            words[2] = str(self._chips(words[2]))
        followed = None
        if words[:2] == ["d", "dh"] and len(words) == 4 and words[3] == HIDDEN:
            if words[2] in self.shown:
                words[3] = self.shown[words[2]]
            else:
                followed = " ".join((*words[:3], "".join(self.unused[:2]) or HIDDEN))
                del self.unused[:2]
        return ForeignStep(step.line, " ".join(words), step.note, followed=followed)

    def _notes(self, names: Sequence[str]) -> dict[str, str]:
        notes = {name: remark(str(self.data[name])[:500]) or "" for name in _NOTED if name in self.data}
        called = self.data.get("players")
        if isinstance(called, list) and len(called) == len(names):
            notes |= {name: remark(str(one)[:500]) or "" for name, one in zip(names, called, strict=True)}
        return notes | ({"amounts": "in hundredths"} if self.scale == 100 else {})


def _quoted(text: str, action: str, start: int) -> int:
    """Where an action stands in a line, in quotes of either sort; -1 if it does not."""
    found = [at for quote in "'\"" if (at := text.find(f"{quote}{action}{quote}", start)) >= 0]
    return min(found, default=-1)


def _is_raise(text: str) -> bool:
    words = text.split()
    return len(words) == 3 and words[1] == "cbr"


def _amount(said: object) -> Decimal:
    """An amount of chips. Raises `_UnfitHand`."""
    try:
        amount = Decimal(str(said)[:40]) if isinstance(said, (int, float, str)) and not isinstance(said, bool) else None
    except InvalidOperation:
        amount = None
    if amount is None or not amount.is_finite() or not 0 <= amount <= MOST_CHIPS:
        raise _UnfitHand(f"{str(said)[:40]!r} is no amount of chips")
    return amount


def _split(cards: str) -> list[str]:
    return [cards[at:at + 2] for at in range(0, len(cards), 2)]


def _split_all(text: str) -> list[str]:
    """Everything in a text that may be a card."""
    return [text[at:at + 2] for at in range(len(text) - 1) if text[at:at + 2] in _DECK]
