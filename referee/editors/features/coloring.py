"""What names stand for, as colours: the words of the language have theirs from the editor's own grammar."""

from __future__ import annotations

from lsprotocol import types

from referee.editors.names.block_words import words_of
from referee.editors.names.declared_names import NameKind
from referee.editors.names.name_index import NameIndex
from referee.editors.open_documents import OpenDocument

_TYPES = {
    NameKind.SEAT: "variable", NameKind.OPTION: "variable", NameKind.TYPE: "type", NameKind.KIND: "class",
    NameKind.COMPONENT: "enumMember", NameKind.ATTRIBUTE: "property", NameKind.MEMBER: "enumMember",
    NameKind.BOARD: "struct", NameKind.MAP: "struct", NameKind.ROOM: "enumMember", NameKind.ZONE: "struct",
    NameKind.COUNTER: "variable", NameKind.GIVEN: "variable", NameKind.PARAMETER: "variable",
    NameKind.TABLE: "function", NameKind.ACTION: "method", NameKind.DEFINITION: "function",
    NameKind.PROCEDURE: "function", NameKind.READING: "enum", NameKind.ANSWER: "enumMember",
    NameKind.INVARIANT: "property", NameKind.ASSUMPTION: "decorator", NameKind.ARGUMENT: "parameter",
    NameKind.LOCAL: "parameter",
}
_CITED = "decorator"
LEGEND = types.SemanticTokensLegend(
    token_types=list(dict.fromkeys([*_TYPES.values(), _CITED])), token_modifiers=["declaration"])


def colors(document: OpenDocument, index: NameIndex) -> types.SemanticTokens:
    """The names of a text, each relative to the one before, as the protocol wants them."""
    data: list[int] = []
    line = character = 0
    for block in index.blocks.get(str(document.path), ()):
        for word in words_of(block.text):
            if word.kind not in ("word", "id"):
                continue
            meant = index.meant(block, word)
            if meant is None:
                continue
            said = _CITED if meant.kind is None else _TYPES[meant.kind]
            where = document.places.range(block.span(word))
            start = where.start.character
            declaring = any(one.span == block.span(word) for one in meant.declared)
            below = where.start.line - line
            data += [below, start if below else start - character, where.end.character - start,
                     LEGEND.token_types.index(said), int(declaring)]
            line, character = where.start.line, start
    return types.SemanticTokens(data)
