"""What happened in a session, read from its journal alone: people's and simulated ones alike."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from experiments.mosaic.study.files import StudyError
from treec.run.folder import JOURNAL
from treec.run.salvage import read_sound
from treec.run.state import RunState
from treec.world.events import RunBegin
from treec.world.journal import JournalError


@dataclass(frozen=True)
class SessionOutcome:
    """``success``: all of the assigned recipe is done. ``seconds`` of the run's clock."""

    success: bool
    seconds: float
    user_turns: int
    assistant_turns: int
    model: str
    """The model that was asked; empty for none."""


def read_outcome(folder: Path, recipe: str) -> SessionOutcome:
    """Read what happened in a run. Raises StudyError."""
    state, model = read_state(folder)
    own = [subtask for subtask in state.subtasks.values() if subtask.recipe == recipe]
    people = sum(1 for words in state.talk.values() if words.who in state.people)
    return SessionOutcome(
        success=bool(own) and all(subtask.status == "done" for subtask in own),
        seconds=state.t,
        user_turns=people,
        assistant_turns=len(state.talk) - people,
        model=model,
    )


def read_state(folder: Path) -> tuple[RunState, str]:
    """The state at a run's end, and the model that it was begun with. Raises StudyError."""
    try:
        sound = read_sound(folder / JOURNAL)
    except (JournalError, OSError) as error:
        raise StudyError(f"{folder / JOURNAL} cannot be used: {error}") from None
    if sound.problem is not None:
        raise StudyError(sound.problem)
    begin = sound.records[0]
    model = begin.data.get("model") if isinstance(begin.event, RunBegin) else None
    return sound.state, str(model or "")
