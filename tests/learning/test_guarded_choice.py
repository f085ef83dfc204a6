"""The choice of an action where the scene's model is asked before each step."""

from __future__ import annotations

import numpy as np

from treec_learning.guarded_choice import HERE, GuardedChoice, place_after
from treec_learning.policy import Floats


def liking(*best: int) -> Floats:
    """Logits by which these actions are the likeliest, in this order."""
    logits = np.zeros(10, dtype=np.float32)
    for rank, action in enumerate(best):
        logits[action] = 10.0 - rank
    return logits


def test_an_action_moves_one_joint_back_or_forth() -> None:
    assert place_after(HERE, 0) == (-1, 0, 0, 0, 0)
    assert place_after(HERE, 9) == (0, 0, 0, 0, 1)


def test_the_likeliest_free_action_is_taken() -> None:
    assert GuardedChoice()(HERE, liking(4, 7), lambda action: True) == 4
    assert GuardedChoice()(HERE, liking(4, 7), lambda action: action != 4) == 7


def test_none_is_taken_where_none_is_free() -> None:
    assert GuardedChoice()(HERE, liking(4), lambda action: False) is None


def test_it_does_not_go_to_and_fro() -> None:
    """A policy that wants to go forth here and back there would do so for ever."""
    choice = GuardedChoice()
    assert choice(HERE, liking(5), lambda action: True) == 5
    there = place_after(HERE, 5)
    assert choice(there, liking(4, 7), lambda action: True) == 7
    to_and_fro = GuardedChoice(repeats=True)
    to_and_fro(HERE, liking(5), lambda action: True)
    assert to_and_fro(there, liking(4, 7), lambda action: True) == 4


def test_it_goes_back_out_of_a_dead_end() -> None:
    choice = GuardedChoice()
    choice(HERE, liking(5), lambda action: True)
    there = place_after(HERE, 5)
    assert choice(there, liking(7), lambda action: action == 4) == 4
