"""The true state of a household: where things are, and the values of their facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Position = tuple[float, float]
"""Metres on the floor plan: x, y."""


@dataclass
class HouseholdState:
    """Facts by name and thing, with positions of what stands on the floor.

    ``kinds`` are the classes of all things, pieces that are not cut yet included. ``values`` holds
    every fact about one thing; what is missing is false or none.
    """

    robot: str
    kinds: Mapping[str, str]
    values: dict[tuple[str, str], object] = field(default_factory=dict)
    positions: dict[str, Position] = field(default_factory=dict)
    robot_at: Position = (0.0, 0.0)

    def get(self, fact: str, thing: str) -> object:
        """The value of a fact about a thing; None if it has none."""
        return self.values.get((fact, thing))

    def set(self, fact: str, thing: str, value: object) -> None:
        """Set a fact about a thing; None or false: it has no value any more."""
        if value is None or value is False:
            self.values.pop((fact, thing), None)
        else:
            self.values[fact, thing] = value

    def number(self, fact: str, thing: str) -> float:
        """The value of a fact that is a number; 0 without one."""
        value = self.get(fact, thing)
        return float(value) if isinstance(value, int | float) else 0.0

    @property
    def held(self) -> str | None:
        """What is in the robot's hand."""
        value = self.get("holding", self.robot)
        return None if value is None else str(value)

    def support(self, thing: str) -> str | None:
        """What a thing stands on or in; None for what stands on the floor or is nowhere."""
        value = self.get("at", thing)
        return None if value is None else str(value)

    def exists(self, thing: str) -> bool:
        """Whether a thing is anywhere: a piece is once it has been cut."""
        return thing in self.positions or self.support(thing) is not None

    def chain(self, thing: str) -> Iterator[str]:
        """A thing, what it is on or in, what that is on or in, and so on."""
        seen: set[str] = set()
        current: str | None = thing
        while current is not None and current not in seen:
            seen.add(current)
            yield current
            current = self.support(current)

    def contents(self, thing: str) -> list[str]:
        """What stands directly on or in a thing, in the scene's order."""
        return [name for name in self.kinds if self.get("at", name) == thing]

    def all_contents(self, thing: str) -> list[str]:
        """What stands on or in a thing, directly or not."""
        contents, todo = [], [thing]
        while todo:
            inner = [name for name in self.contents(todo.pop()) if name not in contents]
            contents += inner
            todo += inner
        return contents

    def shut_behind(self, thing: str) -> str | None:
        """The outermost closed thing that a thing is in."""
        outer = None
        for holder in list(self.chain(thing))[1:]:
            if self.get("encloses", holder) and not self.get("opened", holder):
                outer = holder
        return outer

    def position(self, thing: str) -> Position | None:
        """Where a thing is on the floor plan; the robot's position for what it holds."""
        for name in self.chain(thing):
            if name == self.robot:
                return self.robot_at
            if name in self.positions:
                return self.positions[name]
        return None

    def distance(self, thing: str) -> float:
        """Metres between the robot and a thing, in a straight line; infinite if it is nowhere."""
        at = self.position(thing)
        return math.inf if at is None else math.dist(self.robot_at, at)
