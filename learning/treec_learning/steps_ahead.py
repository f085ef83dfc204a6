"""A search for a sequence of actions to the goal, in the scene's model and as a policy orders them.

A guard that looks one step ahead wanders before what it has to go around: it learns of a dead end
only there. Here a way is looked for before the hand moves: weighted A* over the configurations
that can be reached, in which an action costs more the less the policy likes it.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treec_learning.guarded_choice import HERE, Place, place_after
from treec_learning.policy import Floats

_GREED = 1.6
"""Weight of what is still ahead: ways are a little longer and found much sooner."""
_ORDER = 0.3
"""What an action costs for each nat by which the policy likes it less than its favourite."""
_DISLIKE = 6.0
"""The most nats that count: what a policy never does may be the only way out."""
_TIGHT = 1.0
"""What an action costs more that is free but not roomy."""
_Entry = tuple[float, float, Place, tuple[Place, int] | None, bool]
"""Rank, minus what was spent, place, the place before it and the action, whether that is tight."""


class StepsModel(Protocol):
    """What a search needs to know of the hand and the scene; places are relative to now."""

    def likings(self, place: Place) -> Floats:
        """Return the logits (actions,) of a policy in a place."""

    def steps_left(self, places: Sequence[Place]) -> npt.NDArray[Any]:
        """Return about how many steps (n,) places are from the goal; infinite if unreachable."""

    def is_free(self, place: Place, action: int, *, roomy: bool = False) -> bool:
        """Whether an action from a place touches nothing and keeps to the limits.

        ``roomy``: with some room to spare, as joints lag behind where they are sent.
        """

    def is_goal(self, place: Place) -> bool:
        """Whether the goal is reached in a place."""


def find_way(model: StepsModel, most: int, first: Place = HERE) -> list[int] | None:
    """Return the actions to the goal; None if none was found within ``most`` configurations."""
    came: dict[Place, tuple[Place, int]] = {}
    closed: set[Place] = set()
    queue: list[_Entry] = [(0.0, 0.0, first, None, False)]
    while queue and len(closed) < most:
        rank, minus_spent, place, last, is_tight = heapq.heappop(queue)
        if place in closed:
            continue
        if last is not None:  # asked only now: most places that are seen are never looked at
            if not model.is_free(*last, roomy=not is_tight):
                if not is_tight:
                    heapq.heappush(queue, (rank + _TIGHT, minus_spent - _TIGHT, place, last, True))
                continue
            came[place] = last
        closed.add(place)
        if model.is_goal(place):
            return _actions(came, place)
        liking = model.likings(place)
        dislike = np.minimum(liking.max() - liking, _DISLIKE)
        around = [place_after(place, action) for action in range(len(liking))]
        left = model.steps_left(around)
        for action, other in enumerate(around):
            if other in closed or not np.isfinite(left[action]):
                continue
            spent = 1.0 - minus_spent + _ORDER * float(dislike[action])
            ahead = spent + _GREED * float(left[action])
            heapq.heappush(queue, (ahead, -spent, other, (place, action), False))
    return None


def _actions(came: dict[Place, tuple[Place, int]], place: Place) -> list[int]:
    actions: list[int] = []
    while place in came:
        place, action = came[place]
        actions.append(action)
    return actions[::-1]
