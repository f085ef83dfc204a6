"""A run as lines of text: speech, assignments, steps and failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treec.cli.live_models import given_up_text, model_lost_text
from treec.cli.terminal_text import ASSISTANT, PERSON, Piece, safe
from treec.nodes.events import (
    Answered,
    AnswerRefused,
    Logged,
    ModelBack,
    ModelLost,
    NodeFailed,
    PassedOn,
    Programmed,
    SkillEnded,
    SkillStarted,
)
from treec.render.measure import clean
from treec.run.events import ContractBroken, NodeRaised
from treec.run.state import RunState
from treec.team.events import (
    AgentInterrupted,
    AgentResumed,
    Assigned,
    RecipeSet,
    Said,
    SubtaskDone,
    SubtaskDropped,
    SubtaskFailed,
    SubtaskReleased,
    SubtaskStarted,
    SubtaskWaits,
)
from treec.world.events import Event, UnknownEvent, flat
from treec.world.journal import Record

OFFLINE = "offline"
"""The author of programs that repeat the steps of their task; they are not printed."""

TONES = {
    "news": "bold cyan",
    "success": "bold green",
    "warning": "yellow",
    "failure": "bold red",
}
"""Styles of what events say of themselves."""

WIDEST = 12
"""Maximum width of the name column; longer names overflow."""


def value_notes(state: RunState, pattern: str | None) -> Iterator[str]:
    """What the last record has changed of the variables and ports of a pattern, and who did it."""
    for change in state.changed if pattern is not None else ():
        if change.matches(str(pattern)):
            by = f"  by {change.now.by}" if change.now.by else ""
            yield safe(f"{change.tree}.{change.name} = {change.now.words}{by}")


class LiveLines:
    """Turns records into lines; ``state`` is the run after the record that is asked about.

    A reason is shown once: a skill fails, so does its node, so does the subtask, all at one time.
    """

    def __init__(self, names: tuple[str, ...], state: RunState, values: str | None = None) -> None:
        """``values`` is the pattern of variables and ports whose changes are lines, too."""
        self._state = state
        self._values = values
        self._width = min(WIDEST, max((len(name) for name in (*names, "assistant")), default=0))
        self._at = -1.0
        self._passed: dict[tuple[str, str], str] = {}
        self._reasons: set[str] = set()

    def of(self, record: Record) -> Iterator[tuple[Piece, ...]]:
        """The lines of a record; none if people need not see it."""
        people = self._state.people
        for text in value_notes(self._state, self._values):
            yield ((f"{record.t:7.1f}  ", "dim"), ("".ljust(self._width) + "  ", ""), (text, ""))
        for event in flat(record.event):
            for who, pieces in self._of(event, record.t):
                style = PERSON if who in people else ASSISTANT if who == "assistant" else ""
                yield (
                    (f"{record.t:7.1f}  ", "dim"),
                    (safe(who).ljust(self._width) + "  ", style or "bold"),
                    *pieces,
                )

    def _of(self, event: Event, t: float) -> Iterator[tuple[str, list[Piece]]]:
        match event:
            case Said():
                yield event.who, [(safe(event.text), "")]
            case RecipeSet():
                yield "", [("recipe: ", "dim"), (safe(event.name), "bold")]
            case Assigned(agent, names):
                first = ", first" if event.first else ""
                yield agent, [("→ ", "cyan"), (f"has {_join_names(names)}{first}", "")]
            case SubtaskStarted():
                yield event.agent, [("▸ ", "bold yellow"), (safe(event.subtask), "bold")]
            case Programmed() if event.because:
                why = f"! its own steps are done: {safe(event.because)}"
                yield event.agent, [(why, "yellow")]
            case Programmed() if event.by != OFFLINE:
                yield event.agent, [("  program by ", "dim"), (safe(event.by) + ":", "")]
                for line in event.program.splitlines():
                    if line.strip():
                        indent = " " * (len(line) - len(line.lstrip()))
                        yield event.agent, [("    " + indent + safe(line.strip()), "cyan")]
            case SkillStarted():
                yield event.agent, [("  " + safe(self._state.describe_step(event)), "dim")]
            case SkillEnded(asked_again=True):
                why = (
                    f"  {safe(self._state.describe_step(event))}: asked again: {safe(event.reason)}"
                )
                yield event.agent, [(why, "dim")]
            case SkillEnded(cancelled=True, unconfirmed=True):
                pass  # the alarm before it has said that
            case SkillEnded(cancelled=True):
                yield (
                    event.agent,
                    [(f"■ {safe(self._state.describe_step(event))} stopped", "yellow")],
                )
            case SkillEnded(failed=True):
                reason = safe(event.reason or "failed")
                why = f"{safe(self._state.describe_step(event))}: {reason}"
                self._is_new(t, reason, why)
                yield event.agent, [("✗ " + why, "red")]
            case SubtaskDone():
                subtask = self._state.subtasks.get(event.subtask)
                yield (
                    (subtask and subtask.agent) or "",
                    [("✓ ", "green"), (safe(event.subtask) + " done", "")],
                )
            case SubtaskFailed():
                reason = safe(event.reason)
                why = f": {reason}" if self._is_new(t, reason) else ""
                yield event.agent or "", [(f"✗ {safe(event.subtask)} failed{why}", "red")]
            case SubtaskDropped():
                yield "", [(f"– dropped: {_join_names(event.subtasks)}", "yellow")]
            case SubtaskReleased():
                yield "", [(f"– taken back: {_join_names(event.subtasks)}", "yellow")]
            case SubtaskWaits():
                before = _join_names(event.after)
                yield "", [(f"{safe(event.subtask)} waits for {before}, too", "dim")]
            case AgentInterrupted():
                yield event.agent, [("■ told to stop", "bold yellow")]
            case AgentResumed():
                yield event.agent, [("▸ goes on", "")]
            case ContractBroken():
                message = f"! contract {safe(event.contract)} broken: {safe(event.item)}"
                yield "", [(message, "bold red")]
            case AnswerRefused():
                yield "", [(f"! {_last(event.node)} refused: {safe(event.reason)}", "red")]
            case PassedOn(node, _, by, why):
                if self._passed.get((node, by)) != why:
                    self._passed[node, by] = why
                    yield "", [(safe(event.describe().line), "")]
            case Answered(gives_up=True):
                yield "", [(given_up_text(event), "yellow")]
            case ModelLost():
                yield "", [(model_lost_text(event), "bold yellow")]
            case ModelBack():
                yield "", [(f"{safe(event.model or 'the model')} answers again", "yellow")]
            case NodeFailed(path, why) | NodeRaised(path, why):
                if self._is_new(t, safe(why)):
                    yield "", [(f"! {_last(path)}: {safe(why)}", "red")]
            case Logged():
                text = clean(event.text).replace("\n", " ")
                yield "", [("# " + text, "dim")]  # carets stay below what they point at
            case UnknownEvent():
                yield "", [(f"? {safe(event.problem)}", "yellow")]
            case _ if (words := event.describe()) is not None:
                if words.reason:
                    self._is_new(t, safe(words.reason))
                yield "", [(safe(words.line), TONES[words.tone])]

    def _is_new(self, t: float, *reasons: str) -> bool:
        """Whether a reason is new at this time; marks all as known."""
        if t != self._at:
            self._at, self._reasons = t, set()
        new = not self._reasons.issuperset(reasons)
        self._reasons.update(reasons)
        return new


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(safe(name) for name in names)


def _last(path: str) -> str:
    return safe(path).rpartition("/")[2]
