"""One moment of a run as plain data for the panels: talk, agents, subtasks, tree.

Panels are drawn from this alone, so a panel whose part has not changed is not drawn again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treec.cli.live_lines import value_notes
from treec.cli.live_models import given_up_text, model_lost_text
from treec.cli.terminal_text import safe
from treec.nodes.events import (
    Answered,
    BranchRestless,
    InVain,
    Logged,
    ModelBack,
    ModelLost,
    SkillEnded,
    SkillStarted,
    StopUnconfirmed,
)
from treec.run.events import ContractBroken, NodeRaised
from treec.run.state import RunState, describe_step
from treec.team.events import AgentInterrupted, AgentResumed, Said, SubtaskDropped, SubtaskReleased
from treec.world.events import Event, flat
from treec.world.journal import Record
from treec_live.tree import TreeRow, make_row

if TYPE_CHECKING:
    from treec.run.run import Run

MAX_TALK = 200
"""Lines of talk that are kept."""


@dataclass(frozen=True, slots=True)
class TalkLine:
    """Words of a person or the assistant, or, if ``who`` is empty, a note on an event."""

    t: float
    who: str
    text: str
    person: bool = False


@dataclass(frozen=True, slots=True)
class LiveAgent:
    """An agent: status, current subtask, running skill, queue, subtasks it is proposed for."""

    name: str
    person: bool
    status: str
    current: str
    doing: str
    queue: tuple[str, ...]
    asked: tuple[str, ...]
    unconfirmed: bool = False
    """Whether its last skill did not confirm that it stopped."""


@dataclass(frozen=True, slots=True)
class LiveSubtask:
    """A subtask. Its status is the team's, or `open` (ready) or `asked` (proposed)."""

    words: str
    status: str
    agent: str = ""


_EXCERPT = re.compile(r" *\d* *\|")
"""Source lines and carets within a diagnostic, for which panels are too narrow."""


@dataclass(frozen=True, slots=True)
class LiveMoment:
    """All that is shown at ``t`` seconds; ``acted`` is the last action and who chose it."""

    t: float
    title: str
    recipe: str
    talk: tuple[TalkLine, ...]
    workers: tuple[LiveAgent, ...]
    work: tuple[LiveSubtask, ...]
    tree: TreeRow
    acted: str = ""


class RunWatcher:
    """Gives the present moment of a run from its state and the talk so far."""

    def __init__(self, run: Run, state: RunState, values: str | None = None) -> None:
        self.state = state
        self._values = values
        self.talk: tuple[TalkLine, ...] = ()
        self._clock = run.clock
        names = [run.system.name]
        if run.scenario is not None:
            names.append(run.scenario.name)
        self._title = " · ".join(map(safe, names))

    def add(self, record: Record) -> None:
        """Add the talk and notes of a record, which the state has taken already."""
        for text in value_notes(self.state, self._values):
            self.talk = (*self.talk, TalkLine(record.t, "", text))[-MAX_TALK:]
        for event in flat(record.event):
            match event:
                case Said(who, text):
                    words = TalkLine(record.t, safe(who), safe(text), who in self.state.people)
                    self.talk = (*self.talk, words)[-MAX_TALK:]
                case _ if note := note_of(event, self.state.describe_step):
                    self.talk = (*self.talk, TalkLine(record.t, "", note))[-MAX_TALK:]

    def moment(self, t: float | None = None) -> LiveMoment:
        """The present moment; ``t`` overrides the time while the clock has yet to jump."""
        state, action = self.state, self.state.last_action
        return LiveMoment(
            t=self._clock.now() if t is None else t,
            title=self._title,
            recipe=safe(state.recipe),
            talk=self.talk,
            workers=tuple(_agent(state, name) for name in state.team),
            work=tuple(_subtask(state, id) for id in state.subtasks),
            tree=make_row(state),
            acted=f"{safe(action.name)} ({safe(action.by)})" if action is not None else "",
        )


def note_of(
    event: Event, describe: Callable[[SkillStarted | SkillEnded], str] = describe_step
) -> str | None:
    """The note about an event in the talk panel, if any; ``describe`` says a skill as text."""
    match event:
        case AgentInterrupted():
            return f"■ {safe(event.agent)} is told to stop"
        case StopUnconfirmed():
            return f"! {safe(event.sentence)}"
        case BranchRestless() | InVain():
            return safe(event.describe().line)
        case AgentResumed():
            return f"▸ {safe(event.agent)} goes on"
        case SkillEnded(failed=True):
            why = safe(event.reason or "failed")
            return f"✗ {safe(event.agent)} {safe(describe(event))}: {why}"
        case SubtaskDropped():
            return f"– dropped: {safe(', '.join(event.subtasks))}"
        case SubtaskReleased():
            return f"– taken back: {safe(', '.join(event.subtasks))}"
        case ContractBroken():
            return f"! contract {safe(event.contract)} broken"
        case Logged():
            return None if _EXCERPT.match(event.text) else f"# {safe(event.text)}"
        case Answered(gives_up=True):
            return given_up_text(event)
        case ModelLost():
            return model_lost_text(event)
        case ModelBack():
            return f"{safe(event.model or 'the model')} answers again"
        case NodeRaised():
            return f"! {safe(event.path)}: {safe(event.error)}"
    return None


def _agent(state: RunState, name: str) -> LiveAgent:
    agent = state.team[name]
    steps = state.agents[name].steps if agent.status == "Running" else ()
    return LiveAgent(
        name=safe(name),
        person=agent.person,
        status=agent.status,
        current=safe(agent.current or ""),
        doing=", ".join(map(safe, steps)),
        queue=tuple(safe(id) for id in agent.queue if id != agent.current),
        asked=tuple(
            safe(question.subtask)
            for question in state.questions.values()
            if question.status == "open" and question.agent == name
        ),
        unconfirmed=name in state.unconfirmed,
    )


def _subtask(state: RunState, id: str) -> LiveSubtask:
    subtask = state.subtasks[id]
    status, agent = subtask.status, subtask.agent or ""
    if any(one.person and one.current == id for one in state.team.values()):
        status = "running"  # people's subtasks stay queued until they report them done
    if status == "waiting" and state.ready(id):
        status = "open"
    questions = (q for q in state.questions.values() if q.status == "open" and q.subtask == id)
    if (question := next(questions, None)) and status in ("open", "waiting", "failed"):
        status, agent = "asked", question.agent
    return LiveSubtask(safe(id), status, safe(agent))
