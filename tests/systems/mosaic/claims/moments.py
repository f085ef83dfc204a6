"""Moments of shipped recipes that sentences are judged in."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.team.events import (
    AgentInterrupted,
    Assigned,
    Proposed,
    SubtaskDone,
    SubtaskFailed,
    SubtaskStarted,
    number_entries,
)
from treec.team.team import Team
from treec.world.clock import VirtualClock
from treec.world.events import Event
from treec.world.journal import Journal
from treec_asking.bind import bind


def did(agent: str, subtask: str) -> tuple[Event, ...]:
    return (*does(agent, subtask), SubtaskDone(subtask))


def does(agent: str, subtask: str) -> tuple[Event, ...]:
    begins = () if agent == "user" else (SubtaskStarted(agent, subtask),)  # people begin at once
    return (Assigned(agent, (subtask,)), *begins)


SALAD = (
    *did("R2", "get pepper"),
    *does("R2", "get ranch sauce"),
    Assigned("user", ("prepare lettuce",)),
    Proposed("R1", "pour pepper into bowl"),
)
OMELETTE = (
    *did("R2", "get butter"),
    *does("R2", "get eggs"),
    *does("user", "put butter into pan"),
)
SOUP = (
    *did("R2", "get tomatoes"),
    *did("R2", "get vegetable stock"),
    *does("R1", "pour stock into pot"),
    AgentInterrupted("R1"),
    *does("R2", "get cream"),
    *does("user", "chop onions"),
)
CHOCOLATE = (
    *did("R2", "get milk"),
    *did("R2", "get cocoa powder"),
    *did("R2", "get mug"),
    *did("R1", "pour milk into pot"),
    *did("user", "heat pot"),
    *did("user", "put cocoa powder into pot"),
    *did("R1", "stir pot"),
    *did("user", "pour pot into mug"),
)
SANDWICH = (
    *did("R2", "get bread"),
    *did("R2", "get mustard"),
    *does("R2", "get ham"),
    *does("R1", "spread mustard on bread"),
    Proposed("user", "wash lettuce"),
)
GREEK = (
    *did("R2", "get cucumber"),
    *did("user", "slice cucumber"),
    *does("R2", "get tomatoes"),
    SubtaskFailed("get tomatoes", "it is not there"),
    *does("R2", "get feta"),
    AgentInterrupted("R2"),
    *does("user", "put cucumber into bowl"),
)
MOMENTS: dict[str, tuple[str | None, tuple[Event, ...]]] = {
    "salad": ("Caesar Salad", SALAD),
    "omelette": ("Omelette", OMELETTE),
    "soup": ("Tomato Soup", SOUP),
    "fresh": (None, ()),
    "sandwich": ("Ham Sandwich", SANDWICH),
    "greek": ("Greek Salad", GREEK),
    "finished": ("Hot Chocolate", CHOCOLATE),
}


@lru_cache
def moment(name: str) -> Team:
    """The team of `mosaic` at one of the moments."""
    recipe, events = MOMENTS[name]
    library = load_library(Path(__file__).parents[4])
    run = Run(View(library, library.find("system", "mosaic")), VirtualClock(), Journal.in_memory())

    def emit(*events: Event) -> None:
        for event in number_entries(run.world.state, events):
            run.world.emit(event, "test")

    if recipe is not None:
        call = bind(run.team, "set_recipe", {"name": recipe})
        emit(*call.action.run(run.team, **call.args))
    emit(*events)
    return run.team
