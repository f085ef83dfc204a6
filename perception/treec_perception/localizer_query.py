"""The query of a localizer about a thing of a scene: words, size, what else may be there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treec.files.places import SceneFile
from treec_perception.localize import Wanted
from treec_perception.pipeline.centre import Size
from treec_perception.vocabulary import look_of
from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.scene import PlacedBody, SceneLayout
from treec_sapien.bodies.solid import solid
from treec_sapien.bodies.spec import Body

if TYPE_CHECKING:
    from treec.world.facts import Facts

NEARLY = 0.95
"""Share of a body's width and depth that one of its boxes has, if it is a rectangle from above."""

DEEP = 8
"""How many things may hold one another."""


def size_of(body: Body) -> Size:
    """Return the width, depth and height of a body's bounding box, in metres."""
    placed = PlacedBody(body, Pose())
    solids = [solid(shape, pose) for link, pose in placed.solids() for shape in link.shapes]
    low = [min(it.low[axis] for it in solids) for axis in range(3)]
    high = [max(it.high[axis] for it in solids) for axis in range(3)]
    return (high[0] - low[0], high[1] - low[1], high[2] - low[2])


def movable(layout: SceneLayout) -> tuple[str, ...]:
    """Return the things that can be moved."""
    return tuple(name for name, placed in layout.bodies.items() if not placed.body.fixed)


def wanted_thing(words: str, scene: SceneFile, layout: SceneLayout) -> Wanted:
    """Return what is looked for: a thing of the scene, if words name one, or just the words."""
    spoken = words.replace("_", " ").strip()
    name = thing_named(words, scene, layout)
    bodies = {name: it.body for name, it in scene.objects.items()}
    looks = {
        it.replace("_", " "): look for it in movable(layout) if (look := look_of(bodies.get(it)))
    }
    if name is None:
        sizes = {it.replace("_", " "): size_of(layout.bodies[it].body) for it in movable(layout)}
        return Wanted(spoken, others=tuple(sizes), sizes=sizes, looks=looks)
    if name.replace("_", " ") in looks:
        looks[spoken] = looks[name.replace("_", " ")]
    own = (name.replace("_", " "), *(scene.objects[name].also if name in scene.objects else ()))
    sizes = {
        it.replace("_", " "): size_of(layout.bodies[it].body)
        for it in movable(layout)
        if it != name
    }
    rest = tuple(it for it in own if it != spoken)
    body = layout.bodies[name].body
    hollow = any(region.kind == "in" for region in body.regions)
    return Wanted(
        spoken,
        rest,
        size_of(body),
        tuple(sizes),
        hollow,
        sizes,
        looks=looks,
        oblong=not hollow and is_oblong(body),
    )


def is_oblong(body: Body) -> bool:
    """Whether a body is a rectangle from above: a packet, a cucumber."""
    size = size_of(body)
    solids = [
        solid(shape, pose)
        for link, pose in PlacedBody(body, Pose()).solids()
        for shape in link.shapes
    ]
    return all(it.shape.kind == "box" for it in solids) and any(
        all(it.high[axis] - it.low[axis] >= NEARLY * size[axis] for axis in (0, 1)) for it in solids
    )


def elsewhere(thing: str, names: Iterable[str], facts: Facts, place: str) -> frozenset[str]:
    """Return which of the things ``names`` are known to be at another place than ``thing``.

    ``place`` is the fact that says where a thing is; what is in or on another thing is where that
    is. None of them, if it is not known where the thing itself is. Spaces stand for underscores.
    """
    here = _place_of(thing, facts, place)
    if here is None:
        return frozenset()
    places = {name: _place_of(name, facts, place) for name in names}
    away = (name for name, at in places.items() if at is not None and at != here)
    return frozenset(name.replace("_", " ") for name in away)


def _place_of(thing: str, facts: Facts, place: str) -> str | None:
    """The last of what holds a thing, what holds that, and so on; None if nothing is known."""
    at = None
    for _ in range(DEEP):
        location = facts.get(place, (thing,))
        if location is None or location.source == "unknown" or not isinstance(location.value, str):
            break
        at = thing = location.value
    return at


def thing_named(words: str, scene: SceneFile, layout: SceneLayout) -> str | None:
    """Return the thing of a scene that words name; None if there is none."""
    spoken = words.replace("_", " ").strip()
    for name in movable(layout):
        also = tuple(scene.objects[name].also) if name in scene.objects else ()
        if spoken in (name.replace("_", " "), *also):
            return name
    return None
