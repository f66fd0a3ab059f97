"""What is open in an editor, what was found of it, and what is to be looked at next; it sends nothing by itself."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from lsprotocol import types

from referee.diagnostics.diagnostic import Diagnostic, Problems, Severity
from referee.diagnostics.source import Source
from referee.editors.background_tasks import (
    Answer,
    CheckAnswer,
    CheckTask,
    ExplainedLine,
    LineTask,
    LogAnswer,
    LogTask,
    RenameAnswer,
    RenameTask,
    ReviewAnswer,
    ReviewedFinding,
    ReviewTask,
    ScenarioAnswer,
    ScenarioTask,
    Task,
    WentWrong,
)
from referee.editors.edited_blocks import MOST_BLOCKS, carried_over, edit_between, quick_check
from referee.editors.names.name_index import NameIndex
from referee.editors.open_documents import OpenDocument, OpenDocuments
from referee.editors.rulesets_around import ruleset_of, sources_of
from referee.editors.shown_diagnostics import uri_of
from referee.editors.text_positions import TextPlaces
from referee.frontend.checks.block_checks import KnownNames
from referee.frontend.loading.ruleset_files import Files, find
from referee.syntax.layout import split_lines
from referee.syntax.size_limits import SOURCE_BYTES
from referee.system.file_observations import FileObservations, read_regular

Wanted = Callable[[Answer], None]
"""Takes the answer to a question that somebody waits for."""


@dataclass
class RulesetState:
    """A ruleset of which a file is open. `asked`: the last check that was asked for, `checked`: the last that was
    answered; `known`: its names when it was last right."""

    where: Path
    asked: int = 0
    checked: int = 0
    carried_out: int = 0
    known: KnownNames | None = None
    statements: Mapping[str, str] = field(default_factory=dict)
    found: set[Path] = field(default_factory=set)
    scenarios: dict[str, ScenarioAnswer] = field(default_factory=dict)
    findings: tuple[ReviewedFinding, ...] = ()
    sources: tuple[Source, ...] | None = None
    index: NameIndex | None = None


class EditorSession:
    """All that one editor has open. Its methods are called by one thread."""

    def __init__(self, publish: Callable[[Path], None], ask: Callable[[Task], None], tell: Callable[[str], None],
                 refresh: Callable[[], None]) -> None:
        """`publish`: what was found of a file has changed; `ask`: sends a task to the background; `tell`: says
        something to whoever sits there; `refresh`: lenses have changed."""
        self.documents = OpenDocuments()
        self.found: dict[Path, list[Diagnostic]] = {}
        self.due: dict[Path, None] = {}
        self._publish, self._ask, self._tell, self._refresh = publish, ask, tell, refresh
        self._rulesets: dict[Path, RulesetState] = {}
        self._homes: dict[Path, Path] = {}
        self._numbers = count(1)
        self._wanted: dict[int, Wanted] = {}
        self._logs: dict[Path, int] = {}

    # ------------------------------------------------------------------ texts come and go
    def opened(self, uri: str, version: int | None, text: str) -> None:
        """Takes a text that was opened. Raises `NotOpen` for what is no file."""
        document = self.documents.open(uri, version, text)
        self._look_at(document)

    def changed(self, uri: str, version: int | None,
                changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        """Takes changes of a text: what is seen at once is published at once. Raises `NotOpen`."""
        before = self.documents.get(uri)
        document = self.documents.change(uri, version, changes)
        if document.is_rules:
            self._edited(before, document)
        self._look_at(document)

    def closed(self, uri: str) -> None:
        """Takes that a text was closed: its file counts again. Raises `NotOpen`."""
        document = self.documents.close(uri)
        self._look_at(document)
        if not any(self._homes.get(one.path) == self._homes.get(document.path) for one in self.documents):
            state = self._rulesets.pop(self._homes.get(document.path, document.path), None)
            for path in {document.path, *(state.found if state is not None else ())}:
                self.found.pop(path, None)
                self._publish(path)
            if state is not None:
                self.due.pop(state.where, None)
        self._homes.pop(document.path, None)
        self._logs.pop(document.path, None)

    def saved(self) -> None:
        """Files were written, by whomever: logs are judged by saved rules, and rulesets may have other files."""
        self._homes.clear()
        for document in self.documents:
            self._look_at(document)

    def _look_at(self, document: OpenDocument) -> None:
        if document.is_log:
            self.due[document.path] = None
        elif document.is_rules or document.path.name == "statements.toml" or document.path in self._used():
            state = self.ruleset(document.path, anew=True)
            state.sources = state.index = None
            self.due[state.where] = None

    def _used(self) -> set[Path]:
        """Files of the folders of rulesets that are open: tables of cards, say."""
        return {one.path for one in self.documents if any(
            state.where == one.path.parent or state.where in one.path.parents for state in self._rulesets.values())}

    def ruleset(self, path: Path, anew: bool = False) -> RulesetState:
        """The ruleset of a file; `anew`: it may belong to another one than before."""
        home = self._homes.get(path)
        if home is None or anew:
            home = next((where for where in self._rulesets if where in path.parents and path.suffix != ".rules"), None)
            home = home or ruleset_of(path, self.documents.unsaved())
            self._homes[path] = home
        return self._rulesets.setdefault(home, RulesetState(home))

    # ------------------------------------------------------------------ at once
    def _edited(self, before: OpenDocument, after: OpenDocument) -> None:
        """Carries what was found over to the new text, and looks at the blocks that were edited."""
        edit = edit_between(split_lines(before.text), split_lines(after.text))
        kept = carried_over(self.found.get(after.path, ()), edit)
        state = self.ruleset(after.path)
        if len(edit.blocks) <= MOST_BLOCKS and len(after.text) <= SOURCE_BYTES:
            lines = split_lines(after.text)
            declared = state.index.names() if state.index is not None else frozenset()
            for block in edit.blocks:
                files = Files(state.where.stem, after.path.parent, (after.path,))
                kept.extend(quick_check(str(after.path), lines, block, files, state.known, declared))
        self.found[after.path] = sorted(kept, key=lambda one: (one.span, one.code))
        self._publish(after.path)

    # ------------------------------------------------------------------ in the background
    def flush(self) -> None:
        """Asks for all that is due."""
        due, self.due = tuple(self.due), {}
        unsaved = dict(self.documents.unsaved())
        for where in due:
            number = next(self._numbers)
            document = self.documents.at(where)
            if document is not None and document.is_log:
                self._logs[where] = number
                self._ask(LogTask(number, where, document.text))
            elif where in self._rulesets:
                self._rulesets[where].asked = number
                self._ask(CheckTask(number, where, unsaved))

    def carry_out(self, path: Path, title: str | None = None) -> None:
        """Asks for the scenarios of the ruleset of a file."""
        state = self.ruleset(path)
        state.carried_out = next(self._numbers)
        self._ask(ScenarioTask(state.carried_out, state.where, title))

    def review(self, path: Path) -> ReviewTask:
        """The task to review the ruleset of a file; who it is given to says."""
        return ReviewTask(next(self._numbers), self.ruleset(path).where)

    def explain(self, document: OpenDocument, line: int, wanted: Wanted) -> None:
        """Asks what there is to say about a line of a log."""
        number = next(self._numbers)
        self._wanted[number] = wanted
        self._ask(LineTask(number, document.path, document.text, line))

    def compare(self, path: Path, renamed: Mapping[Path, bytes], old: str, new: str, wanted: Wanted) -> None:
        """Asks whether the rules mean the same with other texts."""
        number = next(self._numbers)
        self._wanted[number] = wanted
        where = self.ruleset(path).where
        self._ask(RenameTask(number, where, dict(self.documents.unsaved()), renamed, old, new))

    def answered(self, answer: Answer) -> None:
        """Takes an answer of the background; one that is stale is left."""
        match answer:
            case CheckAnswer():
                self._checked(answer)
            case ScenarioAnswer():
                state = self._rulesets.get(answer.where)
                if state is not None and answer.number == state.carried_out:
                    state.scenarios[answer.title] = answer
                    self._refresh()
            case LogAnswer():
                if self._logs.get(answer.where) == answer.number:
                    self.found[answer.where] = list(answer.diagnostics)
                    self._publish(answer.where)
            case ReviewAnswer():
                self._reviewed(answer)
            case ExplainedLine() | RenameAnswer():
                self._handed_over(answer)
            case WentWrong():
                self._tell(answer.why)
                if answer.number == 0:  # all that was asked for is gone
                    for number in tuple(self._wanted):
                        self._handed_over(WentWrong(number, answer.why))
                    self.due.update(dict.fromkeys((*self._rulesets, *self._logs)))
                self._handed_over(answer)

    def _handed_over(self, answer: ExplainedLine | RenameAnswer | WentWrong) -> None:
        wanted = self._wanted.pop(answer.number, None)
        if wanted is not None:
            wanted(answer)

    def _reviewed(self, answer: ReviewAnswer) -> None:
        state = self._rulesets.get(answer.where)
        if state is None:
            return
        if answer.why is not None:
            self._tell(f"the rules cannot be reviewed: {answer.why}")
        state.findings = answer.findings
        self._tell(f"the review of {answer.where.name} found {len(answer.findings)} things that it does not accept")
        for path in {Path(one.span.path) for one in answer.findings}:
            self._publish(path)

    def shown_at(self, path: Path) -> list[Diagnostic]:
        """All that is to be shown of a file: what is wrong, and what a review found."""
        state = self._rulesets.get(self._homes.get(path, path))
        findings = state.findings if state is not None else ()
        return [*self.found.get(path, ()), *(Diagnostic(one.id.partition("/")[0], one.message, one.span, Severity.NOTE)
                                            for one in findings if one.span.path == str(path))]

    def _checked(self, answer: CheckAnswer) -> None:
        state = self._rulesets.get(answer.where)
        if state is None or answer.number != state.asked or answer.where in self.due:
            return  # of a text that was edited meanwhile, at places which are others now
        state.checked = answer.number
        state.statements = answer.statements
        if answer.known is not None:
            state.known = pickle.loads(answer.known)  # noqa: S301 (our own process wrote it)
            assert isinstance(state.known, KnownNames)
        before = state.found
        by_path: dict[Path, list[Diagnostic]] = {}
        for one in answer.diagnostics:
            by_path.setdefault(Path(one.span.path), []).append(one)
        files = {one.path for one in self.documents if self._homes.get(one.path) == state.where and not one.is_log}
        state.found = set(by_path)
        for path in before | files | state.found:
            self.found[path] = by_path.get(path, [])
            self._publish(path)
        state.scenarios = {}
        if answer.shapes:
            self.carry_out(next(iter(files), answer.where))
        self._refresh()

    # ------------------------------------------------------------------ what is asked of it
    def index(self, path: Path) -> NameIndex:
        """The names of the ruleset of a file, as its texts are now."""
        state = self.ruleset(path)
        if state.index is None:
            state.index = NameIndex(self.sources(path))
        return state.index

    def sources(self, path: Path) -> tuple[Source, ...]:
        """The texts of the ruleset of a file, as they are now."""
        state = self.ruleset(path)
        if state.sources is None:
            state.sources = sources_of(state.where, self.documents.unsaved())
        return state.sources

    def files(self, path: Path) -> Files | None:
        """The files of the ruleset of a file."""
        try:
            return find(self.ruleset(path).where, FileObservations(self.documents.unsaved()))
        except Problems:
            return None

    def uri(self, path: Path) -> str:
        """What the editor calls a file."""
        document = self.documents.at(path)
        return uri_of(path) if document is None else document.uri

    def places(self, path: Path) -> TextPlaces:
        """The places in a file, open or not."""
        document = self.documents.at(path)
        if document is not None:
            return document.places
        try:
            text = read_regular(path, SOURCE_BYTES).decode("utf-8", "replace")
        except (OSError, ValueError):
            text = ""
        return TextPlaces(text, self.documents.encoding)
