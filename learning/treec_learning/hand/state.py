"""What the simulator of hands tells rewards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treec_learning.hand.simulator import HandSimulator
from treec_learning.primitives import Number


@dataclass(frozen=True)
class HandState:
    """The state of all hands after a step; see `treec_learning.primitives.RewardState`.

    There is one thing to hold and one place for it, so that their names say nothing. Raises
    ValueError for a primitive that needs more.
    """

    simulator: HandSimulator

    def distance(self, one: str, other: str) -> Number:
        """From the hand, or what it holds, to the target (m)."""
        return self.simulator.distance

    def grasped(self, thing: str) -> Number:
        """Whether the hand holds."""
        return self.simulator.held.astype(float)

    def inside(self, thing: str, other: str) -> Number:
        """Whether the thing was put at its place."""
        return self.simulator.placed.astype(float)

    on = inside

    def joint(self, thing: str) -> tuple[Number, Number, Number]:
        """The joint's position as a share of its travel; of a button: 1 while it is on."""
        share = self.simulator.share
        return share, np.zeros_like(share), np.ones_like(share)

    def refused(self) -> Number:
        """Whether the last motion was not made."""
        return self.simulator.last.refused.astype(float)

    def touched(self) -> Number:
        """Whether that was for a touch, or a thing was pushed away or dropped."""
        last = self.simulator.last
        return (last.touched | last.spoilt).astype(float)

    def _unknown(self, *names: object) -> Number:
        raise ValueError("a hand at its target knows neither heights nor tilts")

    above = tilt = height = _unknown
