"""A kitchen with physics: a scene's bodies and robots in SAPIEN, and the skills at work in it.

Physics runs at 240 Hz, control at 60 Hz. In each control step the workers advance by one step, in
the order in which they began; then physics steps four times, then the appliances check what was
switched. While no worker is active and nothing moves, time passes without any of this.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treec import Effect, EnvironmentSetup, WorkOrder
from treec_sapien import state
from treec_sapien.agent_arms import AgentArm
from treec_sapien.arrange import apply_effects, arrange
from treec_sapien.bodies.pose import Pose
from treec_sapien.falls import FallMonitor
from treec_sapien.feasibility import infeasibility
from treec_sapien.machines import machines_of
from treec_sapien.motion.upright import Upright
from treec_sapien.person.contacts import ContactCounter
from treec_sapien.person.guard import SeparationGuard
from treec_sapien.pose_recovery import Losses
from treec_sapien.sense.contacts import Contacts, contacts_now
from treec_sapien.sense.doors import opening
from treec_sapien.sense.felt import felt, seen_fact
from treec_sapien.sense.hands import in_hand
from treec_sapien.sense.location import base
from treec_sapien.sense.posture import spilling_vessels
from treec_sapien.sense.unsensed import UNSENSED
from treec_sapien.things import PHYSICS, Things
from treec_sapien.view.film_recording import film_crew

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Arm
    from treec_sapien.motion.frames import Array
    from treec_sapien.motion.motion import Motion
    from treec_sapien.robots.robot import Robot
    from treec_sapien.worker import Physical

CONTROL = 60
"""Control steps per second."""

WATCH = 6
"""Control steps between two checks for things that fell over."""

BRAKING = 6
"""Control steps in which a stopped arm's targets follow it, so that it does not swing back."""

SETTLING = 0.5
"""Seconds of physics before the run begins, so that things come to rest."""

RESTLESS = 0.002
"""Speed (m/s or rad/s) below which a robot's joints count as at rest."""

NEAR = 1.2
"""Distance (m) of another robot's hand from a robot's foot within which it may be in the way."""

AT_REST_SPEED = 0.02
"""Speed (m/s or rad/s) below which an arm that was stopped counts as at rest."""


class SapienKitchen(Things):
    """The environment; made by `open_environment`.

    It begins as the setup says, or from a ``saved`` state of the same kitchen.
    """

    patience = 600.0
    """Real seconds that a step may take: a motion may be planned in it."""

    def __init__(self, setup: EnvironmentSetup, saved: state.SavedState | None = None) -> None:
        super().__init__(setup)
        self.layout_hash = state.layout_hash(self)
        self.machines = machines_of(self)
        self.last_hand: dict[str, str] = {}
        """Item → the agent whose order was last about it."""
        self.bound: dict[str, str] = {}
        """Agent → the place that its last order named."""
        self.stood: dict[str, tuple[str, Pose]] = {}
        """Item → the agent that has taken it, and its pose before."""
        self.laid: dict[str, str] = {}
        """Item → the thing that it was to be stacked on."""
        self.looked_from: dict[tuple[str, str], list[tuple[float, Array]]] = {}
        """Agent and item → when (s) and from where (x, y, yaw) it was looked for, oldest first."""
        self.pouring: set[str] = set()
        """Vessels that an agent tips on purpose."""
        self.spilled: set[str] = set()
        """Vessels that tipped over unintentionally."""
        self.ticks = 0
        self._motions: dict[str, Motion] = {}
        self._workers: dict[str, Physical] = {}
        self._braking: dict[str, int] = {}
        self.guards: dict[str, SeparationGuard] = {}
        """What keeps robots away from people, by robot."""
        self.touches = ContactCounter(self)
        """What touches people."""
        self._reported = False
        self._sensors = [(sensor, _load(sensor.target)) for sensor in setup.sensors]
        self._seen = seen_fact(setup)
        self.promised: set[str] = set()
        """What the orders that ended well in this control step were about."""
        self._contacts: Contacts | None = None
        if saved is not None:
            state.restore(self, saved)
        else:
            arrange(self)
            self._settle()
        self.falls = FallMonitor(self)
        self.losses = Losses(
            built.links["body"]
            for built in self.bodies.values()
            if built.articulation is None and not built.body.fixed
        )
        self._film = film_crew(self)

    # Interface of the engine

    @property
    def busy(self) -> bool:
        """Whether a skill is running."""
        return bool(self._workers)

    def step(self, until: float) -> float:
        """Simulate to ``until`` or to the first control step in which a skill ends."""
        last = math.floor(until * CONTROL + 1e-6)
        while self.ticks < last:
            if self.at_rest():
                self.ticks = last
                break
            if self._tick():
                return self.now
        return until

    def sense(self) -> tuple[Effect, ...]:
        """Return every fact that has a sensor here."""
        effects = []
        for sensor, sense in self._sensors:
            for args in sensor.args:
                value = sense(self, sensor, *args)
                if sensor.fact == self._seen:
                    value = felt(self, sensor, *args, true=value)
                if value is not UNSENSED:
                    unknown = value is None
                    source = "unknown" if unknown else "sensed"
                    effects.append(Effect(sensor.fact, args, value, source))  # type: ignore[arg-type]
        return tuple(effects)

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Place things, doors and switches as somebody outside the simulation changed them."""
        apply_effects(self, effects)
        if self.setup.folder is not None:
            state.save_to(self, self.setup.folder)

    def impossible(self, effects: tuple[Effect, ...]) -> str:
        """Return why these effects cannot come about at present; empty if they may."""
        return infeasibility(self, effects)

    def measure(self, thing: str) -> dict[str, float]:
        """Return how far a door is open, as a fraction of its travel; nothing for other things."""
        far = opening(self, thing)
        return {} if far is None else {"open": far}

    def close(self) -> None:
        """Release the scene."""
        if self._film is not None:
            self._film.close()
        self._workers.clear()
        self._motions.clear()

    # Interface of the workers

    @property
    def now(self) -> float:
        """Seconds since the run began."""
        return self.ticks / CONTROL

    @property
    def contacts(self) -> Contacts:
        """The current contacts."""
        if self._contacts is None or self._contacts.tick != self.ticks:
            self._contacts = contacts_now(self)
        return self._contacts

    @contacts.setter
    def contacts(self, known: Contacts) -> None:
        self._contacts = known

    def forget_contacts(self) -> None:
        """Discard cached contacts after physics was changed by hand."""
        self._contacts = None

    def motion(self, robot: str) -> Motion:
        """Return a robot's motion planner; its planning world is built on first use."""
        if robot not in self._motions:
            from treec_sapien.motion.motion import Motion

            self._motions[robot] = Motion(self.scene, self.robots[robot], lambda: self.now)
            if self.people:
                guard = SeparationGuard(
                    self.people, self._motions[robot], self._held_by, lambda: self.now
                )
                self._motions[robot].guard = guard
                self.guards[robot] = guard
            self._attach_held_objects(self._motions[robot])
        return self._motions[robot]

    def may_be_obstructed(self, robot: Robot) -> bool:
        """Whether a person, or another robot, at work or with a hand near, may be in its way."""
        foot = np.array(base(robot))
        if self.people:
            return True
        others = [hand for hand in self.hands.values() if hand.robot is not robot]
        names = {hand.agent for hand in others}
        if any(names & set(worker.agents) for worker in self._workers.values()):
            return True
        tips = (hand.robot.link(hand.arm.tcp).entity_pose.p for hand in others)
        return any(float(np.hypot(*(tip[:2] - foot))) < NEAR for tip in tips)

    def arm(self, agent: str) -> Any:
        """Return the agent's arm, which plans and moves."""
        hand = self.hands[agent]
        return self.motion(hand.robot.name).arms[hand.side]

    def held_things(self) -> dict[str, tuple[str, str]]:
        """Return the bodies that planners know to be in a hand, each with its robot and link."""
        return {
            built.name: (name, arm.about.tcp)
            for name, motion in self._motions.items()
            for arm in motion.arms.values()
            if (built := self._held_by(arm)) is not None
        }

    def detach(self, item: str) -> None:
        """Let no planner believe any more that a hand holds an item: it was put elsewhere."""
        for motion in self._motions.values():
            for arm in motion.arms.values():
                if arm.holding is not None and arm.holding == self.bodies[item].entity:
                    arm.detach()

    def is_given_to(self, robot: str, person: str) -> bool:
        """Whether a robot is handing something to a person."""
        guard = self.guards.get(robot)
        return guard is not None and guard.giving_to == person

    def _held_by(self, arm: Arm) -> BuiltBody | None:
        """The body that an arm's planner knows to be in its hand."""
        if arm.holding is None:
            return None
        return next((it for it in self.bodies.values() if it.entity is arm.holding), None)

    def _attach_held_objects(self, motion: Motion) -> None:
        """Attach in the planner what hands hold at the start of a resumed run."""
        for hand in self.hands.values():
            item = in_hand(self, hand) if hand.robot is motion.robot else None
            if item is not None:
                arm, built = motion.arms[hand.side], self.bodies[item]
                up = arm.tcp[:3, :3].T @ np.array([0.0, 0.0, 1.0])
                arm.attach(built.entity, upright=Upright(up) if item in self.vessels else None)

    def begin(self, worker: Physical, order: WorkOrder) -> None:
        """Step a worker from now on."""
        self._workers[order.id] = worker
        self._find_who_is_needed()
        if self._film is not None:
            self._film.look(self.now, event=True)
        for person in self.people.values():
            person.skill_begins(order.skill, self.now)
        for agent in agents_of(order):
            self._braking.pop(agent, None)
        for value in map(str, order.args.values()):
            if self.is_free(value):
                self.last_hand[value] = order.agent
            elif value in self.bodies:
                self.bound[order.agent] = value
        for effect in order.after:
            if effect.fact == "stacked" and isinstance(effect.value, str):
                self.laid[effect.args[0]] = effect.value

    def _find_who_is_needed(self) -> None:
        """Note whose forecast the skills at work go by."""
        needed = {name for worker in self._workers.values() for name in worker.watches}
        for name, person in self.people.items():
            person.is_needed = name in needed

    def leave(self, order: WorkOrder) -> None:
        """Stop stepping a worker; its arms stay where they are with what they hold."""
        self._workers.pop(order.id, None)
        self._find_who_is_needed()
        for person in self.people.values():
            person.skill_ends(order.skill, ok=False)
        for agent in agents_of(order):
            self.rest(agent)

    def rest(self, agent: str) -> None:
        """Stop an agent's arm where it is. Its fingers keep closing."""
        if agent in self.hands:
            self._braking[agent] = BRAKING
            self._brake(agent)

    def _brake(self, agent: str) -> None:
        hand = self.hands[agent]
        hand.robot.hold(self._own_joints(hand))

    def _own_joints(self, hand: AgentArm) -> set[str]:
        """The joints of a hand's arm; those of the base, too, if no other arm of it works."""
        others = any(self._same_robot(worker, hand) for worker in self._workers.values())
        return {*hand.arm.joints, *(() if others else hand.robot.base_joints)}

    # Time

    def is_at_rest(self, agent: str) -> bool:
        """Whether an agent's arm, and the base unless another arm uses it, have come to rest."""
        hand = self.hands.get(agent)
        if hand is None:
            return True
        joints = hand.robot.indices(sorted(self._own_joints(hand)))
        speeds = abs(hand.robot.articulation.qvel[joints])
        return agent not in self._braking and bool(speeds.max() <= AT_REST_SPEED)

    def at_rest(self) -> bool:
        """Whether no skill is running, no appliance is on and nothing moves."""
        if (
            self._workers
            or any(person.is_moving(self.now) for person in self.people.values())
            or self._braking
            or any(machine.running for machine in self.machines.values())
        ):
            return False
        for built in self.bodies.values():
            if built.articulation is not None:
                if abs(built.articulation.qvel).max() > RESTLESS:
                    return False
            elif not built.body.fixed and not built.links["body"].is_sleeping:
                return False
        return all(abs(robot.articulation.qvel).max() <= RESTLESS for robot in self.robots.values())

    def _tick(self) -> bool:
        """Advance one control step; whether a skill ended in it."""
        self.promised = set()
        if self.people:
            self.touches.begin()
        ended = [id for id, worker in tuple(self._workers.items()) if worker.step()]
        for id in ended:
            worker = self._workers.pop(id)
            self._find_who_is_needed()
            for person in self.people.values():
                person.skill_ends(worker.skill, ok=worker.succeeded)
            if worker.succeeded:
                self.promised |= worker.things
            else:
                for agent in worker.agents:
                    self.rest(agent)
        for agent in tuple(self._braking):
            self._brake(agent)
            self._braking[agent] -= 1
            if self._braking[agent] <= 0:
                del self._braking[agent]
        self.physics()
        self.losses.look()
        self.ticks += 1
        for person in self.people.values():
            person.look(self.now)
        if self.people:
            self.touches.end()
        for guard in self.guards.values():
            guard.give_way()
        for machine in self.machines.values():
            machine.look(self)
        if self.ticks % WATCH == 0:
            self.spilled |= spilling_vessels(self)
            self.falls.look(agent for worker in self._workers.values() for agent in worker.agents)
        if ended and self.setup.folder is not None:
            state.save_to(self, self.setup.folder)
        if self._film is not None:
            self._film.look(self.now, event=bool(ended))
        reported, self._reported = self._reported, False
        return bool(ended) or reported

    def report(self) -> None:
        """Let `step` return after this control step: something was reported to the host."""
        self._reported = True

    def physics(self) -> None:
        """Advance physics alone by one control step."""
        for number in range(PHYSICS // CONTROL):
            for person in self.people.values():
                person.move(self.now + (number + 1) / PHYSICS)
            self.scene.step()

    def _settle(self) -> None:
        for _ in range(round(SETTLING * CONTROL)):
            self.physics()

    def _same_robot(self, worker: Physical, hand: AgentArm) -> bool:
        return any(
            agent in self.hands and self.hands[agent].robot is hand.robot for agent in worker.agents
        )


def open_environment(setup: EnvironmentSetup) -> SapienKitchen:
    """Open the environment; the factory named by the extension. Raises ValueError without bodies.

    A resumed run continues from the state that an earlier process saved in its folder.
    """
    saved = state.load_from(setup.folder) if setup.time > 0 and setup.folder is not None else None
    if saved is None:
        return SapienKitchen(setup)
    return SapienKitchen(setup, replace(saved, ticks=round(setup.time * CONTROL)))


def _load(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


def agents_of(order: WorkOrder) -> tuple[str, ...]:
    """Return the agents that carry out an order: its own, and any named in its arguments."""
    return tuple(dict.fromkeys((order.agent, *map(str, order.args.values()))))
