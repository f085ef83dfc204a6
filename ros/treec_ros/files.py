"""What YAML says of ROS 2: how skills and facts are bound to it, and definitions of interfaces."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from treec.files.bindings import Binding, Bindings, FactBinding
from treec.files.fields import Duration, Expr, Model, Text, Value
from treec.files.types import ANY, NUMBER, TEXT, Named, Type
from treec.files.view import View
from treec_ros.definitions import Interfaces

PARTS = {"action": ("goal", "result", "feedback"), "service": ("request", "response")}
KINDS = {"action": "action", "service": "srv", "topic": "msg"}
"""The kind of interface that `type` names, by the ways that have one."""
OWN = {
    "action": frozenset(
        {"type", "goal", "result", "feedback", "success", "reason", "accept", "timeout", "every"}
    ),
    "service": frozenset({"type", "request", "response", "success", "reason", "accept", "timeout"}),
    "topic": frozenset({"type", "message", "stop", "every", "until", "accept", "timeout", "qos"}),
    "parameter": frozenset({"values", "accept", "timeout"}),
    "lifecycle": frozenset({"to", "accept", "timeout"}),
}
"""The keys of each way to carry out a skill."""

SENSED = {
    "topic": frozenset({"type", "value", "every", "age", "qos"}),
    "parameter": frozenset({"name", "value", "every", "age"}),
    "lifecycle": frozenset({"value", "every", "age"}),
    "tf": frozenset({"frame", "value", "every", "age"}),
}
"""The keys of each way to sense a fact."""

NEEDED = {
    **dict.fromkeys(KINDS, "type"),
    "parameter": "values",
    "lifecycle": "to",
}
"""The key that a way to carry out a skill cannot do without."""


def find_way(model: Model, ways: Mapping[str, frozenset[str]]) -> str:
    """Return the one key that says which way it is. Raises ValueError."""
    found = [way for way in ways if getattr(model, way) is not None]
    if len(found) != 1:
        *names, last = (f"'{way}'" for way in ways)
        raise ValueError(f"it is one of {', '.join(names)} and {last}")
    for key in sorted(model.model_fields_set - {found[0]} - ways[found[0]]):
        raise ValueError(f"'{key}' does not belong to '{found[0]}'")
    return found[0]


class Qos(Model):
    """Quality of service; of a publisher and a subscription that do not fit, nothing arrives."""

    reliability: Literal["reliable", "best_effort"] = "reliable"
    durability: Literal["volatile", "transient_local"] = "volatile"
    depth: int = Field(default=10, ge=1, le=10_000)


class RosSkill(Binding):
    """A skill that is a goal, a call, messages, new parameters of a node, or its new state."""

    effects: ClassVar[tuple[str, ...]] = ("feedback", "result", "response")

    action: Text | None = Field(None, description="The action's name: '/{{ agent }}/navigate'.")
    service: Text | None = Field(None, description="The service's name.")
    topic: Text | None = Field(None, description="The topic to publish on.")
    parameter: Text | None = Field(None, description="The node whose parameters are set.")
    lifecycle: Text | None = Field(None, description="The node whose state is changed.")
    type: str = Field("", description="nav2_msgs/action/NavigateToPose")
    values: Value = Field({}, description="The parameters' values; '= …' is an expression.")
    to: Literal["unconfigured", "inactive", "active", "finalized"] | None = Field(
        None, description="The state that the node is to be in."
    )
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
        way = find_way(self, OWN)
        if not getattr(self, NEEDED[way]):
            raise ValueError(f"'{NEEDED[way]}' is missing")
        return self

    @property
    def way(self) -> str:
        """`action`, `service`, `topic`, `parameter` or `lifecycle`."""
        return find_way(self, OWN)

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
    """A fact that is sensed from a topic, a parameter, a node's state, or where a frame is."""

    topic: Text | None = Field(None, description="A topic, of the arguments: '/{{ robot }}/power'.")
    parameter: Text | None = Field(None, description="The node that has the parameter `name`.")
    lifecycle: Text | None = Field(None, description="The node whose state it is.")
    tf: Text | None = Field(None, description="The frame: '{{ robot }}/base_link'.")
    frame: Text = Field("map", description="The frame in which it is looked at.")
    name: str | None = Field(None, description="The parameter's name.")
    type: str = Field("", description="sensor_msgs/msg/BatteryState")
    value: Expr | None = Field(
        None,
        description="The fact's value, of the arguments and `message`, `parameter`, `state`, or "
        "`x`, `y`, `z`, `yaw` (m, rad).",
    )
    every: Duration = Field(0.5, ge=0, description="Least time between two looks.")
    age: Duration | None = Field(None, gt=0, description="Time without news until it is unknown.")
    qos: Qos = Qos(depth=10)

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        way = find_way(self, SENSED)
        for key in {"topic": ("type", "value"), "parameter": ("name",), "tf": ("value",)}.get(
            way, ()
        ):
            if not getattr(self, key):
                raise ValueError(f"'{key}' is missing")
        return self

    @property
    def way(self) -> str:
        """`topic`, `parameter`, `lifecycle` or `tf`."""
        return find_way(self, SENSED)

    @property
    def source(self) -> str:
        """The template of what it is sensed from."""
        return str(getattr(self, self.way))

    @property
    def expression(self) -> str:
        """Its value; a parameter and a state stand for themselves."""
        return self.value or {"parameter": "parameter", "lifecycle": "state"}[self.way]

    def names(self, view: View, field: str) -> Mapping[str, Type]:
        """Return what its value is made of."""
        if field != "value":
            return {}
        found: dict[str, dict[str, Type]] = {
            "parameter": {"parameter": ANY},
            "lifecycle": {"state": TEXT},
            "tf": dict.fromkeys(("x", "y", "z", "yaw"), NUMBER),
        }
        return found.get(self.way) or {"message": _part(view, "message", self.type)}


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
        if isinstance(fact, RosFact) and fact.type:
            found[f"message of {fact.type}"] = fact.type
    return Interfaces.of(view).records(found)


BINDINGS = Bindings(RosSkill, RosFact, "treec_ros.workers:make_worker", _records)
