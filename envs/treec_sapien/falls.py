"""Detection of things that fall over, attributed to the nearest hand at work.

Only things that stand are watched: vessels, and what is taller than wide. A skill may tilt its own
object (a bottle that is poured from); anything else that falls over during the skill, nearest to
its hand, makes the skill fail: as knocked over, or as spilled if there is liquid in it. What a
person has pushed over is nobody's failure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.sense.hands import holders
from treec_sapien.sense.location import box
from treec_sapien.sense.posture import SPILLS, UPRIGHT, lean

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

TALL = 1.2
"""Ratio of height to width from which a thing counts as standing rather than lying."""

NEAR = 0.6
"""Largest distance (m) from a fallen thing to the tool point of the hand it is attributed to."""


@dataclass(frozen=True, slots=True)
class Fall:
    """A thing that fell over, when (in control steps), and whose hand was nearest."""

    item: str
    tick: int
    agent: str


class FallMonitor:
    """Watches the things of a kitchen that stand."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        self._kitchen = kitchen
        self._watched = [
            name for name in kitchen.bodies if kitchen.is_free(name) and _stands(kitchen, name)
        ]
        self._up = {name for name in self._watched if lean(kitchen, name) <= UPRIGHT}
        self._falls: list[Fall] = []

    def look(self, at_work: Iterable[str]) -> None:
        """Record what fell over since the last call while these agents were at work."""
        for name in self._watched:
            if self._kitchen.bodies[name].links["body"].is_sleeping:
                continue
            leans = lean(self._kitchen, name)
            if leans <= UPRIGHT:
                self._up.add(name)
            elif leans >= SPILLS and name in self._up:
                self._up.discard(name)
                excused = holders(self._kitchen, name) or self._kitchen.touches.was_pushed(name)
                agent = None if excused else self._nearest(name, at_work)
                if agent is not None:  # a hand may tilt what it holds
                    self._falls.append(Fall(name, self._kitchen.ticks, agent))

    def by(self, agents: Collection[str], since: int, but: Collection[str]) -> Fall | None:
        """Return the first thing that an order's agents knocked over; None if nothing."""
        return next(
            (
                fall
                for fall in self._falls
                if fall.agent in agents and fall.tick > since and fall.item not in but
            ),
            None,
        )

    def describe(self, fall: Fall) -> tuple[str, str]:
        """Return the name of a fall as a failure, and what fell."""
        liquid = self._kitchen.setup.objects[fall.item].get("liquid")
        return "spilled" if liquid else "knocked over", fall.item

    def _nearest(self, item: str, agents: Iterable[str]) -> str | None:
        distances = []
        low, high = box(self._kitchen, item)
        for agent in agents:
            hand = self._kitchen.hands.get(agent)
            if hand is not None:
                tool = np.array(hand.robot.link(hand.arm.tcp).entity_pose.p)
                far = float(np.linalg.norm(np.clip(tool, low, high) - tool))
                if far <= NEAR:
                    distances.append((far, agent))
        return min(distances)[1] if distances else None


def _stands(kitchen: SapienKitchen, name: str) -> bool:
    low, high = box(kitchen, name)
    x, y, z = high - low
    return bool(name in kitchen.vessels or z >= TALL * max(x, y))
