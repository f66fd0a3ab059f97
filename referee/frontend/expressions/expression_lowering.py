"""The lowering of expressions, put together: what each group of constructs is lowered by."""

from __future__ import annotations

from referee.frontend.expressions.coercions import Terms
from referee.frontend.expressions.conditions import Conditions
from referee.frontend.expressions.constants import Constants
from referee.frontend.expressions.contests import Contests
from referee.frontend.expressions.definitions import Definitions
from referee.frontend.expressions.dice_pools import DicePools
from referee.frontend.expressions.end_cards import EndCards
from referee.frontend.expressions.grid_relations import GridRelations
from referee.frontend.expressions.groups import ConnectedGroups
from referee.frontend.expressions.member_sources import MemberSources
from referee.frontend.expressions.splits import SplitLowering
from referee.frontend.expressions.value_expressions import ValueExpressions
from referee.frontend.names.symbol_table import Symbols


class ExpressionLowering:
    """Everything that lowers expressions, for one ruleset. `terms` is the way in: it knows every construct."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.terms = Terms(symbols)
        self.constants = Constants(self.terms)
        self.definitions = Definitions(self.terms)
        self.sources = MemberSources(self.terms)
        self.conditions = Conditions(self.terms, self.sources)
        self.grids = GridRelations(self.terms, self.sources)
        self.pools = DicePools(self.terms, self.sources)
        Contests(self.terms)
        EndCards(self.terms, self.sources)
        ConnectedGroups(self.terms, self.sources, self.grids)
        SplitLowering(self.terms, self.sources, self.definitions)
        ValueExpressions(self.terms, self.sources, self.conditions, self.pools)
