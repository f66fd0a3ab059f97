"""What is carried out on hidden values is carried out once for each answer to what is open, no more and no fewer."""

from __future__ import annotations

from itertools import product

from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Token, members
from referee.judge.partial.lifted.choice_points import Trial, forks


def test_a_choice_stays_the_same_where_fewer_possibilities_are_left_later() -> None:
    """What may be chosen is read off a token, of which more is known once the same is carried out again."""
    def ask(trial: Trial) -> tuple[int, int]:
        one = trial.choose(list(members(trial.store.domains[1])))
        return one, trial.class_of(Token(1))

    store = ConstraintStore().meeting(1, 0b111, 0)
    assert sorted(answer for _, answer in forks(store, 2, 1, ask)) == list(product(range(3), repeat=2))
