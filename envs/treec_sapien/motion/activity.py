"""What each arm of a robot spends its time on while a skill of its is running.

An arm is working unless it is declared to wait: for the base, for another arm to pass, for a path,
for room, for a person, or for an appliance. Workers count the control steps
(:meth:`ArmActivities.count`); the seconds stand in the journal at the end of each skill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum


class Activity(StrEnum):
    """What an arm spends its time on."""

    WORKING = "working"
    DRIVING = "driving"
    """The base goes where this arm can work."""
    BASE = "base"
    """It waits: the base stands for another arm, or goes where another can work."""
    PASSING = "passing"
    """It waits until another arm is out of its way."""
    PATH = "path"
    """It has found no path, and waits for another arm to go away."""
    ROOM = "room"
    """It waits for room where another arm puts something."""
    PERSON = "person"
    """It stands still, or creeps, since a person is in its way."""
    APPLIANCE = "appliance"
    """It waits until an appliance is done."""


class ArmActivities:
    """The present activity of each arm, by its side, and how many steps it has spent on each."""

    def __init__(self) -> None:
        self._declared: dict[str, list[list[Activity]]] = {}
        self._steps: dict[str, Counter[Activity]] = {}

    @contextmanager
    def during(self, activity: Activity, *sides: str) -> Iterator[None]:
        """Declare what arms do within the context; the last one that is declared counts.

        Another arm may declare it for this one: contexts need not end in the order of their begin.
        """
        own = [activity]
        for side in sides:
            self._declared.setdefault(side, []).append(own)
        try:
            yield
        finally:
            for side in sides:
                self._declared[side] = [it for it in self._declared[side] if it is not own]

    def now(self, side: str) -> Activity:
        """What an arm is doing."""
        declared = self._declared.get(side)
        return declared[-1][0] if declared else Activity.WORKING

    def begin(self, side: str) -> None:
        """An arm begins a skill: nothing has been counted."""
        self._steps[side] = Counter()

    def count(self, side: str) -> None:
        """Count one control step of an arm."""
        self._steps.setdefault(side, Counter())[self.now(side)] += 1

    def steps(self, side: str) -> Mapping[Activity, int]:
        """The control steps that an arm has spent on each activity since it began its skill."""
        return dict(self._steps.get(side, ()))
