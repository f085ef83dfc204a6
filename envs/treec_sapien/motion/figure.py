"""A robot's own pieces and what it holds: their poses, and which pairs of them must not touch."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.motion.kinematic_tree import Mask, Tree
from treec_sapien.motion.obstacles import Thing
from treec_sapien.motion.solids import ConvexPiece, boxes, solids_of
from treec_sapien.robots.robot import Robot


@dataclass(frozen=True)
class HeldObject:
    """A thing that moves with a link of the robot, and the links that may touch it."""

    thing: Thing
    link: str
    touch: frozenset[str]


class Figure:
    """The pieces of a robot; `solids` and the derived data change when something is held."""

    def __init__(self, robot: Robot, name: str) -> None:
        self.robot = robot
        self.tree = Tree(robot.articulation)
        self.root = matrix(robot.articulation.root_pose)
        self._own = [
            solid for link in robot.articulation.links for solid in solids_of(link, name, link.name)
        ]
        parents = {
            (link.name, link.parent.name)
            for link in robot.articulation.links
            if link.parent is not None
        }
        self._apart = robot.srdf_pairs | {frozenset(pair) for pair in parents}
        self.held: dict[str, HeldObject] = {}
        self.solids: tuple[list[ConvexPiece], list[ConvexPiece]] = ([], [])
        self.hold()

    def hold(self) -> None:
        """Update what is held and where it is in the hand."""
        tree = self.tree
        movers = [tree.mover[one.link] for one in self._own]
        mounts = [tree.offset[one.link] @ one.local for one in self._own]
        touch: list[frozenset[str]] = [frozenset()] * len(self._own)
        self.solids = (list(self._own), list(self._own))
        for held in self.held.values():
            hand = matrix(self.robot.link(held.link).entity_pose)
            in_hand = tree.offset[held.link] @ inverse(hand) @ matrix(held.thing.it.pose)
            for padded in (0, 1):
                self.solids[padded].extend(held.thing.solids[padded])
            movers += [tree.mover[held.link]] * len(held.thing.solids[0])
            mounts += list(in_hand @ held.thing.locals)
            touch += [held.touch] * len(held.thing.solids[0])
        self.movers = np.array(movers, dtype=np.intp)
        base = set(self.robot.indices(self.robot.base_joints).tolist())
        self.of_base: Mask = np.array([tree.upstream[it] <= base for it in movers], dtype=bool)
        """Which pieces only the base moves, and so never up or down."""
        self._mounts = np.stack(mounts)
        self._middles = [np.stack([one.middle for one in solids]) for solids in self.solids]
        self._halves = [np.stack([one.half for one in solids]) for solids in self.solids]
        self._pair(touch)

    def _pair(self, touch: Sequence[frozenset[str]]) -> None:
        """Find the pairs of its own pieces that must not touch."""
        pairs = []
        for i, j in itertools.combinations(range(len(self.movers)), 2):
            one, two = self.solids[0][i], self.solids[0][j]
            if one.body == two.body and one.body not in self.held:
                fine = one.link == two.link or frozenset((one.link, two.link)) in self._apart
            else:
                fine = one.body == two.body or one.link in touch[j] or two.link in touch[i]
            if not fine:
                pairs.append((i, j))
        self.firsts, self.seconds = np.array(pairs, dtype=np.intp).reshape(-1, 2).T

    def poses(self, movers: Array) -> Array:
        """Return the pieces' poses (n, pieces, 4, 4) for these poses of the movers."""
        return np.asarray(movers[:, self.movers] @ self._mounts)

    def boxes(self, poses: Array, *, roomy: bool) -> tuple[Array, Array]:
        """Return the corners (n, pieces, 3) of the pieces' axis-aligned bounding boxes."""
        return boxes(poses, self._middles[roomy], self._halves[roomy])
