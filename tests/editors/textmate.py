"""The grammar for editors that colour by patterns (TextMate), made of the words of the language's own grammar.

`python -m tests.editors.textmate` writes `referee/editors/vscode/syntaxes/referee.tmLanguage.json` anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from referee.editors.features.completion import terminals_at
from referee.syntax.lr_parser import machine

KEPT = Path(__file__).parents[2] / "referee/editors/vscode/syntaxes/referee.tmLanguage.json"
_NAMED = ("action", "always", "assume", "class", "define", "kind", "option", "procedure", "reading", "table", "type")
"""Declarations of which the next word is the name, but for those that are lists."""
_OPERATORS = r"\.\.|[<>!]=|[-+*=<>|]"
_CONSTANTS = ("none", "no", "yes")


def words() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that begin a declaration, and all other words and phrases of the language, long ones first."""
    vocabulary = machine().vocabulary
    heads = {text.strip() for one in terminals_at([""]) if vocabulary.is_word(one)
             for text in vocabulary.spellings(one)}
    every = {text.strip(" ,:") for one in vocabulary.terminals if vocabulary.is_word(one)
             for text in vocabulary.spellings(one)}
    others = {one for one in every if one} - set(_CONSTANTS)
    return _ordered(heads), _ordered(others)


def _ordered(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(found, key=lambda one: (-len(one.split()), one)))


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(" +".join(one.replace(",", " *,").split()) for one in phrases)


def grammar() -> str:
    """The grammar as the file holds it."""
    heads, others = words()
    named = [one for one in heads if one in _NAMED]
    rules = [
        {"name": "comment.line.number-sign.referee", "match": r"(?<!\S)#.*$"},
        {"name": "string.quoted.double.referee", "begin": '"', "end": '"|$',
         "patterns": [{"name": "constant.character.escape.referee", "match": r"\\[\"\\]"}]},
        {"name": "entity.other.attribute-name.citation.referee", "match": r"\[[^\]]*\]"},
        {"match": rf"^({_any_of(named)})\s+([A-Za-z_]\w*)",
         "captures": {"1": {"name": "storage.type.referee"}, "2": {"name": "entity.name.function.referee"}}},
        {"name": "storage.type.referee", "match": rf"^({_any_of(heads)})\b(?!\s*:)"},
        {"name": "constant.language.referee", "match": rf"\b({_any_of(_CONSTANTS)})\b"},
        {"name": "keyword.control.referee", "match": rf"(?<!\w)({_any_of(others)})\b(?!\w|\s*\()"},
        {"name": "entity.name.type.referee", "match": r"\b[A-Z]\w*(#\d+)?"},
        {"name": "constant.numeric.referee", "match": r"(?<!\w)\d+"},
        {"name": "keyword.operator.referee", "match": _OPERATORS},
    ]
    made = {
        "name": "Rules of a game",
        "scopeName": "source.referee",
        "fileTypes": ["rules"],
        "information_for_contributors": ["made by python -m tests.editors.textmate of grammar/referee.lark"],
        "patterns": rules,
    }
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(grammar(), "utf-8")
