"""The setting that a header fixes, tested as far as that takes the rules: a position to start from must be possible."""

from __future__ import annotations

from referee.engine.faults import Fault, Unsettled
from referee.engine.walker import Walker
from referee.game.header import Header, HeaderFault
from referee.game.log_setting import setting_of
from referee.game.position import BadPosition, Position
from referee.game.setting import Setting


def admitted(walker: Walker, header: Header) -> Setting:
    """The setting of a header. Raises `HeaderFault` if it does not fit the rules, or contradicts them."""
    return tested(walker, setting_of(header, walker.core))


def tested(walker: Walker, setting: Setting) -> Setting:
    """The setting, if the rules have nothing against it. Raises `HeaderFault` (LG26 to LG29)."""
    if setting.position is not None and setting.position.rest_known:
        _test_position(walker, setting, setting.position)
    return setting


def _test_position(walker: Walker, setting: Setting, position: Position) -> None:
    try:
        broken = walker.broken(walker.begin_at(setting, position))
    except BadPosition as bad:
        raise HeaderFault(bad.code, bad.message, bad.key, bad.expected, bad.hint) from None
    except Fault as fault:
        raise HeaderFault("LG29", f"the rules fail in this position: {fault}", "state") from None
    except Unsettled:  # whether it is possible hangs on what is open
        return
    if broken:
        raise HeaderFault("LG29", f"in this position {broken[0].name.replace('_', ' ')} does not hold", "state")
