"""More of what was put somewhere: "one more" of two pencils, "make it three" of two slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treec.source.errors import EvaluationProblem
from treec_helper.asked import HouseholdWords, asked, corrected_by
from treec_helper.goals import GoalFact, GoalThing, KnownWorld, is_at
from treec_helper.marks import AGAIN
from treec_helper.mentions import spoken
from treec_helper.taken_back import ProgramStep, program_of


def added(corrected: str, said: str, world: KnownWorld, vocabulary: HouseholdWords) -> str:
    """The program that puts more where things were put; "" if that is not what is asked for.

    Slices come from what is cut, and are toasted or cooked if those before are. Raises
    EvaluationProblem if there are no more.
    """
    before = asked(corrected, vocabulary)
    after = asked(corrected_by(corrected, said), vocabulary)
    more = [name for name in after.things if name not in before.things and "." in name]
    if not more or before.things.keys() - after.things.keys():
        return ""
    steps: list[ProgramStep] = []
    taken: set[str] = set()
    for name in more:
        own = [c for c in after.conditions if c.thing == name]
        places = [after.things[str(c.value)] for c in own if c.fact == "at"]
        if len(places) != 1 or not {c.fact for c in own} <= {"at", "cooked"}:
            return ""
        asked_for = [of for of in before.things.values() if of != places[0]]
        items = [after.things[name], *asked_for]  # "the pen, too": where the pencils are
        where = next((at for of in items for at in _used(places[0], of, world)), None)
        if where is None:
            return ""
        is_cooked = any(c.fact == "cooked" for c in own)
        free = _free(after.things[name], where, taken, world, vocabulary, is_cooked=is_cooked)
        thing = next(free, None)
        if thing is None:
            raise EvaluationProblem(f"there is no other {spoken(after.things[name].kinds[0])} here")
        taken.add(thing)
        steps += _steps(thing, where, own, world)
    return AGAIN + program_of(steps, world.kinds)


def _used(place: GoalThing, item: GoalThing, world: KnownWorld) -> Iterator[str]:
    """The places where such things were put."""
    things = [one for one, kind in world.kinds.items() if kind in item.kinds and world.is_new(one)]
    for one, kind in world.kinds.items():
        if kind in place.kinds and any(is_at(thing, one, world) for thing in things):
            yield one


def _free(
    item: GoalThing,
    where: str,
    taken: set[str],
    world: KnownWorld,
    vocabulary: HouseholdWords,
    *,
    is_cooked: bool,
) -> Iterator[str]:
    pieces = vocabulary.pieces.values()
    for one, kind in world.kinds.items():
        if kind not in item.kinds or one in taken or not world.exists(one):
            continue
        used = is_at(one, where, world) or (is_cooked and world.value("cooked", one))
        if not used and (kind in pieces or not world.is_new(one)):
            yield one


def _steps(
    thing: str, where: str, own: Sequence[GoalFact], world: KnownWorld
) -> Iterator[ProgramStep]:
    if any(c.fact == "cooked" for c in own):
        yield ProgramStep(thing, "toast" if world.kinds[thing] == "BreadSliced" else "cook")
    yield ProgramStep(thing, "pickup_and_place", where)
