"""Who was at what, and when: read off a run's records, whatever system it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from treec.run.state import SubtaskSpan, fold
from treec.team.plans import Planned
from treec.world.journal import Record


@dataclass(frozen=True, slots=True)
class PlanningSpan:
    """A task graph that was made: when, by whom and why, and how it was expected to go."""

    t: float
    node: str
    task: str
    text: str
    by: str
    because: str
    nodes: Mapping[str, str]
    slots: tuple[tuple[str, tuple[str, ...], float, float], ...]


@dataclass
class Timeline:
    """Agents in the order in which they came, what each was at, who was out, the graphs made."""

    agents: list[str] = field(default_factory=list)
    people: set[str] = field(default_factory=set)
    spans: list[SubtaskSpan] = field(default_factory=list)
    out: list[tuple[str, float, float]] = field(default_factory=list)
    made: list[PlanningSpan] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    end: float = 0.0

    def busy(self, agent: str) -> float:
        """Seconds in which an agent was at something."""
        return sum(span.end - span.start for span in self.spans if span.agent == agent)


def timeline(records: Iterable[Record]) -> Timeline:
    """The timeline of a journal."""
    state = fold(records)
    return Timeline(
        agents=list(state.team),
        people=set(state.people),
        spans=state.all_spans(),
        out=state.all_stopped(),
        made=[_made(t, planned) for t, planned in state.plans],
        words={id: subtask.words for id, subtask in state.subtasks.items()},
        end=state.t,
    )


def _made(t: float, planned: Planned) -> PlanningSpan:
    slots = tuple((s.node, s.agents, s.start, s.end) for s in planned.slots or ())
    return PlanningSpan(
        t=t,
        node=planned.node,
        task=planned.task,
        text=planned.text,
        by=planned.by,
        because=planned.because,
        nodes=planned.nodes,
        slots=slots,
    )
