"""Which skills are tried on what: every skill on everything that it can be done to, in each scene.

A case is a system, a scene, a skill and what it is done to. Of a case there are some trials; who
does it and its other arguments (where to put it, what to pour it into) are drawn for each by its
seed, among those that are possible.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.evaluate.skills_ways import Call, Ways
from engine.files.entry import Entry
from engine.files.library import Library
from engine.files.systems import SystemFile
from engine.files.view import View, in_scene, on_environment
from engine.nodes.environment import SYMBOLIC
from engine.source.diagnostics import did_you_mean

SEARCHES = 4
"""Calls of a skill on one thing for which nothing to do first was found; then it is given up."""

BOTH = "both"
"""The name for all systems that differ in what they can do."""


class NoCases(Exception):
    """Nothing can be tried; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A skill to be tried on a fresh world, and what is done before; the last call is the skill."""

    system: str
    scene: str
    subject: str
    seed: int
    calls: tuple[Call, ...]

    @property
    def call(self) -> Call:
        """The skill that is tried."""
        return self.calls[-1]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What shall be tried; empty: all. ``objects``: at most so many things a skill and scene."""

    systems: Sequence[str] = ()
    skills: Collection[str] = ()
    scenes: Collection[str] = ()
    objects: int | None = None


def trials_of(
    library: Library, env: str, wanted: Wanted, n: int, seed: int
) -> tuple[list[Trial], list[str]]:
    """All trials, ``n`` of each case, and the skills that have no worker. Raises NoCases."""
    systems = _systems(library, wanted.systems)
    trials: list[Trial] = []
    known: dict[str, None] = {}
    without: dict[str, None] = {}
    scenes: dict[str, None] = {}
    for system in systems:
        for scene in library.of_kind("scene"):
            if scene.model.domain != system.model.domain:
                continue
            scenes[scene.name] = None
            if wanted.scenes and scene.name not in wanted.scenes:
                continue
            there = on_environment(in_scene(system, scene.name), SYMBOLIC)
            view = View(library, there)
            if not view.robots:
                continue
            ways = Ways(view, env)
            names = view.all("skill")
            known.update(dict.fromkeys(names))
            without.update(dict.fromkeys(name for name in names if name not in ways.skills))
            for skill in ways.skills:
                if not wanted.skills or skill in wanted.skills:
                    draw = Draw(ways, system.name, scene.name, skill)
                    trials += draw.trials(n, seed, wanted.objects)
    _sure("scene", wanted.scenes, scenes)
    _sure("skill", wanted.skills, known)
    if not trials:
        raise NoCases("nothing of this is possible in these scenes")
    return trials, sorted(without)


@dataclass(frozen=True)
class Draw:
    """The trials of one skill in one scene."""

    ways: Ways
    system: str
    scene: str
    skill: str

    def trials(self, n: int, seed: int, objects: int | None) -> list[Trial]:
        """``n`` of each thing; of at most so many things, drawn by the seed."""
        calls: dict[str, list[Call]] = {}
        for call in self.ways.calls(self.skill):
            calls.setdefault(self.ways.subject(call), []).append(call)
        subjects = list(calls)
        if objects is not None:
            random.Random(f"{seed} {self.scene} {self.skill}").shuffle(subjects)
        found: list[Trial] = []
        things = 0
        for subject in subjects:
            drawn = [self._one(subject, calls[subject], seed + number) for number in range(n)]
            made = [trial for trial in drawn if trial is not None]
            found += made
            things += bool(made)
            if things == objects:
                break
        return found

    def _one(self, subject: str, calls: Sequence[Call], seed: int) -> Trial | None:
        rng = random.Random(f"{seed} {self.scene} {self.skill} {subject}")
        searched = 0
        for call in rng.sample(calls, len(calls)):
            first = self.ways.way(call, rng)
            if first is not None:
                return Trial(self.system, self.scene, subject, seed, (*first, call))
            searched += self.ways.searched
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
