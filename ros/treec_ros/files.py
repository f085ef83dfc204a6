"""What YAML says of ROS 2: how skills and facts are bound to it, and definitions of interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from treec.files.bindings import Binding, Bindings, FactBinding
from treec.files.fields import Duration, Expr, Model, Text, Value
from treec.files.types import ANY, TEXT, Named, Type
from treec.files.view import View
from treec_ros.definitions import Interfaces

PARTS = {"action": ("goal", "result", "feedback"), "service": ("request", "response")}
KINDS = {"action": "action", "service": "srv", "topic": "msg"}
OWN = {
    "action": frozenset(
        {"goal", "result", "feedback", "success", "reason", "accept", "timeout", "every"}
    ),
    "service": frozenset({"request", "response", "success", "reason", "accept", "timeout"}),
    "topic": frozenset({"message", "stop", "every", "until", "accept", "timeout", "qos"}),
}
"""The keys of each way to carry out a skill, beside its name and `type`."""


class Qos(Model):
    """Quality of service; of a publisher and a subscription that do not fit, nothing arrives."""

    reliability: Literal["reliable", "best_effort"] = "reliable"
    durability: Literal["volatile", "transient_local"] = "volatile"
    depth: int = Field(default=10, ge=1, le=10_000)


class RosSkill(Binding):
    """A skill that is a goal of an action, a call of a service, or messages on a topic."""

    effects: ClassVar[tuple[str, ...]] = ("feedback", "result", "response")

    action: Text | None = Field(None, description="The action's name: '/{{ agent }}/navigate'.")
    service: Text | None = Field(None, description="The service's name.")
    topic: Text | None = Field(None, description="The topic to publish on.")
    type: str = Field(description="nav2_msgs/action/NavigateToPose")
    goal: Value = Field({}, description="The goal's fields; '= …' is an expression.")
    request: Value = Field({}, description="The request's fields.")
    message: Value = Field({}, description="The message's fields.")
    stop: Value = Field(None, description="What is published when the skill is stopped.")
    feedback: list[Expr] = Field([], description="Effects of `feedback`, as in `after`.")
    result: list[Expr] = Field([], description="Effects of `result`, once it succeeded.")
    response: list[Expr] = Field([], description="Effects of `response`.")
    success: Expr | None = Field(None, description="Whether it succeeded, of result or response.")
    reason: Text | None = Field(None, description="Why it failed, of result or response.")
    accept: Duration = Field(
        5.0, gt=0, description="How long a server, an answer, or a subscriber is waited for."
    )
    timeout: Duration | None = Field(
        None, gt=0, description="How long it may take once accepted (a service: 10s)."
    )
    every: Duration = Field(0.5, gt=0, description="Between two effects of feedback, or messages.")
    until: Expr | None = Field(None, description="Publish again and again until this holds.")
    qos: Qos = Qos(depth=10)

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        ways = [way for way in KINDS if getattr(self, way) is not None]
        if len(ways) != 1:
            raise ValueError("it is one of 'action', 'service' and 'topic'")
        for key in sorted(self.model_fields_set - {ways[0], "type"} - OWN[ways[0]]):
            raise ValueError(f"'{key}' does not belong to '{ways[0]}'")
        return self

    @property
    def way(self) -> str:
        """`action`, `service` or `topic`."""
        return next(way for way in KINDS if getattr(self, way) is not None)

    def names(self, view: View, field: str) -> Mapping[str, Type]:
        """Return `feedback`, `result` or `response`, where the field is about it."""
        part = {"feedback": "feedback", "result": "result", "response": "response"}.get(field)
        if field in ("success", "reason"):
            part = {"action": "result", "service": "response"}.get(self.way)
        if part is None:
            return {}
        found: dict[str, Type] = {part: _part(view, part, self.type)}
        return {**found, "status": TEXT} if part == "result" else found


class RosFact(FactBinding):
    """A fact that is sensed from a topic, of the last `message`."""

    topic: Text = Field(description="The topic's name, of the arguments: '/{{ robot }}/battery'.")
    type: str = Field(description="sensor_msgs/msg/BatteryState")
    value: Expr = Field(description="The fact's value, of `message` and the arguments.")
    every: Duration = Field(0.5, ge=0, description="Least time between two looks at messages.")
    age: Duration | None = Field(
        None, gt=0, description="After this time without a message it is unknown."
    )
    qos: Qos = Qos(depth=10)

    def names(self, view: View, field: str) -> Mapping[str, Type]:
        """Return `message`, for the value."""
        return {"message": _part(view, "message", self.type)} if field == "value" else {}


class InterfacesFile(Model):
    """Interfaces of interfaces, for checking where their packages are not installed."""

    interfaces: str
    about: str | None = None
    types: dict[str, str] = Field(
        description="What the .msg, .srv and .action files say, by type: "
        "nav2_msgs/action/NavigateToPose."
    )


def _part(view: View, part: str, name: str) -> Type:
    return ANY if Interfaces.of(view).section(name, part) is None else Named(f"{part} of {name}")


def _records(view: View) -> Mapping[str, Mapping[str, Type]]:
    """Return the types of all messages that a view's bindings read."""
    found: dict[str, str] = {}
    bound: list[Any] = [entry.model.runs.get("ros") for entry in view.all("skill").values()]
    for one in bound:
        if isinstance(one, RosSkill):
            parts = PARTS.get(one.way, ())[1:]
            found.update({f"{part} of {one.type}": one.type for part in parts})
    for spec in view.facts.values():
        fact = spec.sensed.get("ros")
        if isinstance(fact, RosFact):
            found[f"message of {fact.type}"] = fact.type
    return Interfaces.of(view).records(found)


BINDINGS = Bindings(RosSkill, RosFact, "treec_ros.workers:make_worker", _records)
