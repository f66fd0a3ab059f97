"""Which readings, rulings and parameters explain several logs: the steps, and how a time for all of it is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from referee.api.game_record import Recorder
from referee.api.whole_files import write_whole
from referee.inference.distinguishing_events import decisive
from referee.inference.inference import Inference, against, rulings
from referee.inference.inference import infer as inferred_from
from referee.inference.setting_choice import Pair, pairs
from referee.judge.judgement_summary import Loader
from referee.judge.judging_notes import MOST_SECONDS
from referee.judge.open_settings.setting_sets import NOTHING
from referee.judge.open_settings.setting_verdicts import Explained, explain
from referee.judge.open_settings.value_ranges import Place
from referee.report.data.inference_data import Inferred
from referee.system.deadline import Deadline

FOR_LOGS = 0.7
"""The share of a time for all in which logs are judged; the rest is for what is told beside."""
LONGER = 2
"""A log is judged once more if it may take so many times as long as before."""
MOST_AGAINST = 60
"""Values for which it is looked what stands against them, at most."""


class Inferring:
    """Some logs that are looked at together, step by step: what is known stays known if somebody breaks in."""

    def __init__(self, paths: Sequence[str], load: Loader, *, blind: bool = False, games: int = 0, seed: int = 0,
                 folder: Path | None = None, seconds: float | None = None) -> None:
        """`blind`: what headers state of settings is not looked at; `games`: how many random ones are looked through
        for what tells two settings apart, by `seed`, written into `folder`; `seconds`: for everything."""
        self._paths, self._load, self._blind = paths, load, blind
        self._games, self._seed, self._folder = games, seed, folder
        self._limited = seconds is not None
        self._whole = Deadline(seconds)
        self._explained: list[Explained] = []

    @property
    def judged(self) -> int:
        """How many logs were judged."""
        return len(self._explained)

    def judge(self, judged: Callable[[], None]) -> None:
        """Judges the logs; `judged` is called after each."""
        _explain(self._explained, self._paths, self._load, self._whole, judged, blind=self._blind)

    def told(self) -> Inferred:
        """What the logs that were judged say together."""
        return Inferred(inferred_from(self._explained))

    def more(self, told: Inferred) -> Inferred:
        """The same, with what stands against values, and what would decide between those that are left."""
        if not told.inference.region:
            return told
        deadline = self._whole if self._limited else Deadline(MOST_SECONDS)
        return _more(told, self._load, self._blind, self._games, self._seed, self._folder, deadline)


def _explain(explained: list[Explained], paths: Sequence[str], load: Loader, whole: Deadline,
             judged: Callable[[], None], *, blind: bool) -> None:
    """Judges log after log. Of a time for all, each has an equal share of what is left; those for which it was too
    short are judged once more if others have left enough."""
    logs = whole if whole.as_timeout is None else whole.within(whole.as_timeout * FOR_LOGS)
    shares: list[float] = []
    for index, path in enumerate(paths):
        share = None if logs.as_timeout is None else logs.as_timeout / (len(paths) - index)
        shares.append(share or 0.0)
        explained.append(explain(path, load, blind=blind, seconds=share))
        judged()
    short = [at for at, log in enumerate(explained) if log.space is not None and (log.region is None or log.untold)]
    for number, index in enumerate(short):
        if logs.as_timeout is not None and (share := logs.as_timeout / (len(short) - number)) > LONGER * shares[index]:
            again = explain(paths[index], load, blind=blind, seconds=share)
            explained[index] = again if again.region is not None else explained[index]


def _more(told: Inferred, load: Loader, blind: bool, games: int, seed: int, folder: Path | None,
          deadline: Deadline) -> Inferred:
    """What stands against the values that are excluded, and what would decide between those that are left."""
    inference = told.inference
    excluded = [against(inference.logs, place, piece, load, blind=blind, deadline=deadline)
                for place, piece in _gone(inference)]
    ruled = list(rulings(inference, load, blind=blind, deadline=deadline))
    found = list(pairs(inference, games, seed)) if games else []
    return replace(
        told, excluded=excluded, rulings=ruled,
        decisive=[one for log in inference.logs for one in decisive(log, inference.region or NOTHING, deadline)],
        pairs=found, files=_written(found, folder))


def _gone(inference: Inference) -> Iterator[tuple[Place, tuple[int, int]]]:
    """The values that no setting left has: of readings each choice, of parameters the next below and above."""
    region, full = inference.region, inference.full

    def gone() -> Iterator[tuple[Place, tuple[int, int]]]:
        for place in (place for place in inference.told_of if region is not None and place in region.places):
            left = region.values(place) if region is not None else []
            lo, hi = full[place]
            held = {value for low, high in left for value in range(low, high + 1)}
            edges = range(lo, hi + 1) if hi - lo < 12 else sorted(
                {edge for low, high in left for edge in (low - 1, high + 1) if lo <= edge <= hi})
            yield from ((place, (value, value)) for value in edges if value not in held)

    return islice(gone(), MOST_AGAINST)


def _written(found: Sequence[Pair], folder: Path | None) -> list[tuple[str | None, str | None]]:
    """Writes the games that tell settings apart; the names of their files."""
    files: list[tuple[str | None, str | None]] = []
    for index, pair in enumerate(found):
        walker = pair.log.walker
        names: list[str | None] = [None, None]
        for side, one in enumerate(pair.found):
            if folder is None or walker is None or not one.events:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            names[side] = str(path := folder / f"{index:03}-{side + 1}.jsonl")
            lines = Recorder(walker, pair.log.options).lines(one.setting, one.events, walker.begin(one.setting), ())
            write_whole(path, lines)
        files.append((names[0], names[1]))
    return files
