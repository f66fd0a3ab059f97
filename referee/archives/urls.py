"""Files behind URLs, by whatever file systems are installed for fsspec."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import IO, Any, cast

from referee.archives.archive_members import ARCHIVES, LOGS
from referee.archives.unpacking import EXTRA
from referee.game.log.log_reader import StreamFault

MARKS = ("etag", "contentmd5", "md5hash", "digest", "checksum", "versionid", "generation", "lastmodified", "updated",
         "mtime")
"""What file systems say of a file that is another once its content is, without signs and capitals in the name."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:::[A-Za-z][A-Za-z0-9+.-]+)*://")


def is_url(path: str) -> bool:
    """Whether a text is a URL, and no path."""
    return _URL.match(path) is not None


def urls_in(url: str) -> Iterator[str]:
    """The files behind a URL: that one, or those of a folder there, or that fit a pattern, in order of name. What
    cannot be looked for stays as it is: whoever opens it says what is wrong."""
    try:
        files, path = _file_system(url)
        if "*" in path:
            found = [one for one in sorted(files.glob(path)) if not files.isdir(one)]
        elif files.isdir(path):
            found = [one for one in sorted(files.find(path)) if one.lower().endswith((*LOGS, *ARCHIVES))]
        else:
            found = []
        named = [files.unstrip_protocol(one) for one in found]
    except Exception:  # of any library, whichever reads such URLs
        named = []
    yield from named or [url]


def open_url(url: str) -> IO[bytes]:
    """The file behind a URL. Raises `StreamFault`."""
    try:
        files, path = _file_system(url)
        if files.isdir(path):
            raise StreamFault("LG01", "cannot be opened: it is a folder without logs")
        return cast("IO[bytes]", Faithful(files.open(path, "rb")))
    except StreamFault:
        raise
    except ImportError as error:
        raise StreamFault("LG55", f"nothing is installed that reads such URLs: {_words(error)}",
                          EXTRA if find_spec("fsspec") is None else "install what is named there") from None
    except FileNotFoundError:
        raise StreamFault("LG01", "cannot be opened: no such file") from None
    except Exception as error:  # of any library
        raise StreamFault("LG01", f"cannot be opened: {_words(error)}") from None


def marks_of(url: str) -> tuple[int | None, tuple[tuple[str, str], ...]] | None:
    """What its file system says of the file behind a URL: its size, None if that is not known, and what changes with
    its content, by name. None if nothing can be asked."""
    try:
        files, path = _file_system(url)
        told = files.info(path)
        size = told.get("size")
        marks = {name.lower().replace("-", ""): value for name, value in told.items() if isinstance(name, str)}
    except Exception:  # of any library, whichever reads such URLs
        return None
    return (size if isinstance(size, int) else None,
            tuple((name, str(marks[name])[:200]) for name in MARKS if marks.get(name) not in (None, "")))


class Faithful:
    """A file of some library, of which whatever goes wrong is an `OSError`."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        return cast("bytes", self._sure(self._file.read, size))

    def seek(self, at: int, whence: int = 0, /) -> int:
        """Goes to a place."""
        return cast("int", self._sure(self._file.seek, at, whence))

    def seekable(self) -> bool:
        """Whether it can."""
        return bool(self._sure(self._file.seekable))

    def close(self) -> None:
        """Closes it."""
        self._sure(self._file.close)

    def _sure(self, do: Any, *arguments: int) -> Any:
        try:
            return do(*arguments)
        except OSError:
            raise
        except Exception as error:
            raise OSError(None, _words(error)) from None


def _file_system(url: str) -> tuple[Any, str]:
    import fsspec

    files, path = fsspec.core.url_to_fs(url)
    return files, cast("str", path)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
