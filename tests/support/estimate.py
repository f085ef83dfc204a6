"""A kind of node that asks, in one module: how many minutes something takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from py_trees.common import Status
from pydantic import Field

from treec.extensions import Extension, Kind
from treec.files.fields import Model, Value
from treec.files.node_spec import NodeSpec
from treec.files.nodes import NodeBase
from treec.files.prompts import Prompt
from treec.nodes.asked import OFFLINE
from treec.nodes.node_place import NodePlace
from treec.nodes.observation import observe
from treec.world.events import Commit, StateSet
from treec.world.journal import Record
from treec_asking.asking import AskingLeaf, RecordedDecision
from treec_asking.prompt import Question, answer_json, messages, object_schema


class EstimateAnswer(Model):
    reasoning: str = ""
    minutes: float


class EstimateExample(Model):
    about: str = ""
    given: dict[str, Value] = Field(default_factory=dict)
    answer: EstimateAnswer


class EstimateFile(Prompt):
    """How long something takes."""

    estimate: str
    at_most: float
    offline: float
    examples: list[EstimateExample] = Field(default_factory=list)


class EstimateNode(NodeBase):
    """Asks how long something takes."""

    estimate: str


class Estimate(AskingLeaf[float]):
    """Keeps the estimate in the state `level`. SUCCESS: there is one. RUNNING: it is asked for."""

    KIND = "estimate"

    def work(self) -> Status:
        return self.ask() if self.exchange is None else self.look(self.exchange)

    def question(self) -> Question:
        seen = observe(self.entry.model.sees, self.scope)
        prompt = messages(self.runtime, self.entry, self.scope, {}, answer_json)
        schema = object_schema({"reasoning": {"type": "string"}, "minutes": {"type": "number"}})
        return Question(prompt, schema, seen)

    def parse(self, data: Mapping[str, Any]) -> float:
        most: float = self.entry.model.at_most
        if data["minutes"] > most:
            raise ValueError(f"nothing takes longer than {most:g} minutes.")
        return float(data["minutes"])

    def accept(self, parsed: float, by: str) -> Status:
        new = (StateSet("level", parsed),)
        self.runtime.world.emit(Commit(self.KIND, new, node=self.path, by=by), self.path)
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        return self.accept(self.entry.model.offline, OFFLINE)

    def fallback(self, error: Exception, because: str) -> Status:
        return self.accept(self.entry.model.at_most, "fallback")

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        data: Any = record.data
        if record.kind != "commit" or data.get("for") != cls.KIND:
            return None
        (event,) = data["events"]
        return RecordedDecision(data["node"], data["by"], {"minutes": event["data"]["value"]})


def build(at: NodePlace, node: EstimateNode) -> Estimate:
    return Estimate(at.path, at.runtime, at.frame, at.find("estimate", node.estimate))


NODE = NodeSpec(key="estimate", model=EstimateNode, build=build, refers="estimate")

EXTENSION = Extension(
    "estimates",
    kinds=(Kind("estimate", f"{__name__}:EstimateFile", asks=f"{__name__}:Estimate"),),
    nodes={"estimate": f"{__name__}:NODE"},
)
