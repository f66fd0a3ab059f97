"""What stands above a scenario: how it went, and the way to a game that goes on from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from referee.core.naming import unquoted
from referee.editors.background_tasks import ScenarioAnswer
from referee.editors.names.block_words import words_of
from referee.editors.open_documents import OpenDocument
from referee.editors.session import EditorSession

RUN, PLAY, REVIEW = "referee.runScenario", "referee.playFrom", "referee.review"
"""Commands: a scenario is carried out; a game goes on from one (an editor opens a terminal for it); rules are
reviewed."""


def lenses(session: EditorSession, document: OpenDocument) -> list[types.CodeLens]:
    """The lenses of a text."""
    state, index = session.ruleset(document.path), session.index(document.path)
    found: list[types.CodeLens] = []
    for block in index.blocks.get(str(document.path), ()):
        words = words_of(block.text)
        if len(words) < 2 or words[1].kind != "string":
            continue
        where = document.places.range(block.span(words[0]))
        if words[0].text == "scenario":
            title = unquoted(words[1].text)
            found += [types.CodeLens(where, one)
                      for one in _of_scenario(document, state.where, title, state.scenarios.get(title))]
        elif words[0].text == "game":
            said = "review: what do these rules leave open?"
            found.append(types.CodeLens(where, types.Command(said, REVIEW, arguments=[document.uri])))
    return found


def _of_scenario(document: OpenDocument, where: Path, title: str, result: ScenarioAnswer | None
                 ) -> Iterator[types.Command]:
    if result is None:
        said = "run"
    elif result.failure is None:
        said = "\u2713 passed"
    else:
        place = result.failure.span
        here = f"line {place.line}" if place.path == str(document.path) else f"{Path(place.path).name}:{place.line}"
        said = f"\u2717 {here}: {result.failure.message[:120]}"
    yield types.Command(said, RUN, arguments=[document.uri, title])
    yield types.Command("play from here", PLAY, arguments=[str(where), title])
