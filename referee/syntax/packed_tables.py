"""The tables of a parser as they are kept between runs: few parts, quickly read, instead of a dictionary for each.

What lark saves is a description of each rule and of each entry of each state, from which it makes them one by one. Here
rules and terminals are kept as they are, entries as numbers, and a lexer is made when a state is come to that has it.
"""

from __future__ import annotations

import pickle
from array import array
from typing import Any, cast

import lark
from lark.grammar import Rule
from lark.lexer import BasicLexer, ContextualLexer, TerminalDef
from lark.parsers import lalr_parser
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.utils import SerializeMemoizer

_LEFT_OUT = ("postlex", "propagate_positions", "edit_terminals")
"""Options that are functions: whoever unpacks says them again."""


def packed(built: lark.Lark) -> bytes:
    """A parser with its tables."""
    memo: Any = SerializeMemoizer([TerminalDef, Rule])
    data = built.serialize(memo)
    data["options"] = {name: value for name, value in data["options"].items() if name not in _LEFT_OUT}
    of_lark: Any = built.parser.parser
    data["parser"]["parser"] = _flat(of_lark._parse_table, memo.memoized)
    return pickle.dumps({"data": data, "memo": memo.memoized.reversed()}, pickle.HIGHEST_PROTOCOL)


def unpacked(kept: Any, **options: Any) -> lark.Lark:
    """The parser that was packed, of what pickle has read. `options`: those that are functions."""
    plugins = {"LALR_Parser": _KeptParser, "ContextualLexer": _LateLexers}
    instance: Any = lark.Lark.__new__(lark.Lark)
    made: lark.Lark = instance._load(kept, _plugins=plugins, **options)
    return made


def _flat(table: Any, memo: Any) -> dict[str, Any]:
    """Which words each state has an entry for, and for each which of the entries that there are."""
    words: dict[tuple[str, ...], int] = {}
    entries: dict[tuple[bool, int], int] = {}
    sets, codes = array("H"), array("H")
    for state in range(len(table.states)):
        actions = table.states[state]
        sets.append(words.setdefault(tuple(actions), len(words)))
        for action, argument in actions.values():
            entry = (False, argument) if action is Shift else (True, memo.get(argument))
            codes.append(entries.setdefault(entry, len(entries)))
    return {"words": list(words), "entries": list(entries), "sets": sets, "codes": codes,
            "starts": table.start_states, "ends": table.end_states}


class _KeptParser(lalr_parser.LALR_Parser):
    """A parser of flat tables."""

    @classmethod
    def deserialize(cls, data: Any, memo: Any, callbacks: Any,  # type: ignore[override]  # lark's own has these, too
                    debug: bool = False) -> _KeptParser:
        """Called by lark."""
        entries = [(Reduce, memo[of]) if is_rule else (Shift, of) for is_rule, of in data["entries"]]
        words, codes = data["words"], data["codes"]
        states: dict[int, dict[str, Any]] = {}
        start = 0
        for state, index in enumerate(data["sets"]):
            end = start + len(words[index])
            states[state] = dict(zip(words[index], map(entries.__getitem__, codes[start:end]), strict=True))
            start = end
        made = cls.__new__(cls)
        of_lark, table = cast(Any, made), cast(Any, IntParseTable)
        of_lark._parse_table = table(states, data["starts"], data["ends"])
        of_lark.parser = lalr_parser._Parser(of_lark._parse_table, callbacks, debug)
        return made


class _LateLexer(BasicLexer):
    """A lexer that sorts its terminals when it is first asked for anything."""

    def __init__(self, *told: Any) -> None:
        self._told: Any = told

    def __getattr__(self, name: str) -> Any:
        told = self.__dict__.pop("_told", None)
        if told is None:
            raise AttributeError(name)
        super().__init__(*told)
        return getattr(self, name)


class _LateLexers(ContextualLexer):
    """The lexers of all states."""

    BasicLexer = _LateLexer
