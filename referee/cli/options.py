"""What several commands take: NAME=VALUE options, seconds, a ruleset and its shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from referee.api.errors import ArgumentError, RefereeError
from referee.api.log_inputs import logs_lying_in
from referee.api.named_engines import AUTO, ENGINES, GENERATED
from referee.api.rule_sources import MOST_PLAYERS, names
from referee.api.shared_tasks import KINDS, PROCESSES, an_executor

_Command = TypeVar("_Command", bound=Callable[..., Any])


def misuse(error: RefereeError) -> click.UsageError:
    """What the library says of an argument, said of the command line: without the codes of its calls (AP..)."""
    code = "" if error.code.startswith("AP") else f"{error.code} "
    expected = f" (one of {', '.join(error.expected)})" if error.expected else ""
    return click.UsageError(f"{code}{error.message}{expected}{f': {error.hint}' if error.hint else ''}")


class Seconds(click.FloatRange):
    """A time in seconds, from `least` to a day. `nan` is none: a clock would never get there."""

    def __init__(self, least: float) -> None:
        super().__init__(least, 86_400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Raises `click.BadParameter`."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if math.isnan(seconds):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return float(super().convert(value, param, ctx))


def _pairs(_context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE, each name once."""
    found: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param=parameter)
        if name.strip() in found:
            raise click.BadParameter(f"{name.strip()} is given twice", param=parameter)
        found[name.strip()] = value.strip()
    return found


def pair_option(flag: str, help_text: str, name: str | None = None) -> Callable[[_Command], _Command]:
    """A repeatable option of the form NAME=VALUE; the command gets a dict."""
    return click.option(*([flag] if name is None else [flag, name]), multiple=True, metavar="NAME=VALUE",
                        callback=_pairs, help=help_text)


def shape_options(command: _Command) -> _Command:
    """`--players` and `--option`: the shape for which a ruleset is loaded."""
    with_options = pair_option("--option", "An option of the ruleset.", "options")(command)
    return click.option("--players", type=click.IntRange(1, MOST_PLAYERS), metavar="N",
                        help="For how many players; without it the fewest that the rules allow.")(with_options)


def timeout_option(help_text: str) -> Callable[[_Command], _Command]:
    """`--timeout`: for how long something is tried."""
    return click.option("--timeout", type=Seconds(0.1), metavar="SECONDS", help=help_text)


def _executor(_context: click.Context, parameter: click.Parameter, where: str) -> str:
    try:
        return an_executor(where)
    except ArgumentError as error:
        raise click.BadParameter(str(error), param=parameter) from None


def executor_option(does: str) -> Callable[[_Command], _Command]:
    """`--executor`: who does the work."""
    return click.option("--executor", default=PROCESSES, show_default=True, metavar="WHERE", callback=_executor,
                        help=f"Who {does}: {', '.join(KINDS)}.")


def force_option(command: _Command) -> _Command:
    """`--force`: what is in the way in the folder of `--out` is overwritten."""
    return click.option("--force", is_flag=True, help="Logs may take the place of files in the folder.")(command)


def nothing_lost(folder: Path | None, force: bool, logs: Iterable[str] | None = None) -> None:
    """Raises a usage error if a file that is in the folder might be overwritten: one that is called like one of `logs`;
    any log, if their names are not known (None); or if no folder can be made there. It is for before the work is done.
    """
    if folder is None:
        return
    around = next((one for one in (folder, *folder.parents) if one.exists()), folder)
    if around.exists() and not around.is_dir():
        raise click.UsageError(f"{around} is a file: there can be no folder {folder}")
    if force:
        return
    there = logs_lying_in(folder)
    known = there if logs is None or not there else logs
    lost = next((name for name in known if name in there), None)
    if lost is not None:
        raise click.UsageError(f"{folder / lost} is there already: name another folder, or say --force to overwrite it")


def engine_option(command: _Command) -> _Command:
    """`--engine`: what carries the games out."""
    return click.option("--engine", "engine_name", type=click.Choice(ENGINES), default=GENERATED, show_default=True,
                        help="What carries the rules out; the answers are the same.")(command)


def searching_engine_option(command: _Command) -> _Command:
    """`--engine`, of commands that look at many positions and play many games."""
    return click.option("--engine", "engine_name", type=click.Choice(ENGINES), default=AUTO, show_default=True,
                        help="What looks at positions and plays games; auto: machine code where it pays.")(command)


def _rulesets(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What a shell may complete a RULESET to: the names of those that come along, and paths."""
    found = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
    return [CompletionItem(incomplete, type="file"), *found]  # bash forgets what comes before files


ruleset_argument = click.argument("ruleset", shell_complete=_rulesets)
rulesets_argument = click.argument("rulesets", nargs=-1, required=True, metavar="RULESET...", shell_complete=_rulesets)
whole_option = click.option(
    "--whole", is_flag=True,
    help="Of a file that is a part of a ruleset take the folder that it lies in, once: for lists of files.")


def _page(_context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """A file that is called as a page is, so that a wrong word costs nobody his log; its folder is there, which is said
    before the work is done."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"a page is a file *.html, not {path.name!r}", param=parameter)
    if path is not None and not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(path.parent)!r} for the page", param=parameter)
    return path


def html_option(help_text: str) -> Callable[[_Command], _Command]:
    """`--html`: the file into which a page is written; what stood there is gone then."""
    return click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT.html", callback=_page,
                        help=help_text)
