"""Pick with a learned reach, in SAPIEN.

A skill's file binds it: ``sapien: treec_learning.sapien.pick:LearnedPick`` below ``runs:``. A
Stretch drives before the pantry, and its policy moves one joint at a time until the thing is
between the fingers; then it grasps as :class:`treec_sapien.skills.pick.sapien.Pick` does. The
steps are searched for ahead in the planner's model, in the policy's order (`sapien.ahead`). What
the policies were not made for is picked by planning, and the journal says so: other robots, things
on tables, wide things, things without a grasp from the front.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from treec_learning import policies
from treec_learning.pantry.simulator import ACTIONS, MOST
from treec_learning.policy import Policy
from treec_learning.sapien.ahead import StepsAhead
from treec_learning.sapien.grasp import take_here
from treec_learning.sapien.reach import LIMIT, StretchReach
from treec_learning.sapien.surroundings import PantryGoal, find_goal
from treec_learning.trials import scores_of
from treec_sapien.manipulation import body, chance, empty
from treec_sapien.motion.arm import Steps as Returns
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.stretch import StretchMover
from treec_sapien.motion.stretch_base import StretchBase
from treec_sapien.motion.stretch_solutions import arm_frame
from treec_sapien.placement import footprint, height
from treec_sapien.seen_offset import offset_of
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.toppled import LEANS, lean_degrees
from treec_sapien.worker import PhysicalAct, Steps

STARTS = tuple(
    (ahead, beside, above)
    for above in (0.04, 0.1, 0.0)
    for beside in (0.0, 0.1, -0.1, 0.2, -0.2)
    for ahead in (0.1, 0.06, 0.14)
)
"""Where the drawn-in hand may begin (m): before the pantry, beside and above the goal; best first.

All are among those of the start `realistic`.
"""

_MOVED = 0.01  # m


class LearnedPick(Pick):
    """Worker of `pick`; see the module. A subclass may name another policy."""

    policy = "reach_among_things"
    """One of treec's policies, or the folder of one."""

    def do(self, act: PhysicalAct) -> Steps:
        """Reach by the policy and grasp.

        Fails as "would touch", "does not get nearer", or as `Pick` does.
        """
        item = act.arg("item")
        built = body(act, item)
        empty(act)
        goal = self._goal(act, item)
        if isinstance(goal, str):
            act.note(f"picked by planning: {goal}", policy=self.policy)
            yield from super().do(act)
            return
        arm: StretchMover = act.arm
        rng = chance(act)
        yield from self._stand_before(arm, goal, rng)
        reach = StretchReach(arm, goal)
        steps = yield from self.reach(act, reach, item)
        act.note(f"{self.policy} reached the {item}", policy=self.policy, steps=steps)
        tall = height(built.body) > footprint(built.body)
        vessel = any(region.kind == "in" for region in built.body.regions)
        at = reach.grasp_pose()
        yield from take_here(arm, built, at, rng, keep_upright=tall or vessel)

    def reach(self, act: PhysicalAct, reach: StretchReach, item: str) -> Returns[int]:
        """Move the hand step by step until the thing is between the fingers; return the steps."""
        policy = load(self.policy)
        built = act.kitchen.bodies[item]
        stood = matrix(built.pose())[:3, 3]
        choose = StepsAhead(reach, scores_of(policy))
        for step in range(MOST):
            if reach.reached:
                return step
            if np.linalg.norm(matrix(built.pose())[:3, 3] - stood) > _MOVED:
                raise MotionFailure("slipped", f"{item} was moved meanwhile")
            reach.arm.motion.space.update()
            action = choose()
            if action is None:
                raise _stuck(act, reach)
            yield from reach.execute(action)
        raise MotionFailure(
            "does not get nearer", f"{reach.distance:.2f} m from {item} after {MOST} steps"
        )

    def _goal(self, act: PhysicalAct, item: str) -> PantryGoal | str:
        built = act.kitchen.bodies[item]
        if not isinstance(act.arm, StretchMover):
            return f"{self.policy} moves a Stretch"
        if lean_degrees(built) >= LEANS:
            return f"{item} does not stand"
        seen = act.order.needs.get("pose")
        off = offset_of(built, seen["point"]) if seen is not None else None
        return find_goal(act.kitchen, item, off)

    def _stand_before(self, arm: StretchMover, goal: PantryGoal, rng: np.random.Generator) -> Steps:
        """Drive before the thing and stretch the drawn-in arm towards it."""
        reach = StretchReach(arm, goal)
        space, ik, base = arm.motion.space, arm.ik, arm.motion.base
        assert isinstance(base, StretchBase)
        space.update()
        reason = MotionFailure("not reached", "there is no room before it")
        for start in STARTS:
            spot, bend = reach.start(*start)
            q = ik.bent(arm.within(arm.robot.targets()), bend)
            q[ik.base] = arm_frame(ik, spot)
            q[arm.fingers] = arm.widest
            if not ik.inside(q[None])[0] or not space.free(q):
                continue
            try:
                yield from base.drive_to_one([spot], rng)
                yield from arm.open_gripper()
                path = arm.bend_path(arm.within(arm.robot.qpos), bend, rng)
                if path is None:
                    raise MotionFailure("blocked", "no path for the arm")
            except MotionFailure as error:
                if error.name != "blocked":
                    raise
                reason = error
                continue
            yield from arm.bend_along(path)
            return
        raise reason


class PaperPick(LearnedPick):
    """The same with the policy that sees what MOSAIC's sees."""

    policy = "reach_as_in_the_paper"


def _stuck(act: PhysicalAct, reach: StretchReach) -> MotionFailure:
    """The failure of a hand that no action is free for."""
    refused = Counter(reach.refusal(action) for action in range(len(ACTIONS)))
    things = [it for it, _ in refused.most_common() if it not in (None, LIMIT)]
    if not things:
        return MotionFailure("not reached", "every step leads beyond the limits of a joint")
    thing = str(things[0])
    if thing in act.kitchen.robots or thing in act.kitchen.people:
        return MotionFailure("blocked", f"{thing} is in the way")
    return MotionFailure(f"would touch {thing}", "no step is free")


@cache
def load(name: str) -> Policy:
    """Load a policy by its name or folder, once. Raises PolicyError."""
    return policies.load(policies.find(name, Path()))
