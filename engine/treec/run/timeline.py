"""The timeline of a run: who worked on what, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from treec.nodes.events import NeedAnswered
from treec.run.state import RunState, SubtaskSpan
from treec.team.schedules import ScheduleMade
from treec.world.journal import Record


@dataclass(repr=False)
class Timeline:
    """Agents in the order they joined, their spans of work, interruptions, and schedules.

    ``folder`` is the run's, with the files that its records name; None if it is in memory.
    """

    agents: list[str] = field(default_factory=list)
    people: set[str] = field(default_factory=set)
    spans: list[SubtaskSpan] = field(default_factory=list)
    out: list[tuple[str, float, float]] = field(default_factory=list)
    schedules: list[tuple[float, ScheduleMade]] = field(default_factory=list)
    """The time and event of each schedule."""
    words: dict[str, str] = field(default_factory=dict)
    needs: list[tuple[float, NeedAnswered]] = field(default_factory=list)
    """The time of each answer of a provider, and the answer."""
    folder: Path | None = None
    records: Sequence[Record] = ()
    end: float = 0.0

    def __repr__(self) -> str:
        agents = ", ".join(self.agents) or "nobody"
        return f"<Timeline of {agents}: {len(self.spans)} subtasks in {self.end:.1f} s>"

    def busy(self, agent: str) -> float:
        """Seconds an agent spent on subtasks."""
        return sum(span.end - span.start for span in self.spans if span.agent == agent)


def timeline_of(
    state: RunState, folder: Path | None = None, records: Sequence[Record] = ()
) -> Timeline:
    """The timeline of a run, which is in ``folder``, up to a state of it, by these records."""
    return Timeline(
        agents=list(state.team),
        people=set(state.people),
        spans=state.all_spans(),
        out=state.all_interruptions(),
        schedules=state.schedules,
        words={id: subtask.words for id, subtask in state.subtasks.items()},
        needs=state.needs,
        folder=folder,
        records=records,
        end=state.t,
    )
