"""What there is in a home: its bodies at their places, as they are seen and as they are in the way.

The state of the household says what is where and in what state; this says where exactly. A body is
one of `bodies`, and what is seen is what `treec_sapien`'s ray caster sees of it.
"""

from __future__ import annotations

import colorsys
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from treec_household.embodied.bodies import Colour, body_of, kind_of
from treec_household.embodied.layout import HIGH, FloorPlan, furnish
from treec_household.state import HouseholdState
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.solid import WorldSolid, depth, solid
from treec_sapien.bodies.spec import Body, Region, Shape
from treec_sapien.view.camera import Floats
from treec_sapien.view.rays import RayView
from treec_sapien.view.solids import SolidStage, StageSolid, as_array, ground, half_of

RADIUS = 0.2
"""Metres of the robot's round base, as AI2-THOR's agent."""
TALL = 1.0
"""Height (m) of the robot: what is higher up is not in its way."""
_LOW = 0.04
_SPOT = 0.05
"""Metres between places that are tried for a thing."""
_FLUIDS: Mapping[str, Colour] = {"water": (0.2, 0.45, 0.9), "coffee": (0.2, 0.1, 0.03)}
_DIRT: Colour = (0.33, 0.26, 0.08)
_GLOW: Colour = (1.0, 0.35, 0.05)
_WALLS: Colour = (0.86, 0.84, 0.78)


@dataclass(frozen=True)
class HomeView:
    """What a camera can see: a stage, the poses of its pieces, names of its things by number."""

    rays: RayView
    poses: Floats


class Home:
    """The places of a household's things; ``state`` is the true one.

    ``shapes`` are bodies that the scene gives, by name, with their poses. Raises HomeTooFull.
    """

    def __init__(
        self,
        state: HouseholdState,
        fixtures: Mapping[str, str],
        seed: int,
        shapes: Mapping[str, tuple[Body, Pose]],
    ) -> None:
        self.state = state
        self.fixtures = fixtures
        self._own = shapes
        self._rng = random.Random(f"spots {seed}")
        self.floor = {name for name, kind in fixtures.items() if kind == "Floor"}
        given = {n: k for n, k in fixtures.items() if n not in shapes and n not in self.floor}
        self.plan: FloorPlan = furnish(given, seed)
        self.plan.poses.update({name: pose for name, (_, pose) in shapes.items()})
        self._offsets: dict[str, tuple[str, Pose]] = {}
        """What each thing is on or in, and its pose there."""
        self._view: tuple[object, HomeView] | None = None
        self._solids: tuple[object, list[WorldSolid]] | None = None
        self.settle()

    # Places

    def settle(self) -> None:
        """Give everything a place that is on or in something and has none there yet."""
        for name in self.state.kinds:
            holder = self.state.support(name)
            if holder is None or holder == self.state.robot:
                self._offsets.pop(name, None)
            elif self._offsets.get(name, ("",))[0] != holder:
                self._offsets[name] = (holder, self._spot(name, holder, None))

    def put(self, name: str, holder: str, near: Floats | None) -> None:
        """Place a thing on or in another, as near as possible to a point of the world (3,)."""
        self._offsets[name] = (holder, self._spot(name, holder, near))

    def pose(self, name: str) -> Pose | None:
        """The pose of a thing's base in the world; None for what is nowhere or in the hand."""
        if name in self.plan.poses:
            return self.plan.poses[name]
        if name not in self._offsets or not self.state.exists(name):
            return None
        holder, offset = self._offsets[name]
        if holder in self.floor:
            return offset
        base = self.pose(holder)
        return None if base is None else base @ offset

    def body(self, name: str) -> Body:
        """The body of a thing as it is now: open or closed."""
        if name in self._own:
            return self._own[name][0]
        opened = bool(self.state.get("opened", name))
        return body_of(self.state.kinds[name], opened, name in self.fixtures)

    def _spot(self, name: str, holder: str, near: Floats | None) -> Pose:
        if holder in self.floor:
            return self._floor_spot()
        body = self.body(holder)
        if not body.regions:
            return Pose((0.0, 0.0, kind_of(self.state.kinds[holder]).size[2]))
        size = self._size(name)
        others = [
            (offset.p, self._size(other))
            for other, (there, offset) in self._offsets.items()
            if there == holder and other != name and self.state.support(other) == holder
        ]
        others += self._standing_on(holder)
        wanted = None
        base = self.pose(holder)
        if near is not None and base is not None:
            wanted = base.inverse().apply((float(near[0]), float(near[1]), float(near[2])))
        best: tuple[float, Vector] | None = None
        for region in body.regions:
            for spot in _spots(region, size):
                over = sum(_overlap(spot, size, p, other) for p, other in others)
                far = self._rng.random() * 0.1 + (spot[1] if self._is_closet(holder) else 0.0)
                if wanted is not None:
                    far = sum((a - b) ** 2 for a, b in zip(spot, wanted, strict=True))
                rank = over * 1e4 + far
                if best is None or rank < best[0]:
                    best = (rank, spot)
        assert best is not None
        return Pose(best[1])

    def _is_closet(self, holder: str) -> bool:
        """Whether things are put in front in it, where they can be seen and reached."""
        return kind_of(self.state.kinds[holder]).form == "closet"

    def _size(self, name: str) -> Vector:
        return kind_of(self.state.kinds[name]).size

    def _standing_on(self, holder: str) -> list[tuple[Vector, Vector]]:
        """Appliances and taps that stand on a counter."""
        base = self.plan.poses.get(holder)
        if base is None:
            return []
        back = base.inverse()
        _, _, high = self._size(holder)
        low = base.p[2] + high - 0.05
        return [
            (back.apply(pose.p), self._size(name))
            for name, pose in self.plan.poses.items()
            if name != holder and name in self.state.kinds and low < pose.p[2] < low + 0.1
        ]

    def _floor_spot(self) -> Pose:
        x0, y0, x1, y1 = self.plan.rooms[0]
        for _ in range(200):
            x = self._rng.uniform(x0 + 0.5, x1 - 0.5)
            y = self._rng.uniform(y0 + 0.5, y1 - 0.5)
            if not self.is_blocked(x, y):
                return Pose((x, y, 0.0))
        return Pose(((x0 + x1) / 2, (y0 + y1) / 2, 0.0))

    # In the way

    def is_blocked(self, x: float, y: float) -> bool:
        """Whether the robot would run into something where its middle is at x, y."""
        body = Shape("cylinder", radius=RADIUS, half_length=TALL / 2 - _LOW)
        own = solid(body, Pose((x, y, TALL / 2 + _LOW)))
        for other in self._obstacles():
            if (
                own.low[0] < other.high[0]
                and other.low[0] < own.high[0]
                and own.low[1] < other.high[1]
                and other.low[1] < own.high[1]
                and depth(own, other)[0] > 0.01
            ):
                return True
        return False

    def _obstacles(self) -> list[WorldSolid]:
        state = self.state
        key = tuple(name for name in self.fixtures if state.get("opened", name))
        if self._solids is None or self._solids[0] != key:
            found = [
                world
                for name, pose in self.plan.poses.items()
                for shape in self.body(name).links[0].shapes
                if (world := solid(shape, pose)).low[2] < TALL and world.high[2] > 2 * _LOW
            ]
            found += [solid(shape, pose) for shape, pose in self._structure()]
            self._solids = (key, found)
        return self._solids[1]

    def _structure(self) -> Iterator[tuple[Shape, Pose]]:
        """Walls, and what appliances stand on."""
        for wall in self.plan.walls:
            (x0, y0), (x1, y1) = wall.low, wall.high
            half = ((x1 - x0) / 2, (y1 - y0) / 2, HIGH / 2)
            place = ((x0 + x1) / 2, (y0 + y1) / 2, HIGH / 2)
            yield Shape("box", half_size=half), Pose(place)
        for pose, (w, d, h) in self.plan.blocks:
            yield Shape("box", (0.0, 0.0, h / 2), half_size=(w / 2, d / 2, h / 2)), pose

    # In sight

    def view(self) -> HomeView:
        """What can be seen now; what is shut away is not in it."""
        state = self.state
        shown = [
            name
            for name in state.kinds
            if name not in self.floor
            and state.exists(name)
            and state.shut_behind(name) is None
            and self.pose(name) is not None
        ]
        key = tuple(
            (name, self.pose(name), *(state.get(fact, name) for fact in _SHOWN)) for name in shown
        )
        if self._view is None or self._view[0] != key:
            self._view = (key, self._stage(shown))
        return self._view[1]

    def _stage(self, shown: list[str]) -> HomeView:
        piece, floor = ground()
        pieces, solids, poses = [piece], [floor], [Pose()]
        for number, (shape, pose) in enumerate(self._structure()):
            solids.append(
                StageSolid("box", len(pieces), (*_WALLS, 1.0), shape.pose, half_of(shape))
            )
            pieces.append((f"wall {number}", "body"))
            poses.append(pose)
        for name in shown:
            placed = self.pose(name)
            assert placed is not None
            for shape, colour in self._looks(name):
                half = half_of(shape)
                solids.append(StageSolid(shape.kind, len(pieces), (*colour, 1.0), shape.pose, half))
            pieces.append((name, "body"))
            poses.append(placed)
        return HomeView(RayView(SolidStage(tuple(pieces), tuple(solids))), as_array(poses))

    def _looks(self, name: str) -> Iterator[tuple[Shape, Colour]]:
        """The shapes of a thing in the colours of its state."""
        state = self.state
        kind = kind_of(state.kinds[name], fixed=name in self.fixtures)
        colour = kind.rgb
        if state.get("cooked", name):
            colour = (colour[0] * 0.5, colour[1] * 0.4, colour[2] * 0.3)
        if state.get("running", name) and kind.form in ("plate", "can", "block", "closet"):
            colour = tuple((a + 2 * b) / 3 for a, b in zip(colour, _GLOW, strict=True))  # type: ignore[assignment]
        for number, shape in enumerate(self.body(name).links[0].shapes):
            own = (
                colour
                if number == 0 or kind.form not in ("closet", "drawer", "plant")
                else _other(colour)
            )
            yield shape, own
        w, d, h = kind.size
        if kind.form in ("plate", "dish"):
            dirty, liquid = state.get("dirty", name), state.get("filled", name)
            inner = _FLUIDS.get(str(liquid), _FLUIDS["water"]) if liquid else None
            inner = _DIRT if dirty and inner is None else inner
            if kind.form == "dish":
                inner = inner or tuple(0.6 * c for c in colour)  # type: ignore[assignment]
            if inner is not None:
                top = Shape("cylinder", (0.0, 0.0, h), radius=w * 0.4, half_length=0.003)
                yield top, inner
            if dirty and kind.form == "dish":
                spot = Shape(
                    "cylinder", (0.0, 0.0, h * 0.55), radius=w * 0.505, half_length=h * 0.12
                )
                yield spot, _DIRT
        elif state.get("dirty", name):
            yield Shape("box", (0.0, 0.0, h * 0.8), half_size=(w * 0.3, d * 0.51, h * 0.25)), _DIRT
        if kind.form == "basin" and state.get("running", name):
            yield Shape("box", (0.0, d * 0.1, h), half_size=(0.02, 0.02, 0.1)), _FLUIDS["water"]
        if state.get("filled", name) and kind.form == "plant":
            soil = Shape("cylinder", (0.0, 0.0, h * 0.4), radius=w * 0.36, half_length=0.01)
            yield soil, _FLUIDS["water"]


_SHOWN = ("opened", "running", "dirty", "filled", "cooked", "sliced")


def _other(colour: Colour) -> Colour:
    """A colour for doors, handles and leaves."""
    hue, light, strength = colorsys.rgb_to_hls(*colour)
    red, green, blue = colorsys.hls_to_rgb(hue, min(0.9, light * 0.75), strength)
    return (red, green, blue)


def _spots(region: Region, size: Vector) -> Iterator[Vector]:
    """Places on the floor of a region for a thing of a size."""
    half_x = max(0.0, region.half_size[0] - size[0] / 2)
    half_y = max(0.0, region.half_size[1] - size[1] / 2)
    for x in np.linspace(-half_x, half_x, int(2 * half_x / _SPOT) + 1) if half_x else (0.0,):
        for y in np.linspace(-half_y, half_y, int(2 * half_y / _SPOT) + 1) if half_y else (0.0,):
            yield (region.p[0] + float(x), region.p[1] + float(y), region.floor)


def _overlap(spot: Vector, size: Vector, other: Vector, of: Vector) -> float:
    """How far two things' bases overlap (m), 1 cm apart not at all."""
    if abs(spot[2] - other[2]) > 0.12:
        return 0.0
    deep = [(size[axis] + of[axis]) / 2 + 0.01 - abs(spot[axis] - other[axis]) for axis in (0, 1)]
    return max(0.0, min(deep))
