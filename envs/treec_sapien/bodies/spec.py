"""Physical description of a thing: shapes, links, joints, handles, regions and grasps.

Plain data, in metres, kilograms, seconds and radians. Frames:

- A **body**'s origin is the middle of its base, on the surface it stands on. Its front faces -y;
  x points to the right of a viewer in front of it; z is up.
- The frame of every **link** coincides with the body's frame when all joints are at zero, so all
  shapes, handles and regions are written in one frame.
- A **joint** rotates about, or slides along, the +x axis of its own frame.
- A **grasp** is a pose of the hand's tool point: +z out of the palm towards the thing (the
  approach direction), y along the line on which the fingers close.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from treec_sapien.bodies.pose import Pose, Quaternion, Vector, turn

ShapeKind = Literal["box", "cylinder", "sphere"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A convex piece of a link; a cylinder's axis is the z axis of its frame.

    ``half_size`` applies to a box, ``radius`` to a cylinder and a sphere, ``half_length`` to a
    cylinder. ``density`` is in kg/m³; ``material`` is a name in `treec_sapien.bodies.materials`.
    """

    kind: ShapeKind
    p: Vector = (0.0, 0.0, 0.0)
    q: Quaternion = (1.0, 0.0, 0.0, 0.0)
    half_size: Vector = (0.0, 0.0, 0.0)
    radius: float = 0.0
    half_length: float = 0.0
    density: float = 500.0
    material: str = "wood"

    @property
    def pose(self) -> Pose:
        """Its pose in the frame of its link."""
        return Pose(self.p, self.q)


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A rigid link. ``mass`` (kg), if given, is what the shapes' densities are scaled to."""

    name: str
    shapes: tuple[Shape, ...]
    mass: float | None = None


@dataclass(frozen=True, slots=True)
class Joint:
    """How ``child`` moves on ``parent``: a hinge (rad) or a slide (m) about or along its +x.

    ``friction`` is roughly the torque or force that moves it at all (N m or N; more under load);
    ``damping`` times its speed brakes it; ``spring`` pulls it to ``rest`` (N m/rad or N/m).
    ``start`` is its initial position.
    """

    name: str
    kind: Literal["hinge", "slide"]
    parent: str
    child: str
    p: Vector
    q: Quaternion
    limits: tuple[float, float]
    friction: float = 0.0
    damping: float = 0.0
    spring: float = 0.0
    rest: float = 0.0
    start: float = 0.0

    @property
    def pose(self) -> Pose:
        """The joint's frame in the body's frame at zero."""
        return Pose(self.p, self.q)

    def pose_at(self, position: float) -> Pose:
        """Return the pose of the child's frame in the parent's at this joint position."""
        if self.kind == "hinge":
            step = Pose(q=turn((1.0, 0.0, 0.0), position * 57.29577951308232))
        else:
            step = Pose((position, 0.0, 0.0))
        return self.pose @ step @ self.pose.inverse()


@dataclass(frozen=True, slots=True)
class GraspPoint:
    """How a hand grasps a link: where, how thick it is between the fingers, from which direction.

    ``name`` is the direction: top, side, rim or handle. ``depth`` is how far the fingers may reach
    past the tool point (m).
    """

    name: str
    p: Vector
    q: Quaternion
    width: float
    link: str = "body"
    depth: float = 0.02

    @property
    def pose(self) -> Pose:
        """The hand's tool point in the frame of the link."""
        return Pose(self.p, self.q)


@dataclass(frozen=True, slots=True)
class BodyHandle:
    """What is held to move a joint (``joint``) or to carry the whole thing (no joint).

    ``grasps`` are listed best first. ``push`` is a point and the direction (the frame's +z) in
    which a closed hand increases the joint's position, where pushing works; ``back`` decreases it.
    """

    name: str
    link: str
    joint: str | None
    grasps: tuple[GraspPoint, ...]
    push: Pose | None = None
    back: Pose | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """The box in the frame of ``link`` in which a thing counts as "on" or "in" another.

    Its lower face is the surface or floor on which things stand.
    """

    name: str
    kind: Literal["on", "in"]
    p: Vector
    half_size: Vector
    link: str = "body"

    @property
    def floor(self) -> float:
        """The height of the surface in the link's frame."""
        return self.p[2] - self.half_size[2]


@dataclass(frozen=True, slots=True)
class ApplianceControl:
    """A button, knob or lever that switches an appliance.

    ``turn``: on while the joint is beyond ``on`` (towards its upper limit), off below.
    ``press``: a sprung button that toggles each time it passes ``on``.
    """

    name: str
    kind: Literal["turn", "press"]
    joint: str
    handle: str
    on: float


@dataclass(frozen=True, slots=True)
class BodyPart:
    """A piece of a body that a scene names as an object of its own: a door, a shelf, a rack."""

    name: str
    link: str = "body"
    joint: str | None = None
    handle: str | None = None
    regions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Body:
    """A thing: its links (the first is the root, named ``body``) and how it can be handled.

    A ``fixed`` body moves only in its joints; one that ``hangs`` needs nothing below it.
    ``opened`` maps a joint to the position from which it counts as open. ``colour`` paints the body
    in pictures, except for wood, steel and handles.
    """

    kind: str
    links: tuple[BodyLink, ...]
    joints: tuple[Joint, ...] = ()
    fixed: bool = False
    hangs: bool = False
    regions: tuple[Region, ...] = ()
    handles: tuple[BodyHandle, ...] = ()
    grasps: tuple[GraspPoint, ...] = ()
    controls: tuple[ApplianceControl, ...] = ()
    parts: tuple[BodyPart, ...] = ()
    opened: dict[str, float] = field(default_factory=dict)
    colour: str | None = None

    def link(self, name: str) -> BodyLink:
        """The link of this name."""
        return next(link for link in self.links if link.name == name)

    def joint(self, name: str) -> Joint:
        """The joint of this name."""
        return next(joint for joint in self.joints if joint.name == name)

    def handle(self, name: str) -> BodyHandle:
        """The handle of this name."""
        return next(handle for handle in self.handles if handle.name == name)

    def region(self, name: str) -> Region:
        """The region of this name."""
        return next(region for region in self.regions if region.name == name)

    def part(self, name: str) -> BodyPart:
        """The part of this name."""
        return next(part for part in self.parts if part.name == name)

    def at_start(self) -> dict[str, Pose]:
        """Return each link's pose in the body's frame with the joints at their start positions."""
        return self.at({})

    def at(self, positions: dict[str, float]) -> dict[str, Pose]:
        """Return each link's pose in the body's frame at these joint positions; others start."""
        poses = {self.links[0].name: Pose()}
        for joint in self.joints:  # parents come before their children
            step = joint.pose_at(positions.get(joint.name, joint.start))
            poses[joint.child] = poses[joint.parent] @ step
        return poses
