"""Carries out the program of an episode in its scene, through the same tree as a run by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from experiments.helper.episodes import Episode, EpisodeError, scene_of
from treec.api.find import find_system
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.systems import SystemFile
from treec.files.validate import read_entry
from treec.files.view import View, in_scene
from treec.nodes.events import Programmed, SkillEnded, SkillStarted, StepLost
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.source.text import SourceFile
from treec.source.yaml import read_documents
from treec.team.events import SubtaskDone, SubtaskFailed
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_household.environment import Household
from treec_household.search import random_places
from treec_household.state import HouseholdState

SYSTEM = "helper_household"
TREE = "carry_out"
SCENE = "episode"


@dataclass(frozen=True)
class TrialSettings:
    """How programs are carried out: the ablations of an evaluation."""

    repairs: str = "repair"
    """What is done about preconditions: repair, check, ignore (see a system's file)."""
    sight: str = "full"
    """full; partial: what is near and not shut away; embodied: what the robot's camera shows."""
    slips: float = 0.0
    """The chance that picking up fails though all is right."""
    seed: int = 0
    locator: bool = True
    """Whether likely places are searched first; else they are in random order."""
    programs: str = "recorded"
    """Whose programs: recorded; of the nearest other dialogue (nearest); of the first other one,
    whatever was asked (fixed); or HELPER as a whole (helper), for which the following hold, too."""
    memory: bool = True
    """Whether it has the other episodes as its memory, and its examples; else nothing."""
    correction: bool = True
    """Whether a step that failed is corrected and tried again."""
    feedback: int = 0
    """How often the user is asked at the end, and says what is missing."""
    depth_error: float = 0.0
    odometry_error: float = 0.0
    """Errors of an embodied robot, as shares (see `treec_household.embodied.simulator.Senses`)."""
    eyes: str = "true"
    """Of an embodied robot: true masks and states, or its own (small)."""
    reasons: str = "oracle"
    """How it is known why its action failed: oracle, picture, none."""

    @property
    def environment(self) -> str:
        """The name of the environment."""
        names = {"full": "household", "partial": "household_partial"}
        return names.get(self.sight, "household_embodied")


@dataclass(frozen=True)
class LostStep:
    """A step that failed: its line, its skill and why."""

    line: int
    skill: str
    reason: str
    assertion: bool


@dataclass(frozen=True)
class ProgramResult:
    """What a program has come to; ``home`` is the household afterwards, ``before`` its true state
    at the start.
    """

    accepted: bool
    refused: str
    ended: bool
    lost: tuple[LostStep, ...]
    skills: int
    failed_calls: int
    steps: int
    walked: float
    home: Household
    before: HouseholdState
    claimed: bool = False
    """Whether it was called done."""


def episode_view(library: Library, episode: Episode, name: str = SYSTEM) -> View:
    """A view of one of HELPER's systems in an episode's scene. Raises EpisodeError."""
    system: Entry[SystemFile] = find_system(library, name)
    own = View(library, system)
    data = scene_of(episode, own, SCENE)
    file = SourceFile(f"{system.folder}/{SCENE}.scene.yaml", json.dumps(data, indent=1))
    documents, problems = read_documents(file)
    if not documents:
        raise EpisodeError(f"episode {episode.id}: {problems[0].message}")
    scene, problems = read_entry(documents[0], "scene")
    if scene is None:
        raise EpisodeError(f"episode {episode.id}: {problems[0].message}")
    entries = [entry for entry in own.entries if entry.kind != "scene"]
    found = View(library.with_entries([*entries, scene]), in_scene(system, SCENE))
    if not found.scenes:
        found = _with_scene(library, system, [*entries, scene])
    return found


def _with_scene(
    library: Library, system: Entry[SystemFile], entries: Sequence[Entry[SystemFile]]
) -> View:
    view = View(library, None, entries)
    view.system = in_scene(system, SCENE)
    return view


def system_as(system: Entry[SystemFile], settings: TrialSettings) -> Entry[SystemFile]:
    """The system with the environment and the treatment of preconditions of the settings."""
    changed = {
        "runs_on": {"default": settings.environment},
        "preconditions": settings.repairs,
    }
    model = system.model.model_copy(update=changed)
    return Entry(system.kind, system.name, model, system.node, system.file)


def carry_out(
    view: View,
    program: str,
    settings: TrialSettings,
    start: HouseholdState | None = None,
    *,
    held: str | None = None,
) -> ProgramResult:
    """Carry out a program in a view's scene, on virtual time.

    ``start`` is the state there; ``held`` is in the hand at the start.
    """
    system = view.system
    assert system is not None
    view.system = system_as(system, settings)
    try:
        run = Run(
            view,
            SteppingClock(),
            Journal.in_memory(),
            RunSpec(
                seed=settings.seed, tree=TREE, ports={"script": program}, faults=slips(settings)
            ),
        )
        home = open_household(run, settings)
        if start is not None:
            home.begin_from(start)
        if held is not None:
            home.begin_from(holding(home.state, held))
        _sense(run, settings)
        before = deepcopy(home.state)
        result = run.go()
    finally:
        view.system = system
    return program_result(run, home, before, result.why, failed=result.status == "FAILURE")


def holding(state: HouseholdState, thing: str) -> HouseholdState:
    """A copy of a state with a thing of it in the hand."""
    if thing not in state.kinds:
        return state
    found = deepcopy(state)
    found.positions.pop(thing, None)
    found.set("at", thing, found.robot)
    found.set("holding", found.robot, thing)
    return found


def slips(settings: TrialSettings) -> tuple[str, ...]:
    """The faults of the settings: picking up fails by chance."""
    if not settings.slips:
        return ()
    return (f"fail pickup always chance {settings.slips * 100:g}%: slipped",)


def open_household(run: Run, settings: TrialSettings) -> Household:
    """The household of a run, searched as the settings say."""
    found = run.runtime.environments.open(settings.environment)
    assert found is not None
    assert isinstance(found.environment, Household)
    if not settings.locator:
        found.environment.places_to_look = random_places(settings.seed)
    if settings.sight == "embodied":
        _set_senses(found.environment, settings)
        _sense(run, settings)
    return found.environment


def _sense(run: Run, settings: TrialSettings) -> None:
    """Let the run know what its household senses now: what it sensed at its opening is past."""
    found = run.runtime.environments.find_open(settings.environment)
    assert found is not None
    run.runtime.adopt_sensed_values(found.environment, settings.environment)


def _set_senses(home: Household, settings: TrialSettings) -> None:
    from treec_household.embodied.environment import EmbodiedHousehold
    from treec_household.embodied.simulator import Senses

    assert isinstance(home, EmbodiedHousehold)
    home.begin_with(
        Senses(
            settings.depth_error,
            settings.odometry_error,
            eyes=settings.eyes,
            reasons=settings.reasons,
        )
    )


def program_result(
    run: Run, home: Household, before: HouseholdState, why: str, *, failed: bool = False
) -> ProgramResult:
    """What the programs of a run have come to, by its journal; ``failed``: its tree has."""
    events = [event for record in run.journal.records for event in flat(record.event)]
    accepted = any(isinstance(event, Programmed) for event in events)
    lost = tuple(
        LostStep(e.line, e.skill, e.reason, e.assertion) for e in events if isinstance(e, StepLost)
    )
    given_up = [LostStep(0, "", e.reason, False) for e in events if isinstance(e, SubtaskFailed)]
    lost += (LostStep(0, "", why, False),) if failed and accepted else tuple(given_up)
    ends = [e for e in events if isinstance(e, SkillEnded) and not e.skipped]
    calls = [e for e in ends if not e.asked_again]
    return ProgramResult(
        accepted=accepted,
        refused="" if accepted else next((one.reason for one in given_up), why),
        ended=accepted and all(one.assertion for one in lost),
        lost=lost,
        skills=sum(isinstance(e, SkillStarted) for e in events) - (len(ends) - len(calls)),
        failed_calls=sum(not e.ok for e in calls),
        steps=home.actions.steps,
        walked=home.actions.walked,
        home=home,
        before=before,
        claimed=any(isinstance(e, SubtaskDone) for e in events),
    )
