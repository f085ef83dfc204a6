"""What a robot must not touch: mplib's planning world, kept like the scene.

There are two worlds. In the **roomy** one everything but the robot is padded, so that a path found
there keeps its distance; in the **tight** one things are as they are, for the last centimetres to
a handle or away from a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from mplib import Pose
from mplib.collision_detection.fcl import (
    Box,
    CollisionObject,
    Cylinder,
    FCLObject,
    Sphere,
    collide,
)
from mplib.sapien_utils import SapienPlanningWorld
from mplib.sapien_utils.conversion import convert_object_name
from sapien.physx import (
    PhysxCollisionShapeBox,
    PhysxCollisionShapeCylinder,
    PhysxCollisionShapeSphere,
    PhysxRigidBaseComponent,
)

from envs.sapien.motion.frames import Array, quaternion
from envs.sapien.robots.robot import Robot, seen_whole

PADDING = 0.012
"""How far (m) free motions stay away from things."""


class Space:
    """The space of one robot's configurations (whole qpos, in the order of ``robot.joints``).

    ``free(q)`` is the question it answers. What the robot holds moves with it (:meth:`attach`);
    what a hand is about to touch is allowed for a while (:meth:`touching`).
    """

    def __init__(self, scene: Any, robot: Robot, others: Sequence[Robot] = ()) -> None:
        self.robot = robot
        self._scene = scene
        self._others = tuple(others)
        self._held: dict[str, tuple[Any, str, tuple[str, ...]]] = {}
        self._allowed: list[tuple[frozenset[str], str, str | None]] = []
        self._excused: set[frozenset[tuple[str, str]]] = set()
        self._build()

    def _build(self) -> None:
        own = {link.entity for link in self.robot.articulation.links}
        with seen_whole([self.robot, *self._others]):
            self._tight = _World(self._scene, self.robot, own, 0.0)
            self._roomy = _World(self._scene, self.robot, own, PADDING)
        for other in self._others:  # it is where it is: whether it touches itself is not our matter
            for world in (self._tight, self._roomy):
                other.allow_overlaps(world.acm)
        self._count = len(self._scene.get_all_actors()) + len(self._scene.get_all_articulations())

    def update(self) -> None:
        """Make it like the scene now; what is held stays where it is in the hand."""
        there = len(self._scene.get_all_actors()) + len(self._scene.get_all_articulations())
        if there != self._count:
            held = dict(self._held)
            self._build()
            for entity, link, touch in held.values():
                self.attach(entity, link, touch)
            return
        for world in (self._tight, self._roomy):
            world.update_from_simulation()

    def free(self, q: Array, *, roomy: bool = False) -> bool:
        """Whether the robot touches nothing it may not touch at ``q``."""
        world = self._roomy if roomy else self._tight
        world.stand(q)
        if not self._allowed and not self._excused:
            return not world.is_state_colliding()
        return not any(self._matters(hit) for hit in world.check_collision())

    def touched(self, q: Array, *, roomy: bool = False) -> list[tuple[str, str]]:
        """The pairs of names that overlap at ``q``, as mplib names them."""
        world = self._roomy if roomy else self._tight
        world.stand(q)
        return [
            (f"{hit.object_name1}/{hit.link_name1}", f"{hit.object_name2}/{hit.link_name2}")
            for hit in world.check_collision()
            if self._matters(hit)
        ]

    @contextmanager
    def touching(
        self, links: Iterable[str], thing: Any | None, link: str | None = None
    ) -> Iterator[None]:
        """Meanwhile these links of the robot (and what it holds) may touch ``thing``.

        With ``link`` only that link of it (an articulation).
        """
        if thing is None:
            yield
            return
        entry = (frozenset(links), convert_object_name(thing), link)
        self._allowed.append(entry)
        try:
            yield
        finally:
            self._allowed.remove(entry)

    @contextmanager
    def excusing(self, q: Array) -> Iterator[None]:
        """Meanwhile what touches at ``q`` already, where the robot is, does not hold it there."""
        self._tight.stand(q)
        found = {_pair(hit) for hit in self._tight.check_collision() if self._matters(hit)}
        before = set(self._excused)
        self._excused |= found
        try:
            yield
        finally:
            self._excused = before

    def attach(self, entity: Any, link: str, touch: Sequence[str]) -> None:
        """From now on ``entity`` moves with a link of the robot and may touch others."""
        name = convert_object_name(entity)
        self._held[name] = (entity, link, tuple(touch))
        for world in (self._tight, self._roomy):
            world.update_from_simulation()
            index = world.model.get_user_link_names().index(link)
            world.attach_object(name, world.model.get_name(), index, list(touch))

    def detach(self, entity: Any) -> None:
        """It is let go: an object of the scene like the others."""
        name = convert_object_name(entity)
        if self._held.pop(name, None) is not None:
            for world in (self._tight, self._roomy):
                world.detach_object(name)

    def fits(self, entity: Any, pose: Array) -> bool:
        """Whether a thing could be at ``pose`` (4, 4) without touching anything but the robot."""
        world, name = self._tight, convert_object_name(entity)
        body = entity.find_component_by_type(PhysxRigidBaseComponent)
        plain = SapienPlanningWorld.convert_physx_component(body)
        if plain is None:
            return True
        there = Pose(p=pose[:3, 3], q=quaternion(pose[:3, :3]))
        moved = FCLObject(plain.name, there, plain.shapes, plain.shape_poses)
        for other in world.get_object_names():
            if other != name and collide(moved, world.get_object(other)).is_collision():
                return False
        own = world.model.get_name()
        return not any(
            world.get_articulation(other).get_fcl_model().check_collision_with(moved)
            for other in world.get_articulation_names()
            if other != own
        )

    @property
    def held(self) -> tuple[str, ...]:
        """The names of what moves with the robot."""
        return tuple(self._held)

    def move_joint(self, articulation: Any, joint: str, position: float) -> None:
        """Pretend that a joint of a piece of furniture stands elsewhere, until the next update."""
        names = [one.name for one in articulation.active_joints]
        q = np.array(articulation.qpos, dtype=float)
        q[names.index(joint)] = position
        for world in (self._tight, self._roomy):
            world.get_articulation(convert_object_name(articulation)).set_qpos(q, True)

    def _matters(self, hit: Any) -> bool:
        """Whether an overlap is none of those allowed now."""
        if self._excused and _pair(hit) in self._excused:
            return False
        own = {self._tight.model.get_name(), *self._held}
        one = (hit.object_name1, hit.link_name1)
        two = (hit.object_name2, hit.link_name2)
        for links, thing, link in self._allowed:
            for (mine, my_link), (other, other_link) in ((one, two), (two, one)):
                if other != thing or other in own or mine not in own:
                    continue
                if (my_link in links or mine in self._held) and link in (None, other_link):
                    return False
        return True


def _pair(hit: Any) -> frozenset[tuple[str, str]]:
    return frozenset(((hit.object_name1, hit.link_name1), (hit.object_name2, hit.link_name2)))


class _World(SapienPlanningWorld):  # type: ignore[misc]  # mplib has no types mypy can follow
    """mplib's world, with everything but the robot padded."""

    def __init__(self, scene: Any, robot: Robot, own: set[Any], padding: float) -> None:
        self._own = own
        self._padding = padding
        super().__init__(scene, [robot.articulation])
        self.model = self.get_planned_articulations()[0]
        self.acm = self.get_allowed_collision_matrix()
        robot.allow_overlaps(self.acm)
        tips = [arm.tcp for arm in robot.arms.values()]
        self.model.set_move_group(tips)
        self._group = np.array(self.model.get_move_group_joint_indices(), dtype=np.intp)
        self._rest = np.setdiff1d(np.arange(len(robot.joints)), self._group)
        self._shown: Array | None = None

    def stand(self, q: Array) -> None:
        """Show the robot at ``q``."""
        if self._shown is None or not np.array_equal(self._shown, q[self._rest]):
            self.model.set_qpos(q, True)
            self._shown = q[self._rest].copy()
        self.set_qpos_all(q[self._group])

    def update_from_simulation(self, *, update_attached_object: bool = True) -> None:
        """As mplib does, and forget what was shown."""
        super().update_from_simulation(update_attached_object=update_attached_object)
        self._shown = None

    def convert_physx_component(self, comp: Any) -> FCLObject | None:
        """A component's shapes for FCL; larger by the padding unless they are the robot's own."""
        if not self._padding or comp.entity in self._own:
            return SapienPlanningWorld.convert_physx_component(comp)
        plain = SapienPlanningWorld.convert_physx_component(comp)
        if plain is None:
            return None
        grown = [
            CollisionObject(shape) if (shape := _padded(one, self._padding)) is not None else old
            for one, old in zip(comp.collision_shapes, plain.shapes, strict=True)
        ]
        return FCLObject(plain.name, Pose(comp.entity.pose), grown, plain.shape_poses)


def _padded(shape: Any, by: float) -> Any:
    if isinstance(shape, PhysxCollisionShapeBox):
        return Box(side=(np.asarray(shape.half_size) + by) * 2)
    if isinstance(shape, PhysxCollisionShapeCylinder):
        return Cylinder(radius=shape.radius + by, lz=(shape.half_length + by) * 2)
    if isinstance(shape, PhysxCollisionShapeSphere):
        return Sphere(radius=shape.radius + by)
    return None  # planes and meshes stay as they are
