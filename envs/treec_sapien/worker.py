"""Base class of SAPIEN workers: a generator stepped with the physics.

A worker is a short class::

    class Wave(Physical):
        def do(self, act: Act) -> Steps:
            yield from act.arm.move_to(...)

Each ``yield`` passes one control step (1/60 s). Returning is success; raising `Failed` fails the
skill with that name. At the end, what the skill's file expects is compared with what is sensed;
``unless`` is the name of the failure if that differs.
"""

from __future__ import annotations

from collections.abc import Generator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from treec import Host, NotingHost, Outcome, Raised, Reported, WorkOrder
from treec_sapien.arm_times import ArmTimes
from treec_sapien.environment import SapienKitchen, agents_of
from treec_sapien.motion.failure import MotionFailure as MotionFailure
from treec_sapien.person.log import ForecastLog, TouchLog

if TYPE_CHECKING:
    from treec_sapien.agent_arms import AgentArm
    from treec_sapien.motion.frames import Array
    from treec_sapien.motion.motion import Motion
    from treec_sapien.person.person import Person
    from treec_sapien.robots.robot import Robot

Steps = Generator[None, None, None]

_TRIES, _PAUSE = 5, 2.0  # attempts, with seconds in between, while another robot may be in the way
_LONGER = 1.6  # times as long is each of these pauses as the last where it may be a person
_MOVED = 0.1  # m: whoever has moved no farther is where they were
_FALLING, _STILL = 2.0, 0.02  # seconds that a fall may take; speed (m/s) of what lies still
_PASSING = ("not reached", "blocked")  # the failures that it may cause


class PhysicalAct:
    """One order in execution: what, on what, by whom, and its random seed."""

    def __init__(self, order: WorkOrder, kitchen: SapienKitchen, host: Host | None = None) -> None:
        self.order = order
        self.kitchen = kitchen
        self.host = host
        self.attempt = 0
        """How often the whole skill was tried before: each time with other random choices."""
        self.rng = np.random.default_rng(self.seed())

    @property
    def hand(self) -> AgentArm:
        """The agent's arm in the crew. Raises Failed for an agent without a body."""
        hand = self.kitchen.hands.get(self.order.agent)
        if hand is None:
            raise MotionFailure(f"{self.order.agent} has no body")
        return hand

    @property
    def robot(self) -> Robot:
        """The agent's robot."""
        return self.hand.robot

    @property
    def arm(self) -> Any:
        """The agent's arm (`treec_sapien.motion.arm.Arm`)."""
        return self.motion.arms[self.hand.side]

    @property
    def motion(self) -> Motion:
        """The motion of the agent's robot: base, arms and space."""
        return self.kitchen.motion(self.robot.name)

    @property
    def arms(self) -> dict[str, Any]:
        """The arms of all agents in this order, that of its own agent first."""
        agents = agents_of(self.order)
        return {name: self.kitchen.arm(name) for name in agents if name in self.kitchen.hands}

    def arg(self, name: str) -> str:
        """Return an argument's name: of an item, a place, a door."""
        return str(self.order.args[name])

    def now(self) -> float:
        """Seconds of physics since the run began."""
        return self.kitchen.now

    def watched(self, need: str = "forecast") -> Person | None:
        """Return the person whom a need of the skill is about, if the run has asked for it."""
        given = self.order.needs.get(need)
        return None if given is None else self.kitchen.people.get(str(given["person"]))

    def note(self, text: str, **record: Any) -> None:
        """Put words, or data, into the run's journal."""
        if isinstance(self.host, NotingHost):
            self.host.note(self.order.id, text, record)
            self.kitchen.report()

    def ask_aside(self, person: str) -> None:
        """Ask a person, in the journal and aloud, to step aside."""
        why = f"you are in {self.order.agent}'s way"
        if self.kitchen.people[person].outlook.basis == "lost":
            why = f"I cannot see you, and you may be in {self.order.agent}'s way"
        why = f"{person}, {why}" if len(self.kitchen.people) > 1 else why[0].upper() + why[1:]
        says = f"{why}: could you step aside, please?"
        self.note(f"asks {person} to step aside", waits_for=person, says=says)

    def seed(self, attempt: int = 0) -> int:
        """Return a seed (at least 1) for planners from the run's seed, order and attempt."""
        again = f" {self.attempt}" if self.attempt else ""
        text = f"{self.kitchen.setup.seed} {self.order.id} {attempt}{again}"
        return 1 + int.from_bytes(sha256(text.encode()).digest()[:4]) % (2**31 - 2)

    def wait(self, seconds: float) -> Steps:
        """Let time pass."""
        end = self.now() + seconds - 1e-9
        while self.now() < end:
            yield


class Physical:
    """A worker whose skill is a generator method; see the module."""

    unless = ""
    """Name of the failure if what is sensed at the end is not what was expected."""

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._order: WorkOrder | None = None
        self._kitchen: SapienKitchen | None = None
        self._steps: Steps | None = None
        self._fails_at: float | None = None
        self._began = 0
        self._logs: list[ForecastLog | TouchLog] = []
        self._times: ArmTimes | None = None

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that carry out its order."""
        assert self._order is not None
        return agents_of(self._order)

    @property
    def skill(self) -> str:
        """The skill of its order."""
        assert self._order is not None
        return self._order.skill

    @property
    def things(self) -> set[str]:
        """What its order says to be elsewhere afterwards."""
        assert self._order is not None
        return {effect.args[0] for effect in self._order.after if effect.args}

    @property
    def watches(self) -> set[str]:
        """The people whose forecast it goes by."""
        assert self._order is not None
        return {str(it["person"]) for it in self._order.needs.values() if "person" in it}

    @property
    def succeeded(self) -> bool:
        """Whether it ended successfully."""
        return self._outcome is not None and self._outcome.ok

    def do(self, act: PhysicalAct) -> Steps:
        """Carry out the order, one ``yield`` per control step. Raises Failed."""
        raise NotImplementedError

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin with the next control step."""
        if not isinstance(host.environment, SapienKitchen):
            raise TypeError(f"{type(self).__name__} acts in a kitchen of SAPIEN")
        self._order, self._host = order, host
        kitchen = self._kitchen = host.environment
        act = PhysicalAct(order, kitchen, host)
        self._steps = self._run(act)
        if order.agent in kitchen.hands and kitchen.people:
            self._logs.append(TouchLog(act))
        if act.watched() is not None:
            self._logs.append(ForecastLog(act))
        self._began = kitchen.ticks
        self._times = ArmTimes(act)
        if order.fault is not None:
            self._fails_at = host.clock.now() + order.takes * order.fault.at
        kitchen.begin(self, order)

    def _run(self, act: PhysicalAct) -> Steps:
        never = act.kitchen.impossible(act.order.after)
        if never:  # reported before anything moves
            raise MotionFailure(*never.split(": ", 1))
        yield from self._attempts(act)
        names = tuple(map(str, act.order.args.values()))
        fall = act.kitchen.falls.by(self.agents, self._began, names)
        if fall is not None:
            yield from self._until_still(act, fall.item)
            raise MotionFailure(*act.kitchen.falls.describe(fall))

    def _attempts(self, act: PhysicalAct) -> Steps:
        """Carry out the order, and again where somebody is in the way who may go away.

        People stay longer than other robots' arms: where nobody has moved in a pause, only the
        first and the last attempt, with other random choices, are worth their computing time. Who
        holds the arm up is asked to step aside, and it draws back, so that they have room to.
        """
        pause = _PAUSE
        while True:
            try:
                yield from self.do(act)
                return
            except MotionFailure as failure:
                passing = failure.name in _PASSING and act.kitchen.may_be_obstructed(act.robot)
                if act.attempt == _TRIES - 1 or not passing:
                    raise
                if failure.person:
                    act.ask_aside(failure.person)
                    yield from self._draw_back(act)
            there, again = _places(act), False
            while not again:
                yield from act.wait(pause)
                pause *= _LONGER if act.kitchen.people else 1.0
                act.attempt += 1
                again = act.attempt in (1, _TRIES - 1) or _has_anybody_moved(there, _places(act))

    def _draw_back(self, act: PhysicalAct) -> Steps:
        """Retract the arm, as far as people let it."""
        try:
            yield from act.arm.rest(act.rng)
        except MotionFailure as failure:
            if failure.name != "blocked":
                raise

    def _until_still(self, act: PhysicalAct, item: str) -> Steps:
        """Wait until what is falling lies where it can be sensed."""
        body = act.kitchen.bodies[item].links["body"]
        end = act.now() + _FALLING
        while act.now() < end and float(np.linalg.norm(body.linear_velocity)) > _STILL:
            yield

    def step(self) -> bool:
        """Advance by one control step; whether it has ended."""
        assert self._order is not None
        assert self._kitchen is not None
        assert self._steps is not None
        order = self._order
        if self._outcome is not None:
            return True
        for log in self._logs:
            log.look()
        if self._times is not None:
            self._times.count()
        if self._fails_at is not None and self._kitchen.now >= self._fails_at:
            self._steps.close()
            return self._end(Outcome(False, Reported(_fault(order)), type(self).__module__))
        try:
            next(self._steps)
        except StopIteration:
            if order.fault is not None:
                return self._end(Outcome(False, Reported(_fault(order)), type(self).__module__))
            return self._end(Outcome(True, effects=order.after, unless=self.unless))
        except MotionFailure as error:
            return self._end(Outcome(False, Reported(str(error)), type(self).__module__))
        except Exception as error:  # a planner may raise anything: the skill has failed
            return self._end(Outcome(False, Raised.of(error), type(self).__module__))
        return False

    def cancel(self) -> Outcome:
        """Come to rest in place, holding what is held."""
        if self._outcome is None:
            self._outcome = Outcome(False, Reported("cancelled"), type(self).__module__)
            if self._steps is not None:  # it was started
                assert self._order is not None
                assert self._kitchen is not None
                self._steps.close()
                if self._times is not None:
                    self._times.note(at_once=True)
                self._kitchen.leave(self._order)
        return self._outcome

    def _end(self, outcome: Outcome) -> bool:
        assert self._order is not None
        self._outcome = outcome
        if self._times is not None:
            self._times.note()
        self._host.finish(self._order.id, outcome)
        return True


def _places(act: PhysicalAct) -> dict[str, Array]:
    """Where the people are (7, 3; m) whom robots see."""
    outlooks = {name: it.outlook for name, it in act.kitchen.people.items()}
    return {name: it.joints[0] for name, it in outlooks.items() if len(it.joints)}


def _has_anybody_moved(before: dict[str, Array], now: dict[str, Array]) -> bool:
    """Whether somebody is elsewhere than before; or nobody is seen: who is in the way may move."""
    if before.keys() != now.keys() or not now:
        return True
    return any(float(np.abs(now[name] - it).max()) > _MOVED for name, it in before.items())


def _fault(order: WorkOrder) -> str:
    return order.fault.reason if order.fault is not None else ""
