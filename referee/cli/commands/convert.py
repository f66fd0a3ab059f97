"""`referee convert`: logs of games that are written down in other formats."""

from __future__ import annotations

from pathlib import Path

import click

from referee.api.errors import NoLibrary
from referee.api.rule_sources import RulesSource
from referee.api.runs.converting import FORMATS, ConvertedGame, Converter
from referee.api.whole_files import write_whole
from referee.cli.options import force_option, nothing_lost
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit
from referee.report.text.diagnostic_text import drawn
from referee.report.text.printable import count


@click.command()
@click.argument("form", type=click.Choice(FORMATS), metavar="|".join(FORMATS))
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--ruleset", required=True, help="The rules that the games are played by.")
@click.option("--mapping", metavar="FILE", help="What the format calls things; if not said, beside the rules.")
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write each log into this folder: FILE.jsonl, and FILE-002.jsonl, ... for further games of it.")
@force_option
def convert(form: str, files: tuple[str, ...], ruleset: str, mapping: str | None, folder: Path | None,
            force: bool) -> int:
    """Make logs of the games in FILEs of another format.

    Without --out the one game is written here. Ends with 4 if something could not be converted: it is told with its
    line, and the log ends there.
    """
    try:
        converter = Converter(form, RulesSource(ruleset), mapping)
    except NoLibrary as error:
        raise click.UsageError(error.message) from error
    code = Exit.GOOD
    written: set[str] = set()
    try:
        for path in files:
            for game in converter.games(path):
                if game.troubles:
                    ERR.show(drawn(game.troubles, lambda *_: ""))
                    code = Exit.LOG
                if game.lines:
                    _write(game, folder, force, written)
    except OSError as error:
        if folder is None:
            raise
        raise click.ClickException(f"cannot write to {folder}: {error.strerror}") from error
    if folder is not None:
        OUT.say(f"{folder}: {count(len(written), 'log')}")
    return code


def _write(game: ConvertedGame, folder: Path | None, force: bool, written: set[str]) -> None:
    if folder is None:
        if written:
            raise click.UsageError("there is more than one game: name a folder by --out")
        written.add("")
        for line in game.lines:
            OUT.say(line)
        return
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{Path(game.path).stem}{'' if game.number == 1 else f'-{game.number:03}'}.jsonl"
    if name in written:
        raise click.UsageError(f"two games would be written to {folder / name}: convert their files one by one")
    nothing_lost(folder, force, [name])
    written.add(name)
    write_whole(folder / name, game.lines)
