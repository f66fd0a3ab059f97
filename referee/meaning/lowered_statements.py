"""The lowering of statements, put together: what each group of constructs is lowered by."""

from __future__ import annotations

from referee.meaning.asking import Decisions
from referee.meaning.course import ControlStatements
from referee.meaning.dice import DiceStatements
from referee.meaning.drawing import Draws
from referee.meaning.lowered_values import ExpressionLowering
from referee.meaning.often import RepeatedOffers
from referee.meaning.statements import Statements
from referee.meaning.windows import ReactionWindows


class StatementLowering:
    """Everything that lowers statements, for one ruleset. `statements` is the way in: it knows every construct."""

    def __init__(self, values: ExpressionLowering) -> None:
        self.statements = Statements(values)
        ControlStatements(values, self.statements)
        self.decisions = Decisions(values, self.statements)
        RepeatedOffers(values, self.statements, self.decisions)
        self.windows = ReactionWindows(values, self.statements, self.decisions)
        DiceStatements(values, self.statements, self.decisions, Draws(values, self.statements, self.decisions))
