"""A plan for arms: stages, in each of which every arm does one sub-task or nothing.

This is what every scheduler gives and what the validator reads. An arm is a name ("left"), and
the arms of a plan stand in one order, from left to right; there may be any number, and an arm may
be a robot or a person. A node that needs several arms stands with each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypedDict

ARMS = ("left", "right")
"""The arms of a robot that has two, in order."""

Method = Literal["paper", "shortest", "cp-sat"]
METHODS: tuple[Method, ...] = ("paper", "shortest", "cp-sat")


@dataclass(frozen=True, slots=True)
class PlanStage:
    """Arm → the id of the node that it does in this stage, or None; the arms are in order."""

    arms: Mapping[str, str | None]

    def __post_init__(self) -> None:
        object.__setattr__(self, "arms", MappingProxyType(dict(self.arms)))

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes of the stage, each once, from left to right."""
        return tuple(dict.fromkeys(id for id in self.arms.values() if id is not None))


@dataclass(frozen=True, slots=True)
class Slot:
    """One node in time: who does it, from when to when, in seconds."""

    node: str
    arms: tuple[str, ...]
    start: float
    end: float


class PlanJson(TypedDict, total=False):
    """A plan as `--output-format json` prints it; the makespan stands there when one was asked."""

    stages: list[dict[str, str | None]]
    stages_count: int
    lower_bound: int
    optimal: bool
    seconds: float
    method: str
    makespan: float
    makespan_bound: float
    slots: list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class ArmPlan:
    """Stages, and what is known of how good they are.

    `lower_bound` is a number of stages below which no plan can be; `optimal` says that this one
    needs no more, or that a search proved that fewer do not do. When a makespan was asked for,
    `slots` say when every node begins and ends, `makespan` when all is done, `makespan_bound`
    what no plan can beat, `optimal` is about the makespan, and the stages are the slots in the
    order of their starts.
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
        """The plan as plain data."""
        told = PlanJson(
            stages=[dict(stage.arms) for stage in self.stages],
            stages_count=len(self.stages),
            lower_bound=self.lower_bound,
            optimal=self.optimal,
            seconds=round(self.seconds, 4),
            method=self.method,
        )
        if self.makespan is not None and self.makespan_bound is not None:
            told["makespan"] = round(self.makespan, 3)
            told["makespan_bound"] = round(self.makespan_bound, 3)
            told["slots"] = [
                {
                    "node": slot.node,
                    "arms": list(slot.arms),
                    "start": round(slot.start, 3),
                    "end": round(slot.end, 3),
                }
                for slot in self.slots
            ]
        return told


def stage(arms: Sequence[str], work: Mapping[str, str]) -> PlanStage:
    """A stage of these arms, of which some do something."""
    return PlanStage({arm: work.get(arm) for arm in arms})
