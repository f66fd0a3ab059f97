"""Which request of an editor is answered by what."""

from __future__ import annotations

from lsprotocol import types

from referee.editors.features.outline import folds, laid_out, outline
from referee.editors.server_state import ServerState


def add_features(state: ServerState) -> None:
    """Has a server answer all requests for texts that are open."""
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
