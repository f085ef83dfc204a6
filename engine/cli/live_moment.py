"""One moment of a run as plain data: the talk, the agents, the work, the tree.

What is drawn is made from this alone, so a panel whose part has not changed is not drawn again.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from py_trees.common import Status

from treec.cli.live_models import lost_words
from treec.cli.live_paint import safe
from treec.cli.live_tree import Twig, Written, twig
from treec.run.summary import step_words, texts
from treec.team.entities import Agent, Subtask
from treec.world.journal import Record, events

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.run.run import Run

KEPT = 200
"""How many lines of the talk are kept for showing."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words of a person or the assistant, or, with nobody as ``who``, a note on what happened."""

    t: float
    who: str
    text: str
    person: bool = False


@dataclass(frozen=True, slots=True)
class Worker:
    """An agent: its status, what it is at, its step, its queue, what it was proposed for."""

    name: str
    person: bool
    status: str
    current: str
    doing: str
    queue: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """A subtask. The statuses are the team's, and `open` (ready) and `asked` (proposed)."""

    words: str
    status: str
    agent: str = ""


_EXCERPT = re.compile(r" *\d* *\|")
"""The lines of a file in what is wrong with it, and the carets: panels are too narrow for them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is to see at ``t`` seconds; ``acted``: the last action, and on whose word."""

    t: float
    title: str
    recipe: str
    talk: tuple[Said, ...]
    workers: tuple[Worker, ...]
    work: tuple[Work, ...]
    tree: Twig
    acted: str = ""


class Watch:
    """Looks at a run; it hears its records for what the world does not keep."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.talk: tuple[Said, ...] = ()
        self.choices: dict[str, tuple[str, str]] = {}
        self.programs: dict[str, Written] = {}
        self._acted = ""
        self._people = frozenset(run.view.people)
        names = [run.system.name]
        if run.scenario is not None:
            names.append(run.scenario.name)
        self._title = " · ".join(map(safe, names))

    def hear(self, record: Record) -> None:
        """Take a record in."""
        if record.kind == "commit" and record.data.get("for") == "action":
            self._acted = f"{safe(record.data.get('name'))} ({safe(record.data.get('by'))})"
        for event in events(record):
            if event.kind == "decided":
                data = event.data
                self.choices[str(data["node"])] = (str(data["choose"]), str(data["by"]))
                continue
            self._program(event)
            said = self._said(event)
            if said is not None:
                self.talk = (*self.talk, said)[-KEPT:]

    def _program(self, event: Record) -> None:
        """A program that begins, or the line that one has reached."""
        data, node = event.data, str(event.data.get("node"))
        if event.kind == "programmed":
            lines = tuple(str(data["program"]).splitlines())
            self.programs[node] = Written(str(data["by"]), lines)
        elif event.kind == "step" and node in self.programs:
            line = data["line"]
            assert isinstance(line, int)
            self.programs[node] = self.programs[node].reached(line)

    def _said(self, event: Record) -> Said | None:
        if event.kind == "said":
            who = str(event.data["who"])
            return Said(event.t, safe(who), safe(event.data["text"]), who in self._people)
        note = note_of(event)
        return Said(event.t, "", note) if note else None

    def look(self, t: float | None = None) -> Moment:
        """The moment now; ``t`` when time is shown as passing that the clock has yet to jump."""
        run = self.run
        snapshot = run.team.now
        root = run.root
        doing = dict(steps_under_way(root))
        asked: dict[str, list[str]] = {}
        for proposal in snapshot.open:
            asked.setdefault(proposal.agent.name, []).append(safe(proposal.subtask.id))
        proposed = {p.subtask.id: p.agent.name for p in snapshot.open}
        at = {a.current.id for a in snapshot.agents.values() if a.person and a.current}
        return Moment(
            t=run.clock.now() if t is None else t,
            title=self._title,
            recipe=safe(run.world.state["recipe"]),
            talk=self.talk,
            workers=tuple(
                _worker(a, doing.get(a.name, ""), tuple(asked.get(a.name, ())))
                for a in snapshot.agents.values()
            ),
            work=tuple(_work(s, proposed.get(s.id), at) for s in snapshot.subtasks.values()),
            tree=twig(root, self.choices, self.programs),
            acted=self._acted,
        )


def note_of(event: Record) -> str | None:
    """What is worth knowing beside the talk itself."""
    data = event.data
    match event.kind:
        case "agent.interrupted":
            return f"■ {safe(data['agent'])} stopped"
        case "agent.resumed":
            return f"▸ {safe(data['agent'])} goes on"
        case "skill.ended" if not data.get("ok") and not data.get("cancelled"):
            agent, step = safe(data.get("agent", "")), safe(step_words(data))
            return f"✗ {agent} {step}: {safe(data.get('reason', 'failed'))}"
        case "subtask.dropped":
            return f"– dropped: {safe(', '.join(texts(data['subtasks'])))}"
        case "contract.broken":
            return f"! contract {safe(data['contract'])} broken"
        case "log":
            text = str(data.get("text", data.get("message", "")))
            return None if _EXCERPT.match(text) else f"# {safe(text)}"
        case "model.lost":
            return lost_words(data["reason"], data.get("module"))
        case "model.back":
            return "the model answers again"
        case "node.raised":
            return f"! {safe(data.get('path'))}: {safe(data.get('error'))}"
    return None


def steps_under_way(root: Behaviour) -> Iterable[tuple[str, str]]:
    """Each agent that is at a skill, and the step in words."""
    for node in root.iterate():
        if node.status is not Status.RUNNING:
            continue
        skill_run = getattr(node, "run", None)
        words, agent = getattr(skill_run, "words", None), getattr(skill_run, "agent", None)
        if words and agent:
            yield str(agent), safe(words)


def _worker(agent: Agent, doing: str, asked: tuple[str, ...]) -> Worker:
    at = agent.current
    return Worker(
        name=safe(agent.name),
        person=agent.person,
        status=agent.status,
        current=safe(at.id) if at else "",
        doing=doing if agent.status == "Running" else "",
        queue=tuple(safe(s.id) for s in agent.queue if s is not at),
        asked=asked,
    )


def _work(subtask: Subtask, proposed: str | None, at: Container[str]) -> Work:
    """``at``: what people are at, which the world keeps as queued since nobody starts it."""
    status, agent = subtask.status, subtask.agent or ""
    if subtask.id in at:
        status = "running"
    if subtask.ready and status == "waiting":
        status = "open"
    if proposed is not None and status in ("open", "waiting", "failed"):
        status, agent = "asked", proposed
    return Work(safe(subtask.id), status, safe(agent))
