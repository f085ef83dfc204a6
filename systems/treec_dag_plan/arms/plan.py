"""A plan for arms: stages in which each arm does at most one sub-task.

Every scheduler returns such a plan and the validator reads it. A plan has any number of arms,
named and ordered from left to right; an arm may also be a robot or a person. A node that needs
several arms is listed with each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypedDict

from treec.frozen import frozen

ARMS = ("left", "right")
"""The arms of a robot that has two, in order."""

Method = Literal["paper", "shortest", "cp-sat"]


@frozen
class PlanStage:
    """Arm → the id of the node that it does in this stage, or None; the arms are in order."""

    arms: Mapping[str, str | None]

    def __post_init__(self) -> None:
        object.__setattr__(self, "arms", MappingProxyType(dict(self.arms)))

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes of the stage, each once, from left to right."""
        return tuple(dict.fromkeys(id for id in self.arms.values() if id is not None))


@frozen
class Slot:
    """A scheduled node: its arms, start and end in seconds."""

    node: str
    arms: tuple[str, ...]
    start: float
    end: float


class PlanJson(TypedDict, total=False):
    """A plan as `--output-format json` prints it; makespan keys only with that objective."""

    stages: list[dict[str, str | None]]
    stages_count: int
    lower_bound: int
    optimal: bool
    seconds: float
    method: str
    makespan: float
    makespan_bound: float
    slots: list[dict[str, object]]


@frozen
class ArmPlan:
    """Stages, with their bounds.

    `lower_bound` is a lower bound on the number of stages; `optimal`: proved to be minimal. With
    the objective makespan, `slots` are the nodes' times, `makespan` and `makespan_bound` (a lower
    bound) are in seconds, `optimal` refers to the makespan, and nodes that start at the same time
    form a stage.
    """

    stages: tuple[PlanStage, ...]
    arms: tuple[str, ...] = ARMS
    lower_bound: int = 0
    optimal: bool = False
    seconds: float = 0.0
    method: Method = "shortest"
    slots: tuple[Slot, ...] = ()
    makespan: float | None = None
    makespan_bound: float | None = None

    def __len__(self) -> int:
        return len(self.stages)

    def __iter__(self) -> Iterator[PlanStage]:
        return iter(self.stages)

    def to_json(self) -> PlanJson:
        """Return the plan as plain data."""
        data = PlanJson(
            stages=[dict(stage.arms) for stage in self.stages],
            stages_count=len(self.stages),
            lower_bound=self.lower_bound,
            optimal=self.optimal,
            seconds=round(self.seconds, 4),
            method=self.method,
        )
        if self.makespan is not None and self.makespan_bound is not None:
            data["makespan"] = round(self.makespan, 3)
            data["makespan_bound"] = round(self.makespan_bound, 3)
            data["slots"] = [
                {
                    "node": slot.node,
                    "arms": list(slot.arms),
                    "start": round(slot.start, 3),
                    "end": round(slot.end, 3),
                }
                for slot in self.slots
            ]
        return data


def stage(arms: Sequence[str], work: Mapping[str, str]) -> PlanStage:
    """Return a stage of these arms; arms missing in `work` are idle."""
    return PlanStage({arm: work.get(arm) for arm in arms})
