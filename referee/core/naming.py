"""How the words of the rules name a player: his name as it is, or in quotes where it could be taken for more.

A name is written as it is if it consists of words of letters, digits and `_` with one blank between them, none of
which begins with a digit, is a word of the language, or is declared by the ruleset. Every other name stands in double
quotes, and in it `\\` before `"` and before `\\`. In quotes any name may stand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from referee.core.ruleset import Core

# fmt: off
LANGUAGE = frozenset({
    "able", "above", "accept", "action", "actions", "after", "afterwards", "again", "against", "alike", "all",
    "allowed", "along", "alternative", "always", "and", "another", "answers", "any", "are", "as", "ask", "assume", "at",
    "auction", "automatic", "bag", "basic", "be", "because", "before", "behind", "below", "better", "between", "board",
    "bottom", "by", "can", "cannot", "card", "carry", "choose", "chooses", "class", "clear", "column", "columns",
    "commit", "commits", "component", "components", "contests", "corners", "costs", "counters", "deal", "default",
    "define", "depending", "dice", "different", "direction", "distance", "divided", "does", "door", "down", "draw",
    "draws", "each", "effect", "effects", "else", "empty", "end", "ended", "every", "exactly", "expect", "expected",
    "face", "fate", "fewer", "fewest", "first", "follows", "for", "forbidden", "forced", "from", "full", "game",
    "given", "gives", "going", "group", "groups", "has", "have", "hexagons", "higher", "highest", "hold", "holds", "if",
    "in", "instead", "into", "is", "it", "kind", "know", "knows", "larger", "least", "left", "let", "level", "line",
    "listed", "logged", "look", "looks", "lower", "lowest", "map", "may", "me", "moment", "more", "most", "move",
    "must", "my", "needs", "next", "no", "nobody", "none", "not", "noted", "nothing", "number", "occurrences", "of",
    "off", "on", "once", "one", "only", "open", "opponent", "option", "or", "order", "others", "otherwise", "out",
    "outs", "owner", "pack", "paid", "parameter", "pass", "passes", "pay", "pays", "phase", "phases", "picture", "pile",
    "play", "player", "players", "position", "price", "procedure", "proved", "raise", "random", "rank", "ray",
    "reading", "refill", "refilled", "refuted", "remainder", "repeat", "reveal", "right", "roll", "rolls", "room",
    "round", "rounded", "rounds", "row", "rows", "said", "scenario", "score", "seen", "sees", "set", "settled", "setup",
    "several", "shuffle", "sides", "simultaneously", "skipping", "slots", "smaller", "some", "soon", "splits", "starts",
    "step", "straight", "struck", "such", "suit", "sum", "swap", "table", "take", "taken", "taker", "target", "text",
    "than", "that", "the", "then", "those", "through", "ties", "times", "to", "together", "top", "toward", "trick",
    "trumps", "turn", "turns", "type", "undo", "unknown", "unless", "unspecified", "until", "up", "use", "uses", "wall",
    "when", "where", "who", "win", "window", "winners", "winning", "wins", "with", "without", "won", "yes", "you",
    "zones",
})
# fmt: on
"""Every word that the grammar of the rules knows."""

_ESCAPE = re.compile(r'\\(["\\])')
_PLAIN = re.compile(r"[a-z_]\w*")


def is_word_sign(sign: str) -> bool:
    """Whether a character goes on a word: letters, digits, `_`, and the marks that combine with them."""
    return sign == "_" or sign.isalnum() or unicodedata.category(sign).startswith("M")


def is_plain(name: str) -> bool:
    """Whether the grammar takes a name for one in any place: a word that begins with a small letter."""
    return _PLAIN.fullmatch(name) is not None


def is_bare(core: Core, players: Sequence[str], seat: int) -> bool:
    """Whether the name of a player may stand without quotes."""
    name = players[seat]
    roles = core.seats.roles
    if roles and roles[seat] == name:
        return True
    return name not in core.words and all(_is_free(core, word) for word in name.split(" "))


def _is_free(core: Core, word: str) -> bool:
    """Whether a word of a name is a word, and means nothing else."""
    if not (word[:1].isalpha() or word[:1] == "_") or not all(map(is_word_sign, word)):
        return False
    return word not in LANGUAGE and word not in core.words and word not in core.seats.roles


def written(core: Core, players: Sequence[str], seat: int) -> str:
    """How claims and positions name a player, so that they can be read back."""
    name = players[seat]
    return name if is_bare(core, players, seat) else quoted(name)


def quoted(name: str) -> str:
    """A name in quotes."""
    inner = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inner}"'


def unquoted(text: str) -> str:
    """The name that a text in quotes stands for."""
    return _ESCAPE.sub(r"\1", text[1:-1])
