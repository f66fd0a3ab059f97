"""The server with all that it can do (`referee lsp`)."""

from __future__ import annotations

from referee.editors.features.all_features import add_features
from referee.editors.server_state import ServerState


def serve() -> None:
    """Serves one editor over the standard input and output."""
    state = ServerState()
    add_features(state)
    state.run()
