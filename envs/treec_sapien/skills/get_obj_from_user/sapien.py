"""Take a thing out of a person's hand, in SAPIEN; physical.

Out of a palm like from any surface. Who moves is waited for until they hold the thing out and
still (`PATIENCE`), and asked again (`ASKS`). The gripper comes by a grasp that is clear of the
hand, as fast as the guard allows beside a hand; the person lets go of what it grips, and it draws
back. Where the hand goes away meanwhile, the arm stops, and they are asked again.

A robot that drives is seldom there before the hand goes back, or their arm is in its way. If it
does not get the thing at its first attempt, it asks them to put it down on the table
(:mod:`.on_table`), and picks it up there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.manipulation import body, chance, empty
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array
from treec_sapien.motion.grasp import TRIES, grasp_pose, take
from treec_sapien.motion.timing import CONTROL
from treec_sapien.person.figure import HANDS, NECK, RADII, between, points
from treec_sapien.person.guard import OWN_HAND
from treec_sapien.placement import footprint, height
from treec_sapien.skills.get_obj_from_user.on_table import how_to_set_down
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.toppled import LEANS, grasps_of, lean_degrees
from treec_sapien.worker import PhysicalAct
from treec_sapien.worker import Steps as Work

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Steps
    from treec_sapien.motion.reach import ReachSolution
    from treec_sapien.person.person import Person

OUT = 0.35
"""Level distance (m) of what is held from the neck from which on it is held out."""

STILL, FOR = 0.015, 0.4
"""It is held still if it moves less (m) in so long (s)."""

PATIENCE, ASKS = 15.0, 3
"""Seconds for which it is waited for what is not held out, and how often it is asked for."""

CLEAR = 0.02
"""Metres between the surfaces of a hand and of a gripper that takes something out of it, at least.

Rather more than the guard keeps: a gripper that is no farther off comes nearer at no speed.
"""

DRAWS_BACK = 0.12
"""Metres that the gripper goes straight back with what it has taken."""

GRIPPER, BACK = 0.03, 0.12
"""Radius (m) of a gripper around the line from its tool point so far (m) back."""

GRIPPED = 0.3
"""Seconds for which a thing is gripped before the person lets go of it."""


class GetObjFromUser(Pick):
    """Worker of `get_obj_from_user`; a palm is a surface like any other."""

    def do(self, act: PhysicalAct) -> Work:
        """Take the item out of the person's hand."""
        person = act.kitchen.people.get(act.arg("person"))
        if person is None or act.arg("item") not in person.held:
            yield from super().do(act)
            return
        empty(act)
        if not (yield from TakingFromHand(act, person, body(act, act.arg("item"))).run()):
            yield from super().do(act)


def clear_grasps(
    built: BuiltBody,
    grasps: Sequence[GraspPoint],
    wrist: Array,
    tip: Array,
    clear: float = CLEAR,
) -> list[GraspPoint]:
    """Return the grasps at which a gripper is ``clear`` (m) of a hand (3, 3), the farthest first.

    As the body lies now.
    """
    least = RADII[HANDS[0]] + GRIPPER + clear
    rated = []
    for number, grasp in enumerate(grasps):
        pose = grasp_pose(built, grasp)
        apart = between(pose[:3, 3], pose[:3, 3] - BACK * pose[:3, 2], wrist, tip)
        if float(apart) >= least:
            rated.append((-float(apart), number, grasp))
    return [grasp for *_, grasp in sorted(rated, key=lambda one: one[:2])]


class TakingFromHand:
    """One taking of what a person holds."""

    def __init__(self, act: PhysicalAct, person: Person, built: BuiltBody) -> None:
        self._act, self._person, self._built = act, person, built
        self._seen: list[Array] = []

    def run(self) -> Steps[bool]:
        """Take it when it is held out; False if they have put it down on a table instead.

        Raises MotionFailure("not taken") if it never can be taken.
        """
        act, person, item = self._act, self._person, self._built.name
        why = MotionFailure("not taken", f"the {item}: {person.name} does not hold it out")
        if act.attempt and (yield from self._is_put_down()):
            return False  # they had to step aside
        for number in range(ASKS):
            if number:
                says = f"Could you hold the {item} out to {act.order.agent} again, please?"
                act.note(f"asks {person.name} to hold the {item} out again", says=says)
            if not (yield from self._is_held_out()):
                continue
            try:
                yield from self._take(number)
                return True
            except MotionFailure as failure:
                if item not in person.held:  # they have let go: it slipped out of the gripper
                    raise
                why = MotionFailure("not taken", f"the {item} from {person.name}: {failure}")
                yield from act.arm.rest(chance(act, ASKS + number))
                if (yield from self._is_put_down()):
                    return False
        raise why

    def _is_put_down(self) -> Steps[bool]:
        """Ask for the thing to be put down on a table, and wait until it is; False if it cannot.

        Only a robot that drives asks.
        """
        act, person, item = self._act, self._person, self._built.name
        how = how_to_set_down(act, person, item) if act.arm.motion.base.moves else None
        if how is None:
            return False
        says = f"I cannot reach the {item}. Could you put it on the {how.place} for "
        says += f"{act.order.agent}, please?"
        act.note(f"asks {person.name} to put the {item} on the {how.place}", says=says)
        person.set_down(how.way)
        while how.way.goes_on(act.now()):
            yield
        return item not in person.held

    def _is_held_out(self) -> Steps[bool]:
        """Wait until the thing is held out and still; False if it is not for `PATIENCE`."""
        self._seen.clear()
        end = self._act.now() + PATIENCE
        while self._act.now() < end:
            self._person.hold_out(self._built.name, self._act.now())
            if self._is_still() and self._is_out():
                return True
            yield
        return False

    def _is_still(self) -> bool:
        self._seen.append(np.array(self._built.entity.pose.p, dtype=float))
        del self._seen[: -round(FOR / CONTROL)]
        moved = float(np.ptp(self._seen, axis=0).max())
        return len(self._seen) == round(FOR / CONTROL) and moved < STILL

    def _is_out(self) -> bool:
        outlook = self._person.outlook
        if not len(outlook.times):
            return False
        neck = outlook.until(self._act.now(), 0.0).joints[0, NECK]
        return float(np.linalg.norm((self._seen[-1] - neck)[:2])) > OUT

    def _take(self, number: int) -> Work:
        """Take it from where it is held out now, and keep an upright thing upright from then on."""
        act, person, built = self._act, self._person, self._built
        arm, item = act.arm, self._built.name
        hand = person.held[item].hand
        now = person.outlook.until(act.now(), 0.0)
        every, side = points(now.joints[0]), HANDS.index(hand)
        beside = built, grasps_of(built), every[5 + side], every[7 + side]
        keeps = OWN_HAND + float(now.spread[0]) + now.further
        tries = [clear_grasps(*beside, CLEAR + keeps), clear_grasps(*beside)]
        tries = [it for it in tries if it]
        if not tries:
            raise MotionFailure("blocked", f"the hand is at every side of the {item}")
        vessel = any(region.kind == "in" for region in built.body.regions)
        tall = height(built.body) > footprint(built.body)
        stands = lean_degrees(built) < LEANS and (tall or vessel)

        def approach(width: float, solution: ReachSolution) -> Work:
            yield from arm.along(solution, 0, pace=0.4, touch=built.entity)
            if (yield from arm.close_gripper()) and arm.grips(built.entity):
                yield from act.wait(GRIPPED)
                if arm.grips(built.entity):
                    person.let_go(item)
                    act.note(f"{person.name} lets go of the {item}")

        guard = act.kitchen.guards.get(act.robot.name)
        if guard is not None:
            guard.giving_to = person.name
        try:
            for grasps in tries:
                try:
                    yield from take(
                        arm,
                        built,
                        chance(act, number),
                        grasps=grasps,
                        keep_upright=stands,
                        approach=approach,
                        draws_back=DRAWS_BACK,
                        tries=1 if arm.motion.base.moves else TRIES,
                    )
                    return
                except MotionFailure as failure:
                    if failure.name != "not reached" or grasps is tries[-1]:
                        raise
        finally:
            if guard is not None:
                guard.giving_to = None
