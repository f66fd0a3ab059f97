"""The lowering of expressions, put together: what each group of constructs is lowered by."""

from __future__ import annotations

from referee.meaning.conditions import Conditions
from referee.meaning.constants import Constants
from referee.meaning.defined import Definitions
from referee.meaning.pools import DicePools
from referee.meaning.sources import MemberSources
from referee.meaning.symbols import Symbols
from referee.meaning.terms import Terms
from referee.meaning.values import ValueExpressions


class ExpressionLowering:
    """Everything that lowers expressions, for one ruleset. `terms` is the way in: it knows every construct."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.terms = Terms(symbols)
        self.constants = Constants(self.terms)
        self.definitions = Definitions(self.terms)
        self.sources = MemberSources(self.terms)
        self.conditions = Conditions(self.terms, self.sources)
        self.pools = DicePools(self.terms, self.sources)
        ValueExpressions(self.terms, self.sources, self.conditions, self.pools)
