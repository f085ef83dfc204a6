"""An episode of reaching in the physical pantry: steps, and what was touched on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any, TypeVar

import numpy as np

from treec_learning.sapien.reach import StretchReach
from treec_learning.sapien.scene import ROBOT, THING, PantryScene
from treec_sapien.motion.frames import matrix
from treec_sapien.sense.contacts import GROUND, Piece

MOVED = 0.01
"""Metres that the thing may be moved before it counts as pushed away."""

T = TypeVar("T")


class PhysicalEpisode:
    """The hand of a scene's robot on its way; physics runs while it moves.

    ``touched`` counts the contacts that began, by what was touched. The thing itself may be grazed,
    and counts once it has been pushed away.
    """

    def __init__(self, scene: PantryScene) -> None:
        self.scene = scene
        self.kitchen = scene.kitchen
        self.reach = StretchReach(scene.arm, scene.goal)
        self.touched: Counter[str] = Counter()
        self.steps = 0
        self._touching: set[tuple[Piece, Piece]] = set()
        self._stood = self._place()

    def step(self, action: int, *, guarded: bool) -> str | None:
        """Execute an action; return what refused it, or None.

        Those beyond a joint's limit are refused, and, if ``guarded``, those that touch something by
        the planner's model.
        """
        self.steps += 1
        self.reach.arm.motion.space.update()
        refused = self.reach.refusal(action) if guarded else self.reach.limit(action)
        if refused is None:
            self.run(self.reach.execute(action))
        return refused

    def run(self, steps: Generator[Any, None, T], *, pushes: bool = True) -> T:
        """Let a motion run to its end and return its value.

        With ``pushes`` False the thing may be moved.
        """
        while True:
            try:
                next(steps)
            except StopIteration as ended:
                value: T = ended.value
                return value
            self.kitchen.physics()
            self.kitchen.ticks += 1
            self._look(pushes)

    @property
    def seconds(self) -> float:
        """Since it began."""
        return self.kitchen.now

    def _look(self, pushes: bool) -> None:
        now: set[tuple[Piece, Piece]] = set()
        for one, other, _ in self.kitchen.contacts.pairs:
            for own, it in ((one, other), (other, one)):
                if own[0] == ROBOT and it[0] not in (ROBOT, THING) and it != GROUND:
                    now.add((own, it))
        for _, it in now - self._touching:
            self.touched[it[0]] += 1
        self._touching = now
        if pushes and not self.touched[THING]:
            moved = float(np.linalg.norm(self._place() - self._stood))
            if moved > MOVED:
                self.touched[THING] = 1

    def _place(self) -> Any:
        return matrix(self.kitchen.bodies[THING].pose())[:3, 3]
