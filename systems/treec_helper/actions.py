"""High-level actions of HELPER."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from treec.source.text import shorten
from treec.team.actions import allowed_by
from treec.team.entities import Act, Subtask
from treec_helper.asked import asked
from treec_helper.functions import BEGUN, as_taught, vocabulary
from treec_helper.goals import described
from treec_helper.marks import marked

if TYPE_CHECKING:  # a check reads what the actions take
    from treec.team.team import Team
    from treec.world.events import Event

QUESTION = "Is the task completed to your satisfaction? Did I miss anything?"
"""What the robot asks when it has carried out a request (HELPER, section 3.1.2)."""

_SPEAKER = re.compile(r"<\w+>")
_TITLE = 60
"""Characters of a request's short name."""


@allowed_by("task", "correct", "again")
def undertake(
    team: Team, words: str, corrects: str = "", because: Act | None = None
) -> Iterable[Event]:
    """Put a request on the robot's list, in the user's words.

    A correction is understood together with the request that it corrects.
    """
    from treec.team.events import Assigned, SubtaskAdded
    from treec.world.events import EventRefused, StateSet

    if not words.strip():
        raise EventRefused("the request has no words")
    dialogue = as_dialogue(words)
    question = str(team.world.state["open_question"])
    asked_in = str(team.world.state["corrected"])  # a question about a correction
    goes_on = not corrects and bool(asked_in) and question.startswith(asked_in)
    if corrects:
        dialogue = f"{corrects}\n<Driver> {QUESTION}\n{dialogue}"
    elif question:
        dialogue = f"{question}\n{dialogue}"
    robot = next((agent.name for agent in team.agents if not agent.person), None)
    if robot is None:
        raise EventRefused("there is no robot")
    id = _free_id(team, _title(words))
    if not goes_on:
        yield from _note_correction(team, corrects)
    yield StateSet("open_question", "")
    if not corrects and not goes_on:
        yield StateSet("first_words", dialogue)
    yield SubtaskAdded(id, dialogue)
    yield Assigned(robot, (id,))


def drop_question(team: Team) -> Iterable[Event]:
    """Ask no longer: what is said next is no answer."""
    from treec.world.events import StateSet

    if team.world.state["open_question"]:
        yield StateSet("open_question", "")


def begin(team: Team, words: str) -> Iterable[Event]:
    """Begin a request: note when, and what it asks for by its words, before anything is done."""
    from treec.world.events import EventRefused, FactSet, FactUnknown, StateSet

    robot = next((agent.name for agent in team.agents if not agent.person), None)
    if robot is None:
        raise EventRefused("there is no robot")
    if not team.world.state["corrected"]:
        yield FactSet(BEGUN, (robot,), True, "told")
    for fact in ("declines", "asks"):
        yield FactUnknown(fact, (robot,))
    yield StateSet(
        "goal", described(asked(as_taught(team, words), vocabulary(team.knowledge.view)))
    )


def finish(team: Team, subtask: Subtask) -> Iterable[Event]:
    """Call a request done."""
    from treec.team.events import SubtaskDone

    if subtask.status != "done":
        yield SubtaskDone(subtask.id)


def as_dialogue(words: str) -> str:
    """Words as a dialogue, as the memory's keys are: what nobody is named for, the user says."""
    words = " ".join(words.split())
    return words if _SPEAKER.search(words) else f"<Commander> {words}"


def _note_correction(team: Team, corrects: str) -> Iterator[Event]:
    from treec.world.events import StateSet

    state = team.world.state
    view = team.knowledge.view
    last = marked(str(state["written"]), as_taught(team, corrects), vocabulary(view))
    before = f"{state['program_before']}{last}" if corrects else ""
    yield StateSet("corrected", corrects)
    yield StateSet("program_before", before)
    times = state["corrections"]
    yield StateSet("corrections", times + 1 if corrects and isinstance(times, int) else 0)


def _title(words: str) -> str:
    return shorten(_SPEAKER.sub(" ", words), _TITLE)


def _free_id(team: Team, title: str) -> str:
    id, number = title, 2
    while id in team.now.subtasks:
        id, number = f"{title} ({number})", number + 1
    return id
