"""The kinematic simulator: many hands reach, each for its own thing, one joint a step.

An action moves one of five joints by a fixed amount, as Stretch is teleoperated. No action is
executed that would touch a wall, a neighbour or the thing, or leave the joints' limits (MOSAIC,
appendix D); what it would have touched is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_learning.pantry.cases import BOXES, Case, CaseBatch
from treec_learning.pantry.kinematics import HIGH, JOINTS, LOW, Array, tip

ACTIONS = tuple(f"{joint} {way}" for joint in JOINTS for way in ("-", "+"))
"""The actions in order: each joint back and forth."""
STEPS = np.array([0.02, 0.02, 0.02, 0.1, 0.1])
"""How far an action moves each joint (m, m, m, rad, rad)."""
MOVES = np.concatenate([np.outer(np.eye(5)[joint], (-1, 1)).T for joint in range(5)]) * STEPS
"""(actions, joints): what each action adds to a configuration."""
NEAR = 0.02
"""Distance (m) of the tip from the goal at which the thing is between the pads."""
MOST = 150
"""Steps of an episode."""
TOUCHES = (*BOXES, "thing", "limit")
"""What an action can be refused for."""
LIMIT = TOUCHES.index("limit")
"""The number that stands for no touch."""

SIGHTS = ("difference", "joints")
"""What a policy may see: the paper's observation, or also joints and what stands around."""
SIZES = {"difference": 3, "joints": 30}
"""Length of each observation."""

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class StepResult:
    """After a step: distance to the goal (m), reached or not, and what refused the action or -1."""

    distance: Array
    reached: Bools
    refused: Ints

    @property
    def touched(self) -> Bools:
        """Which actions were refused for a touch, not for a limit."""
        return np.asarray((self.refused >= 0) & (self.refused != LIMIT))


class PantrySimulator:
    """Cases side by side, with the configuration of each."""

    def __init__(self, cases: list[Case]) -> None:
        self.cases = list(cases)
        self.around = CaseBatch.of(cases)
        self.q = np.stack([case.first for case in cases])
        self.steps = np.zeros(len(cases), dtype=np.int64)

    def put(self, index: int, case: Case) -> None:
        """Begin a new case."""
        self.cases[index] = case
        self.around.put(index, case)
        self.q[index] = case.first
        self.steps[index] = 0

    @property
    def tip(self) -> Array:
        """(n, 3): where the tips are."""
        return tip(self.q, self.around.stand)

    @property
    def distance(self) -> Array:
        """(n,): from tip to goal (m)."""
        return np.asarray(np.linalg.norm(self.around.goal - self.tip, axis=1))

    @property
    def reached(self) -> Bools:
        """(n,): where the thing is between the pads."""
        return np.asarray(self.distance < NEAR)

    def free(self, actions: Ints) -> Bools:
        """Return which actions (n,) would be executed."""
        return self._refusals(self.q + MOVES[actions]) < 0

    def step(self, actions: Ints) -> StepResult:
        """Execute one action (n,) of each, if it may be."""
        to = self.q + MOVES[actions]
        refused = self._refusals(to)
        free = refused < 0
        self.q[free] = to[free]
        self.steps += 1
        distance = self.distance
        return StepResult(distance, distance < NEAR, refused)

    def _refusals(self, to: Array) -> Ints:
        outside = np.any((to < LOW - 1e-9) | (to > HIGH + 1e-9), axis=1)
        return np.where(outside, LIMIT, self.around.touched(to))

    def seen(self, sight: str) -> npt.NDArray[np.float32]:
        """Return the observations (n, SIZES[sight]): decimetres, and radians."""
        point, goal = self.tip, self.around.goal
        off = goal - point
        if sight == "difference":
            return (10.0 * off).astype(np.float32)
        low, high = self.around.low, self.around.high
        front = high[:, 5, 0] < 2.0
        board = self.around.board[:, None]
        lengths = [
            off,
            self.q[:, 2:3],
            self.q[:, 1:2] - 0.5,
            point[:, 1:2],
            point[:, 2:3] - board,
            goal[:, 1:2],
            goal[:, 2:3] - board,
            -high[:, 0, :1],
            low[:, 1, :1],
            low[:, 0:2, 1],
            high[:, 0, 2:] - board,
            low[:, 2, 1:2] - goal[:, 1:2],
            np.minimum(low[:, 4, 2:] - goal[:, 2:], 0.5),
            self.around.radius[:, None],
            np.where(front[:, None], low[:, 5] - point, 0.0),
            np.where(front[:, None], high[:, 5] - point, 0.0),
        ]
        parts = [10.0 * np.concatenate(lengths, axis=1), self.q[:, 3:], np.sin(self.q[:, 3:])]
        parts.append(np.cos(self.q[:, 3:]))
        parts.append(front[:, None].astype(float))
        seen: npt.NDArray[np.float32] = np.concatenate(parts, axis=1).astype(np.float32)
        return seen
