"""Selects the trials of skills: scenes, things and agents, sampled by seed.

Each skill gets ``n`` trials. They rotate through the scenes, and in each scene through the things
to which the skill applies, in an order shuffled by the seed. The agent and the other arguments
(where to put it, what to load it onto) are sampled among the possible ones with the trial's own
seed. A larger ``n`` adds trials and keeps the others.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest

from experiments.skills.planner import TrialCall, TrialPlanner
from experiments.skills.sensing import sense_scene
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.systems import SystemFile
from treec.files.view import View, in_scene, on_environment
from treec.nodes.environment import SYMBOLIC
from treec.source.diagnostics import unknown

SEARCHES = 5
"""Failed searches for preparations of a skill on one thing, after which it is given up."""

BOTH = "both"
"""The name for all systems that differ in their skills."""


class NoTrials(Exception):
    """The selection yields no trials; the message says what exists."""


@dataclass(frozen=True, slots=True)
class SkillTrial:
    """A skill to try in a fresh world: the calls that prepare it, and the skill itself last."""

    system: str
    scene: str
    subject: str
    seed: int
    calls: tuple[TrialCall, ...]

    @property
    def call(self) -> TrialCall:
        """The call of the tried skill."""
        return self.calls[-1]


@dataclass(frozen=True, slots=True)
class SkillSelection:
    """A selection of trials; empty: all. ``objects`` limits the things per skill and scene."""

    systems: Sequence[str] = ()
    skills: Collection[str] = ()
    scenes: Collection[str] = ()
    objects: int | None = None


@dataclass(frozen=True)
class SkillCases:
    """The trials, the skills without a worker, and those that no preparation makes possible."""

    trials: tuple[SkillTrial, ...]
    without: tuple[str, ...]
    impossible: tuple[str, ...]


def select_trials(
    library: Library, env: str, selection: SkillSelection, n: int, seed: int
) -> SkillCases:
    """Select all trials, interleaving the skills. Raises NoTrials and CannotRun."""
    found: list[list[SkillTrial]] = []
    known: dict[str, None] = {}
    without: dict[str, None] = {}
    impossible: list[str] = []
    scenes: dict[str, None] = {}
    with ExitStack() as stack:
        for system in _systems(library, selection.systems):
            planners: list[TrialPlanner] = []
            for scene in library.of_kind("scene"):
                if scene.model.domain != system.model.domain:
                    continue
                scenes[scene.name] = None
                if not selection.scenes or scene.name in selection.scenes:
                    planner = _planner(library, system, scene.name, env, stack)
                    planners += [] if planner is None else [planner]
            names = dict.fromkeys(name for one in planners for name in one.view.all("skill"))
            known.update(names)
            for skill in names:
                having = [planner for planner in planners if skill in planner.skills]
                if selection.skills and skill not in selection.skills:
                    continue
                if not having:
                    without[skill] = None
                    continue
                sampler = TrialSampler(having, system.name, skill, seed, selection.objects)
                drawn = sampler.trials(n)
                found.append(drawn)
                if not drawn:
                    impossible.append(f"{system.name}: {skill}")
    _check_names("scene", selection.scenes, scenes)
    _check_names("skill", selection.skills, known)
    if not any(found):
        raise NoTrials("nothing of this is possible in these scenes")
    trials = [one for row in zip_longest(*found) for one in row if one is not None]
    return SkillCases(tuple(trials), tuple(sorted(without)), tuple(impossible))


def _planner(
    library: Library, system: Entry[SystemFile], scene: str, env: str, stack: ExitStack
) -> TrialPlanner | None:
    placed = in_scene(system, scene)
    view = View(library, on_environment(placed, SYMBOLIC))
    if not view.robots:
        return None
    sensing = stack.enter_context(sense_scene(View(library, on_environment(placed, env)), env))
    return TrialPlanner(view, env, sensing)


class TrialSampler:
    """Samples the trials of one skill over the scenes."""

    def __init__(
        self,
        planners: Sequence[TrialPlanner],
        system: str,
        skill: str,
        seed: int,
        objects: int | None,
    ) -> None:
        self._system, self._skill, self._seed = system, skill, seed
        self._calls: dict[str, dict[str, list[TrialCall]]] = {}
        """All calls allowed by the types of the arguments, by scene and thing."""
        self._planners = {one.view.scenes[0].name: one for one in planners}
        self._left: dict[str, list[str]] = {}
        """The things of each scene, in the order they are used."""
        self._objects = objects
        for scene, planner in self._planners.items():
            calls: dict[str, list[TrialCall]] = {}
            for call in planner.calls(skill):
                calls.setdefault(planner.subject(call), []).append(call)
            self._calls[scene], self._left[scene] = calls, list(calls)
            random.Random(f"{seed} {scene} {skill}").shuffle(self._left[scene])
        self._turns = dict.fromkeys(self._planners, 0)

    def trials(self, n: int) -> list[SkillTrial]:
        """``n`` trials, or none if the skill is possible in no scene."""
        found: list[SkillTrial] = []
        order = list(self._planners)
        random.Random(f"{self._seed} {self._skill}").shuffle(order)
        while len(found) < n and order:
            scene = order.pop(0)
            trial = self._next(scene, self._seed + len(found))
            if trial is not None:
                found.append(trial)
                order.append(scene)
        return found

    def _next(self, scene: str, seed: int) -> SkillTrial | None:
        """The trial of the next possible thing in a scene."""
        left = self._left[scene]
        while left:
            number = self._turns[scene] % len(left[: self._objects])
            trial = self._one(scene, left[number], seed)
            if trial is not None:
                self._turns[scene] += 1
                return trial
            del left[number]
        return None

    def _one(self, scene: str, subject: str, seed: int) -> SkillTrial | None:
        planner, calls = self._planners[scene], self._calls[scene][subject]
        rng = random.Random(f"{seed} {scene} {self._skill} {subject}")
        searched = 0
        for call in rng.sample(calls, len(calls)):
            first = planner.plan(call, rng)
            if first is not None:
                return SkillTrial(self._system, scene, subject, seed, (*first, call))
            searched += planner.searched
            if searched == SEARCHES:
                break
        return None


def _systems(library: Library, names: Sequence[str]) -> list[Entry[SystemFile]]:
    """The selected systems, one for each set of skills in a domain."""
    known: dict[str, Entry[SystemFile]] = {e.name: e for e in library.of_kind("system")}
    if names and BOTH not in names:
        _check_names("system", names, known)
        return [known[name] for name in dict.fromkeys(names)]
    found: dict[tuple[str, frozenset[str]], Entry[SystemFile]] = {}
    for entry in known.values():
        skills = View(library, entry).all("skill")
        key = (entry.model.domain, frozenset(e.path for e in skills.values()))
        if skills:
            found.setdefault(key, entry)
    return list(found.values())


def _check_names(kind: str, names: Collection[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise NoTrials(unknown(kind, name, known))
