"""Which request of an editor is answered by what."""

from __future__ import annotations

import asyncio

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from referee.editors.background_tasks import Answer, ExplainedLine, RenameAnswer, WentWrong
from referee.editors.features.coloring import LEGEND, colors
from referee.editors.features.completion import completion
from referee.editors.features.hovers import hover, log_hover
from referee.editors.features.lenses import PLAY, REVIEW, RUN, lenses
from referee.editors.features.outline import folds, laid_out, outline
from referee.editors.features.places_of_names import definition, references
from referee.editors.features.quick_fixes import quick_fixes
from referee.editors.features.renaming import CannotRename, edits, renamable, renaming
from referee.editors.server_state import ServerState
from referee.syntax.layout import split_lines

WAIT = 60.0
"""Seconds after which somebody who waits for the background is told that it takes too long."""


def add_features(state: ServerState) -> None:
    """Has a server answer all requests for texts that are open."""
    _of_texts(state)
    _at_places(state)
    _in_the_background(state)
    _commands(state)


def _of_texts(state: ServerState) -> None:
    session, lsp = state.session, state.lsp

    @lsp.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = state.document(params.text_document.uri)
        return outline(document, session.index(document.path)) if document.is_rules else []

    @lsp.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        document = state.document(params.text_document.uri)
        return folds(document) if document.is_rules else []

    @lsp.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = state.document(params.text_document.uri)
        return laid_out(document) if document.is_rules else []

    @lsp.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def coloring(params: types.SemanticTokensParams) -> types.SemanticTokens:
        document = state.document(params.text_document.uri)
        return colors(document, session.index(document.path)) if document.is_rules else types.SemanticTokens([])

    @lsp.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def above(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = state.document(params.text_document.uri)
        return lenses(session, document) if document.is_rules else []


def _at_places(state: ServerState) -> None:
    session, lsp = state.session, state.lsp

    @lsp.feature(types.TEXT_DOCUMENT_DEFINITION)
    def defined(params: types.DefinitionParams) -> list[types.Location]:
        document = state.document(params.text_document.uri)
        return definition(session, document, params.position) if document.is_rules else []

    @lsp.feature(types.TEXT_DOCUMENT_REFERENCES)
    def referred(params: types.ReferenceParams) -> list[types.Location]:
        document = state.document(params.text_document.uri)
        declared = params.context.include_declaration
        return references(session, document, params.position, declared) if document.is_rules else []

    @lsp.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["[", " "]))
    def completed(params: types.CompletionParams) -> list[types.CompletionItem]:
        document = state.document(params.text_document.uri)
        return completion(session, document, params.position) if document.is_rules else []

    @lsp.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(
        [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]))
    def fixes(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = state.document(params.text_document.uri)
        return quick_fixes(session, document, params.range) if document.is_rules else []

    @lsp.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepared(params: types.PrepareRenameParams) -> types.Range | None:
        document = state.document(params.text_document.uri)
        return renamable(session, document, params.position) if document.is_rules else None


def _in_the_background(state: ServerState) -> None:
    """What waits for the process in the background; meanwhile other requests are answered."""
    session, lsp = state.session, state.lsp

    @lsp.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovering(params: types.HoverParams) -> types.Hover | None:
        document = state.document(params.text_document.uri)
        if document.is_rules:
            return hover(session, document, params.position)
        if not document.is_log:
            return None
        line, _ = document.places.place(params.position)
        asked: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        session.explain(document, line, asked.set_result)
        answer = await _waited(asked)
        lines = split_lines(document.text)
        where = types.Range(types.Position(line - 1, 0), document.places.position(
            document.places.at(line, len(lines[line - 1]) + 1)))
        return log_hover(answer.text, where) if isinstance(answer, ExplainedLine) else None

    @lsp.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def renamed(params: types.RenameParams) -> types.WorkspaceEdit | None:
        document = state.document(params.text_document.uri)
        try:
            found = renaming(session, document, params.position, params.new_name)
        except CannotRename as why:
            raise JsonRpcInvalidParams(str(why)) from None
        asked: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        session.compare(document.path, found.texts, found.old, params.new_name, asked.set_result)
        answer = await _waited(asked)
        said = answer.why if isinstance(answer, RenameAnswer | WentWrong) else "there was no answer"
        if said is not None:
            raise JsonRpcInvalidParams(said)
        if session.documents.get(document.uri).version != document.version:
            raise JsonRpcInvalidParams("the text was changed meanwhile")
        return edits(session, found, params.new_name)


async def _waited(asked: asyncio.Future[Answer]) -> Answer:
    try:
        return await asyncio.wait_for(asyncio.shield(asked), WAIT)
    except TimeoutError:
        raise JsonRpcInvalidParams("this takes too long") from None


def _commands(state: ServerState) -> None:
    session, lsp = state.session, state.lsp

    @lsp.command(RUN)
    def run(uri: str, title: str) -> None:
        session.carry_out(state.document(uri).path, title)

    @lsp.command(REVIEW)
    def review(uri: str) -> None:
        state.reviews.ask(session.review(state.document(uri).path))

    @lsp.command(PLAY)
    def play(where: str, title: str) -> list[str]:
        """What an editor is to carry out in a terminal."""
        return ["referee", "play", where, "--scenario", title]
