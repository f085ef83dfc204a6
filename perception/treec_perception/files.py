"""The kinds of files of perception: camera, localizer, descriptions, pose_estimator.

Plain data: reading and checking them imports neither numpy nor any model.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, FiniteFloat, model_validator

from treec.files.fields import Duration, Model, Text
from treec_perception.stages import LocalizerStage, PoseStage

Numbers3 = Annotated[list[FiniteFloat], Field(min_length=3, max_length=3)]
Range = Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]


def _rising(pair: list[float]) -> list[float]:
    if pair[0] >= pair[1]:
        raise ValueError(f"the first number must be the smaller one, not {pair[0]:g}, {pair[1]:g}")
    return pair


RisingRange = Annotated[Range, AfterValidator(_rising)]


class LensSpec(Model):
    """Pinhole intrinsics of the colour picture, in pixels of its full size."""

    fx: FiniteFloat = Field(gt=0)
    fy: FiniteFloat = Field(gt=0)
    cx: FiniteFloat
    cy: FiniteFloat


class CameraPose(Model):
    """A fixed camera's place in the scene's frame, in metres."""

    eye: Numbers3 = Field(description="Where it is: x, y, z.")
    looks_at: Numbers3 = Field(description="The point in the middle of its picture: x, y, z.")

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if sum((a - b) ** 2 for a, b in zip(self.eye, self.looks_at, strict=True)) < 1e-6:
            raise ValueError("'looks_at' must be another point than 'eye'")
        return self


class MountSpec(Model):
    """A camera on a link of an agent's robot."""

    agent: str = Field(description="The agent whose robot carries it.")
    link: str = Field(description="A link of the robot's model.")
    frame: Literal["body", "optical"] = Field(
        "body",
        description="The link's frame: body is x forward and z up, optical is z forward and y "
        "down.",
    )
    offset: Numbers3 = Field([0.0, 0.0, 0.0], description="Its place in the link's frame (m).")
    pan: float = Field(0.0, description="Degrees that it is turned to the left.")
    tilt: float = Field(0.0, description="Degrees that it is turned upwards.")
    roll: float = Field(
        0.0, description="Degrees about the link's forward axis, before pan and tilt."
    )
    pans: RisingRange | None = Field(
        None, description="Degrees that it can pan, right and left, to look at what is wanted."
    )
    tilts: RisingRange | None = Field(None, description="Degrees that it can tilt, down and up.")
    hand: bool = Field(
        False,
        description="Whether the hand carries it, and brings it before a thing that is to be "
        "grasped: see a localizer's `exact`.",
    )


class NoiseSpec(Model):
    """Errors of a depth picture from stereo; see `treec_perception.noise` for the source."""

    baseline: float = Field(0.05, gt=0, description="Metres between the two imagers.")
    subpixel: float = Field(
        0.08, ge=0, description="Standard deviation of the disparity, in pixels."
    )
    step: float = Field(1 / 32, ge=0, description="Disparities are multiples of it, in pixels.")
    edges: float = Field(
        0.6, ge=0, le=1, description="Share of pixels at depth edges that have no depth."
    )
    dropout: float = Field(0.002, ge=0, le=1, description="Share of other pixels without depth.")


class SimulatedSource(Model):
    """Pictures of a simulated camera."""

    pictures: Literal["ray_cast", "rendered"] = Field(
        "ray_cast", description="ray_cast needs no GPU; rendered is SAPIEN's renderer (Vulkan)."
    )


class RealSenseSource(Model):
    """A RealSense camera."""

    serial: str | None = Field(None, description="Serial number (default: the only one there).")
    fps: int = Field(30, ge=1)
    spatial_filter: bool = Field(True, description="librealsense's edge-preserving filter.")


class RecordingSource(Model):
    """A recording instead of a camera: at each time of a run the picture of that time.

    After its end the last picture stays.
    """

    file: str = Field(
        description="A recording of librealsense (.db3, .bag), from the library's root."
    )

    @model_validator(mode="after")
    def _known(self) -> Self:
        if not self.file.endswith((".db3", ".bag")):
            raise ValueError(f"librealsense plays .db3 and .bag, not '{self.file}'")
        return self


class CameraSources(Model):
    """What provides the pictures, for each environment."""

    sapien: SimulatedSource | None = None
    realsense: RealSenseSource | None = None
    recording: RecordingSource | None = None


class CameraFile(Model):
    """A camera for colour and depth: its lens, its place, its errors, and what provides pictures.

    Its optical frame is +z out of the lens, +x right, +y down; depth is metres along +z.
    """

    overridable = True
    camera: str
    about: str
    model: str | None = Field(None, description="The product: Intel RealSense D435i.")
    size: Annotated[list[int], Field(min_length=2, max_length=2)] = Field(
        [640, 480], description="Width and height of its pictures, in pixels."
    )
    lens: LensSpec = Field(
        LensSpec(fx=616.0, fy=616.0, cx=320.0, cy=240.0),
        description="Intrinsics (default: usual ones of a D435's colour camera at 640 × 480).",
    )
    pose: CameraPose | None = Field(None, description="Where a fixed camera is.")
    mounted: MountSpec | None = Field(None, description="The robot that carries it.")
    meant_for: list[str] = Field([], description="Objects of the scene that it must see.")
    range: RisingRange = Field([0.2, 4.0], description="Nearest and farthest depth, in metres.")
    rate: float = Field(30.0, gt=0, description="Pictures per second.")
    noise: NoiseSpec | None = Field(None, description="Errors of its depth when it is simulated.")
    doubted_after: Duration | None = Field(
        None,
        gt=0,
        description="Time after which the fact that it saw something is doubted: what relies on it "
        "is preceded by another look (default: never).",
    )
    runs: CameraSources = Field(
        CameraSources(sapien=SimulatedSource(pictures="ray_cast")),
        description="What provides its pictures.",
    )

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.pose is None) == (self.mounted is None):
            raise ValueError("a camera has either a 'pose' or is 'mounted' on a robot")
        if min(self.size) < 16 or max(self.size) > 4096:
            raise ValueError(f"'size' is width and height in pixels, 16 to 4096, not {self.size}")
        return self


class LocalizerFile(Model):
    """Finds a thing by its words: stages from a picture to a point of the scene."""

    gives: ClassVar[Mapping[str, str]] = {"name": "text", "also": "list of text"}
    """The names in its texts: the thing's name, and its other names."""

    localizer: str
    about: str
    cameras: list[str] = Field([], description="The cameras it uses (default: all that see it).")
    prompts: list[Text] = Field(
        ["a photo of {{ name }}"],
        min_length=1,
        description="What the detector and the scorer are asked; scores of several are averaged.",
    )
    stages: list[LocalizerStage] = Field(min_length=1, description="In order; see the stages.")
    accept: float = Field(0.5, ge=0, le=1, description="Below this score the thing is not here.")
    expected: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The same for skills, which ask for what facts say is here (default: accept).",
    )
    likeliest: bool = Field(
        False,
        description="Whether what looks more like another thing is not here, even if its score is "
        "enough. Where `expected` is given, not for skills.",
    )
    sure: float | None = Field(
        None,
        ge=0,
        le=1,
        description="Score below which what is found is in doubt, as it is where another place "
        "scores more than half as much: a skill with `if_unmet:` then has it looked for from "
        "elsewhere, too (default: only what is not found).",
    )
    exact: float | None = Field(
        None,
        gt=0,
        description="Metres by which what is found may be off; what may be farther off is in doubt "
        "for an agent whose hand carries a camera, which then looks from there (default: any).",
    )
    agree: float = Field(
        0.04, gt=0, description="Metres by which two cameras may disagree before it is reported."
    )
    fact: str | None = Field(
        None,
        description="Fact about the thing that a look makes true, or unknown where it finds none. "
        "One that has a value, `at`, gets the place at which it is seen; it is unknown once a "
        "camera sees what is behind its place, and in runs with cameras nothing else senses it.",
    )
    place: str | None = Field(
        None,
        description="Fact that says where a thing is. In runs, what is said to be at another place "
        "than the wanted thing is seldom taken for what a camera sees there.",
    )
    looks: int = Field(
        2, ge=1, le=10, description="How often it looks while cameras disagree or none finds it."
    )


class DescriptionsFile(Model):
    """What may be the matter with a thing, in words: CLIP says which of them a picture is like."""

    gives: ClassVar[Mapping[str, str]] = {"name": "text"}
    """The names in its texts: the thing's name."""

    descriptions: str
    about: str
    model: str = Field("small", description="CLIP: small, a folder, or a name on the hub.")
    says: list[Text] = Field(min_length=2, description="The candidates.")
    around: float = Field(
        0.5, ge=0, description="Margin about the thing's box, as a share of its longer side."
    )
    accept: float = Field(
        0.5, ge=0, le=1, description="The best one's least share: below it nothing is said."
    )


class PoseEstimatorFile(Model):
    """Finds a person's joints: stages from a picture to joints in the scene."""

    pose_estimator: str
    about: str
    cameras: list[str] = Field([], description="The cameras it uses (default: all).")
    stages: list[PoseStage] = Field(min_length=1, description="In order; see the stages.")
