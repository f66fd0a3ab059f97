"""Games as environments for learning agents (PettingZoo, AEC): one for every ruleset.

In this order: `action_codes` (a number for each pick), `pick_chains` (what can be picked next), `observations` (what a
player sees as numbers), `table_environment` (the environment). `spec/environments.md` is for those who use it.

>>> from referee.envs import env
>>> one = env("sticks.rules", render_mode="ansi")
>>> one.reset(seed=1)
>>> one.agents, int(one.action_space(one.agents[0]).n), one.unwrapped.code_text(2)
(['first', 'second'], 3, 'take sticks 3')
"""

from __future__ import annotations

from typing import Any

try:
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("environments take the extra `envs`: pip install 'referee[envs]'",
                              name=error.name) from error

from referee.envs.table_environment import TableEnvironment as TableEnvironment

ILLEGAL_REWARD = -1.0
"""What an agent gets that picks what it may not; the game is over then."""
raw_env = TableEnvironment


def env(*arguments: Any, **named: Any) -> Any:
    """`TableEnvironment` as PettingZoo's own games are handed out: a pick that the mask does not allow ends the game,
    and calls in a wrong order are errors. It takes what `TableEnvironment` takes."""
    made = TableEnvironment(*arguments, **named)
    ending = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ending))
