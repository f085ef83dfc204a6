"""Whether a thing is small enough to be inside another, or below what is above it.

Only what is impossible is reported: a bottle wider than the cup, a plate on the rim of the juicer.
A thing that is small enough may still find no free space; placing it finds that out.
"""

from __future__ import annotations

from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.solid import WorldSolid, solid
from treec_sapien.bodies.spec import Body, Region

SLACK = 0.001
"""Tolerance (m) by which a thing may exceed the opening it is in."""

_FLUSH = 0.003  # faces up to this far (m) below the highest point count as the top
_SHARE = 0.35  # fraction of a thing's width that must be supported
LEAST = 0.03
"""Widths (m) below this support nothing."""

_LEVEL = 0.99  # z component from which an axis counts as vertical

_OVER = 0.02  # tolerance (m) for what counts as above a region


def oversize_reason(item: Body, owner: Body, region: Region) -> str:
    """Return why an item cannot fit in a region of ``owner``; empty if it may.

    The item goes in thinnest end first: the two smaller sides of its bounding box must fit the
    opening, which is at the top, or at the front where the region is roofed.
    """
    return oversize(size(item), openings_of(owner, region.name))


def oversize(item: Vector, openings: tuple[tuple[float, float], ...]) -> str:
    """Return why a thing of a size cannot go through any of the openings; empty if it may."""
    if not openings:
        return ""
    thin, thick, _ = sorted(item)
    if any(thin <= short + SLACK and thick <= long + SLACK for short, long in openings):
        return ""
    short, long = max(openings)
    return (
        f"it measures {1000 * thin:.0f} x {1000 * thick:.0f} mm where it is thinnest, "
        f"the opening {1000 * short:.0f} x {1000 * long:.0f} mm"
    )


def size(body: Body) -> Vector:
    """Return the size of a body's upright bounding box with its joints at their start positions."""
    low, high = _box(body)
    return (high[0] - low[0], high[1] - low[1], high[2] - low[2])


def has_roof(owner: Body, name: str) -> bool:
    """Whether the body itself covers one of its own regions from above."""
    region = owner.region(name)
    x, y, z = owner.at_start()[region.link].apply(region.p)
    top = z + region.half_size[2] - _OVER
    return any(
        it.low[2] >= top and it.low[0] <= x <= it.high[0] and it.low[1] <= y <= it.high[1]
        for it in _solids(owner)
    )


def openings_of(owner: Body, name: str) -> tuple[tuple[float, float], ...]:
    """The openings of a region, each as (shorter side, longer side); none if it is open above."""
    region = owner.region(name)
    wide, deep, tall = (2 * half for half in region.half_size)
    above, front = (min(wide, deep), max(wide, deep)), (min(wide, tall), max(wide, tall))
    if region.link != owner.links[0].name:  # it slides out, as a rack does
        return (above, front)
    if has_roof(owner, name):
        return (front,)
    return (above,) if region.kind == "in" else ()


def _box(body: Body) -> tuple[Vector, Vector]:
    solids = _solids(body)
    low = tuple(min(it.low[axis] for it in solids) for axis in range(3))
    high = tuple(max(it.high[axis] for it in solids) for axis in range(3))
    return low, high  # type: ignore[return-value]


def _solids(body: Body) -> tuple[WorldSolid, ...]:
    poses = body.at_start()
    return tuple(solid(shape, poses[link.name]) for link in body.links for shape in link.shapes)


def instability_reason(item: Body, base: Body) -> str:
    """Return why an item cannot rest on top of another upright thing; empty if it may.

    An item smaller than the opening of a vessel lies in the vessel.
    """
    if any(it.kind == "in" and not oversize_reason(item, base, it) for it in base.regions):
        return ""
    solids = _solids(base)
    top = max(it.high[2] for it in solids)
    flat = [it for it in solids if it.high[2] > top - _FLUSH and _is_flat(it)]
    if not flat:
        return "is round on top"
    middle = [(a + b) / 2 for a, b in zip(*_box(base), strict=True)]
    below = [
        it for it in flat if all(it.low[axis] <= middle[axis] <= it.high[axis] for axis in (0, 1))
    ]
    if not below:
        return "is open on top, and too narrow to take it in"
    wide = max(min(it.high[axis] - it.low[axis] for axis in (0, 1)) for it in below)
    foot = min(size(item)[:2])
    if wide < max(_SHARE * foot, LEAST):
        return f"is {1000 * wide:.0f} mm wide on top, and that thing {1000 * foot:.0f} mm"
    return ""


def _is_flat(it: WorldSolid) -> bool:
    """Whether its top is a level face."""
    if it.shape.kind == "box":
        return max(abs(axis[2]) for axis in it.axes) > _LEVEL
    return it.shape.kind == "cylinder" and abs(it.axes[2][2]) > _LEVEL
