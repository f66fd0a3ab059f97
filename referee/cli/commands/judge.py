"""`referee judge`: the verdicts on recorded games."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.api.log_inputs import files_of, logs_in
from referee.api.named_engines import ENGINES, GENERATED, SOLVER, TIMEOUT
from referee.api.runs.judging import (
    FEW_LOGS,
    MOST_SECONDS,
    How,
    Judged,
    VerdictTally,
    judged_paths,
)
from referee.api.shared_tasks import PROCESSES
from referee.cli.option_groups import gathered
from referee.cli.options import Seconds, executor_option, html_option
from referee.cli.progress import Progress, asked_to_end, judging_progress
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit, first
from referee.report.text.tally_text import broken_lines_of, engine_lines_of
from referee.report.text.verdict_text import text_of
from referee.report.verdict_tally import entry_of
from referee.report.verdict_writer import FORMATS, SUMMARIES, write, write_summary

if TYPE_CHECKING:
    from referee.api.followed_logs import Followed, Patience


@dataclass(frozen=True, slots=True)
class VerdictTelling:
    """How verdicts are told. `form`: as `FORMATS` has it; `folder`: where they are kept; `parquet`: as a table there;
    `html`: the page that is written of them."""

    form: str
    strict: bool
    quiet: bool
    summary: bool
    folder: Path | None
    parquet: bool
    html: Path | None

    @property
    def is_counted(self) -> bool:
        """Whether it is told only what was counted."""
        return self.summary or self.folder is not None

    def test(self, together: bool) -> None:
        """Raises a usage error where one of the options leaves nothing for another to tell."""
        if self.is_counted and (self.form not in SUMMARIES or self.html is not None):
            raise click.UsageError("a summary is text or JSON, and no page: other reports need all verdicts")
        if self.parquet and self.folder is None:
            raise click.UsageError("--parquet writes a table into the folder of --out: name one")
        if self.folder is not None and together:
            raise click.UsageError("--together has one verdict, and --out is for many")


@dataclass(frozen=True, slots=True)
class LogFollowing:
    """Whether a log is read while it is written, and for how long. `idle`: seconds without a line; `next_games`: behind
    a game that has ended too."""

    follows: bool
    idle: float | None
    next_games: bool

    def patience(self, stopped: Callable[[], bool]) -> Patience:
        """For how long somebody waits for the next line."""
        from referee.api.followed_logs import Patience  # slow to import, and mostly not needed

        return Patience(self.idle, self.next_games, stopped)


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--ruleset", help="Judge by this ruleset, whatever the logs name.")
@click.option("--readings", "all_readings", type=click.Choice(["header", "all"]), default="header", show_default=True,
              callback=lambda _context, _option, said: said == "all",
              help="all: a reading that a log does not choose is open, not at its default.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--for", "viewer", metavar="PLAYER", help="Tell nothing that this player cannot see.")
@click.option("--strict", is_flag=True,
              help="What is legal only under assumptions, or only possible, ends with 5, not 0.")
@click.option("--quiet", is_flag=True, help="Text only: legal logs are counted, not listed.")
@click.option("--engine", "engine", type=click.Choice((*ENGINES, SOLVER)), default=GENERATED, show_default=True,
              help="What carries the rules out; solver: a second opinion, by Z3 alone.")
@click.option("--timeout", type=Seconds(0.1), metavar="SECONDS",
              help=f"How long a log may take; if not said {TIMEOUT:.0f} with --engine {SOLVER}, "
                   f"{MOST_SECONDS:.0f} of computing for one with holes, else as long as it takes.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N",
              help=f"Processes that judge; if not said one for each core, for more than {FEW_LOGS} logs.")
@executor_option("judges")
@click.option("--together", is_flag=True, help="The LOGs are records of one game: can all of them be true?")
@click.option("--facts", is_flag=True,
              help="Of logs with holes: what must be in them; of illegal ones, which single lines would mend them.")
@click.option("--under", is_flag=True,
              help="Try other values in the place of defaults, one by one and in pairs, about as long as the log took: "
                   "which change the verdict?")
@click.option("--summary", is_flag=True,
              help="Only what is counted: how the logs of each ruleset came out, what is broken most.")
@click.option("--out", "folder", type=click.Path(path_type=Path), metavar="DIR",
              help="Write the verdicts into this folder, and go on where an earlier run was ended; tell the summary.")
@click.option("--parquet", is_flag=True,
              help="With --out: all verdicts as one table too, verdicts.parquet, written at the end.")
@click.option("--follow", "follows", is_flag=True,
              help="Read on while somebody writes the LOG: the first wrong line is told at once, the verdict at the "
                   "end.")
@click.option("--follow-for", "idle", type=Seconds(0.1), metavar="SECONDS",
              help="With --follow: end when nothing has come for so long.")
@click.option("--follow-next", "next_games", is_flag=True,
              help="With --follow: wait behind a game that has ended for the next in the same file.")
@click.option("--summary-of", "adding", is_flag=True,
              help="The LOGs are folders of --out: what is counted in them is added up, and nothing is judged.")
@html_option("Write a page with the verdicts too; `show --html` makes one of a log with its table.")
@gathered("how", How)
@gathered("telling", VerdictTelling)
@gathered("following", LogFollowing)
def judge(logs: tuple[str, ...], how: How, telling: VerdictTelling, following: LogFollowing, adding: bool) -> int:
    """Judge each LOG: a file of JSON Lines with one log or many, packed by gzip or zstd if you like, an archive of such
    files (tar, zip), a folder of all these, a URL, or - for the standard input."""
    if adding:
        if (telling.form not in SUMMARIES or telling.folder is not None or following.follows
                or telling.html is not None):
            raise click.UsageError("--summary-of tells what was counted, as text or JSON: it judges nothing")
        return _add_up(logs, telling.form, telling.strict)
    if following.follows:
        return _follow(logs, how, telling, following)
    if following.idle is not None or following.next_games:
        raise click.UsageError("--follow-for and --follow-next are for --follow")
    telling.test(how.together)
    paths = logs_in(logs) if how.together else files_of(logs)
    tally = VerdictTally()
    with judging_progress(len(paths), shown=telling.is_counted or not OUT.isatty()) as progress:
        if telling.folder is not None:
            tally = _into(telling.folder, paths, how, telling.parquet, progress)
        else:
            _told(tally.count(noted(judged_paths(paths, how), progress)), telling)
    if telling.is_counted:
        write_summary(tally, telling.form, OUT)
    elif telling.form == "text":
        for line in (*(engine_lines_of(tally) if telling.quiet else ()),
                     *(broken_lines_of(tally) if tally.logs > FEW_LOGS else ())):  # fmt: skip
            OUT.say(line)
    return tally.exit(telling.strict)


def noted(verdicts: Iterable[Judged], progress: Progress) -> Iterator[Judged]:
    """The same verdicts; who waits for them is told of each."""
    for number, verdict in enumerate(verdicts, 1):
        progress(number, 0)
        yield verdict


def _told(verdicts: Iterable[Judged], telling: VerdictTelling) -> None:
    """Writes verdicts as they come; nothing of them if they are only counted."""
    page = None
    if telling.html is not None:
        from referee.api.pages.log_files import VerdictsFile  # slow to import, and mostly not needed

        page = VerdictsFile(telling.html)

    def seen() -> Iterator[Judged]:
        for verdict in verdicts:
            if page is not None:
                page.note(verdict)
            yield verdict

    if telling.summary:
        deque(seen(), maxlen=0)
    else:
        write(seen(), telling.form, OUT, quiet=telling.quiet)
    if page is not None:
        page.write()


def _follow(logs: Sequence[str], how: How, telling: VerdictTelling, following: LogFollowing) -> int:
    """Judges one log while it is written."""
    from referee.api.followed_logs import can_not_grow, follow  # slow to import, and mostly not needed
    from referee.report.followed_report import as_data, why

    if unfit := _unfit(how, telling):
        raise click.UsageError(f"{unfit[0]} is nothing for --follow: one log is judged, as it comes")
    if len(logs) > 1 or can_not_grow(logs[0]):
        raise click.UsageError("--follow takes one LOG: a file, a pipe, or - for the standard input")
    tally, told = VerdictTally(), [""]

    def tell(found: Followed) -> None:
        text = text_of(found.verdict)
        if telling.form == "json":
            OUT.say(json.dumps(as_data(found.verdict, found.end, found.half), ensure_ascii=True))
        elif text != told[0]:  # else nothing has come to it since the wrong line was told
            OUT.tell(text)
        told[0] = text
        if found.end is not None:
            tally.add(entry_of(found.verdict))
            ERR.say(f"{found.verdict.path}: {why(found.end, found.half)}")

    with asked_to_end() as stopped:
        follow(logs[0], how, following.patience(stopped), tell)
    return tally.exit(telling.strict)


def _unfit(how: How, telling: VerdictTelling) -> list[str]:
    """The options that are for logs which nobody writes any more."""
    said = {"--together": how.together, "--summary": telling.summary, "--out": telling.folder is not None,
            "--html": telling.html is not None, "--parquet": telling.parquet, "--quiet": telling.quiet,
            "--jobs": how.jobs is not None, "--timeout": how.timeout is not None,
            "--executor": how.executor != PROCESSES, f"--engine {SOLVER}": how.engine == SOLVER,
            f"--format {telling.form}": telling.form not in SUMMARIES}  # fmt: skip
    return [name for name, one in said.items() if one]


def _add_up(folders: Sequence[str], form: str, strict: bool) -> int:
    """Tells what several runs have counted."""
    from referee.api.runs.kept_judging import summary_of  # slow to import, and mostly not needed

    tally, remarks, done = summary_of([Path(one) for one in folders])
    for remark in remarks:
        ERR.say(remark)
    write_summary(tally, form, OUT)
    return first([tally.exit(strict), Exit.GOOD if done else Exit.OPEN])


def _into(folder: Path, paths: Sequence[str], how: How, parquet: bool, progress: Progress) -> VerdictTally:
    from referee.api.runs.kept_judging import judge_into  # slow to import, and mostly not needed

    def tell(done: int, before: int) -> None:
        if done == before > 0:
            ERR.say("one log has a verdict already" if before == 1 else f"{before:,} logs have a verdict already")
        progress(done, before)

    return judge_into(folder, paths, how, table=parquet, progress=tell, remark=ERR.say)
