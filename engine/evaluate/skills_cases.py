"""Which skills are tried on what: a draw for each trial, over scenes, things and agents.

Of each skill there are ``n`` trials. One after the other they take the scenes in turn, and in each
the things that the skill can be done to, in an order drawn by the seed; who does it and its other
arguments (where to put it, what to load it onto) are drawn by the trial's own seed, among those
that are possible. A larger ``n`` adds trials to the same ones.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest

from treec.evaluate.skills_outlook import outlook
from treec.evaluate.skills_ways import TrialCall, Ways
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.systems import SystemFile
from treec.files.view import View, in_scene, on_environment
from treec.nodes.environment import SYMBOLIC
from treec.source.diagnostics import did_you_mean

SEARCHES = 5
"""Calls of a skill on one thing for which nothing to do first was found; then it is given up."""

BOTH = "both"
"""The name for all systems that differ in what they can do."""


class NoCases(Exception):
    """Nothing can be tried; the text says what there is."""


@dataclass(frozen=True, slots=True)
class SkillTrial:
    """A skill to be tried on a fresh world, and what is done before; the last call is the skill."""

    system: str
    scene: str
    subject: str
    seed: int
    calls: tuple[TrialCall, ...]

    @property
    def call(self) -> TrialCall:
        """The skill that is tried."""
        return self.calls[-1]


@dataclass(frozen=True, slots=True)
class SkillSelection:
    """What shall be tried; empty: all. ``objects``: at most so many things of a skill and scene."""

    systems: Sequence[str] = ()
    skills: Collection[str] = ()
    scenes: Collection[str] = ()
    objects: int | None = None


@dataclass(frozen=True)
class SkillCases:
    """What shall be tried, the skills without a worker, and those that nothing makes possible."""

    trials: tuple[SkillTrial, ...]
    without: tuple[str, ...]
    impossible: tuple[str, ...]


def cases_of(library: Library, env: str, wanted: SkillSelection, n: int, seed: int) -> SkillCases:
    """All trials, the first of every skill before the second of any. Raises NoCases, CannotRun."""
    found: list[list[SkillTrial]] = []
    known: dict[str, None] = {}
    without: dict[str, None] = {}
    impossible: list[str] = []
    scenes: dict[str, None] = {}
    with ExitStack() as stack:
        for system in _systems(library, wanted.systems):
            there: list[Ways] = []
            for scene in library.of_kind("scene"):
                if scene.model.domain != system.model.domain:
                    continue
                scenes[scene.name] = None
                if not wanted.scenes or scene.name in wanted.scenes:
                    ways = _ways(library, system, scene.name, env, stack)
                    there += [] if ways is None else [ways]
            names = dict.fromkeys(name for ways in there for name in ways.view.all("skill"))
            known.update(names)
            for skill in names:
                having = [ways for ways in there if skill in ways.skills]
                if wanted.skills and skill not in wanted.skills:
                    continue
                if not having:
                    without[skill] = None
                    continue
                draw = Draw(having, system.name, skill, seed, wanted.objects)
                drawn = draw.trials(n)
                found.append(drawn)
                if not drawn:
                    impossible.append(f"{system.name}: {skill}")
    _sure("scene", wanted.scenes, scenes)
    _sure("skill", wanted.skills, known)
    if not any(found):
        raise NoCases("nothing of this is possible in these scenes")
    trials = [one for row in zip_longest(*found) for one in row if one is not None]
    return SkillCases(tuple(trials), tuple(sorted(without)), tuple(impossible))


def _ways(
    library: Library, system: Entry[SystemFile], scene: str, env: str, stack: ExitStack
) -> Ways | None:
    placed = in_scene(system, scene)
    view = View(library, on_environment(placed, SYMBOLIC))
    if not view.robots:
        return None
    seen = stack.enter_context(outlook(View(library, on_environment(placed, env)), env))
    return Ways(view, env, seen)


class Draw:
    """The trials of one skill, over the scenes."""

    def __init__(
        self, there: Sequence[Ways], system: str, skill: str, seed: int, objects: int | None
    ) -> None:
        self._system, self._skill, self._seed = system, skill, seed
        self._calls: dict[str, dict[str, list[TrialCall]]] = {}
        """By scene and thing: all calls that the arguments' types allow."""
        self._ways = {ways.view.scenes[0].name: ways for ways in there}
        self._left: dict[str, list[str]] = {}
        """By scene: its things, in the order in which they are taken."""
        self._objects = objects
        for scene, ways in self._ways.items():
            calls: dict[str, list[TrialCall]] = {}
            for call in ways.calls(skill):
                calls.setdefault(ways.subject(call), []).append(call)
            self._calls[scene], self._left[scene] = calls, list(calls)
            random.Random(f"{seed} {scene} {skill}").shuffle(self._left[scene])
        self._turns = dict.fromkeys(self._ways, 0)

    def trials(self, n: int) -> list[SkillTrial]:
        """So many, or none where nothing is possible in any scene."""
        found: list[SkillTrial] = []
        order = list(self._ways)
        random.Random(f"{self._seed} {self._skill}").shuffle(order)
        while len(found) < n and order:
            scene = order.pop(0)
            trial = self._next(scene, self._seed + len(found))
            if trial is not None:
                found.append(trial)
                order.append(scene)
        return found

    def _next(self, scene: str, seed: int) -> SkillTrial | None:
        """A trial of the thing in a scene whose turn it is; what is impossible is left out."""
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
        ways, calls = self._ways[scene], self._calls[scene][subject]
        rng = random.Random(f"{seed} {scene} {self._skill} {subject}")
        searched = 0
        for call in rng.sample(calls, len(calls)):
            first = ways.way(call, rng)
            if first is not None:
                return SkillTrial(self._system, scene, subject, seed, (*first, call))
            searched += ways.searched
            if searched == SEARCHES:
                break
        return None


def _systems(library: Library, names: Sequence[str]) -> list[Entry[SystemFile]]:
    """The systems meant; of those with the same skills in the same domain the first."""
    known: dict[str, Entry[SystemFile]] = {e.name: e for e in library.of_kind("system")}
    if names and BOTH not in names:
        _sure("system", names, known)
        return [known[name] for name in dict.fromkeys(names)]
    found: dict[tuple[str, frozenset[str]], Entry[SystemFile]] = {}
    for entry in known.values():
        skills = View(library, entry).all("skill")
        key = (entry.model.domain, frozenset(e.path for e in skills.values()))
        if skills:
            found.setdefault(key, entry)
    return list(found.values())


def _sure(kind: str, wanted: Collection[str], known: Collection[str]) -> None:
    for name in wanted:
        if name not in known:
            near = did_you_mean(name, known)
            told = f"did you mean '{near}'?" if near else f"there are: {', '.join(known)}"
            raise NoCases(f"there is no {kind} '{name}': {told}")
