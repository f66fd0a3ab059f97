"""What players are called in the rules, by the head of the game and by scenarios: what logs may call them, too."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.naming import quoted
from referee.core.player_names import MAX_NAME, refused
from referee.diagnostics.diagnostic import Reporter
from referee.frontend.names.tree_access import called
from referee.syntax.syntax_tree import Word


def check_names(reporter: Reporter, names: Sequence[Word]) -> None:
    """Reports the first of these names that no log could have (LG15 to LG17), where it stands."""
    wrong = refused([called(name) for name in names])
    if wrong is not None:
        name = called(names[wrong.at])
        said = quoted(name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}...")
        reporter.error(wrong.code, wrong.message.format(said), names[wrong.at].span, expected=wrong.expected)
