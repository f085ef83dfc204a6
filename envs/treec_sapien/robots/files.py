"""The kind of file `robot`: a robot's model, arms, grippers, base and reach, as plain data.

Lengths in metres, angles in radians, as in URDF. Reading it imports neither numpy nor SAPIEN.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, FiniteFloat, PositiveFloat, model_validator

from treec import Model

Vector3 = Annotated[list[FiniteFloat], Field(min_length=3, max_length=3)]
Speeds = Annotated[list[PositiveFloat], Field(min_length=3, max_length=3)]
Interval = Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
FileText = Annotated[
    str, Field(min_length=1, description="Beside this file, or package://PACKAGE/PATH.")
]
ORIGIN = [0.0, 0.0, 0.0]


class FrameSpec(Model):
    """A frame on a link, as URDF's `origin`."""

    link: str = Field(description="A link of the model.")
    xyz: Vector3 = Field(ORIGIN, description="Its place in the link's frame.")
    rpy: Vector3 = Field(ORIGIN, description="Its roll, pitch and yaw there.")


class ModelMount(FrameSpec):
    """A further model on a link: a gripper on an arm that comes without one.

    If its root has the name of the link, both are one.
    """

    urdf: FileText
    prefix: str = Field("", description="Before the names of its links and joints: left_.")


class ShapeSpec(Model):
    """A box or an upright cylinder."""

    box: Vector3 | None = Field(None, description="Its edges along x, y and z.")
    cylinder: Interval | None = Field(None, description="Its radius and its length along z.")
    xyz: Vector3 = Field(ORIGIN, description="Its middle in the link's frame.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.box is None) == (self.cylinder is None):
            raise ValueError("a shape is either a 'box' or a 'cylinder'")
        measures = self.box or self.cylinder or []
        if min(measures) <= 0:
            raise ValueError(f"the measures of a shape are above 0, not {measures}")
        return self


class FingerSpec(Model):
    """A finger on a joint of its own, which slides."""

    joint: str
    shut: FiniteFloat = Field(0.0, description="The joint where the pads meet.")
    open: FiniteFloat = Field(description="The joint where they are widest apart.")


class GripperSpec(Model):
    """Two fingers that open and close symmetrically."""

    fingers: Annotated[list[FingerSpec], Field(min_length=2, max_length=2)]
    opening: Interval = Field(description="The free width between the pads, shut and open.")
    depth: PositiveFloat = Field(0.01, description="How far the pads reach beyond the tool point.")


class ArmSpec(Model):
    """An arm with a gripper.

    Its tool frame lies midway between the pads: +z out of the palm, +y along the line on which the
    fingers close.
    """

    joints: Annotated[list[str], Field(min_length=3)] = Field(
        description="Its joints from the shoulder outwards."
    )
    home: list[FiniteFloat] = Field(description="Where they are at rest.")
    tool: str | FrameSpec = Field(description="The tool frame: a link, or a frame on one.")
    hand: str | None = Field(
        None, description="The link that carries what is held (default: that of the fingers)."
    )
    gripper: GripperSpec
    velocity: list[PositiveFloat] | None = Field(
        None, description="Fastest that each joint is moved (default: 1.5, and 0.1 of a slide)."
    )
    acceleration: list[PositiveFloat] | None = Field(
        None, description="The same of accelerations (default: 3, and 0.3 of a slide)."
    )


class StandSpec(Model):
    """A cylinder of the robot's foot or column, which touches nothing."""

    radius: PositiveFloat
    low: float = Field(0.01, description="Its lower end above the floor.")
    high: PositiveFloat = Field(description="Its upper end.")

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"'low' ({self.low:g}) must be below 'high' ({self.high:g})")
        return self


class BaseSpec(Model):
    """A base that drives and turns in the plane."""

    velocity: Speeds = Field([0.5, 0.5, 1.0], description="Along x, along y, and of the yaw.")
    acceleration: Speeds = Field([1.0, 1.0, 2.0])
    stands: Annotated[list[StandSpec], Field(min_length=1)] = Field(
        description="What it takes up on the floor."
    )


class ReachSpec(Model):
    """Where its hands get to: a ring around the shoulder, for `treec check`."""

    shoulder: float = Field(description="Height above the base.")
    near: float = Field(ge=0)
    far: PositiveFloat
    low: float = Field(description="Lowest height of a hand above the base.")
    high: float

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if self.near >= self.far or self.low >= self.high:
            raise ValueError("'near' must be below 'far', and 'low' below 'high'")
        return self


class DriveSpec(Model):
    """How joints are driven to their targets, as PhysX does it."""

    stiffness: PositiveFloat
    damping: PositiveFloat
    force: PositiveFloat
    armature: PositiveFloat = 0.05


class RobotFile(Model):
    """A robot with a body in physics: its model, and what a URDF does not say.

    An agent is one by `body: {robot: NAME, pose: [x, y, z]}`. Joints that neither an arm nor `home`
    names are fixed.
    """

    robot: str
    about: str
    urdf: FileText
    srdf: FileText | None = Field(
        None,
        description="Which links may overlap (default: found by sampling configurations, once).",
    )
    packages: dict[str, str] = Field(
        {}, description="Folders that package://NAME/ means, beside this file."
    )
    mounts: list[ModelMount] = Field([], description="Further models on its links, as a gripper.")
    without: list[str] = Field(
        [], description="Links left out, with all that hangs on them: names or patterns, *camera*."
    )
    shapes: dict[str, list[ShapeSpec]] = Field(
        {}, description="Collision shapes of links in the place of their own."
    )
    may_overlap: list[Pair] = Field([], description="Further pairs of links that may overlap.")
    arms: dict[str, ArmSpec] = Field(
        min_length=1, description="By side: arm, or left and right; `side:` of a body."
    )
    home: dict[str, FiniteFloat] = Field(
        {}, description="Other joints at rest (default: fingers open)."
    )
    base: Literal["fixed"] | BaseSpec = Field(
        "fixed", description="Bolted to where it stands, or a base that drives."
    )
    lift: float = Field(0.0, description="Height of the model's origin above its pose.")
    moves: Literal["joints", "telescope"] = Field(
        "joints",
        description="How it plans. telescope: a lift, segments that extend equally and a wrist of "
        "yaw, pitch and roll, as Stretch's.",
    )
    reach: ReachSpec | None = Field(None, description="(default: from the model)")
    drives: dict[str, DriveSpec] = Field(
        {}, description="Drives of joints by name or pattern (default: those of the shipped arms)."
    )
