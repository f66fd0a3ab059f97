"""Whoever is killed goes on: each log has one verdict in the end, the one that it has without all that."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from zipfile import ZipFile

from tests.ledger.killing import killed, lasting, whole, write_logs
from tests.sample_sizes import drawn

KILLS = drawn(5, of=20)


def timed(folder: Path) -> float:
    """How long a whole run takes, once there is what is kept from one process to the next."""
    lasting(folder / "logs", folder / "whole", 1)
    return lasting(folder / "logs", folder / "timed", 2)


def test_nothing_is_missing_or_there_twice(tmp_path: Path) -> None:
    """A hundred kills: `python -m tests.ledger`."""
    write_logs(tmp_path / "logs", 500)
    lasts = timed(tmp_path)
    found = killed(tmp_path / "logs", tmp_path / "killed", KILLS, Random(5), 2, lasts)
    assert found.kills > 0
    assert whole(tmp_path / "killed") == whole(tmp_path / "whole")


def test_logs_of_archives_are_not_missing_or_there_twice(tmp_path: Path) -> None:
    """A file with many, an archive, an empty one, a single log."""
    write_logs(tmp_path / "made", 300)
    (tmp_path / "logs").mkdir()
    texts = [(path.name, path.read_bytes()) for path in sorted((tmp_path / "made").iterdir())]
    (tmp_path / "logs" / "a.jsonl").write_bytes(b"".join(text for _, text in texts[:150]))
    with ZipFile(tmp_path / "logs" / "b.zip", "w") as archive:
        for name, text in texts[150:299]:
            archive.writestr(name, text)
    ZipFile(tmp_path / "logs" / "c.zip", "w").close()
    (tmp_path / "logs" / "d.jsonl").write_bytes(texts[299][1])
    lasts = timed(tmp_path)
    killed(tmp_path / "logs", tmp_path / "killed", 3, Random(5), 2, lasts)
    rows = [json.loads(line) for line in whole(tmp_path / "whole").splitlines()]
    assert len({(row["path"], row["member"], row["index"]) for row in rows}) == len(rows) == 301
    assert whole(tmp_path / "killed") == whole(tmp_path / "whole")
