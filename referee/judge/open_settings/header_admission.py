"""The setting that a header fixes, tested as far as that takes the rules: positions possible, values that fit."""

from __future__ import annotations

from referee.core.read_write_sets import reads
from referee.core.types import PLAYER
from referee.game.log.header_setting import setting_of, unfit
from referee.game.log.log_header import Header, HeaderFault
from referee.game.log.strict_json import brief
from referee.game.setting import Setting
from referee.game.start_position import BadPosition, Position
from referee.game.value_codec import place_text
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import BrokenInvariant
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.constraints.hidden_values import UNKNOWN, HiddenValueAsked


def admitted(walker: Walker, header: Header) -> Setting:
    """The setting of a header. Raises `HeaderFault` if it does not fit the rules, or contradicts them."""
    return tested(walker, setting_of(header, walker.core))


def other_rules(walker: Walker, header: Header) -> list[str]:
    """A note if a log is judged by other rules than it names."""
    core = walker.core
    if header.ruleset == core.name or header.version == core.version:
        return []
    return [f"the log names the ruleset {brief(header.ruleset)}; it was judged by {core.name}"]


def tested(walker: Walker, setting: Setting) -> Setting:
    """The setting, if the rules have nothing against it. Raises `HeaderFault` (LG26 to LG31)."""
    if setting.position is not None:
        _test_position(walker, setting, setting.position)
    if walker.core.relations:
        _test_relations(walker, setting)
    if walker.core.pool and setting.position is None:
        _test_pool(walker, setting)
    return setting


def _test_pool(walker: Walker, setting: Setting) -> None:
    from referee.judge.open_settings.pool_supply import lacking, pool_sizes

    found = lacking(walker, setting)
    if isinstance(found, BrokenInvariant):
        shown = _values(walker, setting, found)
        message = f"with this pool ({pool_sizes(walker)}) {found.name.replace('_', ' ')} does not hold"
        raise HeaderFault("LG30", f"{message}: {shown}" if shown else message, "pool")
    if found is not None:
        raise HeaderFault("LG30", f"this pool ({pool_sizes(walker)}) is not enough to set up: {found}", "pool")


def _test_relations(walker: Walker, setting: Setting) -> None:
    try:
        broken = walker.relations.broken(walker.entries(setting))
    except Fault:  # the game fails as soon as it begins, and is told so
        return
    if broken is not None:
        key = next((name for name in setting.parameters), "parameters")
        raise HeaderFault("LG31", f"no values of the parameters are left for which {broken.text}", key)


def _test_position(walker: Walker, setting: Setting, position: Position) -> None:
    from referee.judge.partial.lifted.hidden_start import concealed  # slow to import, and mostly not needed

    try:
        state = walker.begin_at(setting, position, None if position.rest_known else UNKNOWN, concealed)
        broken = walker.broken(state) if position.rest_known else ()
        over = None if broken else walker.over(state)
    except BadPosition as bad:
        raise unfit(bad) from None
    except Fault as fault:
        raise HeaderFault("LG29", f"the rules fail in this position: {fault}", "state") from None
    except (Unsettled, HiddenValueAsked):  # whether it is possible hangs on what is open
        return
    if over is not None and not position.rest_known:
        raise HeaderFault("LG29", "in this position the game is over", "state")
    if broken:
        raise _broken(walker, setting, position, broken[0])


def _values(walker: Walker, setting: Setting, broken: BrokenInvariant) -> str:
    names = Names(walker.flow, setting.players)
    if broken.zone is not None:  # a limit: the one number that it is about, of this place
        name, key = broken.zone
        there = place_text(walker.core, setting.players, name, walker.core.zones[name].keys, key)
        return f"number of {there} = {names.value(broken.tested.values[0].value, broken.tested.values[0].type)}"
    return ", ".join(f"{one.text} = {names.value(one.value, one.type)}" for one in broken.tested.values)


def _broken(walker: Walker, setting: Setting, position: Position, broken: BrokenInvariant) -> HeaderFault:
    """What does not hold in a position, with its values; it points at an entry on which it hangs."""
    tested, shown = broken.tested, _values(walker, setting, broken)
    message = f"in this position {broken.name.replace('_', ' ')} does not hold"
    said = {**{(one.zone, one.key): one.text for one in position.placed}, **position.texts}
    read = {broken.zone[0]} if broken.zone is not None else reads(tested.guard.cond)
    seats = {one.value for one in tested.values if one.type == walker.core.domains[PLAYER].whole}
    on = [entry for entry in said if entry[0] in read]
    best = next((entry for entry in on if entry == broken.zone), None) or next(
        (entry for entry in on if seats.intersection(entry[1])), None) or next(iter(on), None)
    return HeaderFault("LG29", f"{message}: {shown}" if shown else message, "state" if best is None else said[best])
