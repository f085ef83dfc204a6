"""Who works: arms with names, the bodies that they belong to, and how long each takes for what.

An arm may be a robot's, or a whole robot or person (MOSAIC's agents): whoever does one node at a
time. A node for two arms needs two of one body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from treec.systems.dag_plan.arms.model import GraphNode
from treec.systems.dag_plan.arms.plan import ARMS


@dataclass(frozen=True, slots=True)
class ArmTeam:
    """Arms in order from left to right.

    `body` names each arm's body (all one when empty). `times` gives seconds for a command or for a
    node's id, for every arm or for one (`{"grasp": {"": 3.0, "right": 5.0}}`); None says that the
    arm cannot. A node's own entry goes before its command's, an arm's before that of all; what has
    no entry takes `usual` seconds.
    """

    arms: tuple[str, ...] = ARMS
    body: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    usual: float = 1.0

    def takes(self, node: GraphNode, arm: str) -> float | None:
        """Seconds, or None when the arm cannot do it."""
        for key in (node.id, node.command):
            own = self.times.get(key)
            if own is not None:
                for who in (arm, ""):
                    if who in own:
                        return own[who]
        return self.usual

    @property
    def bodies(self) -> tuple[int, ...]:
        """The arms of each body, as bits."""
        found: dict[str, int] = {}
        for a, arm in enumerate(self.arms):
            name = self.body.get(arm, "")
            found[name] = found.get(name, 0) | 1 << a
        return tuple(found.values())
