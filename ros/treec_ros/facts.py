"""What facts are sensed from: topics, parameters and states of nodes, frames."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treec import Effect, Sensor
from treec_ros.files import RosFact
from treec_ros.messages import MessageView, find_type, view
from treec_ros.node import has_other_version, policy_of, profile, steady_timer

if TYPE_CHECKING:
    from treec_ros.environment import RosEnvironment

ASKED = {
    "parameter": ("get_parameters", "rcl_interfaces/srv/GetParameters"),
    "lifecycle": ("get_state", "lifecycle_msgs/srv/GetState"),
}
"""The service by which a node tells its parameters, or its state, and the service's type."""

SOONEST = 0.05
"""Seconds between two looks at a parameter or a state, at least."""


def sensed(fact: str, args: Sequence[str], value: object) -> Effect:
    """What is sensed of a fact; None means that it is not known."""
    return Effect(fact, tuple(args), value, "unknown" if value is None else "sensed")


class FactSource:
    """What came last from something, and when; looked at `every` so often."""

    def __init__(self, environment: RosEnvironment, name: str, binding: RosFact) -> None:
        self.environment = environment
        self.name = name
        self.binding = binding
        self.news: Mapping[str, object] | None = None
        """What came last, by the names that the fact's value is made of."""
        self.facts: list[tuple[Sensor, tuple[str, ...]]] = []
        self._came = 0.0
        self._looked = 0.0
        self._is_new = False
        self._was_stale = False
        self._complaint = ""

    @property
    def is_stale(self) -> bool:
        """Whether nothing has come for longer than its `age`."""
        age = self.binding.age
        return age is not None and time.monotonic() >= self._came + age

    def open(self) -> None:
        """Begin; in the executor's thread."""
        every = self.binding.every
        if every or self.binding.age:
            period = min(filter(None, (every, self.binding.age, 1.0)))
            steady_timer(self.environment.ros.node, period, self._look)

    def complain(self, words: str) -> None:
        """Put a problem into the journal, once."""
        if words != self._complaint:
            self._complaint = words
            self.environment.note(self.name, words, {"ros": "problem", "topic": self.name})

    def take(self, news: Mapping[str, object], came: float | None = None) -> None:
        """Take what has come."""
        self.news, self._is_new = news, True
        self._came = time.monotonic() if came is None else came
        if not self.binding.every or time.monotonic() >= self._looked + self.binding.every:
            self._tell()

    def _look(self) -> None:
        is_stale = self.news is not None and self.is_stale
        if self._is_new or is_stale != self._was_stale:
            self._was_stale = is_stale
            self._tell()

    def _tell(self) -> None:
        self._looked, self._is_new, self._was_stale = time.monotonic(), False, self.is_stale
        host = self.environment.host
        if host is not None:
            self.environment.report(host.sense)


class TopicSource(FactSource):
    """The last message of a topic; none while a publisher has its type in another version."""

    _is_other = False

    def open(self) -> None:
        """Subscribe."""
        from rclpy.event_handler import SubscriptionEventCallbacks

        self.environment.ros.node.create_subscription(
            find_type(self.binding.type),
            self.name,
            self._on_message,
            profile(self.binding.qos),
            event_callbacks=SubscriptionEventCallbacks(
                incompatible_qos=self._on_misfit, matched=self._on_match
            ),
        )
        super().open()

    def _on_message(self, message: Any) -> None:
        if not self._is_other:
            self.take({"message": MessageView(message)})

    def _on_misfit(self, event: Any) -> None:
        policy = policy_of(event)
        self.complain(
            f"{self.name}: a publisher's quality of service does not fit (policy {policy}); "
            "nothing of it arrives: see `qos`"
        )

    def _on_match(self, event: Any) -> None:
        self._is_other = has_other_version(self.environment.ros.node, self.name)
        if self._is_other:
            self.complain(
                f"{self.name}: a publisher has {self.binding.type} of another version; "
                "it is not listened to: install the same package on both sides"
            )


class AskedSource(FactSource):
    """A parameter or the state of a node, which is asked `every` so often."""

    def open(self) -> None:
        """Ask from now on."""
        node = self.environment.ros.node
        service, name = ASKED[self.binding.way]
        type_ = find_type(name)
        self._request = type_.Request()
        if self.binding.way == "parameter":
            self._request.names = [self.binding.name]
        self._client = node.create_client(type_, f"{self.name}/{service}")
        self._asked: Any = None
        steady_timer(node, max(self.binding.every, SOONEST), self._ask)
        super().open()

    def _ask(self) -> None:
        if self._client.service_is_ready():
            if self._asked is not None:  # not answered: of a server that has been started anew
                self._client.remove_pending_request(self._asked)
            self._asked = self._client.call_async(self._request)
            self._asked.add_done_callback(self._on_answer)

    def _on_answer(self, future: Any) -> None:
        self._asked, answer = None, future.result()
        if answer is None:
            return
        if self.binding.way == "lifecycle":
            news: dict[str, object] = {"state": answer.current_state.label}
        else:
            news = {"parameter": plain_parameter(answer.values)}
        if news == self.news and not self.is_stale:
            self._came = time.monotonic()
        else:
            self.take(news)


class FrameSource(FactSource):
    """Where a frame is in another one."""

    def __init__(
        self, environment: RosEnvironment, name: str, frame: str, binding: RosFact
    ) -> None:
        super().__init__(environment, name, binding)
        self._frame = frame

    def open(self) -> None:
        """Look whenever transforms come."""
        self.environment.frames.listeners.append(self._on_transforms)
        super().open()

    def _on_transforms(self) -> None:
        found = self.environment.frames.look_up(self._frame, self.name)
        if found is not None:
            x, y, z = found.translation
            self.take({"x": x, "y": y, "z": z, "yaw": found.yaw}, found.came)


def plain_parameter(values: Any) -> object:
    """The value of the only parameter that was asked for; None if it is not declared."""
    from rclpy.parameter import parameter_value_to_python

    return view(parameter_value_to_python(values[0])) if values else None


def open_source(environment: RosEnvironment, name: str, frame: str, binding: RosFact) -> FactSource:
    """Make the source of a binding."""
    if binding.way == "tf":
        return FrameSource(environment, name, frame, binding)
    return (TopicSource if binding.way == "topic" else AskedSource)(environment, name, binding)
