"""The robot's primitive actions in a home, as TEACh's agent has them in AI2-THOR.

A step forward or back is 0.25 m, a turn 90°, a nod 30°. What is acted on is given as a pixel of the
picture, and an action fails as it does there: out of reach, in the way, not in sight. Every action
counts as one step, a failed one also as a failure; after `most_steps` or `most_failures` none is
done any more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treec_household.actions import Actions, Refused
from treec_household.embodied.home import Home
from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import DepthImage

STEP = 0.25
"""Metres of a step."""
REACH = 1.5
"""Metres from the camera within which a thing can be acted on (AI2-THOR's visibilityDistance)."""
EYE = 0.9015
"""Height (m) of the camera."""
SIZE = 480
"""Width and height of its picture, in pixels."""
ANGLE = 90.0
"""Its field of view, in degrees."""
NOD = 30
"""Degrees of a nod; the camera looks from 30° up to 60° down."""
PITCHES = (-30, 0, 30, 60)
"""Degrees that the camera can be pitched down."""
Pixel = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True)
class Senses:
    """How well the robot sees and knows how it moves, and how long it may go on.

    ``depth_error`` is the standard deviation of depth as a share of it, half of the variance common
    to a picture (as with monocular estimates), half of each pixel. ``odometry_error`` is that of a
    step and of a turn, as a share of it. ``stride`` is the distance of the pixels that are read.
    """

    depth_error: float = 0.0
    odometry_error: float = 0.0
    stride: int = 4
    most_steps: int = 1_000
    most_failures: int = 30
    eyes: str = "true"
    """true: the simulator's masks, names and states; small: the robot's own (`small_eyes`)."""
    reasons: str = "oracle"
    """How it is known why an action failed: oracle (the simulator says it), picture (from those
    before and after it), none."""


@dataclass
class Simulator:
    """A robot in a home: where it truly is, and what its actions do."""

    home: Home
    actions: Actions
    senses: Senses
    seed: int = 0
    x: float = 0.0
    y: float = 0.0
    quarter: int = 0
    """Heading: quarters of a turn anticlockwise from the x axis."""
    pitch: int = 0
    """Degrees that the camera looks down."""
    steps: int = 0
    failures: int = 0
    walked: float = 0.0
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def start_anywhere(self) -> None:
        """Stand at a place of the first room that is free, chosen by the seed."""
        x0, y0, x1, y1 = self.home.plan.rooms[0]
        for _ in range(500):
            x, y = self.rng.uniform(x0 + 0.3, x1 - 0.3), self.rng.uniform(y0 + 0.3, y1 - 0.3)
            if not self.home.is_blocked(float(x), float(y)):
                self.x, self.y = float(x), float(y)
                self.quarter = int(self.rng.integers(4))
                return
        raise Refused("blocked: there is no free place in the first room")

    # The camera

    def camera(self, stride: int | None = None) -> Camera:
        """The camera as it truly is, in the home's frame."""
        across = SIZE // (stride or self.senses.stride)
        return camera_at((self.x, self.y), math.pi / 2 * self.quarter, self.pitch, across)

    def upright_camera(self) -> Camera:
        """The same as the robot sees it: at its place, looking along x."""
        return camera_at((0.0, 0.0), 0.0, self.pitch, SIZE // self.senses.stride)

    def look(self) -> DepthImage:
        """Exact depth and segmentation of what is in sight."""
        view = self.home.view()
        return view.rays.depth_and_segmentation(self.camera(), view.poses)

    def picture(self, stride: int | None = None) -> npt.NDArray[np.uint8]:
        """The colour picture (n, n, 3)."""
        view = self.home.view()
        found = view.rays.picture(self.camera(stride), view.poses, smooth=False).rgb
        assert found is not None
        return found

    # Moving

    def move(self, way: str) -> None:
        """One of forward, back, left, right, up, down. Raises Refused."""
        self._count()
        if way in ("forward", "back"):
            sign = 1 if way == "forward" else -1
            angle = math.pi / 2 * self.quarter
            x = self.x + sign * STEP * math.cos(angle)
            y = self.y + sign * STEP * math.sin(angle)
            halfway = ((self.x + x) / 2, (self.y + y) / 2)
            if self.home.is_blocked(x, y) or self.home.is_blocked(*halfway):
                raise self._failed("blocked: something is in the way")
            self.x, self.y = x, y
            self.walked += STEP
        elif way in ("left", "right"):
            self.quarter = (self.quarter + (1 if way == "left" else -1)) % 4
        else:
            pitch = self.pitch + (NOD if way == "down" else -NOD)
            if pitch not in PITCHES:
                raise self._failed(f"impossible: the camera looks no further {way}")
            self.pitch = pitch
        self.home.state.robot_at = (self.x, self.y)

    # Acting on what a pixel shows

    def thing_at(self, image: DepthImage, pixel: Pixel) -> tuple[str, Floats]:
        """The thing that a pixel shows, and its point in the home. Raises Refused."""
        row, column = pixel
        name = image.names.get(int(image.ids[row, column]), "")
        if name not in self.home.state.kinds:
            if name == "ground" and self.home.floor:
                name = min(self.home.floor)
            else:
                raise self._failed("occluded: nothing that can be acted on is there")
        camera = self.camera()
        ray = camera.towards(np.array(column + 0.5), np.array(row + 0.5))
        point: Floats = camera.eye + ray * float(image.depth[row, column])
        return name, point

    def act(self, skill: str, image: DepthImage, pixel: Pixel) -> str:
        """Do something with what a pixel of the present picture shows; return the thing's name.

        pickup, place, open, close, toggle_on, toggle_off, slice, pour. Raises Refused.
        """
        self._count()
        thing, point = self.thing_at(image, pixel)
        camera = self.camera()
        far = float(np.linalg.norm(point - camera.eye))
        if far > REACH:
            raise self._failed(f"too far: it is {far:.1f} m away")
        held = self.home.state.held
        try:
            self._do(skill, thing, held, point)
        except Refused as error:
            raise self._failed(str(error)) from None
        return thing

    def _do(self, skill: str, thing: str, held: str | None, point: Floats) -> None:
        state = self.home.state
        if skill in ("place", "pour"):
            if held is None:
                raise Refused("impossible: there is nothing in the hand")
            self.actions.do(skill, {"item": held, "target": thing})
            if skill == "place":
                self.home.put(held, thing, point)
        elif skill == "slice":
            holder = state.support(thing)
            self.actions.do(skill, {"item": thing})
            for piece in (n for n in state.kinds if state.get("cut_from", n) == thing):
                if holder is not None:
                    self.home.put(piece, holder, point)
        elif skill == "pickup":
            self.actions.do(skill, {"item": thing})
        else:
            self.actions.do(skill, {"thing": thing})
        self.home.settle()

    def _count(self) -> None:
        if self.is_over:
            raise Refused(f"over: {self.steps} steps and {self.failures} failures were made")
        self.steps += 1

    @property
    def is_over(self) -> bool:
        """Whether no action is done any more."""
        senses = self.senses
        return self.steps >= senses.most_steps or self.failures >= senses.most_failures

    def _failed(self, why: str) -> Refused:
        self.failures += 1
        return Refused(why)


def camera_at(at: tuple[float, float], heading: float, pitch: float, across: int) -> Camera:
    """A camera of so many pixels at x, y; ``heading`` in rad, ``pitch`` in degrees down."""
    down = math.radians(pitch)
    x, y = at
    eye = (x, y, EYE)
    ahead = (
        x + math.cos(heading) * math.cos(down),
        y + math.sin(heading) * math.cos(down),
        EYE - math.sin(down),
    )
    return Camera.looking(eye, ahead, (across, across), ANGLE)
