"""HELPER as a whole on an episode: from its dialogue, with a memory, to the state of its home.

The system is `helper` as a user runs it; the user says the dialogue, and if asked afterwards
answers with what is missing of the goal.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.helper.carry_out import (
    ProgramResult,
    TrialSettings,
    holding,
    open_household,
    program_result,
    slips,
    system_as,
)
from experiments.helper.episodes import Episode
from experiments.helper.feedback import SATISFIED, feedback
from experiments.helper.goals import TaskGoal, check_goal
from experiments.helper.nearest import without_instances
from experiments.helper.talk_user import TalkUser
from treec.ask.transport import Transport
from treec.files.entry import AnyEntry, Entry
from treec.files.view import View
from treec.nodes.pairs import Embedder, MemoryPair
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.world.events import StateSet
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_household.environment import Household
from treec_memory.store import Memory, fault_of

SYSTEM = "helper"
PLANNER = "Dialogue_To_Program"
MEMORY = "memory.db"
NO_MEMORY = "none.db"
"""A memory that does not exist: nothing is recalled."""
MAY_FAIL = 29
"""How many steps may fail: TEACh ends an episode at the thirtieth failed call."""


@dataclass(frozen=True)
class ProgramModel:
    """A model that writes programs: its name, and what opens a connection for one run."""

    name: str
    open: Callable[[], Transport]


class EpisodeMemory:
    """The memory of one evaluation: dialogues and programs, from which each leaves itself out."""

    def __init__(self, folder: Path, episodes: Iterable[Episode], embedder: Embedder) -> None:
        self._file = folder / MEMORY
        self.embedder = embedder
        pairs = [MemoryPair(e.dialogue, without_instances(e.program)) for e in episodes]
        pairs = [pair for pair in pairs if fault_of(pair) is None]
        memory = Memory(self._file, embedder)
        try:
            memory.add_all(pairs)
        finally:
            memory.close()

    def copy_without(self, episode: Episode, folder: Path) -> None:
        """Write the memory to a folder, without the pair of an episode."""
        shutil.copy(self._file, folder / MEMORY)
        memory = Memory(folder / MEMORY, self.embedder)
        try:
            for pair in memory.pairs():
                if pair.key == episode.dialogue:
                    memory.remove(pair.number)
        finally:
            memory.close()


def converse(
    view: View,
    episode: Episode,
    goal: TaskGoal,
    settings: TrialSettings,
    memory: EpisodeMemory,
    model: ProgramModel | None = None,
) -> ProgramResult:
    """Say an episode's dialogue to HELPER in the episode's home, and answer its questions.

    ``view`` is one of the system `helper` in the episode's scene.
    """
    own = view_as(view, settings)
    with TemporaryDirectory() as folder:
        if settings.memory:
            memory.copy_without(episode, Path(folder))
        run = Run(
            own,
            SteppingClock(),
            Journal.in_memory(),
            RunSpec(
                seed=settings.seed,
                faults=slips(settings),
                model=None if model is None else model.name,
                chat=True,
                memories=Path(folder),
            ),
            transport=None if model is None else model.open(),
            embedder=memory.embedder,
        )
        home = open_household(run, settings)
        if episode.held is not None:
            home.begin_from(holding(home.state, episode.held))
        before = deepcopy(home.state)
        if settings.feedback > 1:
            run.world.emit(StateSet("questions", settings.feedback), "evaluation")
        user = _User(run, home, goal, settings.feedback)
        TalkUser(run, [episode.dialogue], user.answer).begin()
        outcome = run.go()
    return program_result(run, home, before, outcome.reason)


class _User:
    """Answers so many times what is missing; then, or when nothing is, leaves."""

    def __init__(self, run: Run, home: Household, goal: TaskGoal, times: int) -> None:
        self._run = run
        self._home = home
        self._goal = goal
        self._times = times

    def answer(self) -> str | None:
        """The next answer; None if there is nothing to be said any more."""
        said = feedback(check_goal(self._goal, self._home.state))
        if self._times < 1 or said == SATISFIED or not self._run.world.state["awaiting"]:
            return None
        self._times -= 1
        return said


def view_as(view: View, settings: TrialSettings) -> View:
    """The system with its parts on or off, as the settings say."""
    assert view.system is not None
    entries: list[AnyEntry] = [_changed(entry, settings) for entry in view.entries]
    own = View(view.library.with_entries(entries), None, entries)
    own.system = system_as(view.system, settings)
    return own


def _changed(entry: AnyEntry, settings: TrialSettings) -> AnyEntry:
    if entry.kind != "program":
        return entry
    changes: dict[str, object] = {}
    if not settings.memory and entry.model.memory is not None:
        changes["memory"] = entry.model.memory.model_copy(update={"from_": [NO_MEMORY]})
    if entry.name == PLANNER:
        changes["may_fail"] = MAY_FAIL
        if not settings.correction:
            changes["correction"] = None
    model = entry.model.model_copy(update=changes)
    return Entry(entry.kind, entry.name, model, entry.node, entry.file)
