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
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec import Effect, EnvironmentSetup, Sensor
from treec_ros.facts import FactSource, open_source, sensed
from treec_ros.files import RosFact
from treec_ros.frames import FrameTree
from treec_ros.goals import Goals, RosGoal
from treec_ros.messages import MessageView, find_type
from treec_ros.node import RosNode
from treec_ros.recorder import open_recorder
from treec_ros.run_time import RunTime

if TYPE_CHECKING:
    from treec.nodes.environment import EnvironmentHost

GOALS = "ros_goals.jsonl"
"""The file in the run's folder of what was sent, and what of it has ended."""

TAKE_UP = 10.0
"""Seconds that a resumed run waits at most for what its robots say that they do."""

SLICE = 0.02
"""Seconds between two looks at the time of `/clock`."""

PAUSED = 0.5
"""Real seconds after which the run goes on with what else there is, while `/clock` may stand."""


class RosEnvironment:
    """Robots that are reached through ROS 2."""

    closes_within = 6.0
    node_name = "treec_skills"
    waits_for_end = 3.0
    """Seconds in which robots must have ended what they were told to stop at the end of a run."""
    patience = 3600.0
    """A simulation behind `/clock` may be paused."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        self.setup = setup
        self.host: EnvironmentHost | None = setup.host
        self.ros = RosNode(self.node_name)
        self._file = None if setup.folder is None else setup.folder / GOALS
        self._reported = threading.Condition()
        self._reports = 0
        self.orders: set[str] = set()
        self._ended: tuple[Effect, ...] = ()
        self._sources: dict[tuple[str, ...], FactSource] = {}
        self.time = RunTime(self)
        self.recorder = open_recorder(setup.folder, self.time.now, self._tell_problem)
        self.keep: Callable[..., None] = lambda topic, type_, message, part="": None
        """Is given what is sent and what comes, for a file beside the journal."""
        if self.recorder is not None:
            self.keep = self.recorder.keep
        self.goals = self.ros.ask(lambda: Goals(self.ros, self.find_type, self._record, self.keep))
        if self._file is not None and self._file.is_file():  # of an earlier process of the run
            self._take_up(self._file)
        self._sensors = [(s, s.binding) for s in setup.sensors if isinstance(s.binding, RosFact)]
        self._subscribe()
        self.time.begin(setup.time)

    find_type = staticmethod(find_type)

    @property
    def busy(self) -> bool:
        """Whether anything can happen: an order, a robot not known to be at rest, a message."""
        return bool(self.orders or self.goals.open or self._sources)

    def step(self, until: float) -> float:
        """Let time pass to ``until``, or to the first report."""
        with self._reported:
            reports, return_at = self._reports, time.monotonic() + PAUSED
            while True:
                now = self.time.now()
                if now >= until:
                    return until
                is_paused = self.time.is_simulated and time.monotonic() >= return_at
                if self._reports != reports or is_paused:
                    return now
                self._reported.wait(SLICE if self.time.is_simulated else until - now)

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

    def _tell_problem(self, words: str) -> None:
        self.note("recorder", words, {"ros": "problem"})

    # Facts

    def _subscribe(self) -> None:
        for sensor, binding in self._sensors:
            for args in sensor.args:
                values = dict(zip(sensor.names, args, strict=True))
                name, frame = (self._render(it, values) for it in (binding.source, binding.frame))
                key = (binding.way, name, binding.type, binding.name or "", frame)
                if key not in self._sources:
                    source = open_source(self, name, frame, binding)
                    self.ros.ask(source.open)
                    self._sources[key] = source
                self._sources[key].facts.append((sensor, args))

    @cached_property
    def frames(self) -> FrameTree:
        """Where frames are; in the executor's thread."""
        return FrameTree(self.ros.node)

    def _render(self, text: str, values: Mapping[str, object]) -> str:
        return text if self.host is None else self.host.render(text, values)

    def sense(self) -> tuple[Effect, ...]:
        """What came last says; nothing of sources from which nothing has come."""
        found = list(self._ended)
        for source in self._sources.values():
            message = (source.news or {}).get("message")
            if isinstance(message, MessageView) and not message.is_kept:
                message.is_kept = True
                self.keep(source.name, source.binding.type, message.raw)
            for sensor, args in source.facts:
                effect = self._sense(source, sensor, args)
                if effect is not None:
                    found.append(effect)
        return tuple(found)

    def _sense(self, source: FactSource, sensor: Sensor, args: tuple[str, ...]) -> Effect | None:
        binding, news = sensor.binding, source.news
        assert isinstance(binding, RosFact)
        if news is None or self.host is None:
            return None
        if source.is_stale:
            return sensed(sensor.fact, args, None)
        values = {**dict(zip(sensor.names, args, strict=True)), **news}
        try:
            value = self.host.evaluate(binding.expression, values)
        except ValueError as error:
            source.complain(f"{sensor.fact}: {error}")
            return sensed(sensor.fact, args, None)
        return sensed(sensor.fact, args, getattr(value, "__treec_name__", value))

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """What happened elsewhere: a robot learns of it by its own sensors."""
        told = {(effect.fact, effect.args) for effect in effects}
        self._ended = tuple(e for e in self._ended if (e.fact, e.args) not in told)

    def is_at_rest(self, agent: str) -> bool:
        """Whether all goals of an agent are known to have ended, those of other nodes as well."""
        own = any(goal.agent == agent for goal in self.goals.open)
        return not own and not self.goals.serves_others(agent)

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
            if self.recorder is not None:
                self.recorder.close()
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
                self.effects = tuple(sensed(*fact) for fact in self.line["after"])
            words = f"{goal.agent}: what {goal.action} was doing before has ended: {how}"
            self.is_settled.set()
        elif what == "cancel sent":
            words = f"{goal.agent}: asked {goal.action} what it is doing, and to stop"
        record = {"ros": what, "goal": goal.short, "action": goal.action, **record}
        self._environment.note(goal.order, words, record)

    def on_feedback(self, goal: RosGoal, message: Any) -> None: ...

    def on_end(self, goal: RosGoal, status: str, result: Any) -> None: ...


def open_ros(setup: EnvironmentSetup) -> RosEnvironment:
    """Open the environment of a run."""
    return RosEnvironment(setup)
