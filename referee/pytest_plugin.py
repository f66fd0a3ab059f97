"""The plugin of pytest: with `--referee` scenarios and logs with expected verdicts are tests; without it, nothing is.

It is loaded by every pytest of an environment in which this package is installed: at its top it imports nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from referee.api.errors import RefereeError
    from referee.api.folders.expected_verdicts import ExpectedVerdict
    from referee.api.game import Game
    from referee.api.results.rule_results import ScenarioResult
    from referee.api.ruleset import Ruleset
    from referee.frontend.scenarios.scenario_reader import Scenario

OPTION = "--referee"
MARKER = "referee"
INI = "referee_rules"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option, and the ruleset that tests have if they name none."""
    group = parser.getgroup("referee", "rules of games")
    group.addoption(OPTION, action="store_true", default=False,
                    help="scenarios of *.rules, and logs with an entry in expected.json beside them, are tests; "
                         "fixtures: rules, game")
    parser.addini(INI, "the ruleset of the fixture `rules`, by name or path from the root folder", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Nothing else is there unless the option is given."""
    config.addinivalue_line("markers", f"{MARKER}(ruleset, players=..., seed=..., ...): the ruleset of the fixtures "
                                       "`rules` and `game`, and what `new_game` takes")
    if config.getoption("referee"):
        config.pluginmanager.register(RulesTests(), "referee-tests")


class RulesTests:
    """What there is with the option: files that are collected, and fixtures."""

    def __init__(self) -> None:
        self._loaded: dict[str, Ruleset] = {}

    def loaded(self, where: str | Path) -> Ruleset:
        """A ruleset, loaded once in a run. Raises `RulesError`."""
        import referee

        known = self._loaded.get(str(where))
        if known is None:
            known = self._loaded[str(where)] = referee.load(where)
        return known

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Rules and logs; of a log only what is expected of it makes it a test."""
        match file_path.suffix:
            case ".rules":
                return RulesFile.from_parent(parent, path=file_path)
            case ".jsonl":
                return LogFile.from_parent(parent, path=file_path, tests=self)
            case ".json" if file_path.name == "expected.json":
                return MissingLogs.from_parent(parent, path=file_path)
            case _:
                return None

    @pytest.fixture
    def rules(self, request: pytest.FixtureRequest) -> Ruleset:
        """The ruleset that `@pytest.mark.referee("NAME or path")` names: a path from the folder of the test. Without
        the mark, the one of the setting `referee_rules`."""
        mark = request.node.get_closest_marker(MARKER)
        named = mark.args[0] if mark is not None and mark.args else None
        folder = request.path.parent if named is not None else request.config.rootpath
        named = named or request.config.getini(INI)
        if not named:
            pytest.fail(f'no ruleset is named: @pytest.mark.{MARKER}("NAME or path"), or {INI} in the settings of '
                        "pytest", pytrace=False)
        path = folder / str(named)
        with _in_words():
            return self.loaded(path if path.exists() else named)

    @pytest.fixture
    def game(self, rules: Ruleset, request: pytest.FixtureRequest) -> Game:
        """A new game by these rules, seed 0; the mark takes whatever `new_game` takes."""
        mark = request.node.get_closest_marker(MARKER)
        settings = {"seed": 0, **(mark.kwargs if mark is not None else {})}
        try:
            signature(rules.new_game).bind(**settings)
        except TypeError as error:
            raise pytest.fail.Exception(f"@pytest.mark.{MARKER}: {error}", pytrace=False) from None
        with _in_words():
            return rules.new_game(**settings)


@contextmanager
def _in_words() -> Iterator[None]:
    """What cannot be loaded or begun fails a test by its diagnostics, not by the lines of this package."""
    from referee.api.errors import RefereeError

    try:
        yield
    except RefereeError as error:
        raise pytest.fail.Exception(told(error), pytrace=False) from None


def told(error: RefereeError) -> str:
    """An error with the lines that are wrong, as the commands show it."""
    from referee.report.text.diagnostic_text import drawn, lines_of
    from referee.report.text.printable import printable

    if not error.diagnostics:
        return printable(str(error))
    lines = drawn(error.diagnostics, lines_of(error.sources))
    return "\n".join(printable("".join(text for _, text in line)) for line in lines)


class RulesFile(pytest.File):
    """A file of rules. What it begins is collected: itself, or the folder whose files are one ruleset."""

    def collect(self) -> Iterator[pytest.Item]:
        """A test for each scenario."""
        from referee.api.error_translation import of_problems
        from referee.api.execution_lock import LOCK
        from referee.api.folders.found_rulesets import ruleset_at
        from referee.api.rule_sources import RulesSource
        from referee.diagnostics.diagnostic import Problems
        from referee.report.text.printable import printable

        where = ruleset_at(self.path)
        if where is None:
            return
        source = RulesSource(where)
        try:
            with LOCK:
                found = source.scenarios.found
                if not found:  # else they are loaded for the players of each
                    source.flow()
        except Problems as problems:
            raise self.CollectError(told(of_problems(problems))) from None
        for scenario in found:
            yield ScenarioTest.from_parent(self, name=printable(scenario.title, 200), scenario=scenario)


class LogFile(pytest.File):
    """A log. What is expected of it stands in `expected.json` beside it."""

    def __init__(self, *, tests: RulesTests, **others: Any) -> None:
        super().__init__(**others)
        self._tests = tests

    def collect(self) -> Iterator[pytest.Item]:
        """One test, if anything is expected."""
        expected = _expected(self).get(self.path.name)
        if expected is not None:
            yield LogTest.from_parent(self, name="verdict", expected=expected, load=self._tests.loaded)


class MissingLogs(pytest.File):
    """The file of expected verdicts: a test for each log of which something is expected and that is not there."""

    def collect(self) -> Iterator[pytest.Item]:
        """Usually nothing."""
        from referee.report.text.printable import printable

        for name in sorted(_expected(self)):
            if not (self.path.parent / name).is_file():
                yield MissingLog.from_parent(self, name=printable(name, 200))


_UNUSABLE = pytest.StashKey[set[Path]]()
"""Folders of which a run has told that their expected verdicts cannot be used."""


def _expected(file: pytest.File) -> dict[str, ExpectedVerdict]:
    from referee.api.errors import ArgumentError
    from referee.api.folders.expected_verdicts import expected_in

    said = file.config.stash.setdefault(_UNUSABLE, set())
    try:
        return expected_in(file.path.parent)
    except ArgumentError as error:
        if file.path.parent in said:  # it was told at another file of the folder
            return {}
        said.add(file.path.parent)
        raise file.CollectError(told(error)) from None


class InWords(Exception):
    """Why a test of rules or logs fails: nobody needs to see where in this package that was found out."""


class WordsItem(pytest.Item):
    """A test that fails by words. `funcargs`: it takes no fixtures; other plugins look for what a test has taken."""

    funcargs: Mapping[str, object] = MappingProxyType({})

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The words; for anything else what pytest says."""
        from referee.api.errors import RefereeError

        match excinfo.value:
            case InWords() as words:
                return str(words)
            case RefereeError() as error:
                return told(error)
            case _:
                return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file, and what the test is called."""
        return self.path, None, self.name


class ScenarioTest(WordsItem):
    """A scenario of a ruleset."""

    def __init__(self, *, scenario: Scenario, **others: Any) -> None:
        super().__init__(**others)
        self._scenario = scenario

    def runtest(self) -> None:
        """Carries it out."""
        from referee.api.execution_lock import LOCK
        from referee.api.runs.rule_reports import scenario_result

        with LOCK:
            result = scenario_result(self._scenario)
        if not result.passed:
            raise InWords("\n".join(_lines(result)))


def _lines(result: ScenarioResult) -> Iterator[str]:
    from referee.report.text.printable import printable

    for failure in result.failures:
        yield printable(f"{failure.place}: {failure.message}")
        for text, value in failure.values.items():
            yield printable(f"    {text} = {value}")
    if result.statements:
        yield printable(f"  the scenario shows {' '.join(result.statements)}")


class LogTest(WordsItem):
    """A log of which a verdict is expected."""

    def __init__(self, *, expected: ExpectedVerdict, load: Callable[[str | Path], Ruleset], **others: Any) -> None:
        super().__init__(**others)
        self._expected = expected
        self._load = load

    def runtest(self) -> None:
        """Judges it by the nearest ruleset that is called as the log says."""
        from referee.api.error_translation import of_problems
        from referee.api.folders.found_rulesets import ruleset_named
        from referee.api.log_inputs import opened
        from referee.diagnostics.diagnostic import Problems

        try:
            with opened(self.path) as log:
                name = log.header.ruleset
        except Problems as problems:
            raise of_problems(problems) from None
        verdict = self._load(ruleset_named(name, self.path, self.config.rootpath)).judge(self.path)
        different = self._expected.differences(verdict)
        if different:
            raise InWords("\n".join((*different, str(verdict))))


class MissingLog(WordsItem):
    """A log of which something is expected, and that is not there."""

    def runtest(self) -> None:
        """Fails."""
        raise InWords(f"{self.name} is not there: expected.json says which verdict it has")
