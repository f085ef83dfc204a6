"""Impossible placements in a scene: bodies that overlap, float or are out of every robot's reach.

Plain Python without physics, so `treec check` can run it on every save.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from treec_sapien.bodies.fits import openings_of, oversize, size
from treec_sapien.bodies.kinds import WrongBody, packages_of, suggestion
from treec_sapien.bodies.materials import COLOURS
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.reach import ReachLimits, obstruction, touches
from treec_sapien.bodies.scene import PlacedBody, body_of, pose_of
from treec_sapien.bodies.solid import WorldSolid, apart, depth, solid

DEEP = 0.002
"""Penetration (m) up to which bodies count as touching."""

PLACES = ("at", "home")
"""Facts that say where a thing is."""

MOST_OVERLAPS = 3
"""How many overlaps with things placed before it are reported of one thing."""

AIR = 0.005
"""Largest gap (m) between a standing thing and what is under it."""


@dataclass(frozen=True, slots=True)
class PlacementProblem:
    """A problem with an object: its rule, the keys below the object's name, a message."""

    rule: str
    name: str
    keys: tuple[str, ...]
    message: str
    help: str | None = None
    on_key: bool = False
    """Whether the key itself is wrong, not its value."""
    agent: bool = False
    """Whether ``name`` is an agent and ``keys`` belong to the agent's file."""
    warning: bool = False


class _JudgedBody:
    """A body in the world with its solids and their bounding box."""

    def __init__(self, name: str, placed: PlacedBody) -> None:
        self.name = name
        self.placed = placed
        self.fixed = placed.body.fixed
        self.solids = [
            solid(shape, pose) for link, pose in placed.solids() for shape in link.shapes
        ]
        self.low = _corner(min, [it.low for it in self.solids])
        self.high = _corner(max, [it.high for it in self.solids])


def problems(
    objects: Mapping[str, Mapping[str, Any]],
    bodies: str | Sequence[str],
    agents: Mapping[str, Mapping[str, Any]],
) -> Iterator[PlacementProblem]:
    """Return all problems of a scene's bodies, given the agents (their `body:`) that act in it.

    ``rule`` is `body` (unknown kind, parameter or part), `overlap`, `standing`, `reach` or `fits`.
    """
    standing: dict[str, _JudgedBody] = {}
    for name, spec in objects.items():
        body = spec.get("body")
        if body is not None and "of" not in body:
            try:
                placed = PlacedBody(_make_body(body, packages_of(bodies)), pose_of(spec))
            except WrongBody as wrong:
                keys = ("body", wrong.key) if wrong.key else ("body",)
                on_key = bool(wrong.key) and wrong.key not in ("kind", "colour")
                yield PlacementProblem("body", name, keys, str(wrong), wrong.help, on_key)
            else:
                if spec.get("pose") is None:
                    message = f"'{name}' has a body and no pose"
                    help = "where the middle of its base is: pose: [x, y, z]"
                    yield PlacementProblem("body", name, ("body",), message, help)
                else:
                    standing[name] = _JudgedBody(name, placed)
    yield from _parts(objects, standing)
    there = list(standing.values())
    sunk: set[str] = set()
    for problem in _overlaps(there):
        sunk.add(problem.name)
        yield problem
    yield from (it for it in _in_the_air(there) if it.name not in sunk)
    yield from _too_large(objects, standing)
    robots = _robots(agents)
    yield from _robots_in_things(there, robots)
    if robots and len(robots) == sum("robot" in body for body in agents.values()):
        yield from _out_of_reach(there, robots)


def _make_body(spec: Mapping[str, Any], packages: Sequence[str]) -> Any:
    if "kind" not in spec:
        raise WrongBody("", "a body needs a kind, or is a part `of` another", "body: {kind: table}")
    colour = spec.get("colour")
    if colour is not None and str(colour) not in COLOURS:
        raise WrongBody(
            "colour", f"unknown colour '{colour}'", suggestion(str(colour), COLOURS, "colours")
        )
    return body_of(spec, packages)


def _parts(
    objects: Mapping[str, Mapping[str, Any]], standing: Mapping[str, _JudgedBody]
) -> Iterator[PlacementProblem]:
    for name, spec in objects.items():
        body = spec.get("body")
        if body is None or "of" not in body:
            continue
        owner, part = str(body["of"]), body.get("part")
        known = [n for n, it in objects.items() if "kind" in (it.get("body") or {})]
        if owner not in known:
            help = suggestion(owner, known, "objects with a body")
            yield PlacementProblem("body", name, ("body", "of"), f"'{owner}' has no body", help)
        elif owner in standing:
            parts = [it.name for it in standing[owner].placed.body.parts]
            if part not in parts:
                kind = standing[owner].placed.body.kind
                help = suggestion(str(part), parts, "parts")
                keys = ("body", "part") if part is not None else ("body",)
                yield PlacementProblem(
                    "body", name, keys, f"unknown part '{part}' of a {kind}", help
                )


def _overlaps(there: Sequence[_JudgedBody]) -> Iterator[PlacementProblem]:
    """Overlapping pairs, each reported at the one that was placed later or can move."""
    for index, second in enumerate(there):
        reported = 0
        for first in there[:index]:
            if reported == MOST_OVERLAPS:
                break
            if apart(first.low, first.high, second.low, second.high, DEEP):
                continue
            worst, along = _deepest(first, second)
            if worst <= DEEP:
                continue
            reported += 1
            subject, other = (
                (first, second) if second.fixed and not first.fixed else (second, first)
            )
            by = f"by {worst * 1000:.0f} mm"
            if (
                abs(along[2]) > 0.9
                and subject.placed.pose.p[2] >= other.low[2]
                and not subject.fixed
            ):
                message = f"'{subject.name}' is sunk into '{other.name}' {by}"
                help = f"lift it to z = {_round(subject.placed.pose.p[2] + worst)}"
                yield PlacementProblem("standing", subject.name, ("pose",), message, help)
            else:
                message = f"'{subject.name}' and '{other.name}' are in each other {by}"
                yield PlacementProblem(
                    "overlap",
                    subject.name,
                    ("pose",),
                    message,
                    _separation_help(subject, along, worst),
                )


def _too_large(
    objects: Mapping[str, Mapping[str, Any]], standing: Mapping[str, _JudgedBody]
) -> Iterator[PlacementProblem]:
    openings = lru_cache(None)(lambda owner, name: openings_of(standing[owner].placed.body, name))
    for name, it in standing.items():
        for fact in PLACES:
            place = objects[name].get(fact)
            there = objects.get(str(place), {}).get("body") or {}
            part, of = there.get("part"), str(there.get("of", place))
            owner = standing.get(of)
            if it.fixed or owner is None or owner is it:
                continue
            body = owner.placed.body
            own = {region for one in body.parts if one.name == part for region in one.regions}
            measured = size(it.placed.body)
            reasons = (
                oversize(measured, openings(of, region.name))
                for region in body.regions
                if part is None or region.name in own
            )
            first = next(reasons, "")
            if first and all(reasons):
                message = f"'{name}' does not fit into '{place}'"
                yield PlacementProblem("fits", name, (fact,), message, first)


def _deepest(first: _JudgedBody, second: _JudgedBody) -> tuple[float, Vector]:
    worst, along = 0.0, (0.0, 0.0, 1.0)
    for a in first.solids:
        if apart(a.low, a.high, second.low, second.high, DEEP):
            continue
        for b in second.solids:
            if not apart(a.low, a.high, b.low, b.high, DEEP):
                deep, direction = depth(a, b)
                if deep > worst:
                    worst, along = deep, direction
    return worst, along


def _separation_help(subject: _JudgedBody, along: Vector, by: float) -> str:
    axis = max(range(3), key=lambda index: abs(along[index]))
    far = by / abs(along[axis]) * 1000
    return f"move one of them along {'xyz'[axis]} by {far + 1:.0f} mm or more"


def _in_the_air(there: Sequence[_JudgedBody]) -> Iterator[PlacementProblem]:
    for it in there:
        if it.placed.body.hangs or it.low[2] <= AIR:
            if not it.placed.body.hangs and it.low[2] < -DEEP:
                message = f"'{it.name}' is sunk into the floor by {-it.low[2] * 1000:.0f} mm"
                help = f"lift it to z = {_round(it.placed.pose.p[2] - it.low[2])}"
                yield PlacementProblem("standing", it.name, ("pose",), message, help)
            continue
        if any(other is not it and _rests(it, other) for other in there):
            continue
        top, what = _below(it, there)
        z = _round(it.placed.pose.p[2] - it.low[2] + top)
        message = (
            f"'{it.name}' stands on nothing: it is {(it.low[2] - top) * 1000:.0f} mm above {what}"
        )
        yield PlacementProblem("standing", it.name, ("pose",), message, f"put it down at z = {z}")


def _rests(it: _JudgedBody, other: _JudgedBody) -> bool:
    """Whether it would overlap the other if it were lower by ``AIR``."""
    low = (it.low[0], it.low[1], it.low[2] - AIR)
    if apart(low, it.high, other.low, other.high, 0.0):
        return False
    for mine in it.solids:
        if mine.low[2] - it.low[2] > AIR:
            continue
        lowered = mine.lower(AIR)
        for theirs in other.solids:
            near = not apart(lowered.low, lowered.high, theirs.low, theirs.high, 0.0)
            if near and depth(lowered, theirs)[0] > 0.0:
                return True
    return False


def _below(it: _JudgedBody, there: Sequence[_JudgedBody]) -> tuple[float, str]:
    """The highest top below it and whose it is."""
    top, what = 0.0, "the floor"
    for other in there:
        for theirs in other.solids:
            below = theirs.high[2] <= it.low[2] + AIR and theirs.high[2] > top
            if other is not it and below and _covers(theirs, it.placed.pose.p):
                top, what = theirs.high[2], f"'{other.name}'"
    return top, what


def _covers(solid: WorldSolid, point: Vector) -> bool:
    return solid.low[0] <= point[0] <= solid.high[0] and solid.low[1] <= point[1] <= solid.high[1]


def _robots(agents: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[ReachLimits, Pose]]:
    """The agents' robots whose reach is known."""
    from treec_sapien.check.robots import robot_of  # these use poses of this package
    from treec_sapien.robots.reach import reach_of

    found = {}
    for name, body in agents.items():
        definition = robot_of(body)
        reach = None if definition is None else reach_of(definition)
        if reach is not None:
            found[name] = reach, pose_of(body)
    return found


def _robots_in_things(
    there: Sequence[_JudgedBody], robots: Mapping[str, tuple[ReachLimits, Pose]]
) -> Iterator[PlacementProblem]:
    for name, (robot, pose) in robots.items():
        inside = [
            f"'{it.name}'"
            for it in there
            if any(touches(stand, pose.p, it.solids) for stand in robot.stands)
        ]
        if inside:
            more = f" and {len(inside) - MOST_OVERLAPS} more" if inside[MOST_OVERLAPS:] else ""
            message = f"the robot of '{name}' stands in {', '.join(inside[:MOST_OVERLAPS])}{more}"
            yield PlacementProblem("overlap", name, ("body", "pose"), message, agent=True)


def _out_of_reach(
    there: Sequence[_JudgedBody], robots: Mapping[str, tuple[ReachLimits, Pose]]
) -> Iterator[PlacementProblem]:
    solids = [solid for it in there if it.fixed for solid in it.solids]
    useful: set[str] = set()
    nearest: dict[str, str] = {}
    found = []
    for it in there:
        for words, points in _reach_targets(it.placed):
            reached, explanations = False, {}
            for name, (robot, pose) in robots.items():
                if reached and name in useful:
                    continue
                why = _why_out_of_reach(robot, pose, _few(points), solids)
                if why is None:
                    reached = True
                    useful.add(name)
                else:
                    explanations[name] = why
                    nearest[name] = f"'{it.name}' is out of reach: {name} {why}"
            if not reached:
                message = f"no robot can reach {words}'{it.name}'"
                help = "; ".join(f"{name} {why}" for name, why in explanations.items())
                found.append(PlacementProblem("reach", it.name, ("pose",), message, help))
                break
    if useful or len(found) < 2:
        yield from found
    for name in robots if len(nearest) and (useful or len(found) > 1) else ():
        if name not in useful:
            yield PlacementProblem(
                "reach",
                name,
                ("body", "pose"),
                f"the robot of '{name}' reaches nothing that is there",
                nearest[name],
                agent=True,
                warning=bool(useful),
            )


def _why_out_of_reach(
    robot: ReachLimits, pose: Pose, points: Sequence[Vector], solids: Sequence[WorldSolid]
) -> str | None:
    """The nearest reason why a robot reaches none of the points; None if it reaches one."""
    reasons = []
    for point in points:
        reason = obstruction(robot, pose, point, solids)
        if reason is None:
            return None
        reasons.append(reason)
    return min(reasons)[1]


def _reach_targets(placed: PlacedBody) -> Iterator[tuple[str, list[Vector]]]:
    """What a hand has to reach: each handle, and a movable thing by any of its grasps."""
    body, poses = placed.body, placed.links()
    for handle in body.handles:
        if handle.joint:
            at = [grasp.p for grasp in handle.grasps] + ([handle.push.p] if handle.push else [])
            points = [poses[handle.link].apply(point) for point in at]
            yield f"the handle '{handle.name}' of ", points
    if not body.fixed and body.grasps:
        yield "", [poses[grasp.link].apply(grasp.p) for grasp in body.grasps]


def _few(points: Sequence[Vector]) -> list[Vector]:
    """Points without those that are the same to a millimetre."""
    return list({tuple(round(x, 3) for x in point): point for point in points}.values())


def _corner(choose: Any, corners: Sequence[Vector]) -> Vector:
    x, y, z = (choose(corner[axis] for corner in corners) for axis in range(3))
    return (x, y, z)


def _round(z: float) -> str:
    return f"{round(z, 3) + 0.0:.3f}".rstrip("0").rstrip(".")
