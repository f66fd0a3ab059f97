"""What has changed in a folder since it was looked at last, and which rulesets and logs that concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from referee.api.errors import ArgumentError, RefereeError
from referee.api.folders.expected_verdicts import NAME, expected_in
from referee.api.folders.found_rulesets import files_below, ruleset_named, rulesets_in
from referee.api.log_inputs import opened
from referee.api.ruleset import load
from referee.diagnostics.diagnostic import Problems

ENDINGS = (".rules", ".toml", ".jsonl", ".json")
_Look = dict[Path, tuple[int, int]]


class WatchedFolder:
    """A folder and those below it. Each look takes as long as it takes to ask for the time and size of every file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: _Look = {}

    def changes(self) -> frozenset[Path]:
        """Files that are new, other or gone since this was asked last; at first all."""
        now: _Look = {}
        for path in files_below(self.folder, ENDINGS):
            with suppress(OSError):  # it is gone meanwhile
                about = path.stat()
                now[path] = about.st_mtime_ns, about.st_size
        before, self._seen = self._seen, now
        return frozenset(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))

    def rulesets(self, changed: Iterable[Path]) -> tuple[Path, ...]:
        """The rulesets that these files may concern: those that they are, or lie beside."""
        rules = [path for path in changed if path.suffix in (".rules", ".toml")]
        concerned = []
        for one in rulesets_in(self.folder):
            home = one if one.is_dir() else one.parent
            if any(path == one or (path.parent == home and (path.suffix == ".toml" or one.is_dir())) for path in rules):
                concerned.append(one)
        return tuple(concerned)

    def verdicts(self, changed: Iterable[Path], rulesets: Iterable[Path]) -> Iterator[tuple[Path, tuple[str, ...]]]:
        """Logs of which something is expected and that have changed, or the rulesets by which they are judged: where
        the verdict differs, or why there is none; nothing if it is as expected."""
        other, again = set(changed), {one.resolve() for one in rulesets}
        for at in dict.fromkeys(path.parent for path in self._seen if path.name == NAME):
            try:
                expected = expected_in(at)
            except ArgumentError as error:
                if at / NAME in other:
                    yield at / NAME, (str(error),)
                continue
            for name, wanted in expected.items():
                path = at / name
                try:
                    with opened(path) as log:
                        where = ruleset_named(log.header.ruleset, path, self.folder.resolve())
                    known = isinstance(where, Path) and where.resolve() in again
                    if known or path in other or at / NAME in other:
                        verdict = load(where).judge(path)
                        different = wanted.differences(verdict)
                        yield path, (*different, str(verdict)) if different else ()
                except (RefereeError, Problems) as error:
                    yield path, (str(error),)
