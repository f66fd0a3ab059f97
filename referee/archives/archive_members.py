"""A member of an archive, and which members are logs."""

from __future__ import annotations

from referee.archives.unpacking import ByteSource
from referee.game.log.log_reader import StreamFault
from referee.system.lazy_dataclasses import dataclass

LOGS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""How names of logs end, in folders and archives."""
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.zst", ".zip")
"""How names of archives end, in folders; what lies in an archive is not looked into."""


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A member of an archive. `odd`: what it is in the place of a file; `fault`: why it cannot be read."""

    name: str
    body: ByteSource
    odd: str = ""
    fault: StreamFault | None = None

    @property
    def is_log(self) -> bool:
        """Whether its name is that of a log."""
        return self.name.lower().endswith(LOGS)
