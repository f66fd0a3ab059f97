"""The server with the client of pytest-lsp, which knows what editors say they can do; only where it is installed."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.changed_text import changed
from tests.editors.written_rules import STICKS

pytest_lsp = pytest.importorskip("pytest_lsp")
pytest.importorskip("pytest_asyncio")

SERVER = pytest_lsp.ClientServerConfig(server_command=[sys.executable, "-m", "referee", "lsp"])


@pytest_lsp.fixture(params=["visual-studio-code", "neovim"], config=SERVER)  # type: ignore[untyped-decorator]
async def client(  # the client is known by its type
        request: pytest.FixtureRequest, lsp_client: pytest_lsp.LanguageClient,  # type: ignore[name-defined]
) -> AsyncIterator[None]:
    """A server with which an editor has begun; it is shut down as the protocol says."""
    lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda _: None)
    await lsp_client.initialize_session(types.InitializeParams(
        capabilities=pytest_lsp.client_capabilities(request.param)))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_the_server_speaks_as_editors_expect(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "sticks.rules"
    path.write_text(STICKS, "utf-8")
    wrong = changed(STICKS, {"raise taken": "raise takn"})
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        types.TextDocumentItem(path.as_uri(), "referee", 1, wrong)))
    while not client.diagnostics.get(path.as_uri()):
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert [one.code for one in client.diagnostics[path.as_uri()]] == ["NM01"]
    line = STICKS.split("\n").index("  taken: 0..7 starts 0")
    at = types.TextDocumentIdentifier(path.as_uri()), types.Position(line, 3)
    assert await client.text_document_hover_async(types.HoverParams(*at)) is not None
    assert await client.text_document_completion_async(types.CompletionParams(*at)) is not None
    assert await client.text_document_document_symbol_async(types.DocumentSymbolParams(at[0]))
    assert await client.text_document_code_action_async(types.CodeActionParams(
        at[0], client.diagnostics[path.as_uri()][0].range, types.CodeActionContext(client.diagnostics[path.as_uri()])))
