"""Workers that carry skills out through ROS 2: a goal, a call, messages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from treec import Effect, Host, Outcome, Reported, Worker, WorkOrder
from treec_ros.environment import RosEnvironment
from treec_ros.files import RosSkill
from treec_ros.goals import RosGoal
from treec_ros.messages import MessageView, UnknownType, WrongMessage, fill, find_type, name_of
from treec_ros.node import policy_of, profile, steady_timer

CALL = 10.0
"""Seconds that a service may take, if its file says nothing."""

LOOK = 0.02
"""Seconds between two looks at whether a service or a subscriber is there."""


def make_worker(binding: RosSkill) -> Worker:
    """Make the worker of a skill's mapping."""
    return {
        "action": ActionWorker,
        "service": ServiceWorker,
        "topic": TopicWorker,
        "parameter": ParameterWorker,
        "lifecycle": LifecycleWorker,
    }[binding.way](binding)


def failure(why: str) -> Outcome:
    """An outcome with a reason."""
    return Outcome(False, Reported(why), __name__)


class RosWorker:
    """What all of them have: one outcome, whoever is first."""

    def __init__(self, binding: RosSkill) -> None:
        self.binding = binding
        self._lock = threading.Lock()
        self._outcome: Outcome | None = None
        self._is_ending = False
        self.environment: RosEnvironment
        self.host: Host
        self.order: WorkOrder
        self.values: dict[str, object] = {}

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin it."""
        environment = host.environment
        self.order, self.host = order, host
        if not isinstance(environment, RosEnvironment) or environment.host is None:
            self._outcome = failure("there is no environment 'ros'")
            host.finish(order.id, self._outcome)
            return
        self.environment = environment
        self.values = {"agent": order.agent, **order.args}
        environment.orders.add(order.id)
        if order.fault is not None:
            self.end(failure(order.fault.reason))
            return
        try:
            self.begin()
        except (ValueError, UnknownType, WrongMessage) as error:
            self.end(failure(str(error)))

    def begin(self) -> None:
        """Send what is to be sent. Raises ValueError."""
        raise NotImplementedError

    def cancel(self) -> Outcome:
        """Stop; the environment sees to it until the robot is known to have stopped."""
        with self._lock:
            if self._outcome is None:
                self._outcome = failure("cancelled")
                self.environment.orders.discard(self.order.id)
                self.halt()
            return self._outcome

    def halt(self) -> None:
        """Stop what was sent; from any thread, at once."""

    def end(self, outcome: Outcome) -> None:
        """Report the outcome, unless there is one; from any thread."""
        with self._lock:
            if self._outcome is not None:
                return
            self._outcome = outcome
            self.environment.orders.discard(self.order.id)
        self.host.finish(self.order.id, outcome)
        self.environment.report(lambda: None)

    def resolve(self, value: object) -> object:
        """Plain data with the values of its expressions. Raises ValueError."""
        if isinstance(value, Mapping):
            return {name: self.resolve(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.resolve(item) for item in value]
        if isinstance(value, str) and value[:1] in ("=", "$"):
            return self.run.evaluate(value[1:].lstrip(), self.values)
        return value

    @property
    def run(self) -> Any:
        """The run that the environment was opened for."""
        return self.environment.host

    def message(self, make: Callable[[], Any], data: object) -> Any:
        """A message of a type with these fields. Raises ValueError."""
        return fill(make(), self.resolve(data), self.environment.ros.now())

    def judge(self, part: str, answer: Any, effects: list[str], status: str) -> None:
        """End by what came back: on the loop's thread, since facts are read."""
        values = {**self.values, part: MessageView(answer), "status": status}
        try:
            ok = self.binding.success is None or bool(
                self.run.evaluate(self.binding.success, values)
            )
            if ok and status == "succeeded":
                sensed = self.run.effects(effects, values)
                self.end(Outcome(True, effects=(*self.order.after, *sensed), module=__name__))
                return
            text = self.binding.reason
            why = self.run.render(text, values).strip() if text is not None else ""
            self.end(failure(why or self.reason(part, status)))
        except ValueError as error:
            self.end(failure(str(error)))

    def success(self) -> Outcome:
        """An outcome with what the skill's file says of it."""
        return Outcome(True, effects=self.order.after, module=__name__)

    def reason(self, part: str, status: str) -> str:
        """Why it failed, where its file does not say."""
        if status == "succeeded":
            return f"not so in the {part}: {self.binding.success}"
        return status

    def note(self, what: str, words: str = "", **record: object) -> None:
        """Put something into the journal."""
        self.environment.note(self.order.id, words, {"ros": what, **record})


class ActionWorker(RosWorker):
    """One goal."""

    goal: RosGoal | None = None
    _heard = 0.0

    @property
    def after(self) -> tuple[Effect, ...]:
        """What holds once the goal has succeeded."""
        return self.order.after

    def begin(self) -> None:
        """Send the goal."""
        binding = self.binding
        type_ = find_type(binding.type)
        goal = RosGoal(
            self.order.id,
            self.order.agent,
            self.run.render(binding.action or "", self.values),
            binding.type,
            self.message(type_.Goal, binding.goal),
            self,
            binding.accept,
            binding.timeout,
        )
        self.goal = goal
        self.environment.ros.call(lambda: self.environment.goals.begin(goal))

    def halt(self) -> None:
        """Cancel the goal."""
        goal = self.goal
        if goal is not None:
            goal.wants_stop = goal.is_over = True
            self.environment.ros.call(lambda: self.environment.goals.stop(goal))

    def on_event(self, goal: RosGoal, what: str, words: str = "", **record: object) -> None:
        """Note what was sent, accepted and seen to have happened."""
        self.note(what, words, goal=goal.short, action=goal.action, **record)

    def on_feedback(self, goal: RosGoal, message: Any) -> None:
        """Make facts of it, not too often."""
        now = time.monotonic()
        if not self.binding.feedback or now < self._heard + self.binding.every:
            return
        self._heard = now
        values = {**self.values, "feedback": MessageView(message)}

        def tell() -> None:
            try:
                self.host.sense(self.order.id, self.run.effects(self.binding.feedback, values))
            except ValueError as error:
                self.note("problem", f"feedback: {error}")

        self.environment.report(tell)

    def on_end(self, goal: RosGoal, status: str, result: Any) -> None:
        """End the order by the result, or without one."""
        if result is None:
            why = "it succeeded, and its result never came" if status == "succeeded" else status
            self.end(failure(why))
            return
        self.environment.report(lambda: self.judge("result", result, self.binding.result, status))


class ServiceWorker(RosWorker):
    """One call. ROS 2 cannot cancel one: what was asked for goes on after a stop."""

    def begin(self) -> None:
        """Call the service as soon as it is there."""
        binding = self.binding
        type_ = find_type(binding.type)
        name = self.run.render(binding.service or "", self.values)

        def judge(response: Any) -> None:
            self.environment.report(
                lambda: self.judge("response", response, binding.response, "succeeded")
            )

        self.call(type_, name, self.message(type_.Request, binding.request), judge)

    def call(self, type_: Any, name: str, request: Any, then: Callable[[Any], None]) -> None:
        """Call a service once it is there; the order fails if it does not answer."""
        limit, accept = self.binding.timeout or CALL, self.binding.accept
        node, began = self.environment.ros.node, time.monotonic()

        def open_client() -> None:
            client, sent = node.create_client(type_, name), 0.0

            def look() -> None:
                nonlocal sent
                now = time.monotonic()
                if self._outcome is not None:
                    node.destroy_timer(timer)
                elif sent and now >= sent + limit:
                    self.end(failure(f"{name} did not answer within {limit:g} s"))
                elif not sent and client.service_is_ready():
                    sent = now
                    self.note("sent", service=name)
                    self.environment.keep(name, name_of(type_), request, "request")
                    client.call_async(request).add_done_callback(answer)
                elif not sent and now >= began + accept:
                    self.end(failure(f"no server of {name} within {accept:g} s"))

            def answer(future: Any) -> None:
                node.destroy_timer(timer)
                node.destroy_client(client)
                self.note("answered", service=name)
                response = future.result()
                self.environment.keep(name, name_of(type_), response, "response")
                if self._outcome is None:
                    then(response)

            timer = steady_timer(node, LOOK, look)
            look()

        self.environment.ros.call(open_client)


class ParameterWorker(ServiceWorker):
    """New values of a node's parameters: all of them, or none."""

    def begin(self) -> None:
        """Set them."""
        from rclpy.parameter import Parameter

        set_all = find_type("rcl_interfaces/srv/SetParametersAtomically")
        node = self.run.render(self.binding.parameter or "", self.values)
        values = self.resolve(self.binding.values)
        assert isinstance(values, Mapping)
        request = set_all.Request()
        for name, value in values.items():
            plain = getattr(value, "__treec_name__", value)
            plain = list(plain) if isinstance(plain, tuple) else plain
            request.parameters.append(Parameter(str(name), value=plain).to_parameter_msg())

        def then(response: Any) -> None:
            result = response.result
            why = f"{node} refuses: {result.reason or 'no reason given'}"
            self.end(self.success() if result.successful else failure(why))

        self.call(set_all, f"{node}/set_parameters_atomically", request, then)


class LifecycleWorker(ServiceWorker):
    """A state of a node, by as many transitions as it takes from the state that it is in."""

    STATES = ("unconfigured", "inactive", "active")
    UP, DOWN = ("configure", "activate"), ("cleanup", "deactivate")

    def begin(self) -> None:
        """Ask for its state, and go on from there."""
        self._get = find_type("lifecycle_msgs/srv/GetState")
        self._change = find_type("lifecycle_msgs/srv/ChangeState")
        self._node = self.run.render(self.binding.lifecycle or "", self.values)
        self._look()

    def _look(self) -> None:
        self.call(self._get, f"{self._node}/get_state", self._get.Request(), self._go_on)

    def _go_on(self, response: Any) -> None:
        state, goal = response.current_state.label, self.binding.to
        if state == goal:
            self.end(self.success())
            return
        if state not in self.STATES:
            self.end(failure(f"{self._node} is {state}, and does not become {goal}"))
            return
        label, at = "shutdown", self.STATES.index(state)
        if goal in self.STATES:
            is_up = self.STATES.index(goal) > at
            label = self.UP[at] if is_up else self.DOWN[at - 1]

        def then(response: Any) -> None:
            if response.success:
                self._look()
            else:
                self.end(failure(f"{self._node} is {state}, and its '{label}' has failed"))

        request = self._change.Request()
        request.transition.label = label
        self.call(self._change, f"{self._node}/change_state", request, then)


class TopicWorker(RosWorker):
    """Messages on a topic: one, or one after the other until something holds.

    It succeeds once subscribers have confirmed the last one, if the quality of service is reliable.
    """

    _done_at = 0.0

    def begin(self) -> None:
        """Publish as soon as somebody listens."""
        binding, ros = self.binding, self.environment.ros
        type_ = find_type(binding.type)
        name = self.run.render(binding.topic or "", self.values)
        message = self.message(type_, binding.message)
        last = None if binding.stop is None else self.message(type_, binding.stop)
        self._name, self._last, self._publisher, self._is_begun = name, last, None, False
        began = time.monotonic()

        def open_publisher() -> None:
            from rclpy.duration import Duration
            from rclpy.event_handler import PublisherEventCallbacks

            def on_misfit(event: Any) -> None:
                words = (
                    f"a subscriber's quality of service does not fit (policy {policy_of(event)})"
                )
                self.note("problem", f"{name}: {words}; it hears nothing: see `qos`")

            node = ros.node
            publisher = node.create_publisher(
                type_,
                name,
                profile(binding.qos),
                event_callbacks=PublisherEventCallbacks(incompatible_qos=on_misfit),
            )
            self._publisher = publisher
            due = 0.0

            def look() -> None:
                nonlocal due
                now = time.monotonic()
                if self._outcome is not None or self._publisher is None:
                    node.destroy_timer(timer)
                    self._leave()
                elif self._done_at:
                    if publisher.wait_for_all_acked(Duration()):
                        self._leave()
                        self.end(self.success())
                    elif now >= self._done_at + binding.accept:
                        why = f"a subscriber of {name} has not confirmed ({binding.accept:g} s)"
                        self.end(failure(why))
                elif not self._is_begun and publisher.get_subscription_count() == 0:
                    if now >= began + binding.accept:
                        self.end(failure(f"nobody listens to {name} ({binding.accept:g} s)"))
                elif now >= due:
                    due = now + binding.every
                    if not self._is_begun:
                        self.note("sent", topic=name)
                    self._is_begun = True
                    publisher.publish(message)
                    self.environment.keep(name, binding.type, message)
                    self.environment.report(decide)
                if self._is_begun and binding.timeout and now >= began + binding.timeout:
                    self.end(failure(f"{binding.timeout:g} s are over"))

            timer = steady_timer(node, LOOK, look)
            look()

        def finish() -> None:
            self._done_at = self._done_at or time.monotonic()

        def decide() -> None:
            try:
                if binding.until is None or self.run.evaluate(binding.until, self.values):
                    ros.call(finish)
            except ValueError as error:
                self.end(failure(str(error)))

        ros.call(open_publisher)

    def halt(self) -> None:
        """Publish the last message at once."""
        self.environment.ros.call(self._leave)

    def _leave(self) -> None:
        """End publishing, with the message for a stop if it was stopped."""
        publisher, self._publisher = self._publisher, None
        if publisher is None:
            return
        from rclpy.duration import Duration

        if self._is_begun and self._last is not None and self._outcome is not None:
            publisher.publish(self._last)
            self.environment.keep(self._name, self.binding.type, self._last)
            self.note("stop sent", topic=self._name)
        publisher.wait_for_all_acked(Duration(seconds=0.2))
        self.environment.ros.node.destroy_publisher(publisher)
