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
from treec.cli.live_tree import LiveProgram, Twig, twig
from treec.nodes.events import Decided, Logged, ModelBack, ModelLost, Programmed, SkillEnded, Step
from treec.run.events import ContractBroken, NodeRaised
from treec.run.state import step_words
from treec.team.entities import Agent, Subtask
from treec.team.events import AgentInterrupted, AgentResumed, Said, SubtaskDropped
from treec.world.events import Commit, Event, flat
from treec.world.journal import Record

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.run.run import Run

KEPT = 200
"""How many lines of the talk are kept for showing."""


@dataclass(frozen=True, slots=True)
class SaidLine:
    """Words of a person or the assistant, or, with nobody as ``who``, a note on what happened."""

    t: float
    who: str
    text: str
    person: bool = False


@dataclass(frozen=True, slots=True)
class LiveAgent:
    """An agent: its status, what it is at, its step, its queue, what it was proposed for."""

    name: str
    person: bool
    status: str
    current: str
    doing: str
    queue: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveSubtask:
    """A subtask. The statuses are the team's, and `open` (ready) and `asked` (proposed)."""

    words: str
    status: str
    agent: str = ""


_EXCERPT = re.compile(r" *\d* *\|")
"""The lines of a file in what is wrong with it, and the carets: panels are too narrow for them."""


@dataclass(frozen=True, slots=True)
class LiveMoment:
    """What there is to see at ``t`` seconds; ``acted``: the last action, and on whose word."""

    t: float
    title: str
    recipe: str
    talk: tuple[SaidLine, ...]
    workers: tuple[LiveAgent, ...]
    work: tuple[LiveSubtask, ...]
    tree: Twig
    acted: str = ""


class LiveWatch:
    """Looks at a run; it hears its records for what the world does not keep."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.talk: tuple[SaidLine, ...] = ()
        self.choices: dict[str, tuple[str, str]] = {}
        self.programs: dict[str, LiveProgram] = {}
        self._acted = ""
        self._people = frozenset(run.view.people)
        names = [run.system.name]
        if run.scenario is not None:
            names.append(run.scenario.name)
        self._title = " · ".join(map(safe, names))

    def hear(self, record: Record) -> None:
        """Take a record in."""
        done = record.event
        if isinstance(done, Commit) and done.purpose == "action":
            self._acted = f"{safe(done.name)} ({safe(done.by)})"
        for event in flat(done):
            match event:
                case Decided(node, choose, by):
                    self.choices[node] = (choose, by)
                case Programmed(node=node, by=by, program=program):
                    self.programs[node] = LiveProgram(by, tuple(program.splitlines()))
                case Step(node, line) if node in self.programs:
                    self.programs[node] = self.programs[node].reached(line)
                case Said(who, text):
                    words = SaidLine(record.t, safe(who), safe(text), who in self._people)
                    self.talk = (*self.talk, words)[-KEPT:]
                case _ if note := note_of(event):
                    self.talk = (*self.talk, SaidLine(record.t, "", note))[-KEPT:]

    def look(self, t: float | None = None) -> LiveMoment:
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
        return LiveMoment(
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


def note_of(event: Event) -> str | None:
    """What is worth knowing beside the talk itself."""
    match event:
        case AgentInterrupted():
            return f"■ {safe(event.agent)} stopped"
        case AgentResumed():
            return f"▸ {safe(event.agent)} goes on"
        case SkillEnded(ok=False, cancelled=False):
            why = safe(event.reason or "failed")
            return f"✗ {safe(event.agent)} {safe(step_words(event))}: {why}"
        case SubtaskDropped():
            return f"– dropped: {safe(', '.join(event.subtasks))}"
        case ContractBroken():
            return f"! contract {safe(event.contract)} broken"
        case Logged():
            return None if _EXCERPT.match(event.text) else f"# {safe(event.text)}"
        case ModelLost():
            return lost_words(event.reason, event.module)
        case ModelBack():
            return "the model answers again"
        case NodeRaised():
            return f"! {safe(event.path)}: {safe(event.error)}"
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


def _worker(agent: Agent, doing: str, asked: tuple[str, ...]) -> LiveAgent:
    at = agent.current
    return LiveAgent(
        name=safe(agent.name),
        person=agent.person,
        status=agent.status,
        current=safe(at.id) if at else "",
        doing=doing if agent.status == "Running" else "",
        queue=tuple(safe(s.id) for s in agent.queue if s is not at),
        asked=asked,
    )


def _work(subtask: Subtask, proposed: str | None, at: Container[str]) -> LiveSubtask:
    """``at``: what people are at, which the world keeps as queued since nobody starts it."""
    status, agent = subtask.status, subtask.agent or ""
    if subtask.id in at:
        status = "running"
    if subtask.ready and status == "waiting":
        status = "open"
    if proposed is not None and status in ("open", "waiting", "failed"):
        status, agent = "asked", proposed
    return LiveSubtask(safe(subtask.id), status, safe(agent))
