"""Finding every error of a text that does not parse: block by block, mending a line and reading on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import lark

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source, Span
from referee.syntax import size_limits
from referee.syntax.layout import Plan
from referee.syntax.lr_parser import Machine, Stuck
from referee.syntax.recovery.complaints import complain
from referee.syntax.recovery.remedies import Doctor
from referee.syntax.recovery.repair_draft import Draft
from referee.syntax.scanner import pieces

# Harmless text that may stand in for a line that cannot be read: the only place here that knows the language's words.
FOR_LINE = ("else if yes: nothing", "if yes: nothing", "nothing", "otherwise: yes", "expect yes")
FOR_HEAD = ("else if yes", "if yes", "for each it_ in players")
FOR_DECLARATION = (
    "setup", "action name_", "zones", "counters", "components", "kind Name_", "define name_ of player it_",
    "table name_ of player: yes or no", 'reading name_ "?"', 'scenario "?"',
)
_MOST_DOUBTS = 4
"""So many lines whose indentation leaves a doubt are tried at another depth."""
_LAYOUT = ("_NL", "_INDENT", "_DEDENT", "$END")


class _Exhausted(Exception):
    """Enough has been read."""


class Mender:
    """Reads a text by blocks. What parses as it stands is kept, of the rest only the names."""

    def __init__(self, source: Source, plan: Plan, engine: Machine, reporter: Reporter) -> None:
        self._plan = plan
        self._engine = engine
        self._reporter = reporter
        self._path = source.path
        self._left = size_limits.TOKENS_OF_REPAIR
        self._doctor = Doctor(engine, source.path, self._helps)
        self._thinned: set[int] = set()
        self.broken = 0
        self.trees: list[lark.Tree[lark.Token]] = []
        self.broken_names: set[str] = set()

    def run(self) -> None:
        """Fills `trees` and `broken_names` and reports every error."""
        waiting = [Draft.of(lines, self._plan.texts) for lines in self._plan.blocks()]
        waiting.reverse()
        while waiting:
            draft, found = self._read(waiting.pop())
            if not isinstance(found, Stuck):
                self.trees.append(found)
                continue
            self.broken += 1
            if self.broken > size_limits.BROKEN_BLOCKS:
                self._give_up(draft, waiting)
                return
            if self._wants_body(found):
                draft = self._with_flush_body(draft, waiting)
            stuck = self._engine.probe(draft.text, draft.depths(), draft.first)
            if stuck is not None:
                self._mend(draft, stuck)
            self.broken_names.update(self._names_of(draft))

    def _give_up(self, draft: Draft, waiting: list[Draft]) -> None:
        for other in (draft, *waiting):
            self.broken_names.update(self._names_of(other))
        self._reporter.error("SY40", "too many errors: the rest of the text was not read", self._plan_span(draft.first))

    # ------------------------------------------------------------ reading

    def _read(self, draft: Draft) -> tuple[Draft, lark.Tree[lark.Token] | Stuck]:
        """A block as it reads furthest, if its indentation leaves a doubt."""
        found = self._engine.run(draft.text, draft.depths(), draft.first)
        doubtful = [i for i, line in enumerate(draft.lines) if line.first in self._plan.unsure]
        if not isinstance(found, Stuck) or not doubtful:
            return draft, found
        with suppress(_Exhausted):
            draft = self._likeliest(draft, found, doubtful[:_MOST_DOUBTS])
        return draft, self._engine.run(draft.text, draft.depths(), draft.first)

    def _likeliest(self, draft: Draft, found: Stuck, doubtful: Iterable[int]) -> Draft:
        """The draft with each doubtful line at the depth at which it reads further."""
        for index in doubtful:
            other = draft.shifted((index,), self._plan.unsure[draft.lines[index].first])
            read = self._probe(other)
            if read is None:
                return other
            if read.place > found.place:
                draft, found = other, read
        return draft

    def _probe(self, draft: Draft) -> Stuck | None:
        """Where a changed draft gets stuck, None if nowhere. Raises _Exhausted once enough has been read."""
        before = self._engine.tokens_read
        if self._left <= 0:
            raise _Exhausted
        found = self._engine.probe(draft.text, draft.depths(), draft.first)
        self._left -= self._engine.tokens_read - before
        return found

    def _helps(self, draft: Draft, index: int) -> bool:
        """Whether the line with that index now parses, and fits to the one below it."""
        line = draft.lines[index]
        found = self._probe(draft.only(draft.around(index)))
        if found is not None and found.line < line.first:  # what it stands in needs more than that
            found = self._probe(draft.only(range(min(index + 2, len(draft.lines)))))
        if found is None:
            return True
        if found.line <= line.last and found.type not in ("_DEDENT", "$END"):
            return False
        own = found.before is not None and (found.before.line or 0) <= line.last
        return found.type != "_INDENT" and not (own and self._wants_body(found))

    def _wants_body(self, stuck: Stuck) -> bool:
        return stuck.type != "_INDENT" and self._engine.accepts(stuck.states) == {"_INDENT"}

    # ------------------------------------------------------------ one block

    def _mend(self, draft: Draft, stuck: Stuck) -> None:
        """Reports the errors of a block, one line after the other; at least the first."""
        place = self._plan_span(draft.first)
        current: Stuck | None = stuck
        try:
            for _ in range(size_limits.ERRORS_PER_BLOCK):
                better = None if current is None else self._mend_one(draft, current)
                if better is None:
                    return
                draft, current = better, None
                current = self._probe(draft)
        except _Exhausted:
            if current is not None:
                self._complain(draft, current, self._blamed(draft, current))
        self._reporter.error("SY40", "too many errors in this block: the rest of it was not read", place)

    def _complain(self, draft: Draft, stuck: Stuck, index: int, *, flush: bool = False) -> None:
        if not self._is_reported(draft, stuck, index):
            complain(self._reporter, self._engine, self._path, draft, stuck, index, flush=flush)

    def _mend_one(self, draft: Draft, stuck: Stuck) -> Draft | None:
        """Reports one error; the draft without it, None if there is no going on."""
        index = self._blamed(draft, stuck)
        if stuck.type == "_INDENT":
            self._complain(draft, stuck, index)
            return draft.shifted(draft.children(index), -1)
        if self._wants_body(stuck):
            flush = self._with_flush_line(draft, index)
            self._complain(draft, stuck, index, flush=flush is not None)
            return flush or self._patched(draft, stuck, index)
        if stuck.type not in ("_DEDENT", "$END") and not self._is_reported(draft, stuck, index):
            remedy = self._doctor.remedy(draft, stuck, index)
            if remedy is not None:
                self._reporter.error(remedy.code, remedy.message, remedy.span, hint=remedy.hint)
                return remedy.draft
        self._complain(draft, stuck, index)
        return self._patched(draft, stuck, index)

    def _blamed(self, draft: Draft, stuck: Stuck) -> int:
        """The index of the line at fault: the one before, if something should have followed it."""
        here = draft.index_at(stuck.line)
        if stuck.type == "$END" or stuck.type == "_NL":
            return here
        first = draft.lines[here].first
        at_start = stuck.line == first and (stuck.before is None or (stuck.before.end_line or 0) <= first)
        after_end = at_start and (stuck.before is None or stuck.before.type in _LAYOUT)
        if here and after_end and (stuck.type in ("_INDENT", "_DEDENT") or self._wants_body(stuck)):
            return here - 1
        return here

    def _is_reported(self, draft: Draft, stuck: Stuck, index: int) -> bool:
        """Whether a complaint would only repeat one about layout, brackets or quotes, or follow from a mended line."""
        line = draft.lines[index]
        numbers = set(range(line.first, line.last + 1))
        if numbers & self._plan.marred:
            return True
        if stuck.type in ("_INDENT", "_DEDENT") and {stuck.line, line.first} & self._plan.crooked:
            return True
        if self._wants_body(stuck) and stuck.line in self._plan.crooked:
            return True
        if stuck.type in ("_DEDENT", "$END") or self._wants_body(stuck):
            return bool(numbers & self._thinned) or self._open_above(draft, index)
        return False

    def _open_above(self, draft: Draft, index: int) -> bool:
        """Whether a line above, of which this one is a part, has lost a line below it."""
        parent: int | None = index
        while parent is not None:
            if draft.lines[parent].first in self._thinned:
                return True
            parent = draft.parent(parent)
        return False

    # ------------------------------------------------------------ going on

    def _patched(self, draft: Draft, stuck: Stuck, index: int) -> Draft | None:
        """The draft with the line made harmless: the first way that reads on, of those that keep the lines below."""
        parent = draft.parent(index)
        if self._wants_body(stuck) and parent is None:
            return None
        if stuck.type in ("_DEDENT", "$END") and not self._wants_body(stuck):
            return None if parent is None else self._removed(draft, parent)
        if not draft.children(index):
            kept = None if parent is None else self._furthest(_in_place(draft, index, FOR_LINE), _end_of(draft, index))
            return kept or self._removed(draft, index)
        heads = FOR_HEAD if parent is not None else FOR_DECLARATION
        below = draft.lines[index + 1]
        kept = self._furthest(_in_place(draft, index, heads), (below.first, _column(draft.physical(below.first))))
        return kept or self._removed(draft, index)

    def _with_flush_line(self, draft: Draft, index: int) -> Draft | None:
        """The draft with the next line as the body of one that lacks it, if that reads on."""
        below = index + 1
        if below == len(draft.lines) or draft.lines[below].depth != draft.lines[index].depth:
            return None
        first = draft.lines[below].first
        return self._furthest([draft.shifted((below,), 1)], (first, _column(draft.physical(first))))

    def _removed(self, draft: Draft, index: int) -> Draft | None:
        if draft.parent(index) is None:
            return None
        self._thinned.update(draft.lines[i].first for i in self._above(draft, index))
        return self._furthest([draft.without_all(index)], _end_of(draft, index))

    def _above(self, draft: Draft, index: int) -> Iterator[int]:
        parent = draft.parent(index)
        while parent is not None:
            yield parent
            parent = draft.parent(parent)

    def _furthest(self, drafts: list[Draft], beyond: tuple[int, int]) -> Draft | None:
        """The draft that reads furthest, if beyond a place."""
        best: Draft | None = None
        reached = beyond
        for draft in drafts:
            if not draft.lines:
                continue
            found = self._probe(draft)
            if found is None:
                return draft
            if found.place > reached:
                best, reached = draft, found.place
        return best

    def _with_flush_body(self, draft: Draft, waiting: list[Draft]) -> Draft:
        """Joins the blocks that follow as the body that this one lacks, if by themselves they are nothing."""
        joined: list[Draft] = []
        while waiting and self._is_nothing(waiting[-1]):
            joined.append(waiting.pop())
        if not joined:
            return draft
        lines = [*draft.lines, *(line for other in joined for line in other.lines)]
        whole = Draft.of(lines, self._plan.texts)
        first = len(draft.lines)
        self._reporter.error("SY13", "this line should be indented: it belongs to the line above",
                             self._plan_span(lines[first].first), hint="put two spaces before it",
                             notes=(("the line it belongs to", self._plan_span(draft.lines[-1].first)),))
        deeper = draft.lines[-1].depth + 1
        heads = [i for i in range(first, len(lines)) if lines[i].depth == 0]
        variants = [whole.shifted(range(first, len(lines)), deeper), whole.shifted(heads, deeper)]
        with suppress(_Exhausted):
            return self._furthest(variants, (0, 0)) or variants[0]
        return variants[0]

    def _is_nothing(self, draft: Draft) -> bool:
        found = self._engine.probe(draft.text, draft.depths(), draft.first)
        return found is not None and found.before is None and found.line == draft.first

    def _names_of(self, draft: Draft) -> Iterator[str]:
        """Every word: also one of the language is a name where the grammar goes on with none, as in `action again`."""
        return (piece.text for text in draft.texts for piece in pieces(text) if piece.kind == "word")

    def _plan_span(self, number: int) -> Span:
        text = self._plan.texts[number - 1]
        start = len(text) - len(text.lstrip())
        return Span(self._path, number, start + 1, number, max(len(text.rstrip()), start + 1) + 1)


def _in_place(draft: Draft, index: int, texts: Iterable[str]) -> list[Draft]:
    return [draft.replaced(index, text) for text in texts]


def _end_of(draft: Draft, index: int) -> tuple[int, int]:
    """The place after a logical line."""
    return draft.lines[index].last + 1, 0


def _column(text: str) -> int:
    """The column of the first letter."""
    return len(text) - len(text.lstrip()) + 1
