"""Four domains to hear in, and the ear that the shared file alone gives."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from treec.files.library import load_library
from treec.team.language import shipped_language, talk_agent
from treec.team.talk import (
    TalkAgent,
    TalkContext,
    TalkObject,
    TalkProposal,
    TalkSubtask,
    TalkTask,
)
from treec_hearing.ear import Ear
from treec_hearing.reading import network_of

ROOT = Path(__file__).parents[2]
ACTS: dict[str, dict[str, object]] = {
    "accept": {"proposals": "list of Proposal"},
    "decline": {"proposals": "list of Proposal"},
    "request": {"agent": "Agent or none", "task": "Task", "args": {}, "first": "bool"},
    "done": {"subtasks": "list of Subtask"},
    "drop": {"subtasks": "list of Subtask"},
    "release": {"subtasks": "list of Subtask"},
    "stop": {"agent": "Agent or none"},
    "resume": {"agent": "Agent or none"},
    "choose": {"recipe": "Recipe or none"},
    "ask": {"about": "text"},
    "remark": {},
}
DOMAINS = {
    "warehouse": ("Hauler", "fetch", "crate 17", "inspect", "label printer"),
    "kitchen": ("R2", "get", "pepper", "chop", "onions"),
    "garden": ("Rover", "water", "roses", "mow", "lawn"),
    "ward": ("Orderly", "bring", "blanket", "disinfect", "trolley"),
}
"""Domain → a robot, a task and a thing for it, another task and a thing for that."""


@cache
def everyday() -> Ear:
    found = load_library(ROOT).find("hearing", "Everyday_English")
    assert found is not None
    return Ear(ACTS, {}, found.model)


@cache
def everyday_and_network() -> Ear:
    """The same with the network that treec ships."""
    library = load_library(ROOT)
    found = library.find("hearing", "Everyday_English")
    assert found is not None
    return Ear(ACTS, {}, found.model, network_of(library, found))


def moment(
    domain: str, *, proposals: bool = True, stopped: bool = False, offered: tuple[str, ...] = ()
) -> TalkContext:
    robot, one, thing, other, second = DOMAINS[domain]
    subtasks = (
        TalkSubtask("s1", f"{one} {thing}", "ready"),
        TalkSubtask("s2", f"{other} {second}", "running", robot),
        TalkSubtask("s3", f"{other} {thing}", "running", "user"),
    )
    return TalkContext(
        agents=(
            TalkAgent("user", ("me",), person=True),
            talk_agent(shipped_language(), robot, stopped=stopped),
        ),
        user="user",
        proposals=(TalkProposal("p1", robot, "s1", f"{one} {thing}"),) if proposals else (),
        subtasks=subtasks,
        recipes=("Morning Round", "Evening Round"),
        recipe_name="",
        tasks=(
            TalkTask(one, (f"{one} <item>",), {"item": "Item"}),
            TalkTask(other, (f"{other} <item>",), {"item": "Item"}),
        ),
        objects=(TalkObject(thing, (), ("Item",)), TalkObject(second, (), ("Item",))),
        acts=tuple(ACTS),
        offered=offered,
    )
