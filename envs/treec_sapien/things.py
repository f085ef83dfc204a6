"""A scene's things in physics, by their names in the scene."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import sapien

from treec import EnvironmentSetup
from treec_sapien.agent_arms import AgentArm, crew
from treec_sapien.bodies.fits import oversize_reason
from treec_sapien.bodies.jitter import jitter_layout
from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.scene import read
from treec_sapien.bodies.spec import Region
from treec_sapien.build import BuiltBody, build_all, from_sapien, ground
from treec_sapien.check.robots import with_robot
from treec_sapien.person.person import Person

PHYSICS = 240
"""Physics steps per second."""


class Things:
    """The scene with its bodies, and the robots of its agents.

    ``bodies`` are by object, ``hands`` by agent; an object may be a part of another's body.
    """

    def __init__(self, setup: EnvironmentSetup) -> None:
        self.setup = setup
        self.layout = read(
            {**setup.objects, **_open_hands(setup)}, setup.bodies or ("treec_sapien.bodies",)
        )
        if setup.jitter is not None:
            how = setup.jitter
            self.layout = jitter_layout(self.layout, setup.seed, how.metres, how.degrees)
        if not self.layout.bodies:
            raise ValueError(f"no object of the scene '{setup.scene}' has a 'body:'")
        self.scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
        self.scene.set_timestep(1 / PHYSICS)
        ground(self.scene)
        self.bodies = build_all(self.scene, self.layout.bodies)
        self.hands: dict[str, AgentArm] = crew(self.scene, _with_robots(setup))
        self.robots = {hand.robot.name: hand.robot for hand in self.hands.values()}
        self.people = {
            name: Person(self.scene, name, spec, setup.seed) for name, spec in setup.people.items()
        }
        """Agents who move by a recording."""
        self.sightings: dict[tuple[str, str], tuple[float, float, float]] = {}
        """Agent and item → the middle at which it was seen, to be looked at again from before it.

        Whoever looks through cameras writes it."""
        self._too_large: dict[tuple[str, str, str], str] = {}

    @cached_property
    def pieces(self) -> dict[Any, tuple[str, str]]:
        """Return each entity of a body or a robot with its name and its link's."""
        by_entity: dict[Any, tuple[str, str]] = {}
        for name, built in self.bodies.items():
            by_entity.update({link.entity: (name, own) for own, link in built.links.items()})
        for name, person in self.people.items():
            by_entity.update({part.entity: (name, own) for own, part in person.links.items()})
        for name, robot in self.robots.items():
            by_entity.update({link.entity: (name, link.name) for link in robot.articulation.links})
        return by_entity

    def is_free(self, name: str) -> bool:
        """Whether this is a body that can be moved elsewhere."""
        built = self.bodies.get(name)
        return built is not None and not built.body.fixed

    @cached_property
    def furniture(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the lowest and highest x and y of what does not move."""
        points = [built.pose().p[:2] for built in self.bodies.values() if built.body.fixed] or [
            (0.0, 0.0)
        ]
        return tuple(map(min, zip(*points, strict=True))), tuple(
            map(max, zip(*points, strict=True))
        )

    @cached_property
    def vessels(self) -> tuple[str, ...]:
        """Return the free bodies that can contain something."""
        return tuple(
            name
            for name, built in self.bodies.items()
            if not built.body.fixed and any(region.kind == "in" for region in built.body.regions)
        )

    def owner(self, name: str) -> str:
        """Return the object whose body this is or is a part of."""
        part = self.layout.parts.get(name)
        return name if part is None else part.owner

    @cached_property
    def _regions(self) -> list[tuple[str, BuiltBody, Region]]:
        regions = [(name, self.bodies[of], region) for name, of, region in self.layout.regions()]

        def volume(region: Region) -> float:
            x, y, z = region.half_size
            return x * y * z

        return sorted(regions, key=lambda one: (volume(one[2]), one[0]))

    def regions(self) -> Iterator[tuple[str, Region, Pose]]:
        """Return all regions, smallest first: region, its object, its link's pose."""
        for name, built, region in self._regions:
            yield name, region, built.pose(region.link)

    def regions_of(self, name: str) -> list[tuple[Region, Pose]]:
        """Return the regions of an object, each with its link's pose."""
        return [(region, pose) for owner, region, pose in self.regions() if owner == name]

    def oversize_reason(self, item: str, place: str, region: Region) -> str:
        """Return why a thing can never be in a region of an object; empty if it may."""
        owner = self.owner(place)
        key = (item, owner, region.name)
        if key not in self._too_large:
            one, other = self.bodies[item].body, self.bodies[owner].body
            self._too_large[key] = oversize_reason(one, other, region)
        return self._too_large[key]

    def misfit_reason(self, item: str, place: str) -> str:
        """Return why a thing fits in no region of an object; empty if it fits or there is none."""
        if item not in self.bodies:
            return ""
        reasons = [
            self.oversize_reason(item, place, region) for region, _ in self.regions_of(place)
        ]
        return reasons[0] if reasons and all(reasons) else ""

    def joint_of(self, door: str) -> tuple[BuiltBody, str] | None:
        """Return the body and joint of an object that is a moving part."""
        part = self.layout.parts.get(door)
        if part is None or part.part.joint is None:
            return None
        return self.bodies[part.owner], part.part.joint

    def pose(self, name: str) -> Pose:
        """Return an object's pose in the scene: its body's, or that of its part's link."""
        part = self.layout.parts.get(name)
        if part is not None:
            return self.bodies[part.owner].pose(part.part.link)
        return self.bodies[name].pose()

    def robot_pose(self, name: str) -> Pose:
        """Return a robot's pose in the scene."""
        return from_sapien(self.robots[name].pose)


def _with_robots(setup: EnvironmentSetup) -> dict[str, dict[str, Any]]:
    """The agents, each with the definition of its robot."""
    agents = {}
    for name, spec in setup.agents.items():
        body: Any = spec.get("body")
        agents[name] = {**spec, "body": with_robot(setup.view, body)} if body else dict(spec)
    return agents


def _open_hands(setup: EnvironmentSetup) -> dict[str, dict[str, Any]]:
    """Agents whose body is not a robot but a kind of thing (a person's open hand), as objects."""
    hands: dict[str, dict[str, Any]] = {}
    for name, spec in setup.agents.items():
        body: dict[str, Any] = dict(spec.get("body") or {})  # type: ignore[call-overload]
        if "kind" in body and name not in setup.people:
            where: dict[str, Any] = {k: body.pop(k) for k in ("pose", "yaw") if k in body}
            hands[name] = {**where, "body": body}
    return hands
