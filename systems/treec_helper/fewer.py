"""Less of what was made: "one less", "half of it", "without tomato"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from treec.source.errors import EvaluationProblem
from treec_helper.asked import HouseholdWords, asked, corrected_by, standing
from treec_helper.goals import GoalFact, KnownWorld, RequestGoal, counts, is_at
from treec_helper.marks import FEWER
from treec_helper.mentions import any_of, spoken, words
from treec_helper.taken_back import ProgramStep, poured_away, program_of

_SURFACES = ("CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk", "Shelf", "Dresser")
"""Where what is taken away is put, if it was nowhere before."""


def is_fewer(corrected: str, said: str, vocabulary: HouseholdWords) -> bool:
    """Whether words ask for less of what a request asks for."""
    before = asked(corrected, vocabulary)
    after = asked(corrected_by(corrected, said), vocabulary)
    return bool(_removed(before, after)) and not _removed(after, before)


def taken_away(corrected: str, said: str, world: KnownWorld, vocabulary: HouseholdWords) -> str:
    """The program that takes away what is too much. Raises EvaluationProblem if it takes a model.

    What was put somewhere is put back to where it was, or on another surface; a drink is poured
    away.
    """
    before = asked(corrected, vocabulary)
    after = asked(corrected_by(corrected, said), vocabulary)
    leaves_out = re.search(rf"\b{any_of(words()['leave_out'])}\b", said.lower())
    if not any("." in name for name in after.things) and not leaves_out:
        raise EvaluationProblem("there was only one; say 'undo that' to have it taken back")
    steps: list[ProgramStep] = []
    taken: list[str] = []
    for number, count in _removed(before, after).items():
        name = f"{number}.1"
        own = [c for c in before.conditions if c.thing == name]
        there = [
            one
            for one, kind in world.kinds.items()
            if kind in before.things[name].kinds and world.exists(one) and world.is_new(one)
            if one not in taken and as_asked(one, own, before, world)
        ]
        if before.things[name].every or len(there) < count:
            raise EvaluationProblem("to take that away, I need a model")
        taken += there[-count:]
        for thing in there[-count:]:
            steps += _away(thing, own, corrected, before, world)
    return FEWER + program_of(steps, world.kinds)


def _removed(before: RequestGoal, after: RequestGoal) -> Counter[str]:
    """How many less of each item there are."""
    return counts(before) - counts(after)


def as_asked(thing: str, own: Sequence[GoalFact], goal: RequestGoal, world: KnownWorld) -> bool:
    """Whether a thing is where it was to be put, and filled with what was asked for."""
    for condition in own:
        if condition.fact == "at":
            places = goal.things[str(condition.value)].kinds
            if not any(is_at(thing, place, world) for place in places):
                return False
        elif condition.fact == "filled" and world.value("filled", thing) != condition.value:
            return False
    return True


def _away(
    thing: str, own: Sequence[GoalFact], corrected: str, goal: RequestGoal, world: KnownWorld
) -> Iterator[ProgramStep]:
    facts = {c.fact for c in own}
    first = standing(corrected).partition("\n<Driver>")[0]
    changes = world.changes(first)
    was = next((c.before for c in changes if (c.fact, c.thing) == ("at", thing)), None)
    if "filled" in facts and thing not in world.fixed:
        yield poured_away(thing, world)
        if "at" not in facts and was:
            yield ProgramStep(thing, "pickup_and_place", str(was))
        elif "at" not in facts:
            yield ProgramStep(thing, "put_down")
    if "at" in facts:
        where = {str(c.value) for c in own if c.fact == "at"}
        kinds = {kind for name in where for kind in goal.things[name].kinds}
        surfaces = [t for t, k in world.kinds.items() if k in _SURFACES and k not in kinds]
        target = was or next(iter(surfaces), None)
        if target is None:
            raise EvaluationProblem(f"there is nowhere to put the {spoken(world.kinds[thing])}")
        yield ProgramStep(thing, "pickup_and_place", str(target))
    elif "filled" not in facts or thing in world.fixed:
        raise EvaluationProblem("that cannot be taken back")
