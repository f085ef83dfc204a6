"""Taking a thing by one of its grasps, held by friction alone.

All grasps that its body declares are tried in one batch. The hand moves straight along its
approach, closes, lifts, and retreats either upwards or the way it came, depending on what is
around.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.motion.activity import Activity
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, inverse, matrix, translate
from treec_sapien.motion.reach import ReachRow, ReachSolution, go_on_from, through
from treec_sapien.motion.upright import Upright

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm, Steps, Touch
    from treec_sapien.motion.space import Space

Approach = Callable[[float, ReachSolution], "Steps[None]"]
"""Brings the open hand that is before a thing around it, and may close it; takes its width (m).
"""

BEFORE = 0.1
"""Metres that the hand is before a grasp when it sets out for it."""
_LIFT = np.array([0.0, 0.0, 0.03])
_SHARES = (1.0, 0.4, 0.15)  # fraction of that below a board
_UP = np.array([0.0, 0.0, 0.12])
TRIES = 3
_NEARLY = 0.01  # m: a thing believed no farther off has the room that it has where it is
_MOVED = 0.01  # how far (m) a thing may move while the hand is on its way
_STANDS = 2  # other places to try if there is no path from the present one
_PATIENCE = 30  # attempts to find a path while another arm is at work


def grasp_pose(built: BuiltBody, grasp: GraspPoint) -> Array:
    """Return the tool point's pose for a grasp, with the body where it is now."""
    return np.asarray(matrix(built.pose(grasp.link)) @ matrix(grasp.pose))


def reaches(
    arm: Arm,
    built: BuiltBody,
    grasps: Sequence[GraspPoint],
    at_pose: Array | None = None,
    *,
    offset: Array | None = None,
) -> list[ReachRow]:
    """Return every way to take it: before, at, and lifted, retracted.

    Only where the thing itself has room: when it is lifted, and on its way out. What lies on it
    comes along. A free body of one link may also be thought ``at_pose`` (4, 4). The hand may go to
    where the thing is believed to be instead, ``offset`` (3; metres) from there, and the thing is
    to have room there. A belief that is off by millimetres would seem to touch the neighbours: up
    to 1 cm its room is that of the thing where it is.
    """
    widest = arm.about.gripper.opening[1] - 0.002
    space, now = arm.motion.space, matrix(built.pose())
    here = now if at_pose is None else at_pose
    moved = here @ inverse(now)
    if offset is not None:
        moved = translate(moved, world=offset)
        if float(np.linalg.norm(offset)) > _NEARLY:
            here = translate(here, world=offset)

    load = space.load(built.entity) if at_pose is None else []

    def free(*ways: Array) -> bool:
        with space.without(load):
            return all(space.fits(built.entity, translate(here, world=way)) for way in ways)

    liftable = free(0.5 * _UP, _UP)
    out = []
    for number, grasp in enumerate(grasps):
        if grasp.width > widest:
            continue
        at = arm.upright_grasp(moved @ grasp_pose(built, grasp))
        before = translate(at, own=np.array([0.0, 0.0, -BEFORE]))
        cost = 0.015 * number
        steep = at[2, 2]  # -1: straight down
        if steep < 0.2 and liftable:
            up = translate(at, world=_UP)
            out.append(through([before, at, up], [7, 8], name=grasp.name, cost=cost))
        if steep > -0.95:
            level = at[:3, 2] * np.array([1.0, 1.0, 0.0])
            level = -0.26 * level / max(float(np.linalg.norm(level)), 1e-6)
            lift = next((s * _LIFT for s in _SHARES if free(s * _LIFT, s * _LIFT + level)), None)
            if lift is None or not free(lift + 0.5 * level):
                continue
            lifted = translate(at, world=lift)
            away = translate(lifted, world=level)
            keys = [before, at, lifted, away]
            out.append(through(keys, [7, 2, 13], name=grasp.name, cost=cost))
    return [_with_load(one, load) for one in out] if load else out


def _with_load(row: ReachRow, load: Sequence[Any]) -> ReachRow:
    """The same way, on which what lies on the thing moves with the hand once it holds that."""
    at = row.marks[1]

    def show(space: Space, i: int) -> None:
        shift = row.way[max(i, at)] @ inverse(row.way[at])
        for entity in load:
            space.move_body(entity, shift)

    return replace(row, show=show)


def take(
    arm: Arm,
    built: BuiltBody,
    rng: np.random.Generator,
    *,
    grasps: Sequence[GraspPoint] | None = None,
    keep_upright: bool = False,
    offset: Array | None = None,
    approach: Approach | None = None,
    draws_back: float = 0.0,
    tries: int = TRIES,
) -> Steps[None]:
    """Take a free body. Fails as "not reached", "blocked" or, after several grasps, "slipped".

    What is fixed, or has joints, as appliances have, is "not reached" at once.

    If it is moved while the hand is on its way, the hand stops, and sets out for where it is then,
    if that is not the last of its ``tries``.
    ``offset`` (3; metres): the thing is believed to be that far from where it is, and the hand goes
    there. ``approach`` replaces the straight way from before the thing to around it. With the thing
    the hand ``draws_back`` straight (m) before the arm retracts: from beside a person's hand.
    """
    if built.body.fixed or built.articulation is not None:  # of several links, or none moves
        why = "is fixed in its place" if built.body.fixed else "has joints"
        raise MotionFailure("not reached", f"{built.name} {why}: no hand takes it")
    left = list(built.body.grasps if grasps is None else grasps)
    reason = MotionFailure("not reached", f"no grasp of {built.name} is possible")
    for _ in range(tries):
        arm.motion.space.update()
        ways = reaches(arm, built, left, offset=offset)
        if not ways:
            break
        unmoved = partial(_is_where, built, matrix(built.pose()))
        try:
            names = {way.name for way in ways}
            wide = max((one.width for one in left if one.name in names), default=0.0)
            wish = ReachWish(arm, ways, built.entity, width=wide)
            try:
                solution = yield from reach_one(arm, wish, rng, only_while=unmoved)
            except MotionFailure as error:
                if error.name != "slipped" or unmoved():
                    raise
            if not unmoved():
                reason = MotionFailure("slipped", f"{built.name} was moved meanwhile")
                yield from _leave_alone(arm, built, rng)
                continue
            try:
                if approach is None:
                    yield from arm.along(solution, 0, touch=built.entity)
                else:
                    width = next(one.width for one in left if one.name == solution.reach.name)
                    yield from approach(width, solution)
                    problem = arm.problem(arm.robot.qpos)
                    solution = go_on_from(problem, solution, 1, problem.now)
            except MotionFailure as error:  # another arm has come to rest in its way meanwhile
                if error.name != "blocked" or error.person:
                    raise
                reason = error
                yield from arm.rest(rng)
                continue
            if (yield from _close_and_lift(arm, built, solution, keep_upright)):
                if draws_back:
                    yield from arm.back_off(draws_back, touch=built.entity)
                yield from arm.motion.base.retire(arm, rng)
                if arm.grips(built.entity):
                    return
                arm.detach()
                raise MotionFailure("dropped", built.name)
            reason = MotionFailure(
                "slipped", f"{built.name} out of the {solution.reach.name} grasp"
            )
            left = [grasp for grasp in left if grasp.name != solution.reach.name] or left
            yield from _leave_alone(arm, built, rng)
        finally:
            arm.motion.base.release(arm)
    raise reason


def _is_where(built: BuiltBody, pose: Array) -> bool:
    """Whether a body is still where it was."""
    return bool(np.linalg.norm((matrix(built.pose()) - pose)[:3, 3]) <= _MOVED)


def _leave_alone(arm: Arm, built: BuiltBody, rng: np.random.Generator) -> Steps[None]:
    """Retract an arm that touches a thing that slipped or was pushed; wait until that lies still.

    It may be falling, or lean on a finger: no grasp of it where it is now would be of use.
    """
    if arm.motion.touches(arm.hand_links, built.entity):
        yield from arm.rest(rng)
    yield from arm.until_still(built.entity)


def reach_one(
    arm: Arm,
    wish: ReachWish,
    rng: np.random.Generator,
    *,
    shut: bool = False,
    touch: Touch = None,
    only_while: Callable[[], bool] = lambda: True,
) -> Steps[ReachSolution]:
    """Bring the hand to the start of one of the ways of a wish, moving the base if necessary.

    From another place if there is no path from the first. Once the base is there, the arm goes on
    ``only_while`` that holds; then it stops where it is. Fails as "not reached", "blocked" or, if
    it was stopped, "slipped"; the arm stays rooted in each case.
    """
    base = arm.motion.base
    avoid: list[Array] = []
    while True:
        (options,) = yield from base.ask(rng, wish, avoid=avoid)
        try:
            steps = go_to_one(arm, options, rng, shut=shut, touch=touch)
            return (yield from _steps_while(only_while, arm, steps))
        except MotionFailure as error:
            elsewhere = error.name == "blocked" and not error.person  # who is asked to step aside
            if not elsewhere or not base.moves or len(avoid) >= _STANDS:
                raise
        avoid.append(base.place)
        yield from base.retire(arm, rng)


def _steps_while(
    holds: Callable[[], bool], arm: Arm, steps: Steps[ReachSolution]
) -> Steps[ReachSolution]:
    """Make an arm's steps while something holds; else it stops where it is: "slipped"."""
    try:
        while holds():
            next(steps)
            yield
    except StopIteration as end:
        return cast("ReachSolution", end.value)
    finally:
        steps.close()
    arm.robot.hold(arm.about.joints)
    raise MotionFailure("slipped", "what the hand goes to was moved")


def go_to_one(
    arm: Arm,
    options: Sequence[ReachSolution],
    rng: np.random.Generator,
    *,
    shut: bool = False,
    touch: Touch = None,
    patience: int = _PATIENCE,
) -> Steps[ReachSolution]:
    """Bring the hand to the start of one of the ways, whichever a path leads to.

    An empty hand opens meanwhile, unless it is to stay ``shut``; it may ``touch`` something. A path
    is searched up to ``patience`` times while another arm, which may go away, is at work: one that
    is clear with open fingers, or in the end one that may not be.
    """
    opens = arm.holding is None and not shut
    for _ in range(patience):
        arm.motion.space.update()
        apart = [solution for solution in options if arm.stays_apart(solution)]
        for solution in apart if arm.upright is not None else ():
            with arm.may_touch(arm.holding):
                direct = arm.straight_to(solution)
            if direct is not None:
                arm.motion.begun[arm] = direct[1]
                yield from arm.move(direct[0], pace=0.7)
                return direct[1]
        for solution in apart:
            goal = arm.chain_rows([solution.q[0]])[0]
            path = arm.path_to([goal], rng, touch=touch, spread=opens)
            if path is None and opens and not arm.motion.base.has_active_peers(arm):
                path = arm.path_to([goal], rng, touch=touch)
            if path is not None:
                if opens:
                    arm.spread()
                arm.motion.begun[arm] = solution
                yield from arm.move(path)
                if opens and not arm.is_open:  # it was a short way
                    yield from arm.open_gripper()
                return solution
        if patience == 1 or not arm.motion.base.has_active_peers(arm):
            break
        # the other arm may move away
        yield from arm.motion.pause(0.7, Activity.PATH, arm.side)
    raise MotionFailure("blocked", f"no path for {arm.name}")


def _close_and_lift(
    arm: Arm, built: BuiltBody, solution: ReachSolution, upright: bool
) -> Steps[bool]:
    if not (yield from close_on(arm, built, upright)):
        yield from arm.open_gripper()
        yield from arm.back(solution, 0)
        return False
    return (yield from lift_out(arm, built, solution))


def close_on(arm: Arm, built: BuiltBody, keep_upright: bool) -> Steps[bool]:
    """Close the hand on a thing that is between its fingers; whether it holds it then."""
    entity: Any = built.entity
    held = yield from arm.close_gripper()
    if not held or not arm.grips(entity):
        return False
    up = arm.tcp[:3, :3].T @ matrix(built.pose())[:3, 2]
    arm.attach(entity, upright=Upright(up) if keep_upright else None)
    return True


def lift_out(arm: Arm, built: BuiltBody, solution: ReachSolution) -> Steps[bool]:
    """Follow a way of :func:`reaches` from the grasp on; whether the hand holds the thing then."""
    entity: Any = built.entity
    try:
        for part in range(1, len(solution.reach.marks) - 1):
            yield from arm.along(solution, part, touch=entity)
    except MotionFailure as error:
        if error.name != "dropped":
            raise
    if not arm.grips(entity):
        arm.detach()
        yield from arm.open_gripper()
        return False
    return True
