"""Why no base pose serves a reach: the arm gets there from nowhere, or something is in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion.base_poses import places_for
from treec_sapien.motion.frames import Array
from treec_sapien.motion.reach import ReachRow, candidates

if TYPE_CHECKING:
    from treec_sapien.motion.base import ReachWish
    from treec_sapien.motion.motion import Motion
    from treec_sapien.motion.space import Space

_TRIED = 12  # ways to reach it that are looked at
_EVERY = 3  # poses of a door's way between two that are looked at


def why_not_reached(motion: Motion, wishes: Sequence[ReachWish]) -> str:
    """Say whether arms get to it from no base pose, or what is in the way where they would.

    Its random choices are its own: whoever asks goes on as without.
    """
    rng = np.random.default_rng(0)
    motion.space.update()
    q = motion.rest_configuration()
    moves = motion.base.moves
    places = places_for(motion, wishes, rng) if moves else np.zeros((0, 3))
    if moves and not len(places):
        return "the base has no room near it"
    base = motion.robot.indices(motion.robot.base_joints)
    why = ""
    for wish in wishes:
        found = candidates(wish.arm.problem(q, places), wish.reaches, rng)[:_TRIED]
        if not found:
            return f"out of reach of {wish.arm.name}"
        obstacles = []
        for one in found:
            if one.base is not None:
                q[base] = one.base
            with wish.arm.may_touch(wish.touch):
                obstacles.append(obstacle(motion.space, one.reach, wish.arm.whole(q, one.q)))
        why = why or most_in_the_way(obstacles)
    return why


def obstacle(space: Space, reach: ReachRow, rows: Array) -> str:
    """Return what is in the way first along a reach (whole joints); see `Space.obstacle_at`."""
    if reach.show is None:
        return space.obstacle_at(rows)
    try:
        for i in range(0, len(rows), _EVERY):
            reach.show(space, i)
            if found := space.obstacle_at(rows[i : i + 1]):
                return found
    finally:
        space.update()
    return ""


def most_in_the_way(obstacles: Iterable[str]) -> str:
    """Say what is most often in the way; if nothing ever is, it is the base that is not free."""
    ((thing, _),) = Counter(obstacles).most_common(1)
    return f"the {thing} is in the way" if thing else "the base has no room there"
