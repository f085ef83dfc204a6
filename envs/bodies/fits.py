"""Whether a thing is small enough to be in another, or below what is above it.

Only what can never be is said: a bottle thicker than the cup is wide, a plate that lies on the rim
of the juicer. What is small enough may still find no room; that is for the one who puts it there.
"""

from __future__ import annotations

from treec.envs.bodies.pose import Vector
from treec.envs.bodies.solid import WorldSolid, solid
from treec.envs.bodies.spec import Body, Region

SLACK = 0.001
"""By so much (m) a thing may seem to be thicker than the opening it is in."""

_FLUSH = 0.003  # what ends so far (m) below the top of a thing is its top, too
_SHARE = 0.35  # of its own width what lies on another needs to be borne on
LEAST = 0.03
"""What is narrower (m) than that bears nothing: a thing is let go where it stands on as much."""

_LEVEL = 0.99  # the upward part of an axis that stands

_OVER = 0.02  # what begins so far (m) below the top of a region is still above it


def too_large(item: Body, owner: Body, region: Region) -> str:
    """Why an item can be in no way in a region of ``owner``; empty where it may be.

    It goes in by its thinnest end: the two smaller sides of the box around it matter, and may be as
    large as the opening, which is above, or in front where there is a roof.
    """
    openings = _openings(owner, region.name)
    if not openings:
        return ""
    thin, thick, _ = sorted(size(item))
    if any(thin <= short + SLACK and thick <= long + SLACK for short, long in openings):
        return ""
    short, long = max(openings)
    return (
        f"it measures {1000 * thin:.0f} x {1000 * thick:.0f} mm where it is thinnest, "
        f"the opening {1000 * short:.0f} x {1000 * long:.0f} mm"
    )


def size(body: Body) -> Vector:
    """How large the upright box around a body is, while its joints stand at their start."""
    low, high = _box(body)
    return (high[0] - low[0], high[1] - low[1], high[2] - low[2])


def roofed(owner: Body, name: str) -> bool:
    """Whether the body itself has something above a region (of this name) of its own."""
    region = owner.region(name)
    x, y, z = owner.at_start()[region.link].apply(region.p)
    top = z + region.half_size[2] - _OVER
    return any(
        it.low[2] >= top and it.low[0] <= x <= it.high[0] and it.low[1] <= y <= it.high[1]
        for it in _solids(owner)
    )


def _openings(owner: Body, name: str) -> tuple[tuple[float, float], ...]:
    """The openings of a region, each its shorter and its longer side; none under the open sky."""
    region = owner.region(name)
    wide, deep, tall = (2 * half for half in region.half_size)
    above, front = (min(wide, deep), max(wide, deep)), (min(wide, tall), max(wide, tall))
    if region.link != owner.links[0].name:  # it comes out, as a rack does
        return (above, front)
    if roofed(owner, name):
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


def unsteady(item: Body, base: Body) -> str:
    """Why an item cannot lie on top of another thing that stands; empty where it may.

    What is smaller than the opening of a vessel lies in it.
    """
    if any(it.kind == "in" and not too_large(item, base, it) for it in base.regions):
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
    """Whether it ends in a level face above."""
    if it.shape.kind == "box":
        return max(abs(axis[2]) for axis in it.axes) > _LEVEL
    return it.shape.kind == "cylinder" and abs(it.axes[2][2]) > _LEVEL
