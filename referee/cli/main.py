"""The command `referee`: finds the subcommand, turns what escapes it into an exit code."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click
from click.shell_completion import CompletionItem

from referee import __version__
from referee.api.kept_files import write_kept
from referee.cli.terminal_writer import ERR, OUT, finish, prepare
from referee.diagnostics.exit_codes import Exit

NOT_KEPT = ("what was made of the rules is not kept, and will be made anew: the cache folder is full, or not one that "
            "only you can write to")
COMMANDS = {
    "judge": ("referee.cli.commands.judge", "Judge recorded games."),
    "redact": ("referee.cli.commands.redact", "Write a recorded game as one player knows it."),
    "play": ("referee.cli.commands.play", "Play a game here, or many at random."),
    "count": ("referee.cli.commands.count", "Count the ways in which a game can go on."),
    "convert": ("referee.cli.commands.convert", "Make logs of games in other formats."),
    "check": ("referee.cli.commands.check", "Say what is wrong with a ruleset."),
    "test": ("referee.cli.commands.test", "Carry out the scenarios of a ruleset."),
    "coverage": ("referee.cli.commands.coverage", "Say what became of each statement of a rulebook."),
    "infer": ("referee.cli.commands.infer", "Say which readings and parameters explain recorded games."),
    "prove": ("referee.cli.commands.prove", "Prove the invariants of a ruleset, or show games that break them."),
    "review": ("referee.cli.commands.review", "Find what a ruleset leaves open, forgets or contradicts."),
    "compare": ("referee.cli.commands.compare", "Compare two rulesets: where games and verdicts differ."),
    "show": ("referee.cli.commands.show", "Show what a ruleset becomes, or a log as a page."),
    "fmt": ("referee.cli.commands.fmt", "Lay out rules files the one way."),
    "explain": ("referee.cli.commands.explain", "Explain a line of a log, or what a code or a class means."),
    "new": ("referee.cli.folders.new", "Make a folder with a small ruleset to begin from."),
    "watch": ("referee.cli.folders.watch", "Check and test the rules in a folder as they change."),
    "lsp": ("referee.cli.commands.lsp", "Serve an editor: the language server."),
    "schema": ("referee.cli.commands.schema", "Print the JSON Schema of a log, or of what is written as JSON."),
}
"""name -> (module with a command of that name, its line in the help): the help imports none of them."""


class ReaderGone(Exception):
    """Nobody reads the standard output any more. Click would end a broken pipe itself, as a wrong line ends."""


class Commands(click.Group):
    """A group that imports a subcommand when it is called."""

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None,
                     **extra: object) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError as gone:  # the help and the version are written here
            raise ReaderGone from gone

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as gone:
            raise ReaderGone from gone

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The subcommands, none of which is imported for that, and what every command has."""
        found = [CompletionItem(name, help=line) for name, (_, line) in COMMANDS.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from referee.api.code_help import did_you_mean

            meant = None if args[0].startswith("-") else did_you_mean(args[0], COMMANDS)
            if meant is None:
                raise
            raise click.UsageError(f"{error.message.rstrip('.')}: {meant}", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, package_name="referee")
@click.option("--debug", is_flag=True, help="Show where the program went wrong if it does.")
def referee(debug: bool) -> None:
    """Judge recorded games by rules written as text.

    A RULESET is the name of a bundled one, a folder with *.rules in it, or a path to a .rules file.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and ends the process with one of `Exit`."""
    prepare()
    try:
        code = run(list(sys.argv[1:] if arguments is None else arguments))
        finish()
        if not write_kept():
            ERR.say(NOT_KEPT)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends by itself now
        gc.freeze()  # what was made goes with the process: Python would look through all of it once more
    except KeyboardInterrupt:  # while it was being ended for another one
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = Exit.INTERRUPTED
    sys.exit(code)


def run(words: list[str]) -> int:
    """Runs the command line and returns the exit code; nothing but a code leaves it."""
    try:
        result = referee.main(words, prog_name="referee", standalone_mode=False)
        OUT.flush()  # whether the reader is still there shows here at the latest
    except click.ClickException as error:
        _misused(error)
        return Exit.USAGE
    except click.exceptions.Exit as asked:
        return asked.exit_code
    except (KeyboardInterrupt, click.Abort):
        ERR.say("interrupted")
        return Exit.INTERRUPTED
    except (BrokenPipeError, ReaderGone):
        OUT.drop()
        return Exit.INTERRUPTED
    except OSError as error:
        return _not_written(error)
    except Exception as error:  # the last resort: whatever it is, nobody sees a traceback unasked
        return _refused(error) or _internal(error, "--debug" in words)
    return result if isinstance(result, int) else Exit.GOOD


def _misused(error: click.ClickException) -> None:
    """Says what is wrong with the command line. Only what click says itself, of what is missing, may have lines."""
    if isinstance(error, click.UsageError) and error.ctx is not None and not _is_help(error):
        asking = f"{error.ctx.command_path} {error.ctx.help_option_names[0]}"
        ERR.tell(f"{error.ctx.get_usage()}\nTry '{asking}' for help.\n")
    if isinstance(error, click.MissingParameter):
        ERR.tell(f"Error: {error.format_message()}")
    elif _is_help(error):
        ERR.tell(error.format_message())
    else:
        ERR.say(f"Error: {error.format_message()}")


def _is_help(error: click.ClickException) -> bool:
    """Whether somebody who said nothing is shown the help."""
    return type(error).__name__ == "NoArgsIsHelpError"


def _refused(error: Exception) -> Exit | None:
    """Says what is wrong with a ruleset, a log, or the command; None if nothing is, but with this program."""
    from referee.api.error_translation import of_error
    from referee.api.errors import ArgumentError, LogError, NoSolver, RulesError
    from referee.report.text.diagnostic_text import drawn, excerpts_of, lines_of

    found = of_error(error)
    if isinstance(found, NoSolver | ArgumentError):
        ERR.say(f"Error: {found.message if isinstance(found, NoSolver) else found}")
        return Exit.USAGE
    if isinstance(found, RulesError | LogError):
        line_of = excerpts_of(found.excerpts) if found.excerpts else lines_of(found.sources)
        ERR.show(drawn(found.diagnostics, line_of))
        return Exit.LOG if isinstance(found, LogError) else Exit.RULES
    return None


def _internal(error: Exception, debug: bool) -> Exit:
    if debug:
        import traceback  # slow to import, and mostly not needed

        ERR.tell(traceback.format_exc())
    kind = type(error).__name__
    ERR.say(f"internal error: {kind}: {str(error)[:200]}")
    ERR.say("`referee --debug ...` shows where")
    return Exit.INTERNAL


def _not_written(error: OSError) -> Exit:
    """What the command line names cannot be read or written: a full disk, say."""
    where = f"{error.filename}: " if isinstance(error.filename, str) else ""
    ERR.say(f"error: {where}{error.strerror or error}")
    OUT.drop()
    return Exit.USAGE
