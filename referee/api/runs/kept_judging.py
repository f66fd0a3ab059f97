"""Judging many logs into a folder, and going on where an earlier run was ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from referee.api.errors import ArgumentError
from referee.api.runs.judging import How, told_verdicts
from referee.archives.log_addresses import meant
from referee.archives.log_places import LogPlace
from referee.archives.log_walk import logs_in
from referee.game.log.log_reader import STDIN
from referee.report.ledger.added_runs import added_up
from referee.report.ledger.ledger_fault import LedgerFault
from referee.report.ledger.manifest import PlaceReached
from referee.report.ledger.parquet_file import check_installed
from referee.report.ledger.run_key import key_of
from referee.report.ledger.verdict_folder import VerdictFolder
from referee.report.ledger.verdict_row import row_of
from referee.report.text.printable import count
from referee.report.verdict_tally import VerdictTally


def judge_into(folder: Path, paths: Sequence[str], how: How, *, table: bool = False,
               progress: Callable[[int, int], None] = lambda done, before: None,
               remark: Callable[[str], None] = lambda text: None) -> VerdictTally:
    """Judges what has no verdict in the folder yet; what is counted is of all that lies there then. `table`: as Parquet
    too, once all are judged. `progress` is told how many logs have one, and how many had one before; `remark`, in a
    sentence, what is not known of the files that are read.

    Raises `ArgumentError` with a code of the section "folders of verdicts" for what cannot be written or does not
    belong together, and what `judged_paths` raises.
    """
    with _told():
        if table:
            check_installed()
        if STDIN in paths:
            raise LedgerFault("LD12", "the standard input can be read only once", "write it to a file, and judge that")
        for path in paths:
            if (file := meant(path)[0]) != path:
                raise LedgerFault("LD16", f"{path} is one log of a file: a folder keeps verdicts on whole files",
                                  f"judge {file}")
        options = {"engine": how.engine, "for": how.viewer, "readings": "all" if how.all_readings else "header",
                   "timeout": how.timeout, "facts": how.facts, "under": how.under}
        with VerdictFolder(folder, key_of(how.ruleset, options), paths) as kept:
            progress(kept.manifest.tally.logs, kept.resumed)
            if vague := kept.manifest.inputs.vague:
                remark(f"{count(vague, 'URL')}: at most the size is known, so a change that keeps it goes unnoticed")
            rest = paths[kept.at.files:]
            reached: deque[PlaceReached] = deque()
            with closing(told_verdicts(rest, how, row_of, _places(rest, kept.at, reached))) as rows:
                for row, entry in rows:
                    kept.add(row, entry, reached.popleft())
                    progress(kept.manifest.tally.logs, kept.resumed)
            kept.finish()
            if table:
                kept.write_table()
            return kept.manifest.tally


def summary_of(folders: Sequence[Path]) -> tuple[VerdictTally, list[str], bool]:
    """What several runs have counted; remarks on it, and whether all of them are done. Raises `ArgumentError`."""
    with _told():
        return added_up(folders)


def _places(rest: Sequence[str], at: PlaceReached, reached: deque[PlaceReached]) -> Iterator[LogPlace]:
    """The places of the logs that have no verdict; and for each, what is reached once it has one."""
    files = at.files - 1
    for taken, place in enumerate(logs_in(rest)):
        files += place.number == 1
        if taken >= at.logs:
            reached.append(PlaceReached(files, place.number))
            yield place


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except LedgerFault as fault:
        raise ArgumentError(fault.code, fault.message, hint=fault.hint) from None
