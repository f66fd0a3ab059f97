"""Remedies: small changes of a line that make it parse, tried out, so that a hint is never a mere guess."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

from referee.diagnostics.source import Span
from referee.syntax.lr_parser import Machine, Stuck
from referee.syntax.recovery.other_phrasings import rewritings
from referee.syntax.recovery.repair_draft import Draft
from referee.syntax.scanner import LinePiece, pieces

# Spellings from elsewhere, and how this language says it.
ELSEWHERE = {
    "==": ("=",), "<>": ("!=",), "=<": ("<=",), "=>": (">=",), "&&": ("and",), "||": ("or",), "&": ("and",),
    "!": ("not",), "otherwise": ("else",), "else": ("otherwise",), "elif": ("else if",), "elseif": ("else if",),
    "elsif": ("else if",), "true": ("yes",), "True": ("yes",), "false": ("no",), "False": ("no",), "null": ("none",),
    "None": ("none",), "one": ("take one",),
    "foreach": ("for each",), "for": ("for each",), "while": ("repeat until",), "then": (":",), "...": ("..",),
    ".": ("..", "of"), ";": (":", ","), "|": (",", "or"), ":=": ("=",), "'": ('"',),
}
_ASSIGNED = re.compile(
    r"(?:let\s+)?(?P<what>[^=:;]*[^=:;<>!+\-\s])\s*(?P<sign>:=|\+=|-=|=)\s*(?P<value>[^=].*?)(?P<rest>;?)$")
_INSERTED = (":", ")", "}", ",", "..")
_FORM_OF_TIES = (
    "behind `ties:` stands `unspecified`, `all`, `nobody`, `random`, `with the highest VALUE` or `PLAYER chooses`; "
    "after it `wins`, where the best of them wins: `the p in players with the most points, ties: PLAYER chooses wins`"
)
_LOOK_BACK = 8
"""So many words and signs before the wrong one are looked at, the nearest first."""
_LOOK_AHEAD = 2
"""So many words and signs behind the wrong one are looked at."""
_TOO_VAGUE = 3
"""If more than so many signs would help, none is said to be missing."""
_NOT_ON_A_LINE = ("_INDENT", "_DEDENT", "$END")


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

    def remedy(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        """The first change that helps, likelier mistakes first."""
        accepted = self._engine.accepts(stuck.states)
        attempts: tuple[Callable[[], Remedy | None], ...] = (
            lambda: self._own_line(draft, stuck, index),
            lambda: self._phrased(draft, stuck, index),
            lambda: self._doubled(draft, stuck, index, names=False),
            lambda: self._reserved(draft, stuck, index, accepted),
            lambda: self._capital(draft, stuck, index, accepted),
            lambda: self._elsewhere(draft, stuck, index),
            lambda: self._misspelt(draft, stuck, index),
            lambda: self._assigned(draft, index),
            lambda: self._missing(draft, stuck, index, accepted),
            lambda: self._doubled(draft, stuck, index, names=True),
            lambda: self._swapped(draft, stuck, index),
            lambda: self._too_much(draft, stuck, index),
        )
        return next((found for found in (attempt() for attempt in attempts) if found is not None), None)

    # ------------------------------------------------------------ the attempts

    def _own_line(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        """What stands behind a `;` and cannot: a line of its own, of another kind."""
        code = draft.code(index)
        if ";" not in code or draft.lines[index].first != draft.lines[index].last:
            return None
        for number, piece in self._before(draft, stuck, index):
            if piece.text != ";":
                continue
            before, after = draft.physical(number)[:piece.start].strip(), draft.physical(number)[piece.end:].strip()
            changed = draft.replaced(index, before)
            if after and self._helps(changed, index) and self._helps(draft.replaced(index, after), index):
                gap = len(draft.physical(number)) - len(draft.physical(number)[piece.end:].lstrip())
                word = after.split()[0]
                span = Span(self._path, number, gap + 1, number, gap + 1 + len(word))
                return Remedy("SY38", "this cannot stand on one line with what is before the `;`", span,
                              "put it on a line of its own", changed)
            return None
        return None

    def _phrased(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        """What rulebooks put in other words."""
        for number in range(draft.lines[index].first, min(draft.lines[index].last, stuck.line) + 1):
            line = draft.physical(number)
            for found in rewritings(line):
                changed = draft.edited(number, 1, len(line) + 1, found.line)
                if self._helps(changed, index):
                    span = Span(self._path, number, found.start + 1, number, found.end + 1)
                    return Remedy("SY36", "this is said otherwise here", span, found.hint, changed)
        return None

    def _doubled(self, draft: Draft, stuck: Stuck, index: int, *, names: bool) -> Remedy | None:
        found = list(self._before(draft, stuck, index))
        for (number, second), (other, first) in pairwise(found):
            if number != other or second.text != first.text or (second.text in self._words.words) is names:
                continue
            changed = draft.edited(number, first.end + 1, second.end + 1, "")
            if self._helps(changed, index):
                return Remedy("SY32", f"`{second.text}` stands here twice", self._piece_span(number, second),
                              f"remove the second `{second.text}`", changed)
        return None

    def _capital(self, draft: Draft, stuck: Stuck, index: int, accepted: frozenset[str]) -> Remedy | None:
        if stuck.type not in ("NAME", "PROPER") or not accepted & {"NAME", "PROPER"}:
            return None
        small = stuck.type == "NAME"
        if small:
            ours = stuck.text[0].upper() + stuck.text[1:]
        else:  # of a name in capitals, as of a card, no capital is left
            ours = stuck.text.lower() if stuck.text.isupper() else stuck.text[0].lower() + stuck.text[1:]
        changed = draft.edited(stuck.line, stuck.column, stuck.end_column, ours)
        if ours == stuck.text or not self._helps(changed, index):
            return None
        rule = "begins with a capital" if small else "begins with a small letter"
        hint = f"write `{ours}`"
        if not small and stuck.text.isupper():
            hint = f"a name with a capital is one of a kind or component; call anything else `{ours}`"
        return Remedy("SY37", f"a name that stands here {rule}", self._at(stuck), hint, changed)

    def _reserved(self, draft: Draft, stuck: Stuck, index: int, accepted: frozenset[str]) -> Remedy | None:
        if not accepted & {"NAME", "PROPER"} or stuck.text not in self._words.reserved:
            return None
        free = "name_" if "NAME" in accepted else "Name_"
        changed = draft.edited(stuck.line, stuck.column, stuck.end_column, free)
        if not self._helps(changed, index):
            return None
        return Remedy("SY35", f"`{stuck.text}` is a word of the language", self._at(stuck), "choose another name",
                      changed)

    def _elsewhere(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        for number, piece in self._before(draft, stuck, index):
            text = self._joined(draft, number, piece)
            ours = ELSEWHERE.get(text, ())
            for our in ours:
                changed = self._put(draft, number, piece.start, piece.start + len(text), our)
                if self._helps(changed, index):
                    span = Span(self._path, number, piece.start + 1, number, piece.start + len(text) + 1)
                    return Remedy("SY36", f"`{text}` is not written here", span, f"write `{our}`", changed)
        return None

    def _misspelt(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        for number, piece in (*self._before(draft, stuck, index), *self._right_after(draft, stuck)):
            if piece.kind != "word":
                continue
            for ours in self._near(piece.text):
                changed = self._put(draft, number, piece.start, piece.end, ours)
                if self._helps(changed, index):
                    wrong = "not the word here" if piece.text in self._words.words else "no word of the language"
                    return Remedy("SY30", f"`{piece.text}` is {wrong}", self._piece_span(number, piece),
                                  f"did you mean `{ours}`?", changed)
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
        if stuck.type in _NOT_ON_A_LINE or (draft.parent(index) is None and self._begins(draft, stuck)):
            return None
        number, column = self._gap(stuck)
        helped = [text for text in self._insertable(accepted)
                  if self._helps(draft.edited(number, column, column, f" {text} "), index)]
        helped = [":"] if ":" in helped else helped
        if not helped or len(helped) > _TOO_VAGUE:
            return self._colon(draft, stuck, index) if stuck.type == "_NL" else None
        what = " or ".join(f"`{text}`" for text in helped)
        after = f" after `{stuck.before}`" if stuck.before is not None and not self._begins(draft, stuck) else ""
        changed = draft.edited(number, column, column, f" {helped[0]} ")
        form = _FORM_OF_TIES if ", ties:" in draft.physical(number)[: column - 1] else None
        return Remedy("SY31", f"{what} is missing{after}", self._at(stuck), form, changed)

    def _colon(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        """A colon left out before words that could also go on with what stands before it, as in `when c -1`."""
        for number, piece in self._before(draft, stuck, index):
            changed = draft.edited(number, piece.start + 1, piece.start + 1, ": ")
            if self._helps(changed, index):
                return Remedy("SY31", f"`:` is missing before `{piece.text}`", self._piece_span(number, piece), None,
                              changed)
        return None

    def _swapped(self, draft: Draft, stuck: Stuck, index: int) -> Remedy | None:
        found = list(self._before(draft, stuck, index))[:4] if stuck.type != "_NL" else []
        for (number, second), (other, first) in pairwise(found):
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
        if stuck.type in ("_NL", *_NOT_ON_A_LINE):
            return None
        changed = draft.edited(stuck.line, stuck.column, stuck.end_column, " ")
        if not draft.code(index) or not self._helps(changed, index):
            return None
        return Remedy("SY32", f"`{stuck.text}` is too much here", self._at(stuck), f"remove the `{stuck.text}`",
                      changed)

    # ------------------------------------------------------------ where and what

    def _before(self, draft: Draft, stuck: Stuck, index: int) -> Iterator[tuple[int, LinePiece]]:
        """The pieces of the line up to the wrong one, with their line numbers, the nearest first, not too many."""
        found: list[tuple[int, LinePiece]] = []
        for number in range(draft.lines[index].first, min(draft.lines[index].last, stuck.line) + 1):
            for piece in pieces(draft.physical(number)):
                reached = (number, piece.start + 1) <= (stuck.line, stuck.end_column)
                if reached and piece.kind in ("word", "sign", "number"):
                    found.append((number, piece))
        return iter(found[: -_LOOK_BACK - 1 : -1])

    def _right_after(self, draft: Draft, stuck: Stuck) -> list[tuple[int, LinePiece]]:
        """The next pieces on the line: a phrase may go wrong at its end and be noticed at its beginning."""
        found = [piece for piece in pieces(draft.physical(stuck.line)) if piece.start + 1 >= stuck.end_column]
        return [(stuck.line, piece) for piece in found[:_LOOK_AHEAD]]

    def _joined(self, draft: Draft, number: int, piece: LinePiece) -> str:
        """A sign with those that follow it without a gap, as in `&&`."""
        rest = draft.physical(number)[piece.start :]
        return next((sign for sign in ELSEWHERE if not sign[0].isalpha() and rest.startswith(sign)), piece.text)

    def _near(self, word: str) -> Iterable[str]:
        if len(word) < 2 or len(word) > 30:
            return ()
        likeness = 0.75 if word in self._words.words else 0.6
        return get_close_matches(word, sorted(self._words.words - {word}), n=4, cutoff=likeness)

    def _insertable(self, accepted: frozenset[str]) -> list[str]:
        # A word that is itself a value (`me`, `yes`) would fit too often to say anything.
        texts = sorted({self._words.spelled(name) or "" for name in accepted - self._engine.starters})
        words = [text for text in texts if text[:1].isalpha() and " " not in text]
        return [text for text in _INSERTED if text in texts] + words

    def _begins(self, draft: Draft, stuck: Stuck) -> bool:
        """Whether the wrong token is the first of its line."""
        return not draft.physical(stuck.line)[: stuck.column - 1].strip()

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

    def _piece_span(self, number: int, piece: LinePiece) -> Span:
        return Span(self._path, number, piece.start + 1, number, piece.end + 1)

    def _at(self, stuck: Stuck) -> Span:
        return Span(self._path, stuck.line, stuck.column, stuck.line, stuck.end_column)
