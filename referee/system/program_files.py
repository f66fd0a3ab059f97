"""The files that the program is written in, as they look from outside."""

from __future__ import annotations

import os


def seen_from_outside(root: str, grammar: str) -> tuple[str, int]:
    """What tells whether a file of the program is still the same, without reading any: names, times, sizes; and when
    the last of them was changed."""
    files, folders = [grammar], [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for one in entries:
                if one.name.endswith(".py"):
                    files.append(one.path)
                elif one.is_dir() and one.name != "__pycache__":
                    folders.append(one.path)
    told, last = [], 0
    for path in sorted(files):
        seen = os.stat(path)
        told.append(f"{path} {seen.st_mtime_ns} {seen.st_ctime_ns} {seen.st_size} {seen.st_ino}")
        last = max(last, seen.st_mtime_ns, seen.st_ctime_ns)
    return "\n".join(told), last
