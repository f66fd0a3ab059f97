"""The setting that a header fixes, tested as far as that takes the rules: positions possible, values that fit."""

from __future__ import annotations

from referee.game.log.header_setting import setting_of, unfit
from referee.game.log.log_header import Header, HeaderFault
from referee.game.setting import Setting
from referee.game.start_position import BadPosition, Position
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.partial.constraints.hidden_values import UNKNOWN, HiddenValueAsked
from referee.judge.partial.lifted.hidden_start import concealed


def admitted(walker: Walker, header: Header) -> Setting:
    """The setting of a header. Raises `HeaderFault` if it does not fit the rules, or contradicts them."""
    return tested(walker, setting_of(header, walker.core))


def tested(walker: Walker, setting: Setting) -> Setting:
    """The setting, if the rules have nothing against it. Raises `HeaderFault` (LG26 to LG29, LG31)."""
    if setting.position is not None:
        _test_position(walker, setting, setting.position)
    if walker.core.relations:
        _test_relations(walker, setting)
    return setting


def _test_relations(walker: Walker, setting: Setting) -> None:
    try:
        broken = walker.relations.broken(walker.entries(setting))
    except Fault:  # the game fails as soon as it begins, and is told so
        return
    if broken is not None:
        key = next((name for name in setting.parameters), "parameters")
        raise HeaderFault("LG31", f"no values of the parameters are left for which {broken.text}", key)


def _test_position(walker: Walker, setting: Setting, position: Position) -> None:
    try:
        state = walker.begin_at(setting, position, None if position.rest_known else UNKNOWN, concealed)
        broken = walker.broken(state) if position.rest_known else ()
    except BadPosition as bad:
        raise unfit(bad) from None
    except Fault as fault:
        raise HeaderFault("LG29", f"the rules fail in this position: {fault}", "state") from None
    except (Unsettled, HiddenValueAsked):  # whether it is possible hangs on what is open
        return
    if broken:
        raise HeaderFault("LG29", f"in this position {broken[0].name.replace('_', ' ')} does not hold", "state")
