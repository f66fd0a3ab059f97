"""referee: rules of tabletop and card games as text, and a referee that judges recorded games by them.

`referee.load(...)` loads rules for a program (`spec/api.md`). What is public is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.api.errors import (
        ArgumentError,
        Cancelled,
        GameOver,
        IllegalEvent,
        LogError,
        NoLibrary,
        NoSolver,
        NoView,
        RefereeError,
        RulesError,
    )
    from referee.api.game import Game
    from referee.api.pages.log_html import log_html
    from referee.api.results.comparison_results import (
        CitedStatement,
        ComparedLog,
        ComparedShape,
        ComparisonReport,
        LaterDifference,
        RulesDifference,
        SideOfDifference,
        VerdictOfSide,
    )
    from referee.api.results.game_events import Choice, GameEvent, Prompt
    from referee.api.results.game_view import SeenZone, View
    from referee.api.results.rule_results import (
        AssumptionCoverage,
        BreakingGame,
        CheckReport,
        ConvertedLog,
        CountReport,
        CoverageReport,
        Explanation,
        InferenceReport,
        InferredAnswer,
        InferredSetting,
        LineTrace,
        PointInfo,
        PositionsReport,
        ProofResult,
        ReviewFinding,
        ReviewReport,
        RulesPlace,
        ScenarioFailure,
        ScenarioResult,
        StatementCoverage,
        TraceStep,
    )
    from referee.api.results.verdicts import (
        Assumed,
        Condition,
        Default,
        HoleValue,
        LegalLine,
        LineReason,
        OtherDefaults,
        Remark,
        RulesAssumption,
        SetByLog,
        Trials,
        Verdict,
        WrongLine,
    )
    from referee.api.ruleset import Ruleset, load, loads

__version__ = "0.1.0"

__all__ = [
    "ArgumentError", "Assumed", "AssumptionCoverage", "BreakingGame", "Cancelled", "CheckReport", "Choice",
    "CitedStatement", "ComparedLog", "ComparedShape", "ComparisonReport", "Condition", "ConvertedLog", "CountReport",
    "CoverageReport", "Default", "Explanation", "Game", "GameEvent", "GameOver", "HoleValue", "IllegalEvent",
    "InferenceReport", "InferredAnswer", "InferredSetting", "LaterDifference", "LegalLine", "LineReason", "LineTrace",
    "LogError", "NoLibrary", "NoSolver", "NoView", "OtherDefaults", "PointInfo", "PositionsReport", "Prompt",
    "ProofResult", "RefereeError", "Remark", "ReviewFinding", "ReviewReport", "RulesAssumption", "RulesDifference",
    "RulesError", "RulesPlace", "Ruleset", "ScenarioFailure", "ScenarioResult", "SeenZone", "SetByLog",
    "SideOfDifference", "StatementCoverage", "TraceStep", "Trials", "Verdict", "VerdictOfSide", "View", "WrongLine",
    "__version__", "load", "loads", "log_html",
]

_HOMES = {
    "errors": (
        "ArgumentError", "Cancelled", "GameOver", "IllegalEvent", "LogError", "NoLibrary", "NoSolver", "NoView",
        "RefereeError",
        "RulesError",
    ),
    "results.comparison_results": (
        "CitedStatement", "ComparedLog", "ComparedShape", "ComparisonReport", "LaterDifference", "RulesDifference",
        "SideOfDifference", "VerdictOfSide",
    ),
    "pages.log_html": ("log_html",),
    "results.game_events": ("Choice", "GameEvent", "Prompt"),
    "game": ("Game",),
    "results.rule_results": (
        "AssumptionCoverage", "BreakingGame", "CheckReport", "ConvertedLog", "CountReport", "CoverageReport",
        "Explanation", "InferenceReport",
        "InferredAnswer", "InferredSetting", "LineTrace",
        "PointInfo", "PositionsReport", "ProofResult", "ReviewFinding", "ReviewReport", "RulesPlace", "ScenarioFailure",
        "ScenarioResult", "StatementCoverage", "TraceStep",
    ),
    "ruleset": ("Ruleset", "load", "loads"),
    "results.verdicts": (
        "Assumed", "Condition", "Default", "HoleValue", "LegalLine", "LineReason", "OtherDefaults", "Remark",
        "RulesAssumption", "SetByLog", "Trials", "Verdict", "WrongLine",
    ),
    "results.game_view": ("SeenZone", "View"),
}
"""Where public names are at home in `referee.api`."""


def __getattr__(name: str) -> object:
    """A public name, imported when it is first asked for."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"referee.api.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
