"""Where rules come from: files that are found anew, or a text; and whether they are still what was loaded."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from referee.api.error_translation import of_problems
from referee.core.flow import Flow
from referee.diagnostics.diagnostic import Problems
from referee.frontend.loading.loader import Rows, load_recorded, program_digest
from referee.frontend.loading.ruleset_files import Files, RulesChanged, find
from referee.frontend.loading.ruleset_files import names as names
from referee.frontend.names.shapes import MOST_PLAYERS as MOST_PLAYERS
from referee.frontend.names.shapes import Shape
from referee.syntax.text_reader import GivenText
from referee.system.file_observations import holds

if TYPE_CHECKING:  # what makes rules is imported where there are some to make
    from referee.frontend.loading.assembly import Loaded
    from referee.frontend.scenarios.scenario_reader import Scenarios


@dataclass(frozen=True)
class RulesSource:
    """Rules by name or path (`where`), or as a `text`. It can be sent to another process, which loads them there.

    `blind`: as if nothing were declared in them to be open, settled or assumed.
    """

    where: str | Path
    text: str | None = None
    blind: bool = False

    def __reduce__(self) -> tuple[Callable[..., RulesSource], tuple[str | Path, str | None, bool, tuple[bytes, ...]]]:
        return _sent, (self.where, self.text, self.blind, tuple(self._records))

    def flow(self, players: int | None = None, options: Mapping[str, str] | None = None,
             pool: Rows | None = None) -> Flow:
        """The flow for a shape. Raises `Problems`; `RulesError` (AP07) if the files have changed."""
        if self.text is None and not self.blind:
            self.unchanged()
            flow, record = load_recorded(self.where, players, options, pool)
            self._records[record] = None
            return flow
        from referee.flow.lowering import lower
        from referee.frontend.loading.assembly import build

        shape = Shape(players, tuple(sorted((options or {}).items())))
        return lower(build(self.loaded, shape).core, passed=True)

    @cached_property
    def loaded(self) -> Loaded:
        """The trees. Raises `Problems`."""
        from referee.frontend.undeclared.undeclared_rules import undeclared

        return undeclared(self._written) if self.blind else self._written

    @cached_property
    def _written(self) -> Loaded:
        """The trees as they are written."""
        from referee.frontend.loading.assembly import parsed

        if self.text is None:
            self.unchanged()
            found = parsed(find(self.where), kept=program_digest())
            self._records[found.files.looks.record()] = None
            return found
        path = Path(self._given.path)
        return parsed(Files(path.stem, path.parent, (path,)))

    @cached_property
    def _given(self) -> GivenText:
        """The text under the path of a file that there is not, another one for each text."""
        assert self.text is not None
        digest = hashlib.sha256(self.text.encode(errors="surrogatepass")).hexdigest()
        return GivenText.at(f"<text {digest[:8]}>/{self.where}", self.text)

    @cached_property
    def scenarios(self) -> Scenarios:
        """The scenarios. Raises `Problems`."""
        from referee.frontend.scenarios.scenario_reader import load_scenarios

        if not self.blind:
            return load_scenarios(self.where, self.loaded)
        from referee.frontend.undeclared.undeclared_rules import without_scenarios_at

        try:
            return load_scenarios(self.where, self.loaded)
        except Problems as problems:  # they tell of what is not declared any more
            wrong = [one.span for one in problems.diagnostics]
            return load_scenarios(self.where, without_scenarios_at(self.loaded, wrong))

    def unchanged(self) -> None:
        """Raises `RulesError` (AP07) if the files are not those that were loaded, `Problems` if they are gone."""
        if not all(map(holds, self._records)):
            find(self.where)
            raise of_problems(RulesChanged(str(self.where), str(self.where)))

    @cached_property
    def _records(self) -> dict[bytes, None]:
        """What was looked at, and what was found, each time that something was loaded."""
        return {}


def _sent(where: str | Path, text: str | None, blind: bool, records: tuple[bytes, ...]) -> RulesSource:
    """The same rules in another process: it notices too if the files have changed."""
    made = RulesSource(where, text, blind)
    made._records.update(dict.fromkeys(records))
    return made
