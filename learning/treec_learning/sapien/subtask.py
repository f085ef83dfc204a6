"""A sub-task in a scene of SAPIEN as a gymnasium environment, `treec/Subtask-v0`.

Made by a scene, agents and a reward file: DAG-Plan's sub-tasks (appendix A) are those of its
kitchens with the rewards of Table 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from treec import EnvironmentSetup
from treec.files.library import Library, load_library
from treec.files.packs import find_pack
from treec.nodes.environment import Jitter
from treec_learning.actions import continuous_action, no_pictures
from treec_learning.files import RewardFile
from treec_learning.names import HAND
from treec_learning.primitives import RewardState
from treec_learning.reward import SIDES, Reward
from treec_learning.sapien.state import KitchenState
from treec_learning.shipped import reward_file
from treec_sapien.environment import SapienKitchen
from treec_sapien.sense.contacts import GROUND

Numbers = npt.NDArray[np.float32]

TICKS = 6
"""Control steps (1/60 s) of a step."""
TURN = 0.06
"""Largest change of a joint in a step (rad)."""
MOST = 150
"""Steps of an episode."""

_WIDEST = 20.0
_ONE_HAND, _THING = 5, 6  # numbers of an observation beside an arm's joints, and for each thing


class SubtaskEnvironment(gymnasium.Env[Numbers, Numbers]):
    """One or two arms of a robot do a sub-task; what it is says the reward file.

    Actions, for each hand of the reward (right, then left): the change of each of the arm's joints
    as a share of 0.06 rad, and of the gripper (above 0: close). A step takes 0.1 s. Observations,
    for each hand: its joints (rad), the gripper's width, the tool's place (m) and whether the
    gripper is closing; then for each argument of the reward and each hand: the way from the tool
    (3, m), the position of the thing's joint as a share (0 without one), whether it is held, and
    its height (m).

    Args:
        scene: name of a scene, such as kitchen_1.
        reward: name of one of treec's reward files, or a `RewardFile`.
        things: a thing of the scene for each argument of the reward.
        hand: the agent that does what the file gives the right hand to; another one does the left.
        jitter: whether things stand a little elsewhere in each episode.
        opened: doors that are open at the beginning, by the share of their travel.
        library: a library with the scene (default: treec's own).
    """

    metadata = {"render_modes": []}  # noqa: RUF012  # as gymnasium declares it

    def __init__(
        self,
        scene: str = "kitchen_1",
        reward: str | RewardFile = "grasp",
        things: Mapping[str, str] | None = None,
        hand: str = "right",
        jitter: bool = True,
        opened: Mapping[str, float] | None = None,
        library: Library | None = None,
        render_mode: str | None = None,
    ) -> None:
        no_pictures(render_mode)
        self._file = reward_file(reward)
        self._opened = dict(opened or {})
        self._things = dict(things if things is not None else {"target": "apple"})
        self._setup = _setup(
            library or load_library(find_pack("treec-kitchen").root), scene, jitter
        )
        agents = [name for name in self._setup.agents if name != hand]
        if hand not in self._setup.agents:
            raise ValueError(f"no agent '{hand}' has a body there: {', '.join(agents)}")
        self._sides = tuple(side for side in SIDES if getattr(self._file, side))
        self._agents = {"right": hand, "left": agents[0]} if agents else {"right": hand}
        self.kitchen = self._open(0)
        self._count = {side: len(self._joints(side)) for side in self._sides}
        actions = sum(self._count.values()) + len(self._sides)
        size = sum(self._count.values()) + len(self._sides) * (
            _ONE_HAND + _THING * len(self._file.args)
        )
        self.action_space = spaces.Box(-1.0, 1.0, (actions,), np.float32)
        self.observation_space = spaces.Box(-_WIDEST, _WIDEST, (size,), np.float32)
        self._reward = Reward(self._file, self._things, tuple(self._agents))
        self._begin()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin an episode; the same seed begins the same one."""
        super().reset(seed=seed)
        self.close()
        self.kitchen = self._open(int(self.np_random.integers(2**31 - 1)))
        self._begin()
        return self._seen(), {}

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Move all joints; ``info`` has success and what was touched that the reward is not of."""
        action = continuous_action(action, sum(self._count.values()) + len(self._count))
        self._steps += 1
        at = 0
        moves = []
        for side in self._sides:
            count = self._count[side]
            share = np.clip(action[at : at + count], -1.0, 1.0)
            moves.append(self._aim(side, share, float(action[at + count])))
            at += count + 1
        touched: set[str] = set()
        for tick in range(1, TICKS + 1):
            for (before, to, names), side in zip(moves, self._sides, strict=True):
                robot = self.kitchen.hands[self._agents[side]].robot
                robot.drive_to(names, before + (to - before) * tick / TICKS)
            self.kitchen.physics()
            self.kitchen.ticks += 1
            for machine in self.kitchen.machines.values():
                machine.look(self.kitchen)
            touched |= self._touched()
        for state in self._states.values():
            state.has_touched = bool(touched)
        result = self._reward(self._reward_states(), self._steps)
        done = bool(np.asarray(result.success).ravel()[0])
        info = {"is_success": done, "touched": sorted(touched)}
        value = float(np.asarray(result.value).ravel()[0])
        return self._seen(), value, done, self._steps >= MOST and not done, info

    def judge(self) -> bool:
        """Return whether the reward's conditions hold now, however that came about."""
        return bool(np.asarray(self._reward(self._reward_states(), 0).success).ravel()[0])

    def close(self) -> None:
        """Release the scene."""
        self.kitchen.close()

    def _begin(self) -> None:
        self._steps = 0
        self._states = {
            side: KitchenState(self.kitchen, agent, self._agents.get(_other(side)))
            for side, agent in self._agents.items()
        }
        self._grip = dict.fromkeys(self._sides, False)
        self._reward.begin(self._reward_states())

    def _reward_states(self) -> dict[str, RewardState]:
        return dict(self._states)

    def _open(self, seed: int) -> SapienKitchen:
        kitchen = SapienKitchen(replace(self._setup, seed=seed))
        for door, share in self._opened.items():
            where = kitchen.joint_of(door)
            if where is None:
                raise ValueError(f"'{door}' is not a door of the scene {self._setup.scene}")
            built, joint = where
            low, high = built.body.joint(joint).limits
            q = built.articulation.qpos
            q[list(built.joints).index(joint)] = low + share * (high - low)
            built.articulation.set_qpos(q)
        return kitchen

    def _joints(self, side: str) -> tuple[str, ...]:
        return self.kitchen.hands[self._agents[side]].arm.joints

    def _aim(self, side: str, share: Numbers, grip: float) -> tuple[Any, Any, list[str]]:
        """Return the arm's and fingers' targets before and after a step, and their names."""
        hand = self.kitchen.hands[self._agents[side]]
        robot, gripper = hand.robot, hand.arm.gripper
        names = list(hand.arm.joints)
        targets = robot.targets()[robot.indices(names)]
        limits = np.array([robot.joint(name).limits[0] for name in names])
        to = np.clip(targets + TURN * share, limits[:, 0], limits[:, 1])
        self._states[side].was_refused = bool(np.any(np.abs(to - targets - TURN * share) > 1e-6))
        self._grip[side] = grip > 0.0
        open_ = np.asarray(gripper.targets(gripper.opening[1]), dtype=float)
        fingers = list(gripper.joints)
        shut = np.asarray(gripper.shut, dtype=float) - 0.03 * np.asarray(gripper.travel)
        now = robot.targets()[robot.indices(fingers)]
        aim = shut if grip > 0.0 else open_
        before = np.concatenate([targets, now])
        return before, np.concatenate([to, aim]), [*names, *fingers]

    def _touched(self) -> set[str]:
        """Return what the arms touch that the reward is not of."""
        about = {self.kitchen.owner(thing) for thing in self._things.values()}
        robots = set(self.kitchen.robots)
        names: set[str] = set()
        for one, other, _ in self.kitchen.contacts.pairs:
            for own, it in ((one, other), (other, one)):
                if own[0] in robots and it[0] not in robots | about and it != GROUND:
                    names.add(it[0])
        return names

    def _seen(self) -> Numbers:
        parts: list[Any] = []
        for side in self._sides:
            hand = self.kitchen.hands[self._agents[side]]
            gripper = hand.arm.gripper
            q = hand.robot.qpos
            first, second = q[hand.robot.indices(gripper.joints)]
            parts.append(q[hand.robot.indices(hand.arm.joints)])
            parts.append([gripper.width(float(first), float(second))])
            parts.append(self._states[side].point(HAND))
            parts.append([float(self._grip[side])])
        for name in self._file.args:
            thing = self._things[name]
            for side in self._sides:
                state = self._states[side]
                there = state.point(thing)
                parts.append(there - state.point(HAND))
                parts.append([_share(state, thing), float(state.grasped(thing)[0]), there[2]])
        seen = np.concatenate(parts).astype(np.float32)
        return np.asarray(np.clip(seen, -_WIDEST, _WIDEST))


def _share(state: KitchenState, thing: str) -> float:
    try:
        at, low, high = (float(x[0]) for x in state.joint(thing))
    except ValueError:
        return 0.0
    return (at - low) / max(high - low, 1e-9)


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _setup(library: Library, scene: str, jitter: bool) -> EnvironmentSetup:
    """The setup of a scene with the agents in its folder that have a robot."""
    scene_entry = library.find("scene", scene)
    if scene_entry is None:
        names = ", ".join(entry.name for entry in library.of_kind("scene"))
        raise ValueError(f"unknown scene '{scene}': {names}")
    model = scene_entry.model
    plain = model.model_dump(exclude_defaults=True, by_alias=True)
    agents: dict[str, Any] = {}
    for entry in library.of_kind("agent"):
        spec = entry.model.model_dump(exclude_defaults=True, by_alias=True)
        body = spec.get("body") or {}
        if entry.folder == scene_entry.folder and ("robot" in body or "of" in body):
            agents[entry.name] = spec
    how = model.jitter
    varied = Jitter(how.metres, how.degrees) if jitter and how is not None else None
    return EnvironmentSetup("sapien", scene, plain["objects"], agents, jitter=varied)
