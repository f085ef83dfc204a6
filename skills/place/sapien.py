"""Set what the gripper holds down at a place, in SAPIEN.

All of it is physical. The spot is a free one on the place's surface: on a table one that the arm
which stands there reaches well, on boards one far in front.
"""

from __future__ import annotations

from envs.sapien.handling import chance, held
from envs.sapien.motion.failed import Failed
from envs.sapien.motion.putting import put
from envs.sapien.sense.posture import lean
from envs.sapien.spots import free_spots, raised
from envs.sapien.worker import Act, Physical, Steps

ATTEMPTS = 3
"""How often it is tried, each time with the free spots in other turns of the thing."""

LEANS = 30.0
"""Degrees from upright beyond which a thing has fallen over."""

DROP = 0.015
"""How far (m) a thing is let fall where the fingers would meet the surface."""


class Place(Physical):
    """See the module."""

    unless = "dropped"

    def do(self, act: Act) -> Steps:
        """Put the item on a free spot of the place."""
        yield from set_down(act, act.arg("item"), act.arg("place"))


def set_down(act: Act, item: str, place: str) -> Steps:
    """Put an item that is held on a free spot of a place."""
    built = held(act, item)
    spots = free_spots(act.kitchen, item, place, act.order.agent)
    if not spots:
        raise Failed("blocked", f"there is no room for {item} on {place}")
    each = len(spots) // ATTEMPTS
    for attempt in range(ATTEMPTS):
        some = spots[attempt * each : (attempt + 1) * each]
        try:
            yield from put(act.arm, built, [*some, *raised(some, DROP)], chance(act, attempt))
            break
        except Failed as failure:
            if failure.name == "dropped" or attempt == ATTEMPTS - 1:
                raise
    if lean(act.kitchen, item) > LEANS:
        raise Failed("knocked over", f"{item} lies on {place}")
