"""The environment `remote`: robots whose skills another process of treec carries out.

That process runs `treec ros robot`. Every skill is a goal of the action `/AGENT/skill`, and needs
no binding in its file. Facts that change there are facts here, and the other way round.
"""

from __future__ import annotations

import json
import time
from typing import Any

from treec import Effect, EnvironmentSetup, Host, Outcome, WorkOrder
from treec_ros.environment import RosEnvironment
from treec_ros.files import RosSkill
from treec_ros.goals import RosGoal
from treec_ros.link import SILENCE, Peer, TeamLink
from treec_ros.node import steady_timer
from treec_ros.workers import ActionWorker, failure

TYPE = "treec_msgs/action/Skill"
BINDING = RosSkill.model_validate({"action": "/{{ agent }}/skill", "type": TYPE, "accept": "30s"})
"""How long the process of a robot is waited for; longer than a short cut of the network."""


class RemoteEnvironment(RosEnvironment):
    """Robots in other processes."""

    node_name = "treec"

    def __init__(self, setup: EnvironmentSetup) -> None:
        self.find_type(TYPE)
        self._facts: dict[tuple[str, tuple[str, ...]], Effect] = {}
        self._has: dict[RosGoal, Peer] = {}
        """The process that has a goal's agent, from when the goal was first looked at."""
        super().__init__(setup)
        self.link: TeamLink = self.ros.ask(lambda: TeamLink(self.ros, on_facts=self._take))
        self.ros.ask(lambda: steady_timer(self.ros.node, SILENCE / 10, self._look))

    @property
    def busy(self) -> bool:
        """A process may tell of something at any time."""
        return True

    def _take(self, process: str, effects: tuple[Effect, ...]) -> None:
        self._facts = {**self._facts, **{(e.fact, e.args): e for e in effects}}
        host = self.host
        if host is not None:
            self.report(host.sense)

    def _look(self) -> None:
        """Take goals as lost whose process is cut off."""
        open_goals = self.goals.open
        self._has = {goal: peer for goal, peer in self._has.items() if goal in open_goals}
        for goal in open_goals:
            found = self.link.process_of(goal.agent)
            if goal.state != "accepted":
                self._has.pop(goal, None)
            elif found is not None:
                found = self._has.setdefault(goal, found)
            is_recent = time.monotonic() <= goal.since + SILENCE
            if found.is_silent() if found is not None else not is_recent:
                which = f"'{found.name}', which" if found is not None else "the process that"
                self.goals.lose(goal, f"nothing is heard of {which} has {goal.agent}")

    def sense(self) -> tuple[Effect, ...]:
        """What other processes have told."""
        return (*super().sense(), *self._facts.values())

    def as_told(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Effects with the values that other processes have told, where they have."""
        return tuple(self._facts.get((effect.fact, effect.args), effect) for effect in effects)

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Tell it to the others."""
        super().notify(effects)
        for effect in effects:
            self._facts.pop((effect.fact, effect.args), None)
        self.ros.call(lambda: self.link.set(effects))


class RemoteSkill(ActionWorker):
    """Any skill, as a goal for the process that has its agent."""

    def __init__(self) -> None:
        super().__init__(BINDING)

    def start(self, order: WorkOrder, host: Host) -> None:
        """Send it."""
        args = {name: getattr(value, "name", value) for name, value in order.args.items()}
        link = getattr(host.environment, "link", None)
        self.binding = BINDING.model_copy(
            update={
                "goal": {
                    "commander": getattr(link, "name", ""),
                    "process": getattr(link, "id", ""),
                    "skill": order.skill,
                    "args": json.dumps(args, default=str),
                }
            }
        )
        super().start(order, host)

    def on_end(self, goal: RosGoal, status: str, result: Any) -> None:
        """End the order as that process says."""
        environment = self.environment
        if result is None or not isinstance(environment, RemoteEnvironment):
            self.end(failure(status))
            return
        process = environment.link.process_of(goal.agent)
        if process is not None and result.facts:
            environment.link.take_facts(process, json.loads(result.facts))
        ok = result.ok and status == "succeeded"
        effects = environment.as_told(self.order.after)
        self.end(
            Outcome(True, effects=effects, module=__name__)
            if ok
            else failure(result.reason or status)
        )


def open_remote(setup: EnvironmentSetup) -> RemoteEnvironment:
    """Open the environment of a run."""
    return RemoteEnvironment(setup)
