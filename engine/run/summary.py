"""What a run came to, read off its records alone: of a run just ended, or of a journal file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from treec.run.asked import NodeAsked, together
from treec.world.journal import Record, events
from treec.world.values import Value

NOBODY = "somebody"
"""Who did a subtask that was given to nobody: a person said that it is done."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that did not succeed: a subtask, a skill, a node; ``why`` in words."""

    t: float
    what: str
    why: str
    agent: str = ""
    module: str = ""


@dataclass
class Summary:
    """Counts over a run's records; feed it every record in order.

    ``busy``: seconds in which a robot was at a subtask. ``decisions``: on whose word (always,
    offline, a model's name) decisions chose; ``answers`` the same for actions and readings.
    ``graphs`` are the task graphs that were made, on whose word. ``models`` counts the requests of
    each node, ``lost`` is when no answers came any more, and why.
    ``end`` is why it ended, None while it goes on; ``ok`` whether that was as expected.
    """

    system: str = ""
    scenario: str | None = None
    recipes: list[str] = field(default_factory=list)
    people: set[str] = field(default_factory=set)
    agents: list[str] = field(default_factory=list)
    added: dict[str, str | None] = field(default_factory=dict)
    done: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    skill_failures: list[Failure] = field(default_factory=list)
    errors: list[Failure] = field(default_factory=list)
    refused: list[Failure] = field(default_factory=list)
    interrupted: Counter[str] = field(default_factory=Counter)
    broken: list[Failure] = field(default_factory=list)
    said: Counter[str] = field(default_factory=Counter)
    busy: dict[str, float] = field(default_factory=dict)
    skills: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    model: str = ""
    graphs: list[str] = field(default_factory=list)
    models: dict[str, NodeAsked] = field(default_factory=dict)
    lost: list[Failure] = field(default_factory=list)
    records: int = 0
    seconds: float = 0.0
    end: str | None = None
    ok: bool | None = None
    _has: dict[str, str] = field(default_factory=dict)
    _since: dict[str, tuple[str, float]] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Count one record."""
        self.records += 1
        self.seconds = record.t
        if record.kind == "commit" and record.data.get("for") in ("action", "reading"):
            self.answers[_text(record.data.get("by"))] += 1
        for event in events(record):
            self._event(event)

    @property
    def asked(self) -> NodeAsked:
        """What asking came to, of all nodes together."""
        return together(self.models)

    def did(self, agent: str) -> list[str]:
        """The subtasks that an agent did, in the order in which they were done."""
        return [id for id, by in self.done if by == agent]

    def unfinished(self) -> list[str]:
        """Subtasks that are neither done nor dropped, in the order in which they came."""
        over = {id for id, _ in self.done} | set(self.dropped)
        return [id for id in self.added if id not in over]

    def _event(self, event: Record) -> None:
        data = event.data
        match event.kind:
            case "run.begin":
                self.system = _text(data.get("system"))
                scenario = data.get("scenario")
                self.scenario = None if scenario is None else _text(scenario)
                self.model = _text(data.get("model"))
            case "run.end":
                self.end, self.ok = _text(data.get("reason")), data.get("ok") is True
            case "agent.joined":
                self.agents.append(_text(data.get("agent")))
                if data.get("person"):
                    self.people.add(_text(data.get("agent")))
            case "recipe.set":
                self.recipes.append(_text(data.get("name")))
            case "planned":
                self.graphs.append(_text(data.get("by")))
            case "said":
                self.said[_text(data.get("who"))] += 1
            case "asked":
                self._node(data).asked += 1
            case "answered":
                self._node(data).answered(data)
            case "model.lost":
                self.lost.append(self._failure(event, "model"))
            case "decided":
                self.decisions[_text(data.get("by"))] += 1
            case "skill.started":
                self.skills += 1
            case "skill.ended" if not data.get("ok") and not data.get("cancelled"):
                failure = self._failure(event, step_words(data))
                self.skill_failures.append(failure)
            case "refused":
                self.refused.append(self._failure(event, _text(data.get("node"))))
            case "contract.broken":
                why = f"{_text(data.get('item'))} (within {_text(data.get('within'))} s)"
                broken = Failure(event.t, _text(data.get("contract")), why)
                self.broken.append(broken)
            case "node.raised" | "node.failed":
                path = data.get("node") or data.get("path")
                self.errors.append(self._failure(event, _text(path)))
            case _:
                self._work(event)

    def _node(self, data: Mapping[str, Value]) -> NodeAsked:
        name = _text(data.get("name")) or _text(data.get("node"))
        return self.models.setdefault(name, NodeAsked())

    def _work(self, event: Record) -> None:
        """What happens to subtasks and to who is at them."""
        data = event.data
        match event.kind:
            case "subtask.added":
                recipe = data.get("recipe")
                self.added[_text(data.get("id"))] = None if recipe is None else _text(recipe)
            case "assigned":
                for id in texts(data.get("subtasks")):
                    self._has[id] = _text(data.get("agent"))
            case "subtask.started":
                id, agent = _text(data.get("subtask")), _text(data.get("agent"))
                self._since[agent] = (id, event.t)
            case "subtask.done":
                id = _text(data.get("subtask"))
                self._ended(id, event.t)
                self.done.append((id, self._has.get(id, NOBODY)))
            case "subtask.failed":
                id = _text(data.get("subtask"))
                self._ended(id, event.t)
                failure = self._failure(event, id, self._has.pop(id, ""))
                self.failed.append(failure)
            case "subtask.dropped":
                for id in texts(data.get("subtasks")):
                    self._ended(id, event.t)
                    self.dropped.append(id)
            case "agent.interrupted":
                agent = _text(data.get("agent"))
                self.interrupted[agent] += 1
                if agent in self._since:
                    self._ended(self._since[agent][0], event.t)

    def _ended(self, id: str, t: float) -> None:
        for agent, (at, since) in list(self._since.items()):
            if at == id:
                del self._since[agent]
                self.busy[agent] = self.busy.get(agent, 0.0) + t - since

    def _failure(self, event: Record, what: str, agent: str = "") -> Failure:
        data = event.data
        why = _text(data.get("reason") or data.get("error"))
        by = agent or _text(data.get("agent"))
        return Failure(event.t, what, why, by, _text(data.get("module")))


def summarize(records: Iterable[Record]) -> Summary:
    """The summary of a whole journal."""
    summary = Summary()
    for record in records:
        summary.add(record)
    return summary


def summary_data(summary: Summary) -> dict[str, object]:
    """A summary as plain data, for programs."""
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
        lost = [{"t": one.t, "why": one.why, "module": one.module} for one in summary.lost]
        nodes = {name: one.data() for name, one in summary.models.items()}
        whole = together(summary.models).data()
        data["model"] = {"name": summary.model, **whole, "lost": lost, "nodes": nodes}
    return data


def step_words(data: Mapping[str, Value]) -> str:
    """A skill's event as people read a step: pick(pepper)."""
    args = data.get("args")
    given = args.values() if isinstance(args, Mapping) else ()
    return f"{_text(data.get('skill'))}({', '.join(map(_text, given))})"


def texts(value: Value) -> list[str]:
    """The names in a record's field, whether it holds a list of them or one."""
    if isinstance(value, tuple | list):
        return [_text(item) for item in value]
    return [] if value is None else [_text(value)]


def _text(value: Value) -> str:
    return "" if value is None else str(value)
