"""Remedies: small changes of a line that make it parse, tried out, so that a hint is never a mere guess."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from referee.base.source import Span
from referee.syntax.draft import Draft
from referee.syntax.machine import Machine, Stuck
from referee.syntax.scan import Piece, pieces

# Spellings from elsewhere, and how this language says it.
ELSEWHERE = {
    "==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "&&": "and", "||": "or", "&": "and", "!": "not", "otherwise": "else",
    "else": "otherwise", "elif": "else if", "elseif": "else if", "elsif": "else if", "true": "yes", "false": "no",
    "True": "yes", "False": "no", "null": "none", "foreach": "for each", "for": "for each", "while": "repeat until",
    "than": "", "then": ":", "/": "", "%": "", ".": "of",
}
_ASSIGNED = re.compile(r"(?:let\s+)?(?P<what>[^=:;]*[^=:;<>!+\-\s])\s*(?P<sign>:=|\+=|-=|=)\s*(?P<value>[^=].*?)(?P<rest>;?)$")
_INSERTED = (":", ")", "}", ",", "..")
_LOOK_BACK = 8


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that was tried and helps: what to report, and the mended draft to go on with."""

    code: str
    message: str
    span: Span
    hint: str | None
    draft: Draft


Trial = Callable[[Draft, int], bool]


class Doctor:
    """Looks for a remedy for a line; `helps` says whether a changed draft gets past the line with that index."""

    def __init__(self, engine: Machine, path: str, helps: Trial) -> None:
        self._engine = engine
        self._words = engine.vocabulary
        self._path = path
        self._helps = helps

    def remedy(self, draft: Draft, stuck: Stuck, index: int, known: frozenset[str]) -> Remedy | None:
        """The first change that helps, likelier mistakes first; `known`: names that stand elsewhere in the text."""
        accepted = self._engine.accepts(stuck.states)
        attempts = (
            lambda: self._reserved(draft, stuck, index, accepted),
            lambda: self._elsewhere(draft, stuck, index),
            lambda: self._misspelt(draft, stuck, index, known),
            lambda: self._assigned(draft, index),
            lambda: self._missing(draft, stuck, index, accepted),
            lambda: self._swapped(draft, stuck, index),
            lambda: self._too_much(draft, stuck, index),
        )
        return next((found for found in (attempt() for attempt in attempts) if found is not None), None)

    # ------------------------------------------------------------ the attempts

    def _reserved(self, draft: Draft, stuck: Stuck, index: int, accepted: frozenset[str]) -> Remedy | None:
        if not accepted & {"NAME", "PROPER"} or stuck.text not in self._words.reserved:
            return None
        free = "name_" if "NAME" in accepted else "Name_"
        changed = draft.edited(stuck.line, stuck.column, stuck.end_column, free)
        if not self._helps(changed, index):
            return None
        return Remedy("SY35", f"`{stuck.text}` is a word of the language", self._at(stuck), "choose another name", changed)

    def _elsewhere(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        for number, piece in self._before(draft, stuck, index):
            text = self._joined(draft, number, piece)
            ours = ELSEWHERE.get(text)
            if ours is None:
                continue
            changed = self._put(draft, number, piece.start, piece.start + len(text), ours)
            if ours and self._helps(changed, index):
                span = Span(self._path, number, piece.start + 1, number, piece.start + len(text) + 1)
                return Remedy("SY36", f"`{text}` is not written here", span, f"write `{ours}`", changed)
        return None

    def _misspelt(self, draft: Draft, stuck: Stuck, index: int, known: frozenset[str]) -> Remedy | None:
        for number, piece in self._before(draft, stuck, index):
            if piece.kind != "word" or piece.text in self._words.words:
                continue
            for ours in self._near(piece.text):
                changed = self._put(draft, number, piece.start, piece.end, ours)
                if self._helps(changed, index):
                    place = self._piece_span(number, piece)
                    return Remedy("SY30", f"`{piece.text}` is no word of the language", place, f"did you mean `{ours}`?", changed)
        return None

    def _assigned(self, draft: Draft, index: int) -> Remedy | None:
        line = draft.lines[index]
        code = draft.code(index)
        found = _ASSIGNED.fullmatch(code)
        if found is None or line.first != line.last:
            return None
        verb, word = {"+=": ("raise", "by"), "-=": ("lower", "by")}.get(found["sign"], ("set", "to"))
        ours = f"{verb} {found['what'].strip()} {word} {found['value']}"
        changed = draft.replaced(index, ours + found["rest"])
        if not self._helps(changed, index):
            return None
        start = len(draft.physical(line.first)) - len(draft.physical(line.first).lstrip()) + found.start("sign")
        span = Span(self._path, line.first, start + 1, line.first, start + 1 + len(found["sign"]))
        return Remedy("SY36", f"`{found['sign']}` changes nothing by itself", span, f"write `{ours}`", changed)

    def _missing(self, draft: Draft, stuck: Stuck, index: int, accepted: frozenset[str]) -> Remedy | None:
        if stuck.type in ("_INDENT", "_DEDENT", "$END"):
            return None
        number, column = self._gap(stuck)
        helped = [text for text in self._insertable(accepted)
                  if self._helps(draft.edited(number, column, column, f" {text} "), index)]
        if not helped:
            return None
        what = " or ".join(f"`{text}`" for text in helped[:3])
        before = f" after `{stuck.before}`" if stuck.before is not None and stuck.before.type != "_NL" else ""
        changed = draft.edited(number, column, column, f" {helped[0]} ")
        return Remedy("SY31", f"{what} is missing{before}", self._at(stuck), None, changed)

    def _swapped(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        found = list(self._before(draft, stuck, index))[:4]
        for (number, second), (other, first) in zip(found, found[1:], strict=False):
            if number != other or "word" not in (first.kind, second.kind):
                continue
            text = f"{second.text} {first.text}"
            changed = draft.edited(number, first.start + 1, second.end + 1, text)
            if self._helps(changed, index):
                span = Span(self._path, number, first.start + 1, number, second.end + 1)
                return Remedy("SY33", f"`{first.text}` and `{second.text}` stand in the wrong order", span,
                              f"write `{text}`", changed)
        return None

    def _too_much(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        if stuck.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
            return None
        changed = draft.edited(stuck.line, stuck.column, stuck.end_column, " ")
        if not draft.code(index) or not self._helps(changed, index):
            return None
        return Remedy("SY32", f"`{stuck.text}` is too much here", self._at(stuck), f"remove the `{stuck.text}`", changed)

    # ------------------------------------------------------------ where and what

    def _before(self, draft: Draft, stuck: Stuck, index: int) -> Iterator[tuple[int, Piece]]:
        """The pieces of the line up to the wrong one, with their line numbers, the nearest first, not too many."""
        found: list[tuple[int, Piece]] = []
        for number in range(draft.lines[index].first, min(draft.lines[index].last, stuck.line) + 1):
            for piece in pieces(draft.physical(number)):
                if piece.kind in ("word", "sign", "number") and (number, piece.start + 1) <= (stuck.line, stuck.end_column):
                    found.append((number, piece))
        return iter(found[: -_LOOK_BACK - 1 : -1])

    def _joined(self, draft: Draft, number: int, piece: Piece) -> str:
        """A sign with those that follow it without a gap, as in `&&`."""
        rest = draft.physical(number)[piece.start :]
        return next((sign for sign in ELSEWHERE if not sign[0].isalpha() and rest.startswith(sign)), piece.text)

    def _near(self, word: str) -> Iterable[str]:
        if len(word) < 2 or len(word) > 30:
            return ()
        return get_close_matches(word, sorted(self._words.words), n=4, cutoff=0.6)

    def _insertable(self, accepted: frozenset[str]) -> list[str]:
        texts = sorted({self._words.spelled(name) or "" for name in accepted})
        words = [text for text in texts if text[:1].isalpha() and " " not in text]
        return [text for text in _INSERTED if text in texts] + words

    def _gap(self, stuck: Stuck) -> tuple[int, int]:
        """Where something could stand before the wrong token: right after the one before, if on the same line."""
        before = stuck.before
        if before is not None and before.end_line == stuck.line and before.end_column is not None:
            return stuck.line, before.end_column
        return stuck.line, stuck.column

    def _put(self, draft: Draft, number: int, start: int, end: int, text: str) -> Draft:
        old = draft.physical(number)
        left = " " if text[:1].isalpha() and old[start - 1 : start].isalnum() else ""
        right = " " if text[-1:].isalpha() and old[end : end + 1].isalnum() else ""
        return draft.edited(number, start + 1, end + 1, left + text + right)

    def _piece_span(self, number: int, piece: Piece) -> Span:
        return Span(self._path, number, piece.start + 1, number, piece.end + 1)

    def _at(self, stuck: Stuck) -> Span:
        return Span(self._path, stuck.line, stuck.column, stuck.line, stuck.end_column)
