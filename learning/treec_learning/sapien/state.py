"""The state that rewards of a kitchen in SAPIEN are computed from: one hand, and what is near."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_learning.names import HAND, OTHER_HAND
from treec_learning.primitives import Number
from treec_sapien.bodies.spec import ApplianceControl
from treec_sapien.motion.frames import Array, matrix
from treec_sapien.sense.hands import in_hand
from treec_sapien.sense.location import box, enclosing_regions, supports
from treec_sapien.toppled import lean_degrees

if TYPE_CHECKING:
    from treec_sapien.bodies.spec import BodyHandle
    from treec_sapien.build import BuiltBody
    from treec_sapien.environment import SapienKitchen


class KitchenState:
    """The state of an agent's hand; see `treec_learning.primitives.RewardState`.

    A door is where its handle is, an appliance where its control is, a place for things where the
    smallest of its regions is; any other thing is where its middle is. Raises ValueError for a
    thing that the scene does not have.
    """

    def __init__(self, kitchen: SapienKitchen, agent: str, other: str | None = None) -> None:
        self.kitchen = kitchen
        self._agents = {HAND: agent, OTHER_HAND: other}
        self.was_refused = self.has_touched = False
        """Whether the last action was not executed, and whether it touched something."""

    def point(self, one: str) -> Array:
        """Return where a hand or thing is (3,), in the scene (m)."""
        kitchen = self.kitchen
        if one in self._agents:
            agent = self._agents[one]
            if agent is None:
                raise ValueError("the scene has no other hand")
            hand = kitchen.hands[agent]
            return np.asarray(hand.robot.link(hand.arm.tcp).entity_pose.p, dtype=float)
        handle = self._handle(one)
        if handle is not None:
            built, it = handle
            if it.grasps:
                pose = matrix(built.pose(it.link)) @ matrix(it.grasps[0].pose)
            else:
                assert it.push is not None
                pose = matrix(built.pose(it.link)) @ matrix(it.push)
            return np.asarray(pose[:3, 3])
        regions = kitchen.regions_of(one)
        if regions and not kitchen.is_free(one):
            region, at = regions[0]
            return np.asarray(at.apply(region.p), dtype=float)
        if one not in kitchen.bodies:
            raise ValueError(f"the scene has no thing '{one}' with a body")
        return np.asarray(sum(box(kitchen, one)) / 2, dtype=float)

    def distance(self, one: str, other: str) -> Number:
        """Between two points (m)."""
        return _number(float(np.linalg.norm(self.point(one) - self.point(other))))

    def grasped(self, thing: str) -> Number:
        """Whether the hand holds a free thing, or has both fingers at a handle."""
        kitchen = self.kitchen
        hand = kitchen.hands[str(self._agents[HAND])]
        if kitchen.is_free(thing):
            return _truth(in_hand(kitchen, hand) == thing)
        handle = self._handle(thing)
        if handle is None:
            return _truth(False)
        piece = (handle[0].name, handle[1].link)
        touching = [
            any(piece in kitchen.contacts.of(hand.robot.name, link) for link in links)
            for links in hand.arm.gripper.links
        ]
        return _truth(all(touching))

    def inside(self, thing: str, other: str) -> Number:
        """Whether it is in a region of the other one that is one to be in."""
        return self._within(thing, other, "in")

    def on(self, thing: str, other: str) -> Number:
        """Whether it is on a surface of the other one, or rests on it."""
        rests = other in supports(self.kitchen, thing)
        return _truth(rests or self._within(thing, other, "on")[0])

    def above(self, thing: str, other: str) -> Number:
        """Whether its middle is over the other one's box."""
        low, high = box(self.kitchen, self.kitchen.owner(other))
        at = sum(box(self.kitchen, thing)) / 2
        return _truth(bool(np.all((low <= at)[:2]) and np.all((at <= high)[:2]) and at[2] > low[2]))

    def tilt(self, thing: str) -> Number:
        """The angle from upright (rad)."""
        return _number(math.radians(lean_degrees(self.kitchen.bodies[thing])))

    def joint(self, thing: str) -> tuple[Number, Number, Number]:
        """Position and limits of a door's joint or a control's; of a button: 1 while it is on."""
        door = self.kitchen.joint_of(thing)
        if door is not None:
            built, joint = door
            return _joint(built, joint, built.body.joint(joint).limits[1])
        built = self._body(thing)
        control = _control(built)
        if control is None:
            raise ValueError(f"'{thing}' has neither a door nor a control")
        if control.kind == "press":
            on = self.kitchen.machines[built.name].running
            return _truth(on), np.zeros(1), np.ones(1)
        return _joint(built, control.joint, control.on)

    def height(self, one: str) -> Number:
        """Of the hand or thing (m)."""
        return _number(float(self.point(one)[2]))

    def refused(self) -> Number:
        """Whether the last action was not executed."""
        return _truth(self.was_refused)

    def touched(self) -> Number:
        """Whether it touched what it is not about."""
        return _truth(self.has_touched)

    def _within(self, thing: str, other: str, kind: str) -> Number:
        regions = enclosing_regions(self.kitchen, thing)
        return _truth(any(owner == other and region.kind == kind for owner, region in regions))

    def _body(self, thing: str) -> BuiltBody:
        body = self.kitchen.bodies.get(self.kitchen.owner(thing))
        if body is None:
            raise ValueError(f"the scene has no thing '{thing}' with a body")
        return body

    def _handle(self, thing: str) -> tuple[BuiltBody, BodyHandle] | None:
        """What is held to move a door or a control."""
        part = self.kitchen.layout.parts.get(thing)
        if part is not None and part.part.handle is not None:
            built = self.kitchen.bodies[part.owner]
            return built, built.body.handle(part.part.handle)
        built_ = self.kitchen.bodies.get(thing)
        control = _control(built_) if built_ is not None else None
        if built_ is None or control is None:
            return None
        return built_, built_.body.handle(control.handle)


def _control(built: BuiltBody) -> ApplianceControl | None:
    return built.body.controls[0] if built.body.controls else None


def _joint(built: BuiltBody, joint: str, high: float) -> tuple[Number, Number, Number]:
    low = built.body.joint(joint).limits[0]
    return _number(built.position(joint)), _number(low), _number(high)


def _number(value: float) -> Number:
    return np.array([value])


def _truth(value: Any) -> Number:
    return np.array([float(bool(value))])
