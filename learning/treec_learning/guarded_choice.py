"""How a policy's logits become an action where the scene's model is asked before each step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treec_learning.policy import Floats

Place = tuple[int, ...]
"""A configuration as the number of steps that each joint has made since the episode began."""
HERE: Place = (0, 0, 0, 0, 0)
"""Where it begins."""


def place_after(place: Place, action: int) -> Place:
    """Return the configuration after an action: joint by joint, back and forth."""
    after = list(place)
    after[action // 2] += 1 if action % 2 else -1
    return tuple(after)


class GuardedChoice:
    """The likeliest action that is free, and, if there is one, leads where the hand has not been.

    A policy alone may go to and fro for ever, since the same configuration gives the same action.
    One object serves one episode.
    """

    def __init__(self, *, repeats: bool = False) -> None:
        self._repeats = repeats
        self._been: set[Place] = set()

    def __call__(self, place: Place, logits: Floats, free: Callable[[int], bool]) -> int | None:
        """Return the action for ``logits`` (actions,) in ``place``; None if none is free."""
        self._been.add(place)
        again: int | None = None
        for action in map(int, np.argsort(-logits)):
            known = not self._repeats and place_after(place, action) in self._been
            if known and again is not None:
                continue
            if free(action):
                if not known:
                    return action
                again = action
        return again
