"""Where the things that come along lie: the grammar and the rulesets, of a wheel or of a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_INSTALLED = _PACKAGE / "_bundled"


def _root() -> Path:
    """The folder that holds `grammar/` and `rulesets/`: inside the package in a wheel, beside it in a checkout."""
    return _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent


def grammar_path() -> Path:
    """The file with the grammar of the rules language."""
    return _root() / "grammar" / "referee.lark"


def rulesets_root() -> Path:
    """The folder with the rulesets that come along."""
    return _root() / "rulesets"
