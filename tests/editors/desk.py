"""A session of an editor without processes: the background works when it is told to."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types

from referee.api.runs.rule_checks import Checked
from referee.editors.background import whole_check
from referee.editors.background_tasks import CheckAnswer, CheckTask, Task
from referee.editors.open_documents import OpenDocument
from referee.editors.session import EditorSession
from referee.frontend.checks.block_checks import KnownNames


@dataclass
class Desk:
    """A session with one text open."""

    path: Path
    asked: list[Task] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    version: int = 1

    def __post_init__(self) -> None:
        self.session = EditorSession(lambda _: None, self.asked.append, self.told.append, lambda: None)

    def open(self, text: str) -> OpenDocument:
        """Opens a text, and has it checked."""
        self.session.opened(self.path.as_uri(), 1, text)
        self.check()
        return self.document

    @property
    def document(self) -> OpenDocument:
        """The text as it is."""
        return self.session.documents.get(self.path.as_uri())

    def change(self, text: str) -> OpenDocument:
        """Changes all of the text; nothing is checked but what is seen at once."""
        return self.edit(types.TextDocumentContentChangeWholeDocument(text))

    def edit(self, change: types.TextDocumentContentChangeEvent) -> OpenDocument:
        """Changes a part of the text."""
        self.version += 1
        self.session.changed(self.path.as_uri(), self.version, [change])
        return self.document

    def check(self) -> None:
        """Does what the process in the background would."""
        self.session.flush()
        for task in [one for one in self.asked if isinstance(one, CheckTask)]:
            found, done = whole_check(task.where, task.unsaved)
            loaded = done.loaded if isinstance(done, Checked) else done
            built = next(iter(done.built.values()), None) if isinstance(done, Checked) else None
            known = None if built is None or loaded is None else pickle.dumps(KnownNames.of(built, loaded))
            statements = {} if loaded is None else {name: one.text for name, one in loaded.statements.items()}
            self.session.answered(CheckAnswer(task.number, task.where, found, 1, known, statements))
        self.asked[:] = [one for one in self.asked if not isinstance(one, CheckTask)]
