"""Random sets for training pictures: furniture of our scenes with things placed at random.

Each is made from its seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from treec_perception.training.words import Look
from treec_sapien.bodies.jitter import jitter_layout
from treec_sapien.bodies.kinds import packages_of
from treec_sapien.bodies.materials import COLOURS
from treec_sapien.bodies.pose import Pose, Vector, multiply, turn, yaw
from treec_sapien.bodies.scene import PlacedBody, SceneLayout, body_of
from treec_sapien.bodies.solid import solid
from treec_sapien.bodies.spec import Body, Region
from treec_sapien.view.camera import Camera
from treec_sapien.view.picture import Light

SHOWN = frozenset(("bottle", "jar", "tin", "packet", "round_food", "long_food", "cup"))
"""Kinds of things that a colour paints, and of which distractors are made."""

SIZE = (480, 360)
"""Width and height of training pictures."""

AS_BEGUN = 0.35
"""Share of the pictures that show a whole scene as a run begins with it, jittered."""

GONE = 0.25
"""Share of the things that are not where a scene begins with them."""

LIES = 0.2
"""Share of the things that lie on their side, of those that can."""

OVER = ("bottle", "jar", "tin", "packet", "cup")
"""Kinds of things that stand upright, and may fall over if they are tall."""

TALL = 1.3
"""Height of a thing, as a share of its width, from which it is seen whether it stands or lies."""

ROBOTS = 0.3
"""Share of the pictures in which a robot stands around."""

LENS = 616.0 / 640.0
"""Focal length of the cameras, as a share of the picture's width."""


@dataclass(frozen=True, slots=True)
class TrainingThing:
    """A thing that may stand in a picture: how it looks and what it is built from."""

    look: Look
    spec: Mapping[str, Any]


@dataclass(frozen=True)
class Room:
    """A scene's furniture, by name, without the things that move."""

    name: str
    furniture: SceneLayout
    packages: tuple[str, ...]
    begun: SceneLayout = field(default_factory=lambda: SceneLayout({}, {}))
    """The whole scene, as a run begins."""
    looks: Mapping[str, Look] = field(default_factory=dict)
    """What its things that move look like."""
    views: tuple[tuple[Vector, Vector], ...] = ()
    """Where the fixed cameras of its systems are, and what they look at."""


@dataclass(frozen=True)
class TrainingSet:
    """A set before a camera: its layout, what its things look like, the camera and the light.

    ``robot`` chooses one that stands around and its pose; None for none. ``states`` are `upright`
    or `lying`, of the things of which it can be seen.
    """

    layout: SceneLayout
    looks: Mapping[str, Look]
    camera: Camera
    light: Light
    robot: tuple[float, Pose] | None = None
    states: Mapping[str, str] = field(default_factory=dict)


def footprint(body: Body) -> tuple[float, float, float]:
    """Return half the width and depth of a body's bounding box and its height, in metres."""
    placed = PlacedBody(body, Pose())
    solids = [solid(shape, pose) for link, pose in placed.solids() for shape in link.shapes]
    low = [min(it.low[axis] for it in solids) for axis in range(3)]
    high = [max(it.high[axis] for it in solids) for axis in range(3)]
    x, y = (max(-low[axis], high[axis]) for axis in (0, 1))
    return x, y, high[2]


def make_set(
    rooms: Sequence[Room], named: Sequence[TrainingThing], seed: int, size: tuple[int, int] = SIZE
) -> TrainingSet:
    """Make the set of a seed: a room, a piece of furniture, things, a camera, a light."""
    rng = np.random.default_rng([seed, 20])
    choices = [
        (room, name, region)
        for room in rooms
        for name, placed in room.furniture.bodies.items()
        for region in _supports(placed.body)
    ]
    areas = np.array([region.half_size[0] * region.half_size[1] for _, _, region in choices])
    room, owner, region = choices[int(rng.choice(len(choices), p=areas / areas.sum()))]
    if room.looks and rng.random() < AS_BEGUN:
        return _as_begun(rng, room, owner, region, size)
    bodies = dict(room.furniture.bodies)
    shelves = _supports(bodies[owner].body)
    looks: dict[str, Look] = {}
    most = int(rng.choice([2, 6, 12, 20], p=[0.15, 0.3, 0.35, 0.2]))
    focus: list[Vector] = []
    for board in shelves if len(shelves) > 1 else [region]:
        count = max(1, round(most * (1.0 if board is region else 0.5)))
        focus += fill_surface(
            rng, bodies, looks, owner, board, _choose(rng, named, count), room.packages
        )
    camera = _camera(rng, bodies[owner], region, focus, size)
    return _dressed(rng, bodies, looks, camera, bodies[owner])


def _as_begun(
    rng: np.random.Generator, room: Room, owner: str, region: Region, size: tuple[int, int]
) -> TrainingSet:
    """A scene as a run begins, its things jittered more than in runs, some of them gone."""
    seed, metres = int(rng.integers(2**31)), float(rng.uniform(0.02, 0.15))
    gone = {name for name in room.looks if rng.random() < GONE}
    kept = {name: it for name, it in room.begun.bodies.items() if name not in gone}
    bodies = dict(jitter_layout(SceneLayout(kept, {}), seed, metres, 180.0).bodies)
    looks = {name: look for name, look in room.looks.items() if name in bodies}
    base = bodies[owner].links()[region.link]
    focus = []
    for name in looks:
        x, y, z = base.inverse().apply(bodies[name].pose.p)
        (u, v, _), (wide, deep, high) = region.p, region.half_size
        above = -0.05 < z - region.floor < 2 * high
        if above and abs(x - u) < wide and abs(y - v) < deep:
            focus.append(bodies[name].pose.p)
    camera = _camera(rng, bodies[owner], region, focus, size)
    if room.views and rng.random() < 0.5:
        eye, at = room.views[int(rng.integers(len(room.views)))]
        near, there = (np.array(it) + rng.normal(0.0, 0.15, 3) for it in (eye, at))
        camera = _with_lens(rng, Camera.looking(near, there, size), size)
    return _dressed(rng, bodies, looks, camera, bodies[owner])


def _dressed(
    rng: np.random.Generator,
    bodies: dict[str, PlacedBody],
    looks: Mapping[str, Look],
    camera: Camera,
    owner: PlacedBody,
) -> TrainingSet:
    """The set with some things fallen over, a light, and perhaps a robot that stands around."""
    states = {}
    for name, look in looks.items():
        if can_lie(look.kind, bodies[name].body):
            lies = rng.random() < LIES
            states[name] = "lying" if lies else "upright"
            if lies:
                bodies[name] = _fallen(bodies[name], float(rng.uniform(-180, 180)))
    robot = None
    if rng.random() < ROBOTS:
        middle = owner.pose.p
        at = middle[:2] + rng.uniform(-0.9, 0.9, 2)
        robot = float(rng.random()), Pose((at[0], at[1], 0.0), yaw(float(rng.uniform(-180, 180))))
    return TrainingSet(SceneLayout(bodies, {}), looks, camera, _light(rng), robot, states)


def can_lie(kind: str, body: Body) -> bool:
    """Return whether a thing looks different when it lies on its side."""
    x, y, z = footprint(body)
    return kind in OVER and z > TALL * 2 * max(x, y)


def _fallen(placed: PlacedBody, heading: float) -> PlacedBody:
    """A thing on its side, its upper end in a direction, on what it stood on."""
    x, y, z = placed.pose.p
    tipped = multiply(yaw(heading), turn((0.0, 1.0, 0.0), 90.0))
    lying = PlacedBody(placed.body, Pose((x, y, z), tipped))
    low = min(solid(shape, pose).low[2] for link, pose in lying.solids() for shape in link.shapes)
    along = lying.pose.apply((0.0, 0.0, -footprint(placed.body)[2] / 2))
    return PlacedBody(placed.body, Pose((along[0], along[1], 2 * z - low), tipped))


def _supports(body: Body) -> list[Region]:
    """Surfaces of furniture on which something can stand and be seen."""
    return [
        region
        for region in body.regions
        if region.kind == "on" and min(region.half_size[:2]) > 0.1 and region.half_size[2] > 0.06
    ]


def _choose(
    rng: np.random.Generator, named: Sequence[TrainingThing], count: int
) -> list[TrainingThing]:
    own = list(rng.permutation(len(named))[: math.ceil(count * 0.75)])
    chosen = [named[int(at)] for at in own]
    taken = {(it.look.kind, it.look.colour) for it in named}
    while len(chosen) < count:
        chosen.append(_distractor(rng, taken))
    return chosen


def _distractor(rng: np.random.Generator, taken: set[tuple[str, str | None]]) -> TrainingThing:
    """A thing without a name that looks like none that has one."""
    kinds, colours = sorted(SHOWN - {"cup"}), sorted(COLOURS)
    while True:
        kind = kinds[int(rng.integers(len(kinds)))]
        colour = colours[int(rng.integers(len(colours)))]
        if (kind, colour) not in taken:
            break
    spec: dict[str, Any] = {"kind": kind, "colour": colour}
    wide, high = float(rng.uniform(0.045, 0.08)), float(rng.uniform(0.08, 0.22))
    if kind == "packet":
        spec["size"] = [wide, float(rng.uniform(0.04, 0.1)), high]
    elif kind == "round_food":
        spec["diameter"] = wide
    elif kind == "long_food":
        spec |= {"length": high, "thick": 0.5 * wide}
    else:
        spec |= {"diameter": wide, "height": high}
    return TrainingThing(Look((), kind, colour), spec)


def fill_surface(
    rng: np.random.Generator,
    bodies: dict[str, PlacedBody],
    looks: dict[str, Look],
    owner: str,
    region: Region,
    things: Sequence[TrainingThing],
    packages: Sequence[str],
) -> list[Vector]:
    """Put things on a surface where they do not overlap; return where they stand."""
    base = bodies[owner].links()[region.link]
    placed: list[tuple[float, float, float]] = []
    found: list[Vector] = []
    for thing in things:
        body = body_of(thing.spec, packages_of(packages))
        x, y, z = footprint(body)
        radius = math.hypot(x, y) * 0.8
        if z > 2 * region.half_size[2]:
            continue
        half = [region.half_size[axis] - radius for axis in (0, 1)]
        if min(half) <= 0:
            half = [max(0.0, it) for it in half]
        for _ in range(12):
            at = [float(rng.uniform(-it, it)) for it in half]
            if all(math.hypot(at[0] - u, at[1] - v) > radius + r for u, v, r in placed):
                break
        else:
            continue
        placed.append((at[0], at[1], radius))
        point = (region.p[0] + at[0], region.p[1] + at[1], region.floor)
        turned = multiply(base.q, yaw(float(rng.uniform(-180, 180))))
        if rng.random() < 0.5 and thing.look.kind == "packet":  # packets face the front
            turned = multiply(base.q, yaw(float(rng.normal(0, 12))))
        name = f"{thing.look.names[0] if thing.look.names else thing.look.kind} {len(looks)}"
        bodies[name] = PlacedBody(body, Pose(base.apply(point), turned))
        looks[name] = thing.look
        found.append(base.apply((point[0], point[1], point[2] + z / 2)))
    return found


def _camera(
    rng: np.random.Generator,
    owner: PlacedBody,
    region: Region,
    focus: Sequence[Vector],
    size: tuple[int, int],
) -> Camera:
    """A camera in front of or above a surface, looking at one of the things or its middle."""
    base = owner.links()[region.link]
    middle = base.apply((region.p[0], region.p[1], region.floor))
    at = np.array(focus[int(rng.integers(len(focus)))] if focus and rng.random() < 0.8 else middle)
    is_open = len(owner.body.regions) == 1  # a table: from any side and from above
    turn = float(rng.uniform(-180, 180) if is_open else rng.normal(0, 28))
    tilt = math.radians(float(rng.uniform(20, 75) if is_open else rng.uniform(2, 30)))
    away = float(np.exp(rng.uniform(math.log(0.6), math.log(2.1))))
    direction = yaw(turn)
    front = Pose(q=multiply(base.q, direction)).apply((0.0, -1.0, 0.0))
    eye = at + away * np.array(
        (front[0] * math.cos(tilt), front[1] * math.cos(tilt), math.sin(tilt))
    )
    eye[2] = max(float(eye[2]), 0.4)
    at = at + rng.normal(0.0, 0.06 * away, 3)
    return _with_lens(rng, Camera.looking(eye, at, size), size)


def _with_lens(rng: np.random.Generator, camera: Camera, size: tuple[int, int]) -> Camera:
    width, height = size
    f = LENS * width * float(rng.uniform(0.85, 1.15))
    return replace(camera, fx=f, fy=f, cx=width / 2, cy=height / 2)


def _light(rng: np.random.Generator) -> Light:
    turn, up = rng.uniform(-math.pi, math.pi), rng.uniform(0.35, 1.4)
    towards = (math.cos(turn) * math.cos(up), math.sin(turn) * math.cos(up), math.sin(up))
    if rng.random() < 0.25:  # the light of runs
        return Light()
    return Light(
        (float(towards[0]), float(towards[1]), float(towards[2])),
        float(rng.uniform(0.15, 0.75)),
        float(rng.uniform(0.4, 0.75)),
        float(rng.uniform(0.2, 0.5)),
    )


def rooms_and_things(
    library: Any, *, packs: bool = False
) -> tuple[list[Room], list[TrainingThing]]:
    """Return the furniture of a library's scenes with bodies, and their things by name.

    Of its own scenes, or of those of its ``packs``. Raises ValueError for a body that is none.
    """
    from treec_sapien.bodies.scene import read

    rooms: list[Room] = []
    things: dict[tuple[str, ...], TrainingThing] = {}
    for entry in library.of_kind("scene"):
        if (library.pack_of(entry.path) is not None) != packs:
            continue
        names = entry.model.body_packages
        if not names:
            continue
        layout = read(
            {
                name: spec.model_dump(include={"body", "pose", "yaw"})
                for name, spec in entry.model.objects.items()
            },
            names,
        )
        fixed = {name: it for name, it in layout.bodies.items() if it.body.fixed}
        own: dict[str, Look] = {}
        for name, spec in entry.model.objects.items():
            body = spec.body or {}
            if name in layout.bodies and not layout.bodies[name].body.fixed:
                words = tuple(it.replace("_", " ") for it in (name, *spec.also))
                kind = str(body["kind"])
                colour = body.get("colour") if kind in SHOWN else None
                own[name] = Look(words, kind, colour)
                things.setdefault(words, TrainingThing(own[name], body))
        views = _fixed_views(library, entry.name)
        rooms.append(Room(entry.name, SceneLayout(fixed, {}), names, layout, own, views))
    return rooms, list(things.values())


def _fixed_views(library: Any, scene: str) -> tuple[tuple[Vector, Vector], ...]:
    """Where the fixed cameras of the systems of a scene are, and what they look at."""
    from treec.files.view import View

    found: dict[tuple[Vector, Vector], None] = {}
    for system in library.of_kind("system"):
        if system.model.scene == scene:
            for entry in View(library, system).all("camera").values():
                pose = entry.model.pose
                if pose is not None:
                    eye, at = (tuple(float(x) for x in it) for it in (pose.eye, pose.looks_at))
                    found[(eye[0], eye[1], eye[2]), (at[0], at[1], at[2])] = None
    return tuple(found)
