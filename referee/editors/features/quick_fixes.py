"""What mends a line at once: what a hint says, a citation, an answer to a question, a finding that is accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types

from referee.diagnostics.diagnostic import Diagnostic
from referee.editors.background_tasks import ReviewedFinding
from referee.editors.names.block_words import words_of
from referee.editors.open_documents import OpenDocument
from referee.editors.session import EditorSession, RulesetState
from referee.editors.shown_diagnostics import shown
from referee.syntax.layout import split_lines
from referee.syntax.scanner import without_comment

_MEANT = re.compile(r"^did you mean `?(?P<this>[^`?]+)`?\?$")
_QUOTED = re.compile(r'["\\]')
_WORDS = re.compile(r"[A-Za-z]{4,}")
MOST_CITED = 6
"""Statements that are offered for one line."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One way to answer a question: what it is called, and the lines that are put at the end of the rules."""

    title: str
    lines: str


def quick_fixes(session: EditorSession, document: OpenDocument, where: types.Range) -> list[types.CodeAction]:
    """What can be done about a part of a text."""
    first, _ = document.places.place(where.start)
    last, _ = document.places.place(where.end)
    state = session.ruleset(document.path)
    here = [one for one in session.found.get(document.path, ()) if first <= one.span.end_line and one.span.line <= last]
    found: list[types.CodeAction] = []
    for one in here:
        found.extend(_meant(session, document, one))
    for finding in state.findings:
        if finding.span.path == str(document.path) and first <= finding.span.line <= last:
            found.extend(_answered(document, finding))
    if first == last:
        found.extend(_cited(document, state, first))
    return found


def _meant(session: EditorSession, document: OpenDocument, one: Diagnostic) -> Iterator[types.CodeAction]:
    """What was meant in the place of a word."""
    meant = _MEANT.match(one.hint or "")
    if meant is None or one.span.line != one.span.end_line:
        return
    edit = types.TextEdit(document.places.range(one.span), meant["this"])
    yield types.CodeAction(f"write {meant['this']}", kind=types.CodeActionKind.QuickFix, is_preferred=True,
                           diagnostics=[shown(one, session.places)], edit=_edit(document, edit))


# ---------------------------------------------------------------------- citations
def _cited(document: OpenDocument, state: RulesetState, line: int) -> Iterator[types.CodeAction]:
    """Statements of the rulebook that a line may say, those of which more words stand in it first."""
    lines = split_lines(document.text)
    code = without_comment(lines[line - 1]) if line <= len(lines) else ""
    if not code.strip() or not state.statements:
        return
    cited = {word.text for word in words_of(code) if word.kind == "id"}
    for name in _likely(code, state, cited):
        at = document.places.position(document.places.at(line, len(code) + 1))
        edit = types.TextEdit(types.Range(at, at), f"  [{name}]")
        title = f"cite [{name}] {state.statements[name]}"
        yield types.CodeAction(title if len(title) <= 100 else f"{title[:97]}...", edit=_edit(document, edit),
                               kind=types.CodeActionKind.RefactorRewrite)


def _likely(code: str, state: RulesetState, cited: set[str]) -> Sequence[str]:
    said = {word.lower().rstrip("s") for word in _WORDS.findall(code.replace("_", " "))}
    shared = {name: len(said & {word.lower().rstrip("s") for word in _WORDS.findall(wording)})
              for name, wording in state.statements.items() if name not in cited}
    return sorted((name for name, number in shared.items() if number), key=lambda name: (-shared[name], name)
                  )[:MOST_CITED]


# ---------------------------------------------------------------------- what a review found
def _answered(document: OpenDocument, finding: ReviewedFinding) -> Iterator[types.CodeAction]:
    for answer in _answers(finding):
        end = document.places.whole().end
        gap = "" if document.text.endswith("\n\n") else "\n" if document.text.endswith("\n") else "\n\n"
        edit = types.TextEdit(types.Range(end, end), f"{gap}{answer.lines}\n")
        yield types.CodeAction(answer.title, kind=types.CodeActionKind.QuickFix, edit=_edit(document, edit))


def _answers(finding: ReviewedFinding) -> Iterator[_Answer]:
    asked = _QUOTED.sub("'", finding.message)[:200]
    if finding.id.startswith("question/"):
        cites = f"[{' '.join(finding.statements)}]" if finding.statements else "[ID]"
        yield _Answer("answer this question: words of the rulebook settle it",
                      f'settled "{finding.id}" by {cites} "WORDS"')
        yield _Answer("answer this question: it can be read in two ways",
                      f'reading which_way "{asked}"\n  default as_written "as the rules say now"\n'
                      '  alternative otherwise "as they could say"')
        yield _Answer("answer this question: the rulebook leaves it open, the table rules",
                      f'# where it comes up:  unspecified "{asked}"')
    yield _Answer("accept this finding", f'accept "{finding.id}" because "REASON"')


def _edit(document: OpenDocument, *edits: types.TextEdit) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(changes={document.uri: list(edits)})
