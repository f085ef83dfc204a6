"""The paper's personalization: routines are taught, approved of, and asked for with changes.

Each request is judged by the state of the household in the end: whether there are exactly as many
things, in the states and at the places, as the request asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from experiments.helper.dialogue_trial import MEMORY, ProgramModel
from experiments.helper.talk_user import TalkUser
from treec.files.view import View
from treec.nodes.events import Programmed
from treec.nodes.pairs import MemoryPair
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.team.events import SubtaskDone
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_household.environment import Household
from treec_household.state import HouseholdState
from treec_memory.embedders import LexicalEmbedder
from treec_memory.store import Memory

CHANGES = ("original plan", "one change", "two changes", "three changes")
PAPER = (100, 100, 80, 90)
"""Success in the paper's Table 3, in per cent (text-davinci-003)."""

_FOODS = {"toast": ("BreadSliced", "cooked"), "cooked potato": ("PotatoSliced", "cooked")}
_VESSELS = ("Mug", "Cup", "Bowl", "Pot", "Kettle", "Bottle")


@dataclass(frozen=True)
class RequestTrial:
    """One request: how many changes, whether what it asks for holds, and what is wrong."""

    routine: str
    says: str
    changes: int
    met: bool
    wrong: tuple[str, ...]
    program: str
    claimed: bool = False
    """Whether it was called done."""


def read_routines(path: Path | None = None) -> list[Mapping[str, Any]]:
    """The routines of a file; by default the paper's."""
    path = path or Path(__file__).parent / "routines.yaml"
    found: list[Mapping[str, Any]] = yaml.safe_load(path.read_text("utf-8"))
    return found


def try_routine(
    view: View,
    routine: Mapping[str, Any],
    folder: Path,
    model: ProgramModel | None = None,
) -> Iterator[RequestTrial]:
    """Teach a routine, approve of it, then make each request in the scene as it was at first.

    ``folder`` is that of its memory. Every request is a run of its own, which approves of
    nothing. Without a model the file's program is what is taught.
    """
    taught = f"<Driver> What is my task? <Commander> {routine['taught']}"
    if model is None:
        memory = Memory(folder / MEMORY, LexicalEmbedder())
        memory.add(MemoryPair(taught, str(routine["program"])))
        memory.close()
    else:
        _run(view, [taught, "Yes, perfect."], folder, model)
    for changes, request in enumerate(routine["requests"]):
        home, program, claimed = _run(view, [str(request["says"])], folder, model)
        wrong = tuple(find_wrong(request["goal"], home.state))
        yield RequestTrial(
            str(routine["name"]), str(request["says"]), changes, not wrong, wrong, program, claimed
        )


def _run(
    view: View, lines: list[str], folder: Path, model: ProgramModel | None
) -> tuple[Household, str, bool]:
    run = Run(
        view,
        SteppingClock(),
        Journal.in_memory(),
        RunSpec(model=None if model is None else model.name, chat=True, memories=folder),
        transport=None if model is None else model.open(),
    )
    TalkUser(run, lines).begin()
    assert view.system is not None
    opened = run.runtime.environments.open(view.system.model.runs_on["default"])
    assert opened is not None
    assert isinstance(opened.environment, Household)
    run.go()
    events = [event for record in run.journal.records for event in flat(record.event)]
    programs = [event.program for event in events if isinstance(event, Programmed)]
    claimed = any(isinstance(event, SubtaskDone) for event in events)
    return opened.environment, programs[0] if programs else "", claimed


def find_wrong(goal: Mapping[str, Any], state: HouseholdState) -> Iterator[str]:
    """What does not hold of a goal, in words."""
    for name, wanted in goal.items():
        if name == "clean":
            yield from _wrong_washed(wanted, state)
        elif name in ("coffee", "cup of water"):
            liquid = "coffee" if name == "coffee" else "water"
            kinds = _VESSELS if name == "coffee" else ("Cup",)
            there = sum(
                state.get("filled", thing) == liquid
                for thing, kind in state.kinds.items()
                if kind in kinds
            )
            if (there < wanted) or (wanted == 0 and there):
                yield f"{there} {name}, not {wanted}"
        else:
            yield from _wrong_at(name, wanted[0], state)


def _wrong_at(place: str, wanted: Mapping[str, int], state: HouseholdState) -> Iterator[str]:
    """What is wrong on or in the best thing of a class; all of one kind of food is counted."""
    best: list[str] | None = None
    for holder in (name for name, kind in state.kinds.items() if kind == place):
        wrong = list(_wrong_on(holder, wanted, state))
        best = wrong if best is None or len(wrong) < len(best) else best
    yield from [f"no {place}"] if best is None else best


def _wrong_on(holder: str, wanted: Mapping[str, int], state: HouseholdState) -> Iterator[str]:
    contents = state.contents(holder)
    for name, count in wanted.items():
        kind, fact = _FOODS.get(name, (name, ""))
        found = [thing for thing in contents if state.kinds[thing] == kind]
        right = [thing for thing in found if not fact or state.get(fact, thing)]
        extra = (
            len(found) > count and state.kinds[holder] == "Plate"
        )  # elsewhere, what was cut there
        if len(right) != count or extra:
            yield f"{len(right)} {name} on {holder}, not {count}"
    if state.kinds[holder] == "Plate" and state.get("dirty", holder):
        yield f"{holder} is dirty"


def _wrong_washed(wanted: Mapping[str, int], state: HouseholdState) -> Iterator[str]:
    for kind, count in wanted.items():
        things = [name for name, own in state.kinds.items() if own == kind]
        clean = sum(not state.get("dirty", name) for name in things)
        if clean != count:
            yield f"{clean} {kind} clean, not {count}"
