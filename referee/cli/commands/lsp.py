"""`referee lsp`: the language server for editors."""

from __future__ import annotations

import click

from referee.cli.terminal_writer import hush
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
    hush("pygls")  # an editor is told of its nonsense; what is written here comes before somebody who did nothing
    serve()
    return Exit.GOOD
