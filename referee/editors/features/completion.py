"""What can come next: the words that the grammar allows there, and the names that fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source
from referee.editors.edited_blocks import blocks_of
from referee.editors.names.declared_names import NameKind
from referee.editors.names.name_index import NameIndex
from referee.editors.open_documents import OpenDocument
from referee.editors.session import EditorSession
from referee.syntax import layout
from referee.syntax.lr_parser import machine
from referee.syntax.scanner import indent_of, without_comment
from referee.syntax.size_limits import LINE_LENGTH

_HERE = "\x01"
"""Stands where something is to be put in: no word begins with it."""
_BEGUN = re.compile(r"\w*$")
_OPEN_CITE = re.compile(r"\[[^\]\[]*$")
_KINDS = {
    NameKind.ACTION: types.CompletionItemKind.Function, NameKind.DEFINITION: types.CompletionItemKind.Function,
    NameKind.PROCEDURE: types.CompletionItemKind.Function, NameKind.KIND: types.CompletionItemKind.Class,
    NameKind.TYPE: types.CompletionItemKind.Enum, NameKind.MEMBER: types.CompletionItemKind.EnumMember,
    NameKind.ANSWER: types.CompletionItemKind.EnumMember, NameKind.ATTRIBUTE: types.CompletionItemKind.Field,
    NameKind.ZONE: types.CompletionItemKind.Struct,
}
_WANTED = (
    (re.compile(r"\bcarry +out +$"), frozenset({NameKind.PROCEDURE})),
    (re.compile(r"\b(must|may)(?: +take +one +of)? +(?:\w+(?:\([^()]*\))?, *)*$"), frozenset({NameKind.ACTION})),
    (re.compile(r"^ *(before|after) +$"), frozenset({NameKind.ACTION, NameKind.PROCEDURE})),
    (re.compile(r"\b(move|deal|draws?|shuffle)\b.*\b(from|to|into) +$"), frozenset({NameKind.ZONE})),
    (re.compile(r"\b(raise|lower|set) +$"), frozenset({NameKind.COUNTER})),
    (re.compile(r"^ +picture +of +$"), frozenset({NameKind.KIND, NameKind.COMPONENT, NameKind.MEMBER, NameKind.ZONE,
                                                  NameKind.COUNTER})),
    (re.compile(r'^ +(order|group +"[^"]*") *:(?: *\w+ *,)* *$'), frozenset({NameKind.ZONE, NameKind.COUNTER})),
)
"""Which names fit best behind which words."""
_NO_VALUES = frozenset({NameKind.ACTION, NameKind.PROCEDURE, NameKind.INVARIANT, NameKind.ASSUMPTION})
"""What is spoken of only behind such words, and in scenarios."""
MOST_ITEMS = 400
"""So many completions are offered at once."""


def completion(session: EditorSession, document: OpenDocument, position: types.Position) -> list[types.CompletionItem]:
    """What can be put in at a place of rules, what fits best first."""
    line, column = document.places.place(position)
    lines = layout.split_lines(document.text)[:line]
    before = lines[-1][: column - 1]
    if len(before) > LINE_LENGTH:
        return []
    index = session.index(document.path)
    cite = _OPEN_CITE.search(before)
    if cite is not None and '"' not in before[cite.start() :]:
        return list(_citations(session, document, index))
    if before != without_comment(before + "x")[:-1] or before.count('"') % 2:
        return []
    begun = _BEGUN.search(before)
    typed = before[: begun.start()] if begun is not None else before
    found = terminals_at([*lines[:-1], typed])
    items = [*_names(index, document, line, typed, found), *_words(found, "5" if typed.strip() else "0")]
    return items[:MOST_ITEMS]


def terminals_at(lines: Sequence[str]) -> frozenset[str]:
    """The terminals of the grammar that can stand at the end of a text, given as lines: by its last block, or where
    that has errors by the lines above that hold the last one."""
    block = lines[blocks_of(lines)[-1].start :] if lines[-1][:1] in ("", " ", "\t") and any(lines) else lines[-1:]
    found = _probed(block)
    return found if found is not None else _probed(_holding(block)) or frozenset()


def _holding(lines: Sequence[str]) -> list[str]:
    """The last line, and above it each that is indented less than those below."""
    kept = [lines[-1]]
    depth = indent_of(lines[-1] + "x") or 0
    for line in reversed(lines[:-1]):
        indent = indent_of(line)
        if indent is not None and indent < depth:
            kept.append(line)
            depth = indent
    return kept[::-1]


def _probed(lines: Sequence[str]) -> frozenset[str] | None:
    """What can stand at the end; None if the text before is no beginning of rules."""
    text = "\n".join(lines)
    plan = layout.plan(Source("", f"{text}{_HERE}\n"), Reporter())
    if plan.hopeless:
        return frozenset()
    engine = machine()
    stuck = engine.probe("\n".join(plan.texts) + "\n", plan.depths())
    if stuck is None or stuck.text[:1] != _HERE:
        return None
    return engine.accepts(stuck.states)


def _words(terminals: frozenset[str], order: str) -> Iterator[types.CompletionItem]:
    vocabulary = machine().vocabulary
    said = {text for one in terminals if vocabulary.is_word(one) for text in vocabulary.spellings(one)}
    for text in sorted(said):
        word = text.lstrip(", ").rstrip()
        yield types.CompletionItem(word, kind=types.CompletionItemKind.Keyword, sort_text=f"{order}{word}",
                                   insert_text=text if text.startswith(",") else word)


def _names(index: NameIndex, document: OpenDocument, line: int, typed: str, terminals: frozenset[str]
           ) -> Iterator[types.CompletionItem]:
    small, large = "NAME" in terminals, "PROPER" in terminals
    wanted = next((kinds for pattern, kinds in _WANTED if pattern.search(typed)), frozenset[NameKind]())
    block = index.block_at(str(document.path), line)
    in_scenario = block is not None and block.text.startswith("scenario")
    if block is not None and small:
        for name, one in sorted(index.locals(block).items()):
            yield _item(name, one.name.kind, "2")
    for name, declared in sorted(index.declared.items()):
        if (large if name[:1].isupper() else small) and name[:1].isalpha():
            kind = declared[0].name.kind
            if kind in _NO_VALUES and kind not in wanted and not in_scenario:
                continue
            yield _item(name, kind, "1" if kind in wanted else "6" if wanted else "3")


def _item(name: str, kind: NameKind, order: str) -> types.CompletionItem:
    return types.CompletionItem(name, kind=_KINDS.get(kind, types.CompletionItemKind.Variable), detail=kind.value,
                                sort_text=f"{order}{name}")


def _citations(session: EditorSession, document: OpenDocument, index: NameIndex) -> Iterator[types.CompletionItem]:
    state = session.ruleset(document.path)
    for name, wording in sorted(state.statements.items())[:MOST_ITEMS]:
        yield types.CompletionItem(name, kind=types.CompletionItemKind.Reference, detail=wording[:120])
    for name, declared in sorted(index.declared.items()):
        if declared[0].name.kind is NameKind.ASSUMPTION:
            yield types.CompletionItem(name, kind=types.CompletionItemKind.Reference, detail="assumption")
