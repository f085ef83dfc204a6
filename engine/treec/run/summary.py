"""The summary of a run, counted from its records alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from treec.files.prompts import DISTILLED
from treec.frozen import frozen
from treec.nodes.events import (
    Answered,
    AnswerKept,
    AnswerRefused,
    Asked,
    Decided,
    ModelLost,
    NodeFailed,
    SkillEnded,
    SkillStarted,
)
from treec.run.events import ContractBroken, NodeRaised
from treec.run.model_requests import NodeRequests, total_requests
from treec.run.replay import ReplayMoment
from treec.run.state import RunState, StatusChange
from treec.team.events import (
    AgentInterrupted,
    RecipeSet,
    Said,
    SubtaskAdded,
    SubtaskDone,
    SubtaskDropped,
    SubtaskFailed,
)
from treec.world.events import Commit, Event, RunBegin, flat
from treec.world.failures import Failure, Reported, failure_of
from treec.world.history import left_out_of
from treec.world.journal import Record

NOBODY = "somebody"
"""Stands for the agent of a subtask that had none when a person reported it done."""


MODEL = "model"
"""Stands for the name of the run's model where no answer came."""


@frozen
class Trouble:
    """A failure of a subtask, skill or node, with its time and reason."""

    t: float
    what: str
    failure: Failure
    agent: str = ""
    module: str = ""

    @property
    def why(self) -> str:
        """The failure in words."""
        return str(self.failure)


@dataclass(repr=False)
class Summary:
    """Counts over the records of a run, to be added in order.

    ``decisions`` counts choices by who made them (always, offline, a model's name), ``answers``
    does so for actions and readings. ``models`` counts the requests of each node; ``lost`` has when
    and why models stopped answering.
    """

    run: RunState = field(default_factory=RunState)
    system: str = ""
    scenario: str | None = None
    model: str = ""
    recipes: list[str] = field(default_factory=list)
    added: dict[str, str | None] = field(default_factory=dict)
    done: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    failed: list[Trouble] = field(default_factory=list)
    skill_failures: list[Trouble] = field(default_factory=list)
    errors: list[Trouble] = field(default_factory=list)
    refused: list[Trouble] = field(default_factory=list)
    interrupted: Counter[str] = field(default_factory=Counter)
    broken: list[Trouble] = field(default_factory=list)
    said: Counter[str] = field(default_factory=Counter)
    skills: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    models: dict[str, NodeRequests] = field(default_factory=dict)
    lost: list[Trouble] = field(default_factory=list)
    _prompts: dict[str, int] = field(default_factory=dict)
    """The tokens of the last prompt of each node, while it has no answer."""

    def __repr__(self) -> str:
        done = f"{len(self.done)} of {len(self.added)} subtasks done"
        return f"<Summary of {self.system or 'a run'}: {done} in {self.seconds:.1f} s>"

    def add(self, record: Record) -> tuple[StatusChange, ...]:
        """Count one record; returns the status changes in the tree."""
        event = record.event
        if isinstance(event, Commit) and event.purpose in ("action", "reading"):
            self.answers[event.by or ""] += 1
        for one in flat(event):
            self._count(one, record.t)
        changes = self.run.take(record)
        for one in flat(event):
            if isinstance(one, SubtaskDone):
                known = self.run.subtasks.get(one.subtask)
                self.done.append((one.subtask, known.agent if known and known.agent else NOBODY))
        return changes

    def count_left_out(self, records: Sequence[Record]) -> None:
        """Count what was left out of the records of a resumed run."""
        for (kind, by), number in left_out_of(records).items():
            self.run.records += number
            self.skills += number if kind == SkillStarted.kind else 0
            if kind == Decided.kind:
                self.decisions[by] += number

    @property
    def records(self) -> int:
        """The number of records."""
        return self.run.records

    @property
    def seconds(self) -> float:
        """The time of the last record, in seconds of the run."""
        return self.run.t

    @property
    def end(self) -> str | None:
        """Why the run ended; None if it has not."""
        return self.run.ended.reason if self.run.ended else None

    @property
    def ok(self) -> bool | None:
        """Whether the run ended as expected; None if it has not ended."""
        return self.run.ended.ok if self.run.ended else None

    @property
    def agents(self) -> list[str]:
        """The names of the agents, people included."""
        return list(self.run.team)

    @property
    def people(self) -> frozenset[str]:
        """The names of the people."""
        return self.run.people

    @property
    def graphs(self) -> list[str]:
        """Who made each schedule."""
        return [event.schedule.by for _, event in self.run.schedules]

    @property
    def busy(self) -> dict[str, float]:
        """Seconds each robot spent on subtasks that have ended."""
        found: Counter[str] = Counter()
        for span in self.run.spans:
            found[span.agent] += span.end - span.start  # type: ignore[assignment]
        return dict(found)

    @property
    def requests(self) -> NodeRequests:
        """The model requests of all nodes together."""
        return total_requests(self.models)

    def did(self, agent: str) -> list[str]:
        """The subtasks an agent did, in order."""
        return [id for id, by in self.done if by == agent]

    def unfinished(self) -> list[str]:
        """The subtasks neither done nor dropped, in the order they were added."""
        over = {id for id, _ in self.done} | set(self.dropped)
        return [id for id in self.added if id not in over]

    def _count(self, event: Event, t: float) -> None:
        match event:
            case RunBegin():
                self.system, self.scenario = event.system, event.scenario
                self.model = event.model or ""
            case RecipeSet():
                self.recipes.append(event.name)
            case Said():
                self.said[event.who] += 1
            case Asked():
                self._node(event).asked += 1
                self._node(event).closed_tokens += event.tokens or 0
                self._prompts[event.node] = event.tokens or 0
            case AnswerKept():
                self._node(event).kept += 1
            case Answered(by=by) if not (by or "").startswith(f"{DISTILLED}/"):
                self._node(event).count_answer(event)
                self._node(event).closed_tokens -= self._prompts.pop(event.node, 0)
            case ModelLost():
                lost = Reported(event.reason)
                self.lost.append(Trouble(t, event.model or MODEL, lost, module=event.module))
            case Decided():
                self.decisions[event.by] += 1
            case SkillStarted():
                self.skills += 1
            case SkillEnded(asked_again=True):
                self.skills -= 1  # it starts again, and that is the one that counts
            case SkillEnded(failed=True):
                words, module = self.run.describe_step(event), event.module or ""
                self.skill_failures.append(Trouble(t, words, event.failure, event.agent, module))
            case AnswerRefused():
                self.refused.append(Trouble(t, event.node, Reported(event.reason)))
            case ContractBroken():
                why = f"{event.item} (within {event.within} s)"
                self.broken.append(Trouble(t, event.contract, Reported(why)))
            case NodeFailed(path, reason, module) | NodeRaised(path, reason, module):
                self.errors.append(Trouble(t, path, failure_of(reason), module=module))
            case SubtaskAdded():
                self.added[event.id] = event.recipe
            case SubtaskFailed():
                known = self.run.subtasks.get(event.subtask)
                agent = (known.agent if known else None) or event.agent or ""
                self.failed.append(Trouble(t, event.subtask, event.failure, agent))
            case SubtaskDropped():
                self.dropped += event.subtasks
            case AgentInterrupted():
                self.interrupted[event.agent] += 1

    def _node(self, event: Asked | Answered | AnswerKept) -> NodeRequests:
        return self.models.setdefault(event.name or event.node, NodeRequests())


def summarize(records: Iterable[Record], until: ReplayMoment | None = None) -> Summary:
    """Summarize a journal, up to a moment or to its end."""
    summary = Summary()
    for record in records:
        if until is not None and until.past(summary.run, record):
            break
        summary.add(record)
    return summary


def summary_data(summary: Summary) -> dict[str, object]:
    """A summary as plain data."""
    done = [{"subtask": id, "by": by} for id, by in summary.done]
    data: dict[str, object] = {
        "system": summary.system,
        "scenario": summary.scenario,
        "end": summary.end,
        "ok": summary.ok,
        "seconds": summary.seconds,
        "done": done,
        "dropped": summary.dropped,
        "unfinished": summary.unfinished(),
        "failed": [{"subtask": one.what, "why": one.why} for one in summary.failed],
        "broken": [{"contract": one.what, "why": one.why} for one in summary.broken],
        "decisions": dict(summary.decisions),
        "answers": dict(summary.answers),
        "skills": summary.skills,
    }
    if summary.graphs:
        data["graphs"] = summary.graphs
    if summary.models:
        losses = [{"t": one.t, "why": one.why, "module": one.module} for one in summary.lost]
        nodes = {name: one.data() for name, one in summary.models.items()}
        whole = total_requests(summary.models).data()
        data["model"] = {"name": summary.model, **whole, "lost": losses, "nodes": nodes}
    return data
