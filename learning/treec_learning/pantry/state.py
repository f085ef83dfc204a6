"""What the simulator tells rewards, and rewards that are computed for many episodes at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treec_learning.names import HAND
from treec_learning.pantry.simulator import PantrySimulator, StepResult
from treec_learning.primitives import Number

THING = "thing"
"""The only thing there is: what is reached for."""


@dataclass(frozen=True)
class PantryState:
    """The state of all hands after a step; see `treec_learning.primitives.RewardState`.

    Distances are known between the hand and the thing alone, and a thing counts as grasped when it
    is between the pads. Raises ValueError for a primitive that needs more.
    """

    simulator: PantrySimulator
    last: StepResult | None = None

    def distance(self, one: str, other: str) -> Number:
        """Between hand and thing (m)."""
        if {one, other} != {HAND, THING}:
            raise ValueError(f"the pantry knows no distance between '{one}' and '{other}'")
        return self.simulator.distance if self.last is None else self.last.distance

    def grasped(self, thing: str) -> Number:
        """Whether the thing is between the pads."""
        reached = self.simulator.reached if self.last is None else self.last.reached
        return reached.astype(float)

    def refused(self) -> Number:
        """Whether the last action was not executed."""
        if self.last is None:
            return np.zeros(len(self.simulator.cases))
        return (self.last.refused >= 0).astype(float)

    def touched(self) -> Number:
        """Whether that was for a touch."""
        if self.last is None:
            return np.zeros(len(self.simulator.cases))
        return self.last.touched.astype(float)

    def height(self, one: str) -> Number:
        """Of the hand or the thing (m)."""
        if one == HAND:
            return np.asarray(self.simulator.tip[:, 2])
        return np.asarray(self.simulator.around.goal[:, 2])

    def _unknown(self, *names: object) -> Number:
        raise ValueError("the pantry's reward can only speak of the hand, the thing and touches")

    inside = on = above = tilt = _unknown

    def joint(self, thing: str) -> tuple[Number, Number, Number]:
        """There is none."""
        raise ValueError("nothing in the pantry has a joint")
