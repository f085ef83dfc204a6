"""Obstacles of a robot: the pieces of everything else in the scene, their poses, and what fits.

Each piece is kept in two versions: as it is, and padded (`roomy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from mplib.sapien_utils.conversion import convert_object_name
from sapien.physx import PhysxRigidBaseComponent, PhysxRigidDynamicComponent

from treec_sapien.motion.frames import Array, matrix
from treec_sapien.motion.kinematic_tree import Tree
from treec_sapien.motion.solids import ConvexPiece, boxes, solids_of, touch

PADDING = 0.012
"""Clearance (m) of free motions."""


@dataclass(eq=False)
class Thing:
    """A body of the scene: a free or fixed one (``tree`` is None), or one with joints."""

    it: Any  # an Entity or a PhysxArticulation
    tree: Tree | None
    solids: tuple[list[ConvexPiece], list[ConvexPiece]]  # unpadded and padded
    movers: npt.NDArray[np.intp]
    locals: Array  # pose of each piece on its mover
    first: int = 0  # index of its first piece among all
    seen: bytes = b""  # its state at the last update

    @property
    def own(self) -> slice:
        """The slice of its pieces among all."""
        return slice(self.first, self.first + len(self.movers))

    @property
    def is_free(self) -> bool:
        """Whether it is one body that forces move."""
        if self.tree is not None:
            return False
        body = self.it.find_component_by_type(PhysxRigidDynamicComponent)
        return body is not None and not body.kinematic

    def state(self) -> Array:
        """Return everything that determines its pieces' poses."""
        it = self.it
        if self.tree is None:
            return np.concatenate([it.pose.p, it.pose.q])
        root = it.root_pose
        return np.concatenate([root.p, root.q, it.qpos])

    def poses(self, joints: Array | None = None) -> Array:
        """Return its pieces' poses (n, 4, 4), optionally with other joint positions."""
        if self.tree is None:
            return np.asarray(matrix(self.it.pose) @ self.locals)
        q = np.asarray(self.it.qpos if joints is None else joints, dtype=float)
        movers = self.tree.poses(q[None], matrix(self.it.root_pose))[0]
        return np.asarray(movers[self.movers] @ self.locals)


class Obstacles:
    """All bodies of a scene except one robot."""

    def __init__(self, scene: Any, robot: Any) -> None:
        own = {link.entity for link in robot.links}
        self.things: dict[str, Thing] = {}
        for articulation in scene.get_all_articulations():
            if articulation is not robot and articulation.root.entity not in own:
                tree = Tree(articulation)
                self._add(articulation, articulation.links, tree)
        for entity in scene.get_all_actors():
            self._add(entity, [entity.find_component_by_type(PhysxRigidBaseComponent)], None)
        self.solids: tuple[list[ConvexPiece], list[ConvexPiece]] = ([], [])
        for thing in self.things.values():
            thing.first = len(self.solids[0])
            for padded in (0, 1):
                self.solids[padded].extend(thing.solids[padded])
        count = len(self.solids[0])
        self._poses = np.tile(np.eye(4), (count, 1, 1))
        self.planes: npt.NDArray[np.bool_] = np.array([it.is_plane for it in self.solids[0]], bool)
        """Which pieces are the floor."""
        self._middles = [_stack(solids, "middle") for solids in self.solids]
        self._halves = [_stack(solids, "half") for solids in self.solids]
        self.low, self.high = np.zeros((2, count, 3)), np.zeros((2, count, 3))
        """Their boxes, as they are and padded."""
        self.there: npt.NDArray[np.bool_] = np.ones(count, dtype=bool)
        """Which pieces are not in a hand."""
        self.turned: npt.NDArray[np.bool_] = np.zeros(count, dtype=bool)
        """Which pieces are shown elsewhere than they are."""
        self.update()

    def _add(self, it: Any, components: Sequence[Any], tree: Tree | None) -> None:
        name = convert_object_name(it)
        pieces: tuple[list[ConvexPiece], list[ConvexPiece]] = ([], [])
        for component in components:
            link = component.name if tree is not None else name
            for padded, by in ((0, 0.0), (1, PADDING)):
                pieces[padded].extend(solids_of(component, name, link, by))
        movers = [tree.mover[one.link] if tree is not None else 0 for one in pieces[0]]
        places = [
            tree.offset[one.link] @ one.local if tree is not None else one.local
            for one in pieces[0]
        ]
        stacked = np.stack(places) if places else np.zeros((0, 4, 4))
        self.things[name] = Thing(it, tree, pieces, np.array(movers, dtype=np.intp), stacked)

    def update(self) -> bool:
        """Update all poses; whether anything had moved."""
        changed = bool(np.any(self.turned))
        for thing in self.things.values():
            state = thing.state().tobytes()
            if state != thing.seen or np.any(self.turned[thing.own]):
                thing.seen = state
                self._place(thing, thing.poses())
                changed = True
        self.turned[:] = False
        return changed

    def box(self, thing: Thing) -> tuple[Array, Array]:
        """Return the lowest and the highest corner of a thing's box (3,)."""
        return self.low[0, thing.own].min(axis=0), self.high[0, thing.own].max(axis=0)

    def turn(self, articulation: Any, joint: str, position: float) -> None:
        """Show a joint elsewhere until the next update."""
        thing = self.things[convert_object_name(articulation)]
        names = [one.name for one in articulation.active_joints]
        q = np.array(articulation.qpos, dtype=float)
        q[names.index(joint)] = position
        self._place(thing, thing.poses(q))
        self.turned[thing.own] = True

    def move(self, entity: Any, shift: Array) -> None:
        """Show a free body moved by a transform (4, 4) until the next update."""
        thing = self.things[convert_object_name(entity)]
        self._place(thing, shift @ thing.poses())
        self.turned[thing.own] = True

    def _place(self, thing: Thing, poses: Array) -> None:
        own = thing.own
        self._poses[own] = poses
        for padded in (0, 1):
            self.low[padded, own], self.high[padded, own] = boxes(
                poses, self._middles[padded][own], self._halves[padded][own]
            )
            for solid, pose in zip(thing.solids[padded], poses, strict=True):
                solid.put(pose)

    def fits(self, thing: Thing, pose: Array) -> bool:
        """Whether a free body at ``pose`` would touch no obstacle."""
        own = thing.own
        poses = pose @ thing.locals
        lows, highs = boxes(poses, self._middles[0][own], self._halves[0][own])
        others = self.there.copy()
        others[own] = False
        meets = find_overlaps(lows, highs, self.low[0], self.high[0]) & others
        try:
            for i in np.flatnonzero(np.any(meets, axis=1)):
                mine = thing.solids[0][i]
                mine.put(poses[i])
                if any(touch(mine, self.solids[0][j]) for j in np.flatnonzero(meets[i])):
                    return False
        finally:
            for solid, before in zip(thing.solids[0], self._poses[own], strict=True):
                solid.put(before)
        return True


def find_overlaps(lows: Array, highs: Array, low: Array, high: Array) -> npt.NDArray[np.bool_]:
    """Return which boxes (n, 3) overlap which others (m, 3)."""
    return np.asarray(
        np.all(lows[:, None] <= high[None], axis=2) & np.all(low[None] <= highs[:, None], axis=2)
    )


def _stack(solids: Sequence[ConvexPiece], name: str) -> Array:
    return np.array([getattr(one, name) for one in solids]).reshape(-1, 3)
