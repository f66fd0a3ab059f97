"""One server: texts in, what was found of them out, and the process in the background."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from referee import __version__
from referee.editors.background_link import BackgroundLink
from referee.editors.background_tasks import Answer, Task
from referee.editors.open_documents import NotOpen, OpenDocument
from referee.editors.session import EditorSession
from referee.editors.shown_diagnostics import shown

QUIET = 0.15
"""Seconds without an edit after which a whole check is asked for."""
_T = TypeVar("_T")


class EditorProtocol(LanguageServerProtocol):
    """The protocol without pygls' own copies of texts, which are read from files where an editor speaks of what it has
    not opened, and count lines in another way."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams):  # type: ignore[no-untyped-def]
        """A text was opened."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams):  # type: ignore[no-untyped-def]
        """A text was changed."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams):  # type: ignore[no-untyped-def]
        """A text was closed."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message read by the types of the protocol. A request that cannot be read is answered: an editor would wait
        for it, and pygls only notes it."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if isinstance(data.get("id"), int | str) and isinstance(data.get("method"), str):
                self._send_response(data["id"], error=error.to_response_error())
            raise


class ServerState:
    """One editor's server: `lsp` is what speaks the protocol, `session` what is open."""

    def __init__(self) -> None:
        self.lsp = LanguageServer("referee", __version__, protocol_cls=EditorProtocol,
                                  converter_factory=default_converter)
        self.link = BackgroundLink(self._heard)
        self.reviews = BackgroundLink(self._heard)
        self.session = EditorSession(self._publish, self._ask, self._tell, self._refresh)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._later: asyncio.TimerHandle | None = None
        self._texts()

    def run(self) -> None:
        """Serves until the editor ends it. The streams are closed then, so they are copies of those of the process."""
        try:
            with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as told:
                self.lsp.start_io(asked, told)
        finally:
            self.link.close()
            self.reviews.close()

    # ------------------------------------------------------------------ the background
    def _ask(self, task: Task) -> None:
        self.link.ask(task)

    def _heard(self, answer: Answer) -> None:
        """In a thread of the link."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._answered, answer)

    def _answered(self, answer: Answer) -> None:
        self.session.answered(answer)
        self._soon()

    def _soon(self) -> None:
        """What is due is asked for once nobody has written for a moment."""
        self._loop = asyncio.get_running_loop()
        if self._later is not None:
            self._later.cancel()
        if self.session.due:
            self._later = self._loop.call_later(QUIET, self.session.flush)

    # ------------------------------------------------------------------ to the editor
    def _publish(self, path: Path) -> None:
        document = self.session.documents.at(path)
        found = [shown(one, self.session.places) for one in self.session.shown_at(path)]
        self.lsp.text_document_publish_diagnostics(types.PublishDiagnosticsParams(
            uri=self.session.uri(path),
            version=None if document is None else document.version, diagnostics=found))

    def _tell(self, said: str) -> None:
        self.lsp.window_log_message(types.LogMessageParams(types.MessageType.Warning, said))

    def _refresh(self) -> None:
        workspace = self.lsp.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.lsp.workspace_code_lens_refresh(None)

    # ------------------------------------------------------------------ from the editor
    def document(self, uri: str) -> OpenDocument:
        """A text that is open. Raises `JsonRpcInvalidParams` for any other."""
        try:
            return self.session.documents.get(uri)
        except NotOpen as error:
            raise JsonRpcInvalidParams(str(error)) from None

    def _taken(self, what: Callable[[], None]) -> None:
        """Takes what an editor says of its texts; nonsense is told."""
        asked_for = self.lsp.protocol.workspace.position_encoding
        self.session.documents.encoding = asked_for or types.PositionEncodingKind.Utf16
        try:
            what()
        except NotOpen as error:
            self._tell(str(error))
        self._soon()

    def _texts(self) -> None:
        session = self.session

        @self.lsp.feature(types.TEXT_DOCUMENT_DID_OPEN)
        def opened(params: types.DidOpenTextDocumentParams) -> None:
            one = params.text_document
            self._taken(lambda: session.opened(one.uri, one.version, one.text))

        @self.lsp.feature(types.TEXT_DOCUMENT_DID_CHANGE)
        def changed(params: types.DidChangeTextDocumentParams) -> None:
            one = params.text_document
            self._taken(lambda: session.changed(one.uri, one.version, params.content_changes))

        @self.lsp.feature(types.TEXT_DOCUMENT_DID_CLOSE)
        def closed(params: types.DidCloseTextDocumentParams) -> None:
            self._taken(lambda: session.closed(params.text_document.uri))

        @self.lsp.feature(types.TEXT_DOCUMENT_DID_SAVE)
        def saved(params: types.DidSaveTextDocumentParams) -> None:
            self._taken(session.saved)

        @self.lsp.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
        def watched(params: types.DidChangeWatchedFilesParams) -> None:
            self._taken(session.saved)
