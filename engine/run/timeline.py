"""Who was at what, and when: read off a run's records, whatever system it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from treec.world.journal import Record, events

Ended = Literal["done", "failed", "stopped", "open"]


@dataclass(frozen=True, slots=True)
class Span:
    """An agent at a subtask, from when to when in seconds, and how that ended."""

    agent: str
    subtask: str
    words: str
    start: float
    end: float
    ended: Ended
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Made:
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
    spans: list[Span] = field(default_factory=list)
    out: list[tuple[str, float, float]] = field(default_factory=list)
    made: list[Made] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    end: float = 0.0

    def busy(self, agent: str) -> float:
        """Seconds in which an agent was at something."""
        return sum(span.end - span.start for span in self.spans if span.agent == agent)


def timeline(records: Iterable[Record]) -> Timeline:
    """The timeline of a journal."""
    reader = _Reader()
    for record in records:
        for event in events(record):
            reader.take(event)
    return reader.close()


class _Reader:
    def __init__(self) -> None:
        self.found = Timeline()
        self.at: dict[str, tuple[str, float]] = {}  # agent → subtask, since
        self.helpers: dict[str, list[str]] = {}  # subtask → who helps
        self.gone: dict[str, float] = {}

    def take(self, event: Record) -> None:
        data: Mapping[str, Any] = event.data
        found = self.found
        found.end = event.t
        match event.kind:
            case "agent.joined":
                found.agents.append(data["agent"])
                if data.get("person"):
                    found.people.add(data["agent"])
            case "subtask.added":
                found.words[data["id"]] = data["words"]
            case "assigned":
                for id in data["subtasks"]:
                    self.helpers[id] = list(data.get("helpers", ()))
            case "subtask.started":
                for agent in (data["agent"], *self.helpers.get(data["subtask"], ())):
                    self.at[agent] = data["subtask"], event.t
            case "subtask.done":
                self._over(data["subtask"], event.t, "done", "")
            case "subtask.failed":
                self._over(data["subtask"], event.t, "failed", str(data.get("reason", "")))
            case "subtask.dropped":
                for id in data["subtasks"]:
                    self._over(id, event.t, "stopped", "")
            case "agent.interrupted":
                self.gone.setdefault(data["agent"], event.t)
                if data["agent"] in self.at:
                    self._over(self.at[data["agent"]][0], event.t, "stopped", "")
            case "agent.requeued":
                if data["agent"] in self.at:
                    self._over(self.at[data["agent"]][0], event.t, "stopped", "")
            case "agent.resumed":
                if data["agent"] in self.gone:
                    found.out.append((data["agent"], self.gone.pop(data["agent"]), event.t))
            case "planned":
                found.made.append(_made(event.t, data))

    def _over(self, subtask: str, t: float, ended: Ended, reason: str) -> None:
        for agent, (id, since) in list(self.at.items()):
            if id == subtask:
                del self.at[agent]
                words = self.found.words.get(id, id)
                self.found.spans.append(Span(agent, id, words, since, t, ended, reason))

    def close(self) -> Timeline:
        for id in {id for id, _ in self.at.values()}:
            self._over(id, self.found.end, "open", "")
        for agent, since in self.gone.items():
            self.found.out.append((agent, since, self.found.end))
        self.found.spans.sort(key=lambda span: (span.start, self.found.agents.index(span.agent)))
        return self.found


def _made(t: float, data: Mapping[str, Any]) -> Made:
    slots = tuple(
        (str(s["node"]), tuple(s["agents"]), float(s["start"]), float(s["end"]))
        for s in data.get("slots", ())
    )
    return Made(
        t=t,
        node=data["node"],
        task=data["task"],
        text=data["text"],
        by=data["by"],
        because=str(data.get("because", "")),
        nodes=dict(data["nodes"]),
        slots=slots,
    )
