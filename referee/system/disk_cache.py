"""The cache folder: bytes kept between runs, in a folder that belongs to the user alone."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from pathlib import Path

_PRIVATE = 0o700
"""Mode of the folder: only its owner reads, writes and enters it."""
_OTHERS_WRITE = 0o022
"""Bits of a mode: others than the owner can write."""
MOST_KEPT = 400
"""Entries in the folder, at most: then the half that was written longest ago goes."""
MOST_BYTES = 1_000_000_000
"""Bytes in the folder, at most: then as many entries go, those that were written longest ago first, as make half of it.
"""
_SEAL = 32  # bytes of SHA-256 before the data, of the key and the data
_AS_IT_IS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


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
    """Whether nobody else could have put a file there: what lies in a cache is unpickled, and code of it carried out,
    so it must be ours."""
    return sys.platform == "win32" or (stat.S_ISDIR((found := folder.lstat()).st_mode) and _is_ours(found))


def _is_ours(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user, and nobody else can write to it."""
    return sys.platform == "win32" or (found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE)


def key_of(*parts: str | bytes) -> str:
    """A key that differs whenever one of the parts does."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part  # a path may be no text
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def read(key: str) -> bytes | None:
    """What was written under the key, or None if there is nothing, nothing whole, something that was written under
    another key, or a file that somebody else could have written."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        handle = os.open(folder / key, os.O_RDONLY | _AS_IT_IS)
        with open(handle, "rb") as file:
            found = os.fstat(handle)
            content = file.read() if stat.S_ISREG(found.st_mode) and _is_ours(found) else b""
    except (OSError, ValueError):
        return None
    seal, data = content[:_SEAL], memoryview(content)[_SEAL:]
    return bytes(data) if _seal(key, data) == seal else None


def _seal(key: str, data: bytes | memoryview) -> bytes:
    """What stands before data that is kept: another one for other data, and under another key."""
    digest = hashlib.sha256(f"{key}\0".encode(errors="surrogatepass"))
    digest.update(data)
    return digest.digest()


def write(key: str, data: bytes) -> bool:
    """Keeps data under the key, whole or not at all, and says whether; where nothing can be written nothing happens."""
    folder = cache_folder()
    if folder is None:
        return False
    import tempfile  # slow to import, and mostly nothing is written

    with contextlib.suppress(OSError, ValueError):
        handle, name = tempfile.mkstemp(prefix=".new-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(key, data))
                file.write(data)
            os.replace(name, folder / key)
            with contextlib.suppress(OSError):
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
        seen = [(entry.stat(follow_symlinks=False), entry.path) for entry in listed]
    kept = sorted((found.st_mtime, found.st_size, path) for found, path in seen)
    number, size = len(kept), sum(size for _, size, _ in kept)
    many, large = number > MOST_KEPT, size > MOST_BYTES
    for _, own, path in kept:
        if not (many and number > len(kept) - len(kept) // 2) and not (large and size > MOST_BYTES // 2):
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        number, size = number - 1, size - own
