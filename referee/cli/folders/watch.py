"""`referee watch`: rules are checked, scenarios carried out and logs judged as their files change."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import click

from referee.api.error_translation import of_error
from referee.api.folders.folder_changes import WatchedFolder
from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_checks import checked
from referee.api.runs.rule_reports import scenario_results
from referee.cli.options import Seconds
from referee.cli.terminal_writer import OUT
from referee.diagnostics.exit_codes import Exit
from referee.report.text.diagnostic_text import drawn, lines_of
from referee.report.text.printable import count, path_of, printable

LEAST = 0.1
"""Seconds between two looks, at least: looking takes the machine's time too."""


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--interval", type=Seconds(LEAST), default=0.5, show_default=True, metavar="SECONDS",
              help="How long to wait between two looks at the files.")
@click.option("--once", is_flag=True, help="Look once at everything, and end.")
def watch(folder: Path, interval: float, once: bool) -> int:
    """Check the rulesets in a FOLDER, run their scenarios and judge logs with expected verdicts, whenever files change.

    Ctrl-C ends it.
    """
    watched, waiting, good = WatchedFolder(folder), Event(), True
    if not once:
        OUT.say(f"watching {path_of(str(folder))}, until Ctrl-C")
    while True:
        changed = watched.changes()
        if changed:
            good = _looked(watched, changed)
            OUT.say("nothing is wrong" if good else "something is wrong")
        if once:
            return Exit.GOOD if good else Exit.NEGATIVE
        waiting.wait(interval)


def _looked(watched: WatchedFolder, changed: frozenset[Path]) -> bool:
    """Tells what is to be told of files that have changed; whether nothing is wrong."""
    rulesets = watched.rulesets(changed)
    found = [_tested(where) for where in rulesets]
    good = all(found)
    for path, different in watched.verdicts(changed, rulesets):
        OUT.say(f"{path_of(str(path))}: {'not as expected' if different else 'as expected'}")
        for line in "\n".join(different).splitlines():
            OUT.say(printable(f"  {line}"))
        good = good and not different
    return good


def _tested(where: Path) -> bool:
    """Checks a ruleset and carries out its scenarios; whether nothing is wrong with it."""
    name, source = path_of(str(where)), RulesSource(where)
    try:
        done = checked(source)
        OUT.show(drawn((*done.found, *done.warnings), lines_of(done.loaded.sources)))
        if done.found:
            return False
        results = list(scenario_results(source, "generated", lambda _: None))
    except Exception as error:
        found = of_error(error)
        if found is None:
            raise
        OUT.show(drawn(found.diagnostics, lines_of(found.sources)))
        return False
    failed = [one for one in results if not one.passed]
    OUT.say(f"{name}: {count(len(results), 'scenario')}, {len(failed)} failed")
    for one in failed:
        OUT.say(printable(f"  FAILED  {one.title}"))
        for failure in one.failures:
            OUT.say(printable(f"    {failure.place}: {failure.message}"))
    return not failed
