"""One line of a log explained, for programs."""

from __future__ import annotations

from referee.api.results.frozen_results import FrozenDict, made
from referee.api.results.rule_results import Explanation, LineTrace
from referee.api.results.verdicts import Condition, RulesAssumption, verdict_for_programs
from referee.judge.line_explanation import Moment
from referee.report.data.explanation_data import trace_data
from referee.report.data.verdict_data import assumed_data, fact_data
from referee.report.text.line_text import moment_text


def explanation_of(found: Moment) -> Explanation:
    """What there is to say about a line."""
    return Explanation(
        found.line, found.what, found.asked, found.legal, found.more, verdict_for_programs(found.verdict), found.rule,
        None if found.place is None else str(found.place), FrozenDict(dict(found.statements)),
        tuple(made(Condition, fact_data(fact)) for fact in found.held),
        tuple(made(RulesAssumption, assumed_data(one)) for one in found.assumed),
        None if found.trace is None else made(LineTrace, trace_data(found.trace)), moment_text(found),
    )  # fmt: skip
