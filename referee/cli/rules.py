"""The rules that logs name, or that the command line names for them: loaded once for each shape."""

from __future__ import annotations

from referee.base.diagnostic import Problems
from referee.base.suggest import did_you_mean
from referee.core.flow import Flow
from referee.engine.walker import Walker
from referee.game.header import Header, HeaderFault
from referee.game.log_json import brief
from referee.meaning import find, load_flow, names

_Shape = tuple[str, int, tuple[tuple[str, str], ...]]
_FAULTS = {
    "SH01": ("LG18", "players"), "SH02": ("LG19", "options"), "SH03": ("LG19", "options"), "SH04": ("LG19", "options"),
}


def flow_of(ruleset: str, players: int | None, options: dict[str, str]) -> Flow:
    """The flow of a ruleset for a shape; raises `Problems`."""
    return load_flow(ruleset, players, options)


class Rules:
    """Finds the walker for a log. `ruleset` stands for whatever the logs name; raises `Problems` if there is none."""

    def __init__(self, ruleset: str | None = None) -> None:
        if ruleset is not None:
            find(ruleset)
        self._ruleset = ruleset
        self._found: dict[_Shape, Walker | Problems] = {}
        self._known: tuple[str, ...] = ()

    def __call__(self, header: Header) -> Walker:
        """The rules for a log. Raises `Problems`, or `HeaderFault` if the header asks for what is not there."""
        shape = (self._ruleset or self._bundled(header), len(header.players), tuple(sorted(_options(header).items())))
        if shape not in self._found:
            self._found[shape] = _made(shape)
        made = self._found[shape]
        if isinstance(made, Problems):
            raise _fault(made)
        return made

    def _bundled(self, header: Header) -> str:
        """A log names rules that come along, never a file. Their folder is looked into once."""
        self._known = self._known or names()
        if header.ruleset not in self._known:
            raise HeaderFault("LG22", f"there is no ruleset {brief(header.ruleset)}", "ruleset",
                              hint=did_you_mean(header.ruleset, self._known) or "name one by --ruleset")
        return header.ruleset


def _made(shape: _Shape) -> Walker | Problems:
    name, players, options = shape
    try:
        return Walker(flow_of(name, players, dict(options)))
    except Problems as problems:
        return problems


def _fault(problems: Problems) -> Exception:
    """What to raise: a shape that the rules do not have is a fault of the header, anything else one of the rules."""
    found = problems.diagnostics[0]
    if found.code not in _FAULTS:
        return problems.with_traceback(None)  # it may be raised again, for the next log
    code, key = _FAULTS[found.code]
    return HeaderFault(code, found.message, key, hint=found.hint)


def _options(header: Header) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in header.options.items():
        if not isinstance(value, str):
            raise HeaderFault("LG19", f"the option {brief(name)} is the name of one of its values", "options")
        found[name] = value
    return found
