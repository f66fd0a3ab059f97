"""A position with hidden things, as it is in one world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.game.state import Ended, Failed, Open, State, Step, Stopped
from referee.judge.partial.constraints.constraint_search import value
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Bag, Case, Sum, Token, Unknown
from referee.judge.partial.possible_worlds import PossibleState

_PLAIN = frozenset({int, bool, type(None), frozenset, Open})
"""Most entries of a large table are these: the same in every world, so nothing is asked of them."""


def as_witnessed(here: PossibleState, store: ConstraintStore) -> PossibleState:
    """The position as it is for the witness of what is known."""
    return replace(here, step=_step(here.step, store.witness))


def has_unknown(step: Step) -> bool:
    """Whether there is a place of a position of which it is not known what lies there."""
    return isinstance(step, State) and any(isinstance(entry, Unknown) for entry in step.slots)


def _step(step: Step, witness: Mapping[int, int]) -> Step:
    match step:
        case State():
            return _state(step, witness)
        case Ended() | Stopped():
            return replace(step, state=_state(step.state, witness))
        case Failed():
            return step if step.state is None else replace(step, state=_state(step.state, witness))


def _state(state: State, witness: Mapping[int, int]) -> State:
    return State(state.at, tuple([one if type(one) in _PLAIN else shown(one, witness) for one in state.slots]))


def shown(entry: Any, witness: Mapping[int, int]) -> Any:
    """An entry of a position with the classes that tokens have in one world."""
    match entry:
        case Token():
            return witness[entry.id]
        case Unknown():
            return ()
        case Bag():
            found = dict(entry.known)
            for token, sign in entry.tokens.items():
                one = witness[token]
                found[one] = found.get(one, 0) + sign
            return tuple(one for one in sorted(found) for _ in range(found[one]))
        case Sum():
            return value(witness, entry)
        case Case():
            return shown(entry.values[witness[entry.token]], witness)
        case tuple():
            return tuple(_block(one, witness) for one in entry) if any(
                isinstance(one, Token | Bag | tuple) for one in entry) else entry
        case _:  # what is known is the same in every world: numbers, truths, sets, nothing; sets of hidden classes
            return entry  # are decided before they are kept


def _block(one: Any, witness: Mapping[int, int]) -> Any:
    """One of what lies in a place, of a pile a block: what was laid on it alone may be a token in there."""
    found = shown(one, witness)
    return tuple(sorted(found)) if isinstance(one, tuple) else found


def tokens_of(entries: Iterable[Any]) -> set[int]:
    """The tokens that some entries of a position hang on."""
    return {token for entry in entries if type(entry) not in _PLAIN for token in tokens_in(entry)}


def tokens_in(value: Any) -> Iterator[int]:
    """The tokens that an entry of a position, or a local, hangs on."""
    match value:
        case Token():
            yield value.id
        case Bag():
            yield from value.tokens
        case Sum():
            yield from value.weights
        case Case():
            yield value.token
            for one in value.values.values():
                yield from tokens_in(one)
        case tuple():
            for one in value:
                if type(one) not in _PLAIN:
                    yield from tokens_in(one)
        case _:
            return
