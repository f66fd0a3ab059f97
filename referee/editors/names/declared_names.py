"""What a block of rules declares: names for all of the rules, and names that are known in it alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from referee.editors.names.block_words import BlockWord, words_of


class NameKind(Enum):
    """What a name stands for; the value is how people call it."""

    SEAT = "seat"
    OPTION = "option"
    TYPE = "type"
    KIND = "kind of component"
    COMPONENT = "component"
    ATTRIBUTE = "attribute"
    MEMBER = "member"
    BOARD = "board"
    MAP = "map"
    ROOM = "room"
    ZONE = "zone"
    COUNTER = "counter"
    GIVEN = "given"
    PARAMETER = "parameter"
    TABLE = "table"
    ACTION = "action"
    DEFINITION = "definition"
    PROCEDURE = "procedure"
    READING = "reading"
    ANSWER = "answer"
    INVARIANT = "invariant"
    ASSUMPTION = "assumption"
    ARGUMENT = "argument"
    LOCAL = "name in this block"


LOCALS = frozenset({NameKind.ARGUMENT, NameKind.LOCAL})


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A name where it is declared."""

    kind: NameKind
    word: BlockWord

    @property
    def name(self) -> str:
        return self.word.text


_HEADS = {
    "option": NameKind.OPTION, "type": NameKind.TYPE, "kind": NameKind.KIND, "class": NameKind.COMPONENT,
    "board": NameKind.BOARD, "map": NameKind.MAP, "given": NameKind.GIVEN, "parameter": NameKind.PARAMETER,
    "table": NameKind.TABLE, "action": NameKind.ACTION, "define": NameKind.DEFINITION,
    "procedure": NameKind.PROCEDURE, "reading": NameKind.READING, "always": NameKind.INVARIANT,
    "assume": NameKind.ASSUMPTION,
}
"""Declarations of which the second word is the name."""
_LISTS = {"zones": NameKind.ZONE, "counters": NameKind.COUNTER, "kind": NameKind.ATTRIBUTE}
"""Declarations of which each line below declares a name."""
_NOT_NAMES = frozenset({
    "and", "any", "are", "as", "at", "by", "does", "each", "else", "every", "exactly", "expect", "for", "from", "has",
    "have", "if", "in", "into", "is", "it", "let", "may", "me", "must", "my", "no", "none", "not", "of", "on", "one",
    "only", "or", "otherwise", "over", "player", "players", "some", "than", "that", "the", "then", "times", "to", "up",
    "when", "where", "with", "yes",
})
_QUANTIFIERS = frozenset({"some", "no", "every", "each", "rounds"})


@lru_cache(maxsize=8_192)
def declared_in(block: str) -> tuple[DeclaredName, ...]:
    """The names that a block declares, in the order of the text."""
    words = words_of(block)
    if not words:
        return ()
    found = [*_heads(words), *_listed(words), *_inner(words), *_arguments(words), *_locals(words)]
    return tuple(sorted(found, key=lambda one: (one.word.line, one.word.column)))


def _is_name(word: BlockWord) -> bool:
    return word.kind == "word" and word.text not in _NOT_NAMES


def _heads(words: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    head = words[0].text
    line = [one for one in words if one.line == words[0].line]
    if head in _HEADS and len(line) > 1 and line[1].kind == "word":
        yield DeclaredName(_HEADS[head], line[1])
    match head:
        case "game":
            after = next((at for at, one in enumerate(line) if one.text == "players"), len(line))
            yield from (DeclaredName(NameKind.SEAT, one) for one in line[after + 1 :] if _is_name(one))
        case "option":
            for before, one in pairwise(line[1:]):
                if before.text in (":", "or") and one.kind == "word":
                    yield DeclaredName(NameKind.ANSWER, one)
        case "type" | "kind":
            yield from _members(line)
        case "effects" | "phases":
            yield from (DeclaredName(NameKind.PROCEDURE, one)
                        for before, one in pairwise(line) if before.text == "as")
        case _:
            pass


def _members(line: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    start = next((at for at, one in enumerate(line) if one.text == "is"), len(line))
    if start + 1 < len(line) and line[start + 1].text == "each":
        return
    for before, one in zip(line[start:], line[start + 1 :], strict=False):
        if one.text == "from":
            return
        if before.text in ("is", "<", ",", "or") and _is_name(one):
            yield DeclaredName(NameKind.MEMBER, one)


def _listed(words: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    """The lines of zones and counters, and the attributes of a kind."""
    kind = _LISTS.get(words[0].text)
    deeper = min((one.indent for one in words if one.indent > 0), default=0)
    for before, one in pairwise(words):
        if kind is not None and before.first and before.indent == deeper and before.kind == "word":
            if deeper and one.text in (":", "of"):
                yield DeclaredName(kind, before)


def _inner(words: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    """Names for all of the rules that are declared deeper in a block."""
    for before, one in pairwise(words):
        if not before.first or one.kind != "word" or before.indent == 0:
            continue
        if before.text in ("default", "alternative"):
            yield DeclaredName(NameKind.ANSWER, one)
        elif before.text == "room":
            yield DeclaredName(NameKind.ROOM, one)
        elif before.text == "table" and words[0].text == "parameter":
            yield DeclaredName(NameKind.ANSWER, one)
        elif before.text == "reading":
            yield DeclaredName(NameKind.READING, one)


def _arguments(words: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    head = words[0].text
    if head in ("action", "procedure"):
        yield from _in_brackets(words)
    elif head in ("define", "score"):
        yield from _of_definition(words)


def _in_brackets(words: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    """`action NAME(a: .., b: ..)`, `procedure NAME(..) gives c: ..`."""
    depth = 0
    gives = False
    for before, one, after in zip(words, words[1:], words[2:], strict=False):
        depth += (before.text == "(") - (before.text == ")")
        if before.line > words[0].line and depth == 0 and before.text != ")":
            return
        gives = gives or before.text == "gives"
        listed = (depth == 1 and before.text in ("(", ",")) or (gives and before.text in ("gives", ","))
        if listed and one.kind == "word" and after.text == ":":
            yield DeclaredName(NameKind.ARGUMENT, one)


def _of_definition(words: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    """`define NAME of TYPE a and TYPE b: ..`."""
    line = [one for one in words if one.line == words[0].line]
    start = 1 if words[0].text == "score" else 2
    if len(line) <= start or line[start].text != "of":
        return
    stop = next((at for at, one in enumerate(line) if one.text in (":", "=", ",")), len(line))
    said = line[start + 1 : stop]
    for before, one, after in zip(said, said[1:], [*said[2:], None], strict=False):
        if (after is None or after.text == "and") and one.kind == "word" and before.text != "and":
            yield DeclaredName(NameKind.ARGUMENT, one)


def _locals(words: Sequence[BlockWord]) -> Iterator[DeclaredName]:
    """What statements and conditions give a name to."""
    if words[0].text in ("scenario", "effects", "phases", "game", "option", "type", "kind", "components", "zones"):
        return
    nothing = BlockWord("sign", "", 0, 0, False, 0)
    padded = [nothing, nothing, *words, nothing]
    for earlier, before, one, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        if not _is_name(one):
            continue
        named = before.text == "as" and earlier.text not in ("logged", "said", "soon") and one.text != "listed"
        let = before.text == "let" and after.text == "="
        gone_through = before.text in _QUANTIFIERS and after.text in ("in", "from")
        player = before.text in ("player", "players") and after.text == "where"
        the = before.text == "the" and after.text == "in" and one.text[:1].islower()
        filtered = after.text == "where" and before.kind == "word" and before.text not in _NOT_NAMES
        every = before.text == "player" and earlier.text == "every" and after.text == ":"
        if named or let or gone_through or player or the or filtered or every:
            yield DeclaredName(NameKind.LOCAL, one)
