"""What a thing is physically: shapes, links, joints, handles, regions and grasps.

Plain data, in metres, kilograms, seconds and radians. The frames:

- A **body**'s origin is the middle of its base, on the surface it stands on. Its front faces -y,
  x goes to the right of somebody who stands before it, z up.
- The frame of every **link** is the body's frame while all joints are at zero. So all shapes,
  handles and regions are written in one frame, and a link moves out of it as its joint does.
- A **joint** turns about, or slides along, the +x axis of its own frame.
- A **grasp** is where the hand's tool point goes: +z out of the palm towards the thing (the
  direction of approach), y the axis along which the fingers close.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from treec.envs.bodies.pose import Pose, Quaternion, Vector, turn

ShapeKind = Literal["box", "cylinder", "sphere"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A convex piece of a link; a cylinder's axis is the z axis of its frame.

    ``half_size`` belongs to a box, ``radius`` to a cylinder and a sphere, ``half_length`` to a
    cylinder. ``density`` is in kg/m³, ``material`` a name of `treec.envs.bodies.materials`.
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
    """A rigid piece. ``mass`` in kg, when given, is what the shapes' densities are scaled to."""

    name: str
    shapes: tuple[Shape, ...]
    mass: float | None = None


@dataclass(frozen=True, slots=True)
class Joint:
    """How ``child`` moves on ``parent``: a hinge (rad) or a slide (m) about or along its +x.

    ``friction`` is about what it takes to move it at all (N m or N; more while something heavy
    hangs on it); ``damping`` times its speed brakes it; ``spring`` pulls it to ``rest`` (N m/rad or
    N/m). ``start`` is where it stands at first.
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
        """The joint's frame, in the body's frame at zero."""
        return Pose(self.p, self.q)

    def moved(self, position: float) -> Pose:
        """The pose of the child's frame in the parent's when the joint stands at ``position``."""
        if self.kind == "hinge":
            step = Pose(q=turn((1.0, 0.0, 0.0), position * 57.29577951308232))
        else:
            step = Pose((position, 0.0, 0.0))
        return self.pose @ step @ self.pose.inverse()


@dataclass(frozen=True, slots=True)
class GraspPoint:
    """Where a hand takes hold of a link, how thick it is between the fingers, how it comes there.

    ``name`` says which way: top, side, rim, handle. ``depth`` is how far the fingers reach past
    the tool point at most (m).
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
    """What is taken to move a joint (``joint``), or to carry the whole thing (no joint).

    ``grasps`` are ways to hold it, the best first. ``push`` is a point on it and the direction (the
    frame's +z) in which a closed hand pushes the joint up, where pushing does; ``back`` likewise
    down.
    """

    name: str
    link: str
    joint: str | None
    grasps: tuple[GraspPoint, ...]
    push: Pose | None = None
    back: Pose | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """Where a thing is when it is "on" or "in" another: a box in the frame of ``link``.

    Its lower face is the surface, or the floor, on which things stand.
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

    ``turn``: on while the joint stands beyond ``on`` (towards its upper limit), off below.
    ``press``: a button with a spring; each time it comes past ``on`` it switches over.
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
    """A thing: its links (the first is the root, named ``body``) and what can be done with it.

    A ``fixed`` body does not move but in its joints; one that ``hangs`` needs nothing below it.
    ``opened`` maps a joint to the position from
    which it counts as open. ``colour`` paints it in pictures, all but wood, steel and handles.
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
        """Each link's pose in the body's frame while the joints stand at their start."""
        return self.at({})

    def at(self, positions: dict[str, float]) -> dict[str, Pose]:
        """Each link's pose in the body's frame at these joint positions; the rest at start."""
        poses = {self.links[0].name: Pose()}
        for joint in self.joints:  # parents come before their children
            step = joint.moved(positions.get(joint.name, joint.start))
            poses[joint.child] = poses[joint.parent] @ step
        return poses
