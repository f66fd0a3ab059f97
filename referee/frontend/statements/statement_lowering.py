"""The lowering of statements, put together: what each group of constructs is lowered by."""

from __future__ import annotations

from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.statements.control_statements import ControlStatements
from referee.frontend.statements.decisions import Decisions
from referee.frontend.statements.dice_rolls import DiceStatements
from referee.frontend.statements.draws import Draws
from referee.frontend.statements.draws_at_once import DrawsAtOnce
from referee.frontend.statements.looks import Looks
from referee.frontend.statements.own_verbs import OwnVerbs
from referee.frontend.statements.reaction_windows import ReactionWindows
from referee.frontend.statements.repeated_offers import RepeatedOffers
from referee.frontend.statements.roll_offs import RollOffs
from referee.frontend.statements.state_changes import Statements
from referee.frontend.statements.turns.auctions import Auctions


class StatementLowering:
    """Everything that lowers statements, for one ruleset. `statements` is the way in: it knows every construct."""

    def __init__(self, values: ExpressionLowering) -> None:
        self.statements = Statements(values)
        ControlStatements(values, self.statements)
        self.decisions = Decisions(values, self.statements)
        Auctions(values, self.statements)
        RepeatedOffers(values, self.statements, self.decisions)
        OwnVerbs(self.statements)
        Looks(values, self.statements, self.decisions)
        self.windows = ReactionWindows(values, self.statements, self.decisions)
        RollOffs(values, self.statements, self.decisions)
        DiceStatements(values, self.statements, self.decisions, Draws(values, self.statements, self.decisions))
        DrawsAtOnce(values, self.statements, self.decisions)
