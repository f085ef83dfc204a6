"""What the arms of an order spent its time on, for the journal at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from treec_sapien.motion.timing import CONTROL

if TYPE_CHECKING:
    from treec_sapien.motion.motion import Motion
    from treec_sapien.worker import PhysicalAct

KEY = "activities"
"""Of the record in the journal: agent → activity → seconds."""


class ArmTimes:
    """Counts the activities of the agents' arms while an order is carried out."""

    def __init__(self, act: PhysicalAct) -> None:
        self._act = act
        self._arms: dict[str, tuple[Motion, str]] = {}
        for agent in act.arms:
            hand = act.kitchen.hands[agent]
            motion = act.kitchen.motion(hand.robot.name)
            motion.activities.begin(hand.side)
            self._arms[agent] = motion, hand.side

    def count(self) -> None:
        """Count one control step."""
        for motion, side in self._arms.values():
            motion.activities.count(side)

    def seconds(self) -> Mapping[str, Mapping[str, float]]:
        """Agent → activity → seconds."""
        return {
            agent: {
                str(activity): round(steps * CONTROL, 3)
                for activity, steps in sorted(motion.activities.steps(side).items())
            }
            for agent, (motion, side) in self._arms.items()
        }

    def note(self, *, at_once: bool = False) -> None:
        """Put the seconds into the journal; ``at_once`` for an order that is being cancelled."""
        host, order = self._act.kitchen.setup.host, self._act.order
        if self._arms and not at_once:
            self._act.note("", **{KEY: self.seconds()})
        elif self._arms and host is not None:  # what waits for the next tick would come too late
            host.note(order.id, "", {KEY: self.seconds()})
