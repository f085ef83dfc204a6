"""The bodies of the household's things by class: `treec_sapien`'s plain shapes, from a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from treec_sapien.bodies.make import box, cylinder, sphere
from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.spec import Body, BodyLink, Region, Shape

Colour = tuple[float, float, float]
WALL = 0.03
"""Thickness (m) of boards, rims and panels."""
DRAWN = 0.3
"""Metres by which an open drawer is drawn out."""
_LOWEST = 0.35
"""Height (m) of the lowest board of a tall closet."""
_STEP = 0.36
"""Metres between the boards of a closet."""


@dataclass(frozen=True)
class Furnishing:
    """What a class of things looks like, and where its things stand: a row of `furniture.yaml`."""

    form: str
    size: Vector
    rgb: Colour
    stands: str = ""
    z: float = 0.0
    room: str = ""
    lid: bool = False


@cache
def kinds() -> Mapping[str, Furnishing]:
    """The rows of `furniture.yaml` by class."""
    rows: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
        (Path(__file__).parent / "furniture.yaml").read_text("utf-8")
    )
    return {name: _kind(row) for name, row in rows.items()}


def _kind(row: Mapping[str, Any]) -> Furnishing:
    more = {name: value for name, value in row.items() if name not in ("size", "rgb")}
    width, depth, height = row["size"]
    red, green, blue = row["rgb"]
    return Furnishing(size=(width, depth, height), rgb=(red, green, blue), **more)


def kind_of(name: str, *, fixed: bool = False) -> Furnishing:
    """The row of a class; of an unknown one that of a thing, or of a fixture."""
    return kinds().get(name) or kinds()["Fixture" if fixed else "Thing"]


@cache
def body_of(name: str, opened: bool = False, fixed: bool = False) -> Body:
    """The body of a class, closed or open. Its origin is the middle of its base, its front -y."""
    kind = kind_of(name, fixed=fixed)
    shapes, regions = _FORMS[kind.form](kind, opened)
    return Body(name, (BodyLink("body", tuple(shapes)),), regions=tuple(regions), fixed=fixed)


def _region(name: str, width: float, depth: float, z: float, y: float = 0.0) -> Region:
    half = (max(width / 2, 0.01), max(depth / 2, 0.01), 0.1)
    return Region(name, "on", (0.0, y, z + half[2]), half)


_Made = tuple[Sequence[Shape], Sequence[Region]]


def _block(kind: Furnishing, opened: bool) -> _Made:
    w, d, h = kind.size
    return [box(kind.size, (0.0, 0.0, 0.0))], [_region("top", w - 0.04, d - 0.04, h)]


def _ball(kind: Furnishing, opened: bool) -> _Made:
    return [sphere(kind.size[2], (0.0, 0.0, kind.size[2] / 2))], []


def _can(kind: Furnishing, opened: bool) -> _Made:
    return [cylinder(kind.size[0], kind.size[2], (0.0, 0.0, 0.0))], []


def _plate(kind: Furnishing, opened: bool) -> _Made:
    w, _, h = kind.size
    return [cylinder(w, h, (0.0, 0.0, 0.0))], [_region("top", w * 0.7, w * 0.7, h)]


def _dish(kind: Furnishing, opened: bool) -> _Made:
    """Closed at the top, a little below the rim: what is in it stands out."""
    w, _, h = kind.size
    return [cylinder(w, h, (0.0, 0.0, 0.0))], [_region("top", w * 0.6, w * 0.6, h - 0.02)]


def _table(kind: Furnishing, opened: bool) -> _Made:
    w, d, h = kind.size
    legs = [
        box((0.06, 0.06, h - WALL), (x * (w / 2 - 0.05), y * (d / 2 - 0.05), 0.0))
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    top = box((w, d, WALL), (0.0, 0.0, h - WALL))
    return [top, *legs], [_region("top", w - 0.04, d - 0.04, h)]


def _counter(kind: Furnishing, opened: bool) -> _Made:
    """A top and two sides: drawers and cabinets stand below it."""
    w, d, h = kind.size
    sides = [box((WALL, d, h - WALL), (x * (w - WALL) / 2, 0.0, 0.0)) for x in (-1, 1)]
    back = box((w, WALL, h - WALL), (0.0, (d - WALL) / 2, 0.0))
    top = box((w, d, WALL), (0.0, 0.0, h - WALL))
    return [top, back, *sides], [_region("top", w - 0.04, d - 0.04, h)]


def _seat(kind: Furnishing, opened: bool) -> _Made:
    w, d, h = kind.size
    low, back = 0.44, 0.1 if w < 0.6 else 0.2
    shapes = [
        box((w, d, low), (0.0, 0.0, 0.0)),
        box((w, back, h - low), (0.0, (d - back) / 2, low)),
    ]
    return shapes, [_region("seat", w - 0.08, d - back - 0.06, low, -back / 2)]


def _basin(kind: Furnishing, opened: bool) -> _Made:
    w, d, h = kind.size
    deep = 0.1
    rims = [
        box((w, 0.05, deep), (0.0, -(d - 0.05) / 2, h - deep)),
        box((w, 0.12, deep), (0.0, (d - 0.12) / 2, h - deep)),
        *(box((0.05, d - 0.17, deep), (x * (w - 0.05) / 2, -0.035, h - deep)) for x in (-1, 1)),
    ]
    bottom = box((w, d, h - deep), (0.0, 0.0, 0.0))
    return [bottom, *rims], [_region("basin", w - 0.14, d - 0.22, h - deep, -0.035)]


def _closet(kind: Furnishing, opened: bool) -> _Made:
    """A block while it is closed; open, its boards, the door or the lid folded out of the way."""
    w, d, h = kind.size
    if not opened and not kind.lid:
        handle = box((0.03, 0.02, min(0.2, h / 2)), (w / 2 - 0.06, -d / 2 - 0.01, h * 0.35))
        regions = _boards(kind)
        return [box(kind.size, (0.0, 0.0, 0.0)), handle], regions
    sides = [box((WALL, d, h), (x * (w - WALL) / 2, 0.0, 0.0)) for x in (-1, 1)]
    bottom = box((w, d, WALL), (0.0, 0.0, 0.0))
    if kind.lid:
        ends = [box((w, WALL, h), (0.0, y * (d - WALL) / 2, 0.0)) for y in (-1, 1)]
        lid = [] if opened else [box((w, d, WALL), (0.0, 0.0, h))]
        low = h * 0.55  # it is filled so far: what lies in it can be seen from beside
        inner = box((w - 2 * WALL, d - 2 * WALL, low), (0.0, 0.0, 0.0))
        return [bottom, inner, *sides, *ends, *lid], [_region("in", w - 0.1, d - 0.1, low)]
    back = box((w, WALL, h), (0.0, (d - WALL) / 2, 0.0))
    top = box((w, d, WALL), (0.0, 0.0, h - WALL))
    door = box((WALL, 0.2, h), (-w / 2 + WALL / 2, -d / 2 - 0.1, 0.0))
    regions = _boards(kind)
    boards = [
        box((w - 2 * WALL, d - WALL, 0.02), (0.0, 0.0, region.floor - 0.02))
        for region in regions
        if region.floor > WALL
    ]
    return [back, bottom, top, door, *sides, *boards], regions


def _boards(kind: Furnishing) -> list[Region]:
    w, d, h = kind.size
    low = WALL if h < 1.0 else _LOWEST
    count = max(1, int((h - low) / _STEP))
    return [
        _region(f"board {n + 1}", w - 0.12, d - 0.12, low + n * (h - low) / count, -0.03)
        for n in range(count)
    ]


def _drawer(kind: Furnishing, opened: bool) -> _Made:
    w, d, h = kind.size
    if not opened:
        handle = box((0.14, 0.02, 0.02), (0.0, -d / 2 - 0.01, h * 0.6))
        return [box(kind.size, (0.0, 0.0, 0.0)), handle], [_region("in", w - 0.1, 0.3, WALL, -0.1)]
    y = -DRAWN
    low = h * 0.5
    shapes = [
        box((w, d, low), (0.0, y, 0.0)),
        box((w, WALL, h * 0.7), (0.0, y - (d - WALL) / 2, 0.0)),
        *(box((WALL, d, h * 0.7), (x * (w - WALL) / 2, y, 0.0)) for x in (-1, 1)),
    ]
    return shapes, [_region("in", w - 0.1, 0.26, low, y - 0.08)]


def _machine(kind: Furnishing, opened: bool) -> _Made:
    w, d, h = kind.size
    shapes = [
        box((w, d, 0.03), (0.0, 0.0, 0.0)),
        box((w, d * 0.4, h), (0.0, d * 0.3, 0.0)),
        box((w, d, 0.1), (0.0, 0.0, h - 0.1)),
    ]
    return shapes, [_region("below", w - 0.1, 0.14, 0.03, -d * 0.2)]


def _plant(kind: Furnishing, opened: bool) -> _Made:
    w, _, h = kind.size
    return [cylinder(w * 0.7, h * 0.4, (0.0, 0.0, 0.0)), sphere(w, (0.0, 0.0, h - w / 2))], []


def _rack(kind: Furnishing, opened: bool) -> _Made:
    w, d, h = kind.size
    regions = [_region(f"board {n}", w - 0.1, d - 0.08, z) for n, z in enumerate((0.42, 0.78, h))]
    boards = [box((w, d, 0.03), (0.0, 0.0, region.floor - 0.03)) for region in regions]
    sides = [box((WALL, d, h), (x * (w - WALL) / 2, 0.0, 0.0)) for x in (-1, 1)]
    return [*boards, *sides], regions


_FORMS = {
    "block": _block,
    "ball": _ball,
    "can": _can,
    "plate": _plate,
    "dish": _dish,
    "table": _table,
    "counter": _counter,
    "seat": _seat,
    "basin": _basin,
    "closet": _closet,
    "drawer": _drawer,
    "machine": _machine,
    "plant": _plant,
    "rack": _rack,
}
