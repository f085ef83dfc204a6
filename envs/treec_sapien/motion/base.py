"""Which arm may move the shared base, and where it goes.

An arm that wants to begin submits what it wants to reach and waits one control step so that the
other can, too. If both can reach from where the base is, both begin. If not, and no arm is working
from here, a base pose that serves both is sought, else one for whichever asked first; the other
begins when it can reach from there, or when the first is done and the base may move again. An arm
that has begun is *rooted* until it releases the base; while any is, the base stands still.

What can be done meanwhile is: an arm that waits for the other one to end plans where it will work
and gets *ready*, in the configuration in which its reach will begin there, and the base goes with
it so. An arm whose hand is done releases the base and *retires*: it is retracted while the base
drives on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.motion.activity import Activity
from treec_sapien.motion.base_poses import drive, find_path, is_near_any, places_for
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.floor import Floor
from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.motion.reach import (
    ReachRow,
    ReachSolution,
    candidates,
    collision_free_reaches,
    solve_from_base,
)
from treec_sapien.motion.refusal import why_not_reached

if TYPE_CHECKING:
    from treec_sapien.motion.arm import Arm, Steps, Touch
    from treec_sapien.motion.motion import Motion
    from treec_sapien.motion.space import Space

_MAX_TESTS = 150  # solutions tested for collisions for one answer, at most
_MAX_SOLUTIONS = 3  # solutions in an answer
_MAX_PLACES = 12
_PER_PLACE, _RIDES = 12, 8
_ROUNDS = 4  # batches of base poses that are tried
_SWAYS = 0.02  # m or rad
_EVERY = 3  # poses of a door's way between two that are tested
_FAILURES = 3  # failed base poses before an arm gives up
PATIENCE = 60.0
"""Seconds of simulated time that an arm waits for its turn."""


@dataclass(frozen=True)
class ReachWish:
    """What one arm wants to reach, and the thing that its hand may touch there."""

    arm: Arm
    reaches: Sequence[ReachRow]
    touch: Touch = None
    rides: bool = False
    """Whether the base may move along with the hand if it cannot be done from one place."""
    width: float = 0.0
    """Of what is grasped there (m); 0 where nothing is."""
    leaves: Callable[[Space], None] | None = None
    """Shows the world as it will be afterwards: a door may swing to where the base stands."""


Options = list[list[ReachSolution]]
"""For each wish of a request, the solutions, best first."""

Seek = Callable[
    ["Motion", Sequence[ReachWish], Sequence[Array], np.random.Generator],
    "tuple[Array, Options] | None",
]
"""Seeks a base pose for these wishes, none of those to avoid, and each solution from there."""


@dataclass(eq=False)
class BaseRequest:
    """Wishes that are granted together, and their state."""

    wishes: Sequence[ReachWish]
    rng: np.random.Generator
    answer: Options | None = None
    refused: bool = False
    turn: int = 0
    """Its number in the queue: lower ones come first."""
    avoid: Sequence[Array] = ()
    seek: Seek | None = None
    tried: tuple[frozenset[str], Array] | None = None
    failures: int = 0
    why: str = ""
    """Why the base did not come to where it could be reached, if that is what failed."""
    planned: tuple[Array, Options] | None = None
    """Where the base will go for it, once it may: planned while another arm is rooted."""
    planned_at: tuple[frozenset[str], Array] | None = None
    rounds: int = 0
    """How many batches of base poses have been tried for that."""
    ready: bool = False
    """Whether its arm is where its reach will begin, seen from the robot."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The arms of its wishes."""
        return tuple(wish.arm.side for wish in self.wishes)

    def knows(self, rooted: frozenset[str], place: Array) -> bool:
        """Whether it was tried with these arms rooted and the base here (within its sway)."""
        if self.tried is None or self.tried[0] != rooted:
            return False
        return bool(np.max(np.abs(self.tried[1] - place)) < _SWAYS)


class MobileBase:
    """The base of a robot and the arms that wait for it."""

    heading = 0.0
    """The angle (rad) of the base to the direction in which its arms reach out."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self._queue: list[BaseRequest] = []
        self._turns = itertools.count()
        self._expected: dict[str, int] = {}  # side of an arm that is about to ask → its turn
        self._rooted: set[str] = set()
        self._riding: set[str] = set()
        self._retiring: set[str] = set()
        self._busy = False
        self._unminded: Sequence[Any] = ()  # bodies that plans take no notice of

    @property
    def moves(self) -> bool:
        """Whether the base can move at all."""
        return bool(self.motion.robot.base_joints)

    @property
    def radius(self) -> float:
        """Radius (m) of the disc that it needs on the floor for turning."""
        reach = self.motion.robot.description.reach
        return max((it.radius for it in reach.stands), default=0.3) if reach else 0.3

    def spot(self) -> Array:
        """Return where it stands (x, y, yaw in the scene)."""
        root = matrix(self.motion.robot.pose)
        x, y = root[:2, 3] + root[:2, :2] @ self.place[:2]
        return np.array([x, y, self.place[2] + np.arctan2(root[1, 0], root[0, 0])])

    def floor(self, wider: Mapping[Any, float] | None = None) -> Floor:
        """Return the present floor, without the robot and what it holds.

        ``wider`` is as in `Floor`.
        """
        robot, spot = self.motion.robot, self.spot()
        own = {link.entity for link in robot.articulation.links}
        own |= {arm.holding for arm in self.motion.arms.values()}
        own |= set(self._unminded)
        others = (one for one in self.motion.scene.entities if one not in own)
        level = float(robot.pose.p[2]) - robot.description.lift
        return Floor(others, level=level, also=[(float(spot[0]), float(spot[1]))], wider=wider)

    def person_in_the_way(self, works: Callable[[], bool]) -> str:
        """Return without whom what does not work would, if there is such a person.

        They are there neither for the floor nor for the space while it is tried.
        """
        guard = self.motion.guard
        for person, bodies in ({} if guard is None else guard.bodies).items():
            self._unminded = bodies
            try:
                with self.motion.space.without(bodies):
                    if works():
                        return person
            finally:
                self._unminded = ()
        return ""

    def has_path(self, spots: Sequence[Array], rng: np.random.Generator) -> bool:
        """Whether it could drive to one of these places (x, y, yaw in the scene)."""
        return any(find_path(self.motion, self._place_at(spot), rng) is not None for spot in spots)

    def _place_at(self, spot: Array) -> Array:
        """Its pose in its own frame at a place in the scene, turned the shorter way."""
        root = inverse(matrix(self.motion.robot.pose))
        x, y = root[:2, 3] + root[:2, :2] @ spot[:2]
        shorter = (spot[2] - self.spot()[2] + np.pi) % (2 * np.pi) - np.pi
        return np.array([x, y, self.place[2] + shorter])

    def drive_to_one(self, spots: Sequence[Array], rng: np.random.Generator) -> Steps[None]:
        """Retract the arms and drive to the nearest of these places (x, y, yaw in the scene)."""
        for arm in self.motion.arms.values():
            yield from arm.rest(rng)
        here = self.spot()
        for spot in sorted(spots, key=lambda one: float(np.linalg.norm((one - here)[:2]))):
            try:
                yield from drive(self.motion, self._place_at(spot), rng)
                return
            except MotionFailure as failure:
                if failure.name != "blocked":
                    raise
        raise MotionFailure("blocked", "no path for the base")

    def release(self, *arms: Arm) -> None:
        """Declare these arms done: the base need not stay for them."""
        for arm in arms:
            self.motion.begun.pop(arm, None)
        self._rooted -= {arm.side for arm in arms}
        self._riding -= {arm.side for arm in arms}

    def retire(self, arm: Arm, rng: np.random.Generator) -> Steps[bool]:
        """Release the base and retract an arm, whose hand is done; whether it could be retracted.

        The base may drive for another arm meanwhile, unless there are people around.
        """
        if self.motion.guard is not None:
            could = yield from arm.rest(rng)
            self.release(arm)
            return could
        self.release(arm)
        self._retiring.add(arm.side)
        try:
            return (yield from arm.rest(rng))
        finally:
            self._retiring.discard(arm.side)

    def has_active_peers(self, arm: Arm) -> bool:
        """Whether another arm has begun and is not done."""
        return bool(self._rooted - {arm.side})

    def ask(
        self, rng: np.random.Generator, *wishes: ReachWish, avoid: Sequence[Array] = ()
    ) -> Steps[Options]:
        """Wait for a base pose from which all wishes can be granted; their arms are then rooted.

        Return the solutions from there. Base poses near one in ``avoid`` are not taken.
        Raises Failed("not reached") if there is no such place.
        """
        return (yield from self._wait_for(BaseRequest(wishes, rng, avoid=avoid)))

    def ask_with(
        self, seek: Seek, rng: np.random.Generator, *wishes: ReachWish, avoid: Sequence[Array] = ()
    ) -> Steps[Options]:
        """Like :meth:`ask`, but ``seek`` finds base poses other than the present one."""
        return (yield from self._wait_for(BaseRequest(wishes, rng, avoid=avoid, seek=seek)))

    @contextmanager
    def expecting(self, arm: Arm) -> Iterator[None]:
        """Let the others wait within the context until this arm, which shapes its hand, has asked.

        It has its turn as if it had asked at once; what suits both is sought for both.
        """
        self._expected[arm.side] = next(self._turns)
        try:
            yield
        finally:
            self._expected.pop(arm.side, None)

    def _wait_for(self, request: BaseRequest) -> Steps[Options]:
        turns = [self._expected.pop(side) for side in request.sides if side in self._expected]
        request.turn = min(turns, default=next(self._turns))
        self._queue.append(request)
        self._queue.sort(key=lambda it: it.turn)
        patience = round(PATIENCE * 60)
        try:
            with self.motion.activities.during(Activity.BASE, *request.sides):
                yield
                while request.answer is None:
                    awaited = self._expected and not self._rooted
                    if not self._busy and not awaited and self._queue[0] is request:
                        yield from self._decide()
                    if request.refused:
                        if request.planned_at is not None:  # it may be ready in vain
                            yield from request.wishes[0].arm.rest(request.rng)
                        why = request.why or why_not_reached(self.motion, request.wishes)
                        who = _arm_names(request.wishes)
                        raise MotionFailure("not reached", f"by {who} from anywhere: {why}")
                    patience -= 1
                    if patience <= 0:
                        raise MotionFailure("blocked", "the other arm never released the base")
                    if request.answer is None:
                        if self._may_get_ready(request):
                            yield from self._get_ready(request)
                        yield
        finally:
            self._queue.remove(request)
        return request.answer

    def _decide(self) -> Steps[None]:
        """Grant what can be granted; move the base where that helps and no arm is rooted."""
        waiting = [request for request in self._queue if request.answer is None]
        rooted, place = frozenset(self._rooted), self.place
        fresh = [request for request in waiting if not request.knows(rooted, place)]
        if not fresh or self._riding:
            return
        self.motion.space.update()
        for request in fresh:
            request.tried = (rooted, place)
        here = {
            id(request): None if is_near_any(self.place, request.avoid) else self._options(request)
            for request in fresh
        }
        works = [request for request in fresh if here[id(request)] is not None]
        if len(works) == len(waiting) or self._rooted or not self.moves:
            for request in works:
                self._grant(request, here[id(request)])
            if not self.moves:
                for request in waiting:
                    request.refused = request.answer is None and not self._rooted
            return
        self._busy = True
        try:
            yield from self._move_for(
                waiting, here[id(waiting[0])] if waiting[0] in works else None
            )
        finally:
            self._busy = False

    def _move_for(self, waiting: list[BaseRequest], first_here: Options | None) -> Steps[None]:
        """Go where all can work, else let the first begin here, else go where it can."""
        first = waiting[0]
        if len(waiting) > 1:
            planned = self._place_for(waiting)
            if planned is not None:
                for request in waiting:
                    request.ready = False  # for another place
                try:
                    yield from self._go(planned, waiting)
                    return
                except MotionFailure as error:  # there may be no path to that place
                    if error.name == "dropped":
                        raise
        if first_here is not None:
            self._grant(first, first_here)
            return
        for number in range(_ROUNDS):
            ready = self._as_planned(first) if number == 0 else None
            planned = self._place_for([first]) if ready is None else ready
            ride = self._ride_for(first) if planned is None else None
            try:
                if planned is not None:
                    yield from self._go(planned, [first])
                    return
                if ride is not None and ride.base is not None:
                    yield from self._travel(ride.base, [first])
                    self._riding |= {first.wishes[0].arm.side}
                    self._grant(first, [[ride]])
                    return
            except MotionFailure as error:  # there is no path to that place
                if error.name == "dropped":
                    raise
                if planned is not None:
                    first.avoid = (*first.avoid, planned[0])
                first.why = error.why
        first.refused = True

    def _go(self, planned: tuple[Array, Options], who: list[BaseRequest]) -> Steps[None]:
        place, plans = planned
        yield from self._travel(place, who)
        left = iter(plans)
        for request in who:
            answer = self._again(request, [next(left) for _ in request.wishes])
            self._grant(request, answer or self._options(request))
            request.tried = None
        first = who[0]
        first.failures += first.answer is None
        first.refused = first.failures >= _FAILURES

    def _again(self, request: BaseRequest, plans: Options) -> Options | None:
        """Adapt what was planned for this place to where the base actually stands."""
        q = self.motion.traffic.with_others_at_rest(request.sides[0], self.motion.robot.qpos)
        out: Options = []
        for wish, plan in zip(request.wishes, plans, strict=True):
            problem = wish.arm.problem(q)
            solutions = [
                again for one in plan if (again := solve_from_base(problem, one)) is not None
            ]
            fine = collision_free_ways(wish, solutions, q, _MAX_SOLUTIONS)
            if not fine:
                return None
            out.append(fine)
        return first_compatible_pair(request.wishes, out, q) if len(out) == 2 else out

    def _travel(self, place: Array, who: Sequence[BaseRequest]) -> Steps[None]:
        """Retract all arms but those that retire by themselves or are ready, then go.

        If there is no path with an arm that is ready, that one is retracted, too. An arm that drops
        something on the way fails its own request; others notice when they go on.
        """
        served = [side for request in who for side in request.sides]
        ready = {side for request in who if request.ready for side in request.sides}
        with self.motion.activities.during(Activity.DRIVING, *served):
            if ready:
                try:
                    yield from self._go_with(place, who[0], ready)
                except MotionFailure as error:
                    if error.name != "blocked":
                        raise
                    ready = set()
            if not ready:
                yield from self._go_with(place, who[0], ready)
        for request in who:
            request.ready = False
        self.motion.space.update()

    def _go_with(self, place: Array, first: BaseRequest, ready: Set[str]) -> Steps[None]:
        """Retract the other arms, go, and retract what could not be before."""
        for going in (True, False):
            for arm in self.motion.arms.values():
                if arm.side in self._retiring or arm.side in ready:
                    continue
                try:
                    yield from arm.rest(first.rng)
                except MotionFailure as error:
                    if error.name != "dropped" or arm.side in first.sides:
                        raise
            if going:
                while any(not self.motion.traffic.is_under_way(it) for it in self._retiring):
                    yield  # it is about to set out, or has just arrived
                yield from drive(self.motion, place, first.rng)

    def _may_get_ready(self, request: BaseRequest) -> bool:
        """Whether an arm that waits for another one to end has not yet planned for then."""
        if self._busy or self._riding or not self._rooted or not self.moves:
            return False
        if self.motion.guard is not None or request.seek is not None or len(request.wishes) > 1:
            return False
        begun = {arm.side for arm in self.motion.begun}
        rooted = frozenset(self._rooted)
        known = request.planned_at is not None and request.planned_at[0] == rooted
        known = known and (request.planned is not None or request.rounds >= _ROUNDS)
        return not known and rooted <= begun and request.knows(rooted, self.place)

    def _get_ready(self, request: BaseRequest) -> Steps[None]:
        """Plan where the base will go, and bring the arm to where its reach will begin there.

        Not if that is in the way of the arms at work, or of doors that they move.
        """
        (wish,) = request.wishes
        arm, motion = wish.arm, self.motion
        rooted = frozenset(self._rooted)
        if request.planned_at is None or request.planned_at[0] != rooted:
            request.planned_at, request.rounds = (rooted, self.place), 0
        request.rounds += 1
        motion.space.update()
        planned = self._place_for([request])
        request.planned = planned
        if planned is None:
            return
        place, (solutions,) = planned
        for one in solutions:
            goal = arm.chain_rows([one.q[0]])[0]
            if not self._leaves_room(arm, goal):
                continue
            motion.space.update()
            path = arm.path_to([goal], request.rng)
            if path is None:
                continue
            request.planned = place, [[one, *(it for it in solutions if it is not one)]]
            try:
                yield from arm.move(path)
            except MotionFailure as error:
                if error.name != "blocked":
                    raise
                return
            request.ready = True
            return

    def _leaves_room(self, arm: Arm, goal: Array) -> bool:
        """Whether an arm that stands at ``goal`` (its joints) is out of the way of those at work.

        Of their reaches to the end, of their way home, and of what they move.
        """
        motion, space = self.motion, self.motion.space
        q = motion.traffic.with_others_at_rest(arm.side, motion.robot.qpos)
        q[arm.joints] = goal
        home = motion.retract(q, but=arm)
        rows, shows = [q[None], home[None]], []
        for other, one in motion.begun.items():
            if other is not arm:
                rows.append(other.whole(q, one.q))
                if one.reach.show is not None:
                    shows.append((one.reach.show, len(one.q)))
        with space.ignore_contacts(motion.robot.qpos):
            if not motion.is_apart(np.concatenate(rows), arm.joints):
                return False
            try:
                for show, count in shows:
                    for i in range(0, count, _EVERY):
                        show(space, i)
                        if not space.free(home):
                            return False
            finally:
                space.update()
        return True

    def _as_planned(self, request: BaseRequest) -> tuple[Array, Options] | None:
        """What was planned while another arm was at work, if it still holds."""
        planned, request.planned = request.planned, None
        if planned is None or is_near_any(planned[0], request.avoid):
            request.ready = False
            return None
        place, (solutions,) = planned
        (wish,) = request.wishes
        q = self.motion.rest_configuration()
        q[self.motion.robot.indices(self.motion.robot.base_joints)] = place
        fine = []
        if self._stays_clear(request.wishes, q):
            fine = collision_free_ways(wish, solutions, q, _MAX_SOLUTIONS)
        if not fine or fine[0] is not solutions[0]:
            request.ready = False
        return (place, [fine]) if fine else None

    def _ride_for(self, request: BaseRequest) -> ReachSolution | None:
        """A solution in which the base moves along with the hand."""
        if len(request.wishes) != 1 or not request.wishes[0].rides:
            return None
        wish = request.wishes[0]
        q = self.motion.rest_configuration()
        base = self.motion.robot.indices(self.motion.robot.base_joints)
        places = places_for(self.motion, [wish], request.rng)
        if not len(places):
            return None
        problem = wish.arm.problem(q, places, rides=True)
        solutions = candidates(problem, wish.reaches, request.rng)
        for one in collision_free_ways(wish, solutions, q, _RIDES):
            q[base] = one.base
            if self.motion.space.free(q):  # its start, with the arms still retracted
                return one
        return None

    def _grant(self, request: BaseRequest, answer: Options | None) -> None:
        request.answer = answer
        if answer is not None:
            self._rooted |= {wish.arm.side for wish in request.wishes}

    @property
    def place(self) -> Array:
        """Its pose: x, y and yaw."""
        robot = self.motion.robot
        return np.asarray(robot.qpos[robot.indices(robot.base_joints)])

    def _options(self, request: BaseRequest) -> Options | None:
        """Collision-free solutions of each wish from where the base is."""
        q = self.motion.robot.qpos
        for wish in request.wishes:
            q = self.motion.traffic.with_others_at_rest(wish.arm.side, q)
        out: Options = []
        if not self._stays_clear(request.wishes, q):
            return None
        for wish in request.wishes:
            solutions = candidates(wish.arm.problem(q), wish.reaches, request.rng)
            fine = collision_free_ways(wish, solutions[:_MAX_TESTS], q, _MAX_SOLUTIONS)
            if not fine:
                return None
            out.append(fine)
        return first_compatible_pair(request.wishes, out, q) if len(out) == 2 else out

    def _place_for(self, who: Sequence[BaseRequest]) -> tuple[Array, Options] | None:
        """A base pose from which all of them can do what they want, and how, wish by wish."""
        wishes = [wish for request in who for wish in request.wishes]
        if len(who) == 1 and who[0].seek is not None:
            return who[0].seek(self.motion, wishes, who[0].avoid, who[0].rng)
        places = places_for(self.motion, wishes, who[0].rng)
        fine = [not any(is_near_any(place, one.avoid) for one in who) for place in places]
        places = places[np.array(fine, dtype=bool)]
        return self._best_place(wishes, places, who[0].rng) if len(places) else None

    def _stays_clear(self, wishes: Sequence[ReachWish], q: Array) -> bool:
        """Whether the base and the retracted arms stay out of where a door will swing."""
        sweeps = [wish.leaves for wish in wishes if wish.leaves is not None]
        if not sweeps:
            return True
        space, rest = self.motion.space, self.motion.retract(q)
        with space.ignore_contacts(rest):
            for leaves in sweeps:
                leaves(space)
            fine = space.free(rest)
        space.update()
        return fine

    def _best_place(
        self, wishes: Sequence[ReachWish], places: Array, rng: np.random.Generator
    ) -> tuple[Array, Options] | None:
        motion = self.motion
        q = motion.rest_configuration()
        groups: list[dict[tuple[float, ...], list[ReachSolution]]] = []
        for wish in wishes:
            group: dict[tuple[float, ...], list[ReachSolution]] = {}
            for one in candidates(wish.arm.problem(q, places), wish.reaches, rng):
                if one.base is not None:
                    group.setdefault(tuple(one.base), []).append(one)
            groups.append(group)
        common = [place for place in groups[0] if all(place in group for group in groups)]
        common.sort(key=lambda place: -sum(group[place][0].score for group in groups))
        base = motion.robot.indices(motion.robot.base_joints)
        for place in common[:_MAX_PLACES]:
            q[base] = np.array(place)
            if not self._stays_clear(wishes, q):
                continue
            plans: Options = []
            for wish, group in zip(wishes, groups, strict=True):
                plans.append(
                    collision_free_ways(wish, group[place][:_PER_PLACE], q, _MAX_SOLUTIONS)
                )
                if not plans[-1]:
                    break
            else:
                return np.array(place), plans
        return None


def collision_free_ways(
    wish: ReachWish, solutions: Sequence[ReachSolution], q: Array, most: int
) -> list[ReachSolution]:
    """Return the first collision-free ways of a wish, with the rest of the robot as in ``q``."""
    arm = wish.arm
    solutions = arm.motion.away_from_people(arm, solutions, q)
    with arm.may_touch(wish.touch):
        fine = collision_free_reaches(arm.motion.space, solutions, lambda row: arm.whole(q, row))
        return list(itertools.islice(fine, most))


def first_compatible_pair(
    wishes: Sequence[ReachWish], options: Options, q: Array
) -> Options | None:
    """Return the first pair of two wishes' ways that keep the arms apart when followed in step."""
    one, two = wishes
    space = one.arm.motion.space
    with one.arm.may_touch(one.touch), two.arm.may_touch(two.touch):
        for first in options[0]:
            for second in options[1]:
                count = min(len(first.q), len(second.q))
                rows = [
                    two.arm.whole(one.arm.whole(q, first.q[i]), second.q[i])
                    for i in range(0, count, 2)
                ]
                if space.all_free(np.stack(rows)):
                    return [[first], [second]]
    return None


def _arm_names(wishes: Sequence[ReachWish]) -> str:
    """The arms of the wishes: "the left arm", "both arms", "the arm"."""
    return "both arms" if len(wishes) > 1 else wishes[0].arm.name
