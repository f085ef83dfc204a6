"""The robot: what it makes of its pictures, and how it gets to where a thing can be acted on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from treec_household.actions import Refused
from treec_household.embodied.memory import Detection, Instance, ObjectMemory
from treec_household.embodied.navigation import AHEAD, Grid, Place, Ways, best
from treec_household.embodied.occupancy import TRUSTED, OccupancyMap
from treec_household.embodied.simulator import (
    EYE,
    NOD,
    PITCHES,
    REACH,
    SIZE,
    STEP,
    Pixel,
    Simulator,
    camera_at,
)
from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import DepthImage

WALK_PITCH = 30
"""Degrees down at which the camera looks while the robot walks: the floor before it is seen."""
STANDS = 4
"""Places that are tried to see a thing from."""
_NEAR, _FAR = 0.3, 1.25
"""Metres from a thing, on the floor plan, between which the robot stands to act on it."""
_ASIDE = 0.85
"""Cosine of the angle at a thing between two places, above which they show the same side of it."""
_FRESH = 0.3
"""How far (m) behind a remembered thing something has to be seen for it to be gone."""


class Eyes(Protocol):
    """Finds things in a picture."""

    def picture(self, simulator: Simulator) -> DepthImage:
        """Take a picture, with what is needed of it."""

    def detect(self, simulator: Simulator, image: DepthImage, depth: Floats) -> list[Detection]:
        """The things in the present picture; ``depth`` is as measured."""


class HouseRobot:
    """Where the robot believes it is, its map, its memory, and its way of walking."""

    def __init__(self, simulator: Simulator, memory: ObjectMemory, eyes: Eyes) -> None:
        self.simulator = simulator
        self.memory = memory
        self.eyes = eyes
        self.map = OccupancyMap()
        self.x = self.y = self.heading = 0.0
        """Where it believes it is, in the frame in which it began (m, rad)."""
        self.image: DepthImage | None = None
        self.detections: list[Detection] = []
        self._far: Floats = np.zeros((1, 1))
        """How far (m) from the camera each pixel is, as measured."""
        self.seen: list[tuple[Instance, Detection]] = []
        """What is in the present picture."""
        self.saw: Callable[[], None] = lambda: None
        """Called after every picture."""
        self._surveyed = False
        self._tried: set[Place] = set()
        self.map.tread(0.0, 0.0)

    # Seeing

    @property
    def camera(self) -> Camera:
        """The camera where it is believed to be."""
        across = SIZE // self.simulator.senses.stride
        return camera_at((self.x, self.y), self.heading, self.simulator.pitch, across)

    def look(self) -> None:
        """Take a picture, and note on the map and in the memory what it shows."""
        sim = self.simulator
        image = self.eyes.picture(sim)
        depth = self._measured(image)
        camera = self.camera
        points = camera.points(depth.astype(np.float32))
        self._far = np.linalg.norm(points - camera.eye, axis=-1)
        valid = depth > 0
        self.map.exact = not sim.senses.depth_error
        self.map.add(points[valid if self.map.exact else valid & (self._far < TRUSTED)])
        self.map.tread(self.x, self.y)
        self.image = image
        self.detections = self.eyes.detect(sim, image, depth)
        self.seen = []
        for detection in self.detections:
            mask = detection.mask & valid
            if mask.any():
                taken = [one for one, _ in self.seen]
                middle = None if detection.middle is None else self._here(detection.middle)
                instance = self.memory.add(detection, points[mask], middle, taken)
                if instance is not None:
                    self.seen.append((instance, detection))
        self._forget_gone(camera, depth)
        self.saw()

    def _here(self, point: Floats) -> Floats:
        """A point ahead, to the left and above the floor, in the frame in which it began."""
        ahead, left, up = point
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array((self.x + c * ahead - s * left, self.y + s * ahead + c * left, up))

    def _measured(self, image: DepthImage) -> Floats:
        depth = np.where(np.isfinite(image.depth), image.depth, 0.0).astype(np.float64)
        error = self.simulator.senses.depth_error
        if error:
            rng = self.simulator.rng
            share = error * math.sqrt(0.5)
            common, own = rng.normal(0, share), rng.normal(0, share, depth.shape)
            depth *= np.maximum(1 + common + own, 0.1)
        return depth

    def _forget_gone(self, camera: Camera, depth: Floats) -> None:
        """Forget what should be in the picture and is not: something behind its place is seen."""
        seen = {id(instance) for instance, _ in self.seen}
        others = [one for one in self.memory.instances if id(one) not in seen and not one.carried]
        if not others:
            return
        pixels = camera.pixels(np.array([one.centroid for one in others]))
        x, y, far = pixels.T
        inside = (x >= 2) & (x < camera.width - 2) & (y >= 2) & (y < camera.height - 2)
        for at in np.flatnonzero(inside & (far > 0.3) & (far < 3.0)):
            row, column = int(y[at]), int(x[at])
            around = depth[row - 1 : row + 2, column - 1 : column + 2]
            behind = far[at] + _FRESH + 2 * self.simulator.senses.depth_error * far[at]
            if (around > behind).all():
                others[at].missed += 1
                if others[at].missed >= 2:
                    self.memory.forget(others[at])

    # Moving

    @property
    def place(self) -> Place:
        """The place of the grid where it believes it is."""
        quarter = round(self.heading / (math.pi / 2)) % 4
        return (round(self.x / STEP), round(self.y / STEP), quarter)

    def do(self, action: str) -> None:
        """One primitive move, then a picture. Raises Refused."""
        sim = self.simulator
        sim.move(action)
        error, rng = sim.senses.odometry_error, sim.rng
        if action in ("forward", "back"):
            far = STEP * (1 if action == "forward" else -1)
            if error:
                far *= 1 + rng.normal(0, error)
            self.x += far * math.cos(self.heading)
            self.y += far * math.sin(self.heading)
        elif action in ("left", "right"):
            turn = math.pi / 2 * (1 if action == "left" else -1)
            if error:
                turn *= 1 + rng.normal(0, error)
            self.heading += turn
        self.look()

    def pitch_to(self, degrees: int) -> None:
        """Nod until the camera looks so far down."""
        while self.simulator.pitch != degrees:
            self.do("down" if self.simulator.pitch < degrees else "up")

    def turn_to(self, quarter: int) -> None:
        """Turn to a heading of the grid, the shorter way."""
        while (turns := (quarter - self.place[2]) % 4) != 0:
            self.do("right" if turns == 3 else "left")

    def walk(self, goals: Callable[[Ways], Sequence[Place]], stop: Callable[[], bool]) -> bool:
        """Walk to the first goal, and choose again when something is in the way.

        ``goals`` orders the places by the shortest ways. False if there is none that can be
        reached; walking ends early where ``stop`` says so.
        """
        for _ in range(60):
            ways = Grid(self.map).ways(self.place)
            found = goals(ways)
            if not found:
                return False
            if self._follow(ways.to(found[0]), stop):
                return True
        return False

    def _follow(self, way: Sequence[str], stop: Callable[[], bool]) -> bool:
        """Follow a way to its end; false if it has to be planned again."""
        if way and self.simulator.pitch != WALK_PITCH and "forward" in way:
            self.pitch_to(WALK_PITCH)
        for number, action in enumerate(way):
            if stop():
                return True
            i, j, quarter = self.place
            di, dj = AHEAD[quarter]
            if action == "forward" and number and not Grid(self.map).is_free(i + di, j + dj):
                return False
            try:
                self.do(action)
            except Refused:
                if self.simulator.is_over:
                    raise
                self.map.bump((i + di) * STEP, (j + dj) * STEP)
                return False
        return True

    # Exploring

    def survey(self, stop: Callable[[], bool]) -> None:
        """Look around once, where it begins."""
        if self._surveyed:
            return
        self._surveyed = True
        self.look()
        self.pitch_to(WALK_PITCH)
        for _ in range(3):
            if stop():
                return
            self.do("left")

    def explore(self, stop: Callable[[], bool]) -> bool:
        """Walk to the nearest place that looks at what is unknown. False if there is none."""
        chosen: list[Place] = []

        def goals(ways: Ways) -> list[Place]:
            found = Grid(self.map).frontiers(ways)
            place = next((one for one in found if one not in self._tried), None)
            chosen[:] = [] if place is None else [place]
            return chosen

        if not self.walk(goals, stop):
            return False
        self._tried.update(chosen)
        if self.simulator.pitch != WALK_PITCH:
            self.pitch_to(WALK_PITCH)
        return True

    # Going to things

    def approach(self, instance: Instance, tried: set[Place]) -> bool:
        """Walk to where an instance can be seen and touched, and look at it.

        ``tried`` are places that did not do, and gets the new one. False if there is no other.
        """

        def goals(ways: Ways) -> list[Place]:
            points = instance.points if len(instance.points) else instance.centroid[None]
            return best(ways, lambda place: self._cost(place, points, tried))

        self.survey(lambda: False)
        while not self.walk(goals, lambda: False):
            if tried or instance not in self.memory.instances or not self.explore(lambda: False):
                return False
        tried.add(self.place)
        self.aim(instance)
        return True

    @staticmethod
    def _cost(place: Place, points: Floats, tried: set[Place]) -> float | None:
        """How much worse than the best a place is to act on a thing from; None: not at all."""
        if place in tried:
            return None
        i, j, quarter = place
        off = points[:, :2] - np.array((i, j)) * STEP
        di, dj = AHEAD[quarter]
        along = off @ np.array((di, dj))
        across = np.abs(off @ np.array((-dj, di)))
        far = np.sqrt(along**2 + across**2 + (points[:, 2] - EYE) ** 2)
        good = (along > _NEAR) & (across < 0.8 * along) & (far < _FAR)
        if not good.any():
            return None
        middle = points[:, :2].mean(axis=0)
        own = middle - np.array((i, j)) * STEP
        alike = 0
        for a, b, _ in tried:
            other = middle - np.array((a, b)) * STEP
            alike += float(own @ other) > _ASIDE * float(np.hypot(*own) * np.hypot(*other))
        return 2.0 * float(across[good].min()) + 20.0 * alike - 4.0 * float(good.mean())

    def aim(self, instance: Instance) -> bool:
        """Turn and nod so that an instance is in the middle of the picture as far as may be.

        Returns whether it is seen, and near enough.
        """
        points = instance.points if len(instance.points) else instance.centroid[None]
        far = np.linalg.norm(points - np.array((self.x, self.y, EYE)), axis=1)
        x, y, z = np.median(points[far <= max(REACH, float(far.min()) + 0.1)], axis=0)
        self.turn_to(round(math.atan2(y - self.y, x - self.x) / (math.pi / 2)) % 4)
        ahead = max(0.1, math.hypot(x - self.x, y - self.y))
        down = math.degrees(math.atan2(EYE - z, ahead))
        wanted = min(PITCHES, key=lambda pitch: (abs(pitch - down), pitch))
        if abs(self.simulator.pitch - down) > NOD * 0.9:
            self.pitch_to(wanted)
        if self.image is None:
            self.look()
        return self.pixel(instance) is not None

    def detection(self, instance: Instance) -> Detection | None:
        """The detection of an instance in the present picture."""
        return next((found for one, found in self.seen if one is instance), None)

    def distance(self, detection: Detection) -> float:
        """Metres from the camera to the pixel of a thing that is acted on, as measured."""
        rows, columns = detection.mask.nonzero()
        middle = np.argmin((rows - np.median(rows)) ** 2 + (columns - np.median(columns)) ** 2)
        return float(self._far[rows[middle], columns[middle]])

    def pixel(self, instance: Instance) -> Pixel | None:
        """A pixel that shows an instance within reach, as near as possible to its middle."""
        found = self.detection(instance)
        if found is None:
            return None
        rows, columns = found.mask.nonzero()
        near = (self._far[rows, columns] < REACH - 0.05) & (self._far[rows, columns] > 0)
        if not near.any():
            return None
        rows, columns = rows[near], columns[near]
        middle = np.argmin((rows - np.median(rows)) ** 2 + (columns - np.median(columns)) ** 2)
        return int(rows[middle]), int(columns[middle])

    def go_to(self, instance: Instance) -> Iterator[Pixel]:
        """Pixels at which an instance can be acted on, from one place after the other.

        The first one is from here, if it can be seen from here.
        """
        pixel = self.pixel(instance)
        found = pixel is not None
        if pixel is not None:
            yield pixel
        tried: set[Place] = set()
        for _ in range(STANDS):
            if instance not in self.memory.instances or not self.approach(instance, tried):
                return
            self.nod_over(instance, lambda: self.pixel(instance) is not None)
            pixel = self.pixel(instance)
            if pixel is not None:
                yield pixel
                found = True
        doubtful = self.simulator.senses.eyes != "true" and not found
        if doubtful and instance in self.memory.instances:  # it was something else
            self.memory.forget(instance)
            self.saw()

    def nod_over(self, instance: Instance, stop: Callable[[], bool]) -> None:
        """Look at an instance at all pitches that may show it, until ``stop`` says so."""
        points = instance.points if len(instance.points) else instance.centroid[None]
        for degrees in sorted(PITCHES, key=lambda one: abs(one - self.simulator.pitch)):
            if stop() or instance not in self.memory.instances:
                return
            camera = camera_at((self.x, self.y), self.heading, degrees, 100)
            x, y, far = camera.pixels(points).T
            shown = (far > 0) & (x > 5) & (x < 95) & (y > 5) & (y < 95)
            if degrees != self.simulator.pitch and shown.any():
                self.pitch_to(degrees)
