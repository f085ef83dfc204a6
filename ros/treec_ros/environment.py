"""The environment `ros`: a node whose time is real, or that of `/clock`, and what it senses.

It is at rest for an agent when all goals that it was sent are known to have ended. What was sent is
kept in the run's folder before it is sent, so that a resumed run asks what became of it.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec import Effect, EnvironmentSetup, Sensor
from treec_ros.files import RosFact
from treec_ros.goals import Goals, RosGoal
from treec_ros.messages import MessageView, find_type
from treec_ros.node import RosNode, policy_of, profile

if TYPE_CHECKING:
    from treec.nodes.environment import EnvironmentHost

GOALS = "ros_goals.jsonl"
"""The file in the run's folder of what was sent, and what of it has ended."""

TAKE_UP = 10.0
"""Seconds that a resumed run waits at most for what its robots say that they do."""

SLICE = 0.02
"""Seconds between two looks at the time of `/clock`."""


class RosEnvironment:
    """Robots that are reached through ROS 2."""

    closes_within = 6.0
    waits_for_end = 3.0
    """Seconds in which robots must have ended what they were told to stop at the end of a run."""
    patience = 3600.0
    """A simulation behind `/clock` may be paused."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        self.setup = setup
        self.host: EnvironmentHost | None = setup.host
        self.ros = RosNode("treec_skills")
        self._file = None if setup.folder is None else setup.folder / GOALS
        self._reported = threading.Condition()
        self._reports = 0
        self.orders: set[str] = set()
        self._ended: tuple[Effect, ...] = ()
        self.goals = self.ros.ask(lambda: Goals(self.ros, self.find_type, self._record))
        self._topics: dict[tuple[str, str], _Topic] = {}
        self._sim = self.ros.uses_sim_time
        if self._file is not None and self._file.is_file():  # of an earlier process of the run
            self._take_up(self._file)
        self._sensors = [(s, s.binding) for s in setup.sensors if isinstance(s.binding, RosFact)]
        self._subscribe()
        self._begin, self._begin_run = self._now(), setup.time

    find_type = staticmethod(find_type)

    # Time

    def _now(self) -> float:
        return self.ros.now() if self._sim else time.monotonic()

    @property
    def busy(self) -> bool:
        """Whether anything can happen: an order, a robot not known to be at rest, a message."""
        return bool(self.orders or self.goals.open or self._topics)

    def step(self, until: float) -> float:
        """Let time pass to ``until``, or to the first report."""
        with self._reported:
            reports = self._reports
            while True:
                now = self._begin_run + self._now() - self._begin
                if now >= until:
                    return until
                if self._reports != reports:
                    return min(max(now, 0.0), until)
                self._reported.wait(SLICE if self._sim else until - now)

    def report(self, callback: Callable[[], None]) -> None:
        """Do something on the loop's thread, from any thread."""
        if self.host is None:
            return
        self.host.call_soon(callback)
        with self._reported:
            self._reports += 1
            self._reported.notify_all()

    def note(self, by: str, words: str, record: Mapping[str, object]) -> None:
        """Put something into the journal, from any thread."""
        host = self.host
        if host is not None:
            self.report(lambda: host.note(by, words, record))

    # Facts

    def _subscribe(self) -> None:
        for sensor, binding in self._sensors:
            for args in sensor.args:
                name = self._render(binding.topic, dict(zip(sensor.names, args, strict=True)))
                key = (name, binding.type)
                if key not in self._topics:
                    topic = _Topic(self, name, binding)
                    self.ros.ask(topic.open)
                    self._topics[key] = topic
                self._topics[key].facts.append((sensor, args))

    def _render(self, text: str, values: Mapping[str, object]) -> str:
        return text if self.host is None else self.host.render(text, values)

    def sense(self) -> tuple[Effect, ...]:
        """What the last messages say; nothing of topics on which none has come."""
        found = list(self._ended)
        for topic in self._topics.values():
            for sensor, args in topic.facts:
                effect = self._sense(topic, sensor, args)
                if effect is not None:
                    found.append(effect)
        return tuple(found)

    def _sense(self, topic: _Topic, sensor: Sensor, args: tuple[str, ...]) -> Effect | None:
        binding = sensor.binding
        assert isinstance(binding, RosFact)
        if topic.message is None or self.host is None:
            return None
        if topic.is_stale:
            return Effect(sensor.fact, args, None, "unknown")
        values = {**dict(zip(sensor.names, args, strict=True)), "message": topic.message}
        try:
            value = self.host.evaluate(binding.value, values)
        except ValueError as error:
            topic.complain(f"{sensor.fact}: {error}")
            return Effect(sensor.fact, args, None, "unknown")
        name = getattr(value, "__treec_name__", value)
        return Effect(sensor.fact, args, name, "unknown" if name is None else "sensed")

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """What happened elsewhere: a robot learns of it by its own sensors."""
        told = {(effect.fact, effect.args) for effect in effects}
        self._ended = tuple(e for e in self._ended if (e.fact, e.args) not in told)

    def is_at_rest(self, agent: str) -> bool:
        """Whether all goals of an agent are known to have ended."""
        return all(goal.agent != agent for goal in self.goals.open)

    # What was sent

    def _record(self, line: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        goal = line.get("goal")
        if isinstance(goal, RosGoal):
            after = getattr(goal.listener, "after", ())
            line = {
                "sent": goal.id.hex(),
                "order": goal.order,
                "agent": goal.agent,
                "action": goal.action,
                "type": goal.type,
                "after": [[e.fact, list(e.args), e.value] for e in after],
            }
        with open(self._file, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _take_up(self, file: Path) -> None:
        """Ask what became of the goals of an earlier process, and stop those in progress."""
        sent: dict[str, dict[str, Any]] = {}
        for text in file.read_text("utf-8").splitlines():
            try:
                line = json.loads(text)
            except ValueError:  # the last one, cut off: what it says was not sent
                continue
            if "sent" in line:
                sent[line["sent"]] = line
            else:
                sent.pop(line.get("ended"), None)
        former = [_Former(self, line) for line in sent.values()]
        for one in former:
            goal = RosGoal(
                one.line["order"],
                one.line["agent"],
                one.line["action"],
                one.line["type"],
                None,
                one,
                accept=TAKE_UP,
                timeout=None,
                id=bytes.fromhex(one.line["sent"]),
            )
            self.ros.ask(lambda goal=goal: self.goals.take_up(goal))  # type: ignore[misc]
        until = time.monotonic() + TAKE_UP
        for one in former:
            one.is_settled.wait(max(0.0, until - time.monotonic()))
        self._ended = tuple(effect for one in former for effect in one.effects)

    def close(self) -> None:
        """Cancel what is in progress, wait until that is confirmed, and end the node."""
        if not self.ros.context.ok():
            return
        try:
            for goal in self.goals.open:
                self.ros.call(lambda goal=goal: self.goals.stop(goal))  # type: ignore[misc]
            until = time.monotonic() + self.waits_for_end
            while self.goals.open and time.monotonic() < until:
                time.sleep(0.005)
            left = [f"{goal.agent}: {goal.action} ({goal.state})" for goal in self.goals.open]
        finally:
            self.ros.close()
        if left:
            raise RuntimeError(f"not known to have stopped: {', '.join(left)}")


class _Former:
    """A goal that an earlier process of the run has sent."""

    def __init__(self, environment: RosEnvironment, line: dict[str, Any]) -> None:
        self._environment = environment
        self.line = line
        self.is_settled = threading.Event()
        self.effects: tuple[Effect, ...] = ()

    def on_event(self, goal: RosGoal, what: str, words: str = "", **record: object) -> None:
        if what == "ended":
            how = record.get("status")
            if how == "succeeded":
                self.effects = tuple(
                    Effect(fact, tuple(args), value, "unknown" if value is None else "sensed")
                    for fact, args, value in self.line["after"]
                )
            words = f"{goal.agent}: what {goal.action} was doing before has ended: {how}"
            self.is_settled.set()
        elif what == "cancel sent":
            words = f"{goal.agent}: asked {goal.action} what it is doing, and to stop"
        record = {"ros": what, "goal": goal.short, "action": goal.action, **record}
        self._environment.note(goal.order, words, record)

    def on_feedback(self, goal: RosGoal, message: Any) -> None: ...

    def on_end(self, goal: RosGoal, status: str, result: Any) -> None: ...


class _Topic:
    """A subscription and its last message; looked at `every` so often."""

    def __init__(self, environment: RosEnvironment, name: str, binding: RosFact) -> None:
        self._environment = environment
        self.name = name
        self._binding = binding
        self.message: MessageView | None = None
        self.facts: list[tuple[Sensor, tuple[str, ...]]] = []
        self._came = 0.0
        self._looked = 0.0
        self._is_new = False
        self._was_stale = False
        self._complaint = ""

    @property
    def is_stale(self) -> bool:
        """Whether no message has come for longer than its `age`."""
        age = self._binding.age
        return age is not None and time.monotonic() >= self._came + age

    def open(self) -> None:
        """Subscribe; in the executor's thread."""
        from rclpy.clock import Clock, ClockType
        from rclpy.event_handler import SubscriptionEventCallbacks

        node = self._environment.ros.node
        node.create_subscription(
            find_type(self._binding.type),
            self.name,
            self._take,
            profile(self._binding.qos),
            event_callbacks=SubscriptionEventCallbacks(incompatible_qos=self._on_misfit),
        )
        every = self._binding.every
        if every or self._binding.age:
            period = min(filter(None, (every, self._binding.age, 1.0)))
            node.create_timer(period, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def complain(self, words: str) -> None:
        """Put a problem into the journal, once."""
        if words != self._complaint:
            self._complaint = words
            self._environment.note(self.name, words, {"ros": "problem", "topic": self.name})

    def _on_misfit(self, event: Any) -> None:
        policy = policy_of(event)
        self.complain(
            f"{self.name}: a publisher's quality of service does not fit (policy {policy}); "
            "nothing of it arrives: see `qos`"
        )

    def _take(self, message: Any) -> None:
        self.message, self._came, self._is_new = MessageView(message), time.monotonic(), True
        if not self._binding.every or time.monotonic() >= self._looked + self._binding.every:
            self._tell()

    def _look(self) -> None:
        is_stale = self.message is not None and self.is_stale
        if self._is_new or is_stale != self._was_stale:
            self._was_stale = is_stale
            self._tell()

    def _tell(self) -> None:
        self._looked, self._is_new, self._was_stale = time.monotonic(), False, self.is_stale
        host = self._environment.host
        if host is not None:
            self._environment.report(host.sense)


def open_ros(setup: EnvironmentSetup) -> RosEnvironment:
    """Open the environment of a run."""
    return RosEnvironment(setup)
