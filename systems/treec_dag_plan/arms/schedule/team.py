"""A team: named arms, the bodies that they belong to, and their durations.

An arm does one node at a time; it may also be a whole robot or a person (MOSAIC's agents). A node
for two arms needs two of the same body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from treec.frozen import frozen
from treec_dag_plan.arms.model import GraphNode
from treec_dag_plan.arms.plan import ARMS


@frozen
class ArmTeam:
    """Arms in order from left to right.

    `body`: arm → body; all the same if empty. `times`: command or node id → arm ("" for all) →
    seconds, or None if the arm cannot do it (`{"grasp": {"": 3.0, "right": 5.0}}`). A node's entry
    takes precedence over its command's, an arm's over that of all; the default is `usual` seconds.
    """

    arms: tuple[str, ...] = ARMS
    body: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    usual: float = 1.0

    def takes(self, node: GraphNode, arm: str) -> float | None:
        """Return the duration in seconds, or None if the arm cannot do the node."""
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
