"""The programs of `bitboards.c`: compiled where there is a C compiler, in a folder that is given."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

SOURCE = Path(__file__).with_name("bitboards.c")
FLAGS = ("-O2", "-march=native", "-shared", "-fPIC")


class CPrograms:
    """Play-outs by C, as often as they are asked for: each call goes on where the last one left the chance."""

    def __init__(self, library: Path, seed: int = 0x9E3779B97F4A7C15) -> None:
        self._library = ctypes.CDLL(str(library))
        self._seed = ctypes.c_uint64(seed)

    def play(self, game: str, games: int) -> tuple[int, tuple[int, int]]:
        """How many moves so many games took, and how many of them the first and the second player won."""
        function = self._library[game]
        function.restype = ctypes.c_uint64
        won = (ctypes.c_uint64 * 2)()
        moves = function(ctypes.c_uint64(games), ctypes.byref(self._seed), won)
        return int(moves), (won[0], won[1])


def compiler(which: Callable[[str], str | None] = shutil.which) -> str | None:
    """The path of a C compiler, None if there is none."""
    return next((path for path in map(which, ("cc", "gcc", "clang")) if path), None)


def compiled(folder: Path) -> CPrograms | None:
    """The programs, or None without a compiler. `CalledProcessError` if it will not have them."""
    found = compiler()
    if found is None:
        return None
    library = folder / "bitboards.so"
    subprocess.run([found, *FLAGS, "-o", str(library), str(SOURCE)], check=True, capture_output=True)
    return CPrograms(library)
