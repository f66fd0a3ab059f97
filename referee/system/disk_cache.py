"""The cache folder: bytes kept between runs, in a folder that belongs to the user alone."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from pathlib import Path

_PRIVATE = 0o700
MOST_KEPT = 400
"""Entries in the folder, at most: then the half that was written longest ago goes."""
_SEAL = 32  # bytes of SHA-256 before the data


def cache_folder() -> Path | None:
    """The folder for caches, made if need be, or None if there is none that only this user can write to.

    `REFEREE_CACHE` names it; otherwise it is the platform's place for caches. An empty `REFEREE_CACHE` means no cache.
    """
    chosen = os.environ.get("REFEREE_CACHE")
    if chosen == "":
        return None
    try:
        folder = Path(chosen).expanduser() if chosen else _platform_folder() / "referee"
        folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        return folder if _is_private(folder) else None
    except (OSError, RuntimeError, ValueError):
        return None


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    # An XDG path that is not absolute has to be ignored, says its specification.
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"


def _is_private(folder: Path) -> bool:
    """Whether nobody else could have put a file there: what lies in a cache is unpickled, so it must be ours."""
    if sys.platform == "win32":
        return True
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022


def key_of(*parts: str | bytes) -> str:
    """A key that differs whenever one of the parts does."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part  # a path may be no text
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def read(key: str) -> bytes | None:
    """What was written under the key, or None if there is nothing, or nothing whole."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        content = (folder / key).read_bytes()
    except (OSError, ValueError):
        return None
    seal, data = content[:_SEAL], content[_SEAL:]
    return data if hashlib.sha256(data).digest() == seal else None


def write(key: str, data: bytes) -> bool:
    """Keeps data under the key, whole or not at all, and says whether; where nothing can be written nothing happens."""
    folder = cache_folder()
    if folder is None:
        return False
    with contextlib.suppress(OSError, ValueError):
        handle, name = tempfile.mkstemp(prefix=".new-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            os.replace(name, folder / key)
            _trim(folder)
            return True
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    return False


def is_wanted() -> bool:
    """Whether anything is to be kept: an empty `REFEREE_CACHE` means that nothing is."""
    return os.environ.get("REFEREE_CACHE") != ""


def _trim(folder: Path) -> None:
    """Keeps the folder small. Whoever loses what he was about to read makes it anew."""
    with os.scandir(folder) as listed:
        kept = [(entry.stat(follow_symlinks=False).st_mtime, entry.path) for entry in listed]
    for _, path in sorted(kept)[: len(kept) // 2] if len(kept) > MOST_KEPT else ():
        with contextlib.suppress(OSError):
            os.unlink(path)
