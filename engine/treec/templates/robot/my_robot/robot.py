"""The robot behind its HTTP interface, and the worker that drives it.

`GET /state` says `{"place": "dock", "moving": false, "estop": false, "goal": {"id", "status"}}`;
`POST /goal` and `POST /cancel` command it. Write yours in the place of `ask`.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any, cast
from urllib.request import Request, urlopen
from uuid import uuid4

from treec import Effect, EnvironmentSetup, Host, Outcome, Reported, WorkOrder

TIMEOUT = 1.0
"""Seconds in which the robot answers."""

EVERY = 0.1
"""Seconds between two looks at its state."""


class HttpRobot:
    """Follows the state of the robot in a thread; the rest happens on the run's loop."""

    in_real_time = True
    """It waits for nobody: no run of it is on virtual time."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        self._url = os.environ.get("ROBOT_URL", "http://127.0.0.1:8642")
        self._host = setup.host
        self._orders: dict[str, tuple[str, Host]] = {}
        """By the id of the goal, which is unique among all runs: the id of the order."""
        self._prefix = uuid4().hex[:8]
        self._state = self.ask("state")
        self._lost: Exception | None = None
        self._closed = threading.Event()
        threading.Thread(target=self._follow, name="robot state", daemon=True).start()

    @property
    def busy(self) -> bool:
        """Whether an order is in progress."""
        return bool(self._orders)

    def step(self, until: float) -> float:
        """Time passes by itself; a robot that does not answer any more is lost."""
        if self._lost is not None:
            raise self._lost
        return until

    def sense(self) -> tuple[Effect, ...]:
        """What the robot says of itself."""
        return (
            Effect("near", ("R1",), self._state["place"], "sensed"),
            Effect("estop", ("R1",), self._state["estop"], "sensed"),
        )

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """What others do is nothing to it."""

    def is_at_rest(self, agent: str) -> bool:
        """Whether its wheels stand still."""
        return not self._state["moving"]

    def doing(self, agent: str) -> str:
        """Its goal, whoever gave it."""
        goal = self._state["goal"]
        return f"{goal['id']}: {goal['place']}" if goal["status"] == "running" else ""

    def close(self) -> None:
        """Look no more."""
        self._closed.set()

    def send(self, order: WorkOrder, host: Host) -> str:
        """Give it a goal, and return its id; the same one twice is one goal."""
        goal = f"{self._prefix}-{order.id}"
        self._orders[goal] = order.id, host
        self._tell(self.ask("goal", {"id": goal, "place": order.args["place"]}))
        return goal

    def cancel(self, goal: str) -> None:
        """Let it stop; it has stopped when this returns."""
        self._orders.pop(goal, None)
        self._state = self.ask("cancel", {"id": goal})

    def ask(self, what: str, data: dict[str, Any] | None = None) -> dict[str, Any]:
        """One request; the answer is the robot's state."""
        body = None if data is None else json.dumps(data).encode()
        with urlopen(Request(f"{self._url}/{what}", body), timeout=TIMEOUT) as answer:
            return cast("dict[str, Any]", json.load(answer))

    def _follow(self) -> None:
        while not self._closed.wait(EVERY):
            try:
                state = self.ask("state")
            except OSError as error:
                self._lost = error
                state = self._state
            if state != self._state or self._lost is not None:
                self._tell(state)
            if self._lost is not None:
                return

    def _tell(self, state: dict[str, Any]) -> None:
        """Let the loop take a new state, before anything else; from any thread."""
        assert self._host is not None
        self._host.call_soon(lambda: self._take(state))

    def _take(self, state: dict[str, Any]) -> None:
        """Take a new state; on the loop's thread."""
        if self._lost is not None:
            raise self._lost
        assert self._host is not None
        self._state = state
        self._host.sense()
        goal = state["goal"]
        if goal["status"] != "running" and goal["id"] in self._orders:
            order, host = self._orders.pop(goal["id"])
            is_done = goal["status"] == "done"
            why = None if is_done else Reported(goal["status"])
            host.finish(order, Outcome(is_done, why, __name__))


class SendGoal:
    """Drives the robot to a place."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Send the goal."""
        self._robot = cast("HttpRobot", host.environment)
        self._goal = self._robot.send(order, host)

    def cancel(self) -> Outcome:
        """Stop the robot; what raises here did not confirm that it has stopped."""
        self._robot.cancel(self._goal)
        return Outcome(False, Reported("cancelled"), __name__)


def near(agent: str) -> str | None:
    """Sensed by the robot as a whole."""
    raise NotImplementedError


def estop(agent: str) -> bool:
    """Sensed by the robot as a whole."""
    raise NotImplementedError
