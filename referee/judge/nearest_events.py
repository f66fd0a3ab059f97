"""The legal lines that are nearest to an illegal one, and what each changes."""

from __future__ import annotations

from itertools import islice

from referee.game.event import TABLE, Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import encode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.verdict import Nearest
from referee.judge.visibility import PlayerSight

MOST = 3
MOST_LOOKED_AT = 500


def nearest(walker: Walker, setting: Setting, names: Names, sight: PlayerSight, state: State,
            event: Event | None) -> tuple[Nearest, ...]:
    """At most `MOST` legal events at a state, those like `event` first; only such as the viewer may be told."""
    try:
        legal = [one for one in islice(walker.legal(state), MOST_LOOKED_AT)
                 if one.by != TABLE and sight.of_actor(one.by)]
    except (Unsettled, Fault):
        return ()
    legal.sort(key=lambda one: _distance(one, event))
    chosen = _one_of_each_label(legal) if event is None or _strange(legal, event) else legal
    return tuple(Nearest(encode_event(walker.core, setting, one), _text(one, event, names), _changed(one, event))
                 for one in chosen[:MOST])


def _strange(legal: list[Event], event: Event) -> bool:
    return all(one.label != event.label for one in legal)


def _one_of_each_label(legal: list[Event]) -> list[Event]:
    """The first of each label before the second of any."""
    seen: set[str] = set()
    firsts = [one for one in legal if one.label not in seen and not seen.add(one.label)]  # type: ignore[func-returns-value]
    return firsts + [one for one in legal if one not in firsts]


def _distance(one: Event, event: Event | None) -> tuple[bool, bool, int, int]:
    if event is None:
        return (False, False, 0, 0)
    return (one.label != event.label, one.by != event.by, len(_differing(one, event)), _steps(one, event))


def _steps(one: Event, event: Event) -> int:
    """How far apart the values are, by their place in their domains."""
    ours = dict(event.args)
    return sum(abs(value - other) for name, value in one.args
               if isinstance(value, int) and isinstance(other := ours.get(name), int))


def _differing(one: Event, event: Event) -> list[str]:
    ours = dict(event.args)
    return [name for name, value in one.args if name not in ours or ours[name] != value]


def _text(one: Event, event: Event | None, names: Names) -> str:
    text = names.event(one)
    return text if event is not None and one.by == event.by else f"{names.who(one.by)}: {text}"


def _changed(one: Event, event: Event | None) -> str:
    if event is None or one.label != event.label:
        return ""
    changed = ["player"] if one.by != event.by else []
    changed += _differing(one, event)
    return "other " + " and ".join(changed) if changed else ""
