"""`referee lsp`: the language server for editors."""

from __future__ import annotations

import click

from referee.diagnostics.exit_codes import Exit


@click.command()
def lsp() -> int:
    """Serve an editor over the standard input and output.

    Editors start this themselves (`spec/editor.md`). It takes the extra `lsp`.
    """
    try:
        from referee.editors.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs"):
            raise
        raise click.UsageError("the language server takes a library: pip install 'referee[lsp]'") from None
    serve()
    return Exit.GOOD
