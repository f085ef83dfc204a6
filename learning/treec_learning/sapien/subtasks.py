"""DAG-Plan's sub-tasks with a learned last part, in SAPIEN.

A skill's file binds it: ``sapien: treec_learning.sapien.subtasks:LearnedSubtask`` below ``runs:``.
The motion planner brings the hand before its target, as in the paper (DAG-Plan, appendix A.2), and
there the skill's policy goes on: it grasps, moves a handle, pushes a button, or puts down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from treec import Host, WorkOrder
from treec_learning import policies
from treec_learning.policy import Policy
from treec_learning.sapien.learned_hand import Actions, LearnedHand
from treec_learning.sapien.targets import ButtonTarget, HandTarget
from treec_sapien.dual_kitchen.common import body, door
from treec_sapien.dual_kitchen.controls import operate, remaining_seconds
from treec_sapien.dual_kitchen.doors import Close, Open, close_door, open_door
from treec_sapien.dual_kitchen.grasp import grasp
from treec_sapien.dual_kitchen.put import put_down
from treec_sapien.motion.arm import Steps as Returns
from treec_sapien.motion.articulated import HandleHold, grip_pieces, is_flap
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.motion.reach import ReachSolution
from treec_sapien.worker import Physical, PhysicalAct, Steps

ENOUGH = 0.92
"""The share of a joint's travel from which on a handle is let go, if that suffices."""

DONE = 0.95
"""The share of it at which an episode of training is done: how policies go on is not learned."""

SOME = 0.05
"""The share of it from which on a hand that gets no further has moved the handle."""


class SubtaskPart:
    """The learned part of an order: what the planners' hooks are given."""

    def __init__(self, act: PhysicalAct, actions: Actions) -> None:
        self.act, self.actions = act, actions
        self.steps = 0
        """What the policy took, in all attempts."""

    def approach(self, width: float, solution: ReachSolution) -> Steps:
        """Bring the open hand around a thing and close it; see `take`."""
        arm, built = self.act.arm, body(self.act, "item")
        at = solution.reach.way[solution.reach.marks[1]]
        local = inverse(matrix(built.pose())) @ at
        target = HandTarget(local, width, built.entity, built)
        yield from self._follow(target, solution, lambda: target.is_held(arm))

    def push(self, local: Array, solution: ReachSolution) -> Steps:
        """Push a button until it switches; see `press`."""
        built = body(self.act, self._appliance)
        control = built.body.controls[0]
        link = built.body.handle(control.handle).link
        target = ButtonTarget(local, 0.025, (built.articulation, link), built, link)
        yield from self._follow(
            target, solution, lambda: built.position(control.joint) >= control.on
        )

    def travel(self, hold: HandleHold, solution: ReachSolution) -> Returns[bool]:
        """Grasp a handle and move it; see `turn`."""
        arm = self.act.arm
        built, handle, joint, to = self._handle()
        touch = (built.articulation, handle.link, grip_pieces(built, handle))
        target = HandTarget(hold.local, hold.width, touch, built, handle.link, joint, to, hold.slip)
        whole = abs(to - target.begun)
        suffices = abs(hold.enough - target.begun) / whole
        least = max(ENOUGH, (1.0 + suffices) / 2)  # with some margin: a door may come back a bit
        target.to = target.begun + max(1.0, least / DONE) * (to - target.begun)

        def share() -> float:
            return float(abs(built.position(joint) - target.begun) / whole)

        try:
            yield from self._follow(target, solution, lambda: share() >= least)
        except MotionFailure:
            if share() < SOME:
                raise
            return True  # an arm that cannot do all of it at once grasps anew, as when planning
        return target.is_held(arm)

    def release(self, solution: ReachSolution) -> Steps:
        """Bring what is held down to its spot; see `put`."""
        at = solution.reach.way[solution.reach.marks[solution.reach.pivot]]
        target = HandTarget(at, 0.03, puts=True)
        yield from self._follow(target, solution, lambda: False)

    def _follow(
        self, target: HandTarget, solution: ReachSolution, done: Callable[[], bool]
    ) -> Steps:
        hand = LearnedHand(self.act.arm, target, solution, self.act.rng)
        try:
            yield from hand.follow(self.actions, done)
        finally:
            self.steps += hand.steps

    @property
    def _appliance(self) -> str:
        return "tap" if "tap" in self.act.order.args else "appliance"

    def _handle(self) -> tuple[Any, Any, str, float]:
        """The body, handle and joint of the order, and where the joint is to be."""
        act = self.act
        on = act.order.skill in ("open", "open_tap", "switch_on")
        if "door" in act.order.args:
            built, handle, joint = door(act)
            low, high = built.body.joint(joint).limits
            return built, handle, joint, high if on else low
        built = body(act, self._appliance)
        control = built.body.controls[0]
        low, high = built.body.joint(control.joint).limits
        to = min(high, 1.7 * control.on) if on else low
        return built, built.body.handle(control.handle), control.joint, to


Do = Callable[[PhysicalAct, SubtaskPart], Steps]


def _open(act: PhysicalAct, part: SubtaskPart) -> Steps:
    yield from open_door(act, *door(act), part.travel)


def _close(act: PhysicalAct, part: SubtaskPart) -> Steps:
    yield from close_door(act, *door(act), part.travel)


def _switch(argument: str, *, on: bool) -> Do:
    def do(act: PhysicalAct, part: SubtaskPart) -> Steps:
        if not on:
            yield from act.wait(remaining_seconds(act, argument))
        yield from operate(act, argument, on=on, push=part.push, travel=part.travel)

    return do


SKILLS: Mapping[str, tuple[Do, str]] = {
    "grasp": (lambda act, part: grasp(act, part.approach), "slipped"),
    "put_into": (lambda act, part: put_down(act, part.release), "dropped"),
    "put_onto": (lambda act, part: put_down(act, part.release), "dropped"),
    "open": (_open, "slipped"),
    "close": (_close, "slipped"),
    "switch_on": (_switch("appliance", on=True), "not reached"),
    "switch_off": (_switch("appliance", on=False), "not reached"),
    "open_tap": (_switch("tap", on=True), "not reached"),
    "close_tap": (_switch("tap", on=False), "not reached"),
}
"""Skill → how it is done with a learned part, and the failure if that does not show."""
PLANNED: Mapping[str, type[Physical]] = {"open": Open, "close": Close}
"""Skill → the worker that does what its policy was not made for."""


class LearnedSubtask(Physical):
    """Worker of DAG-Plan's skills; see the module. A subclass may name another policy."""

    policy = ""
    """One of treec's policies, or the folder of one (default: treec's for the skill)."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin with the next control step."""
        self.unless = SKILLS[order.skill][1]
        super().start(order, host)

    def do(self, act: PhysicalAct) -> Steps:
        """Do what the order's skill says, its last part by the policy."""
        name, actions = self.actions(act.order.skill)
        why = reason_to_plan(act)
        if why:
            act.note(f"done by planning: {why}", policy=name)
            worker: Physical = PLANNED[act.order.skill]()
            yield from worker.do(act)
            return
        part = SubtaskPart(act, actions)
        yield from SKILLS[act.order.skill][0](act, part)
        act.note(f"{name} took {part.steps} steps", policy=name, steps=part.steps)

    def actions(self, skill: str) -> tuple[str, Actions]:
        """Return what moves the hand, and its name. Raises MotionFailure without a policy."""
        name = self.policy or policy_for(skill)
        return name, load(name).motions


def reason_to_plan(act: PhysicalAct) -> str:
    """Return why a sub-task is left to planning; empty if it is not."""
    if "door" in act.order.args:
        built, _, joint = door(act)
        if is_flap(built, joint):
            return f"{act.arg('door')} is a flap, and a finger has no room behind its bar"
    return ""


def policy_for(skill: str) -> str:
    """Return the name of treec's policy for a skill. Raises MotionFailure if there is none."""
    policy = policies.learned_skills().get(skill)
    if policy is None:
        raise MotionFailure("not learned", f"there is no policy for {skill}")
    return policy


@cache
def load(name: str) -> Policy:
    """Load a policy by its name or folder, once. Raises PolicyError."""
    return policies.load(policies.find(name, Path()))
