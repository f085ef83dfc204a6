"""Forward kinematics of a URDF in plain Python, for checks: nothing heavy is imported."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from treec_sapien.bodies.pose import Pose, Vector, multiply, turn
from treec_sapien.robots.urdf import numbers_of

SLIDE, HINGE = "prismatic", ("revolute", "continuous")
_FARTHEST = math.pi
"""A joint that turns further than this (rad) gets nowhere that it does not get before."""

_VALUES, _SWEEPS = 9, 2


@dataclass(frozen=True)
class UrdfJoint:
    """A joint of a model: between which links, where, along or about what, how far."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Pose
    axis: Vector
    low: float
    high: float
    follows: tuple[str, float, float] | None = None
    """The joint that it mimics, the multiplier and the offset."""

    @property
    def moves(self) -> bool:
        """Whether it slides or turns."""
        return self.kind == SLIDE or self.kind in HINGE

    def at(self, value: float) -> Pose:
        """Return the child's frame in the parent's."""
        if self.kind == SLIDE:
            x, y, z = self.axis
            return self.origin @ Pose((x * value, y * value, z * value))
        return self.origin @ Pose(q=turn(self.axis, math.degrees(value)))


class KinematicModel:
    """The links and joints of a URDF.

    ``movable`` are the joints that move, or those that did before some were fixed.
    """

    def __init__(self, model: ET.Element, movable: tuple[str, ...] = ()) -> None:
        self.links = tuple(str(link.get("name")) for link in model.findall("link"))
        self.joints = {joint.name: joint for joint in map(_joint, model.findall("joint"))}
        self.movable = movable or tuple(it.name for it in self.joints.values() if it.moves)
        self._above = {joint.child: joint for joint in self.joints.values()}

    def chain(self, link: str) -> list[UrdfJoint]:
        """Return the joints from the root to a link."""
        found: list[UrdfJoint] = []
        while link in self._above and len(found) <= len(self.joints):
            found.append(self._above[link])
            link = found[-1].parent
        return found[::-1]

    def pose(self, link: str, q: Mapping[str, float]) -> Pose:
        """Return a link's pose in the root's frame; joints that are not in ``q`` are at 0."""
        return pose_of_chain(self.chain(link), q)

    def rigid_group(self, link: str) -> tuple[str, ...]:
        """Return a link and what is fixed to it, outwards."""
        names = [link]
        for name in names:
            names += [it.child for it in self.joints.values() if it.parent == name and not it.moves]
        return tuple(names)


def pose_of_chain(chain: Sequence[UrdfJoint], q: Mapping[str, float]) -> Pose:
    """Return the pose of the last joint's child in the frame of the first one's parent."""
    pose = Pose()
    for joint in chain:
        pose = pose @ (joint.at(q.get(joint.name, 0.0)) if joint.moves else joint.origin)
    return pose


def farthest(
    chain: Sequence[UrdfJoint], moving: Sequence[str], home: Mapping[str, float], height: float
) -> float:
    """Return about how far (m) the end of a chain gets from the point ``height`` above the root.

    Each joint in turn is set to the best of a few values, from two starts.
    """
    joints = [joint for joint in chain if joint.name in moving]
    best = 0.0
    for start in (dict(home), {**home, **dict.fromkeys(moving, 0.0)}):
        for joint in joints * _SWEEPS:
            options = []
            for value in (start.get(joint.name, 0.0), *_values(joint)):
                x, y, z = pose_of_chain(chain, {**start, joint.name: value}).p
                options.append((math.hypot(x, y, z - height), value))
            far, start[joint.name] = max(options)
            best = max(best, far)
    return best


def _values(joint: UrdfJoint) -> Iterator[float]:
    low, high = (joint.low, joint.high)
    if joint.kind != SLIDE:
        low, high = max(low, -_FARTHEST), min(high, _FARTHEST)
    return (low + (high - low) * step / (_VALUES - 1) for step in range(_VALUES))


def _joint(element: ET.Element) -> UrdfJoint:
    kind, mimic = element.get("type", "fixed"), element.find("mimic")
    limit, axis = element.find("limit"), element.find("axis")
    low = high = 0.0
    if kind == "continuous":
        low, high = -2 * math.pi, 2 * math.pi  # as `adapt.set_limits` has it
    elif limit is not None:
        low, high = float(limit.get("lower", 0.0)), float(limit.get("upper", 0.0))
    x, y, z = _numbers(axis, "xyz", "1 0 0")
    length = math.hypot(x, y, z) or 1.0
    roll, pitch, yaw = (math.degrees(it) for it in _numbers(element.find("origin"), "rpy"))
    about_z, about_y = turn((0.0, 0.0, 1.0), yaw), turn((0.0, 1.0, 0.0), pitch)
    rotation = multiply(multiply(about_z, about_y), turn((1.0, 0.0, 0.0), roll))
    return UrdfJoint(
        element.get("name", ""),
        kind,
        _link(element, "parent"),
        _link(element, "child"),
        Pose(_numbers(element.find("origin"), "xyz"), rotation),
        (x / length, y / length, z / length),
        low,
        high,
        None if mimic is None else _follows(mimic),
    )


def _follows(mimic: ET.Element) -> tuple[str, float, float]:
    factor, offset = float(mimic.get("multiplier", 1.0)), float(mimic.get("offset", 0.0))
    return mimic.get("joint", ""), factor, offset


def _link(joint: ET.Element, key: str) -> str:
    found = joint.find(key)
    return "" if found is None else found.get("link", "")


def _numbers(element: ET.Element | None, key: str, default: str = "0 0 0") -> Vector:
    x, y, z = numbers_of(element, key, default, 3)
    return (x, y, z)
