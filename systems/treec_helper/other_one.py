"""The other of two things: a program carried out again with the one that was meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treec.source.errors import EvaluationProblem
from treec_helper.asked import HouseholdWords, asked, standing
from treec_helper.constructors import ConstructedThing, constructed, with_things
from treec_helper.goals import GoalThing, KnownWorld, is_at
from treec_helper.marks import AGAIN, ANOTHER
from treec_helper.mentions import AnotherOne, listed, spoken, words
from treec_helper.taken_back import ProgramStep, poured_away, program_of, set_down


def with_another(
    corrected: str, said: AnotherOne, program: str, world: KnownWorld, vocabulary: HouseholdWords
) -> str:
    """The program with the thing that is meant. Raises EvaluationProblem if that is not clear.

    What it took before is put back to where it was.
    """
    goal = asked(corrected, vocabulary)
    places = {str(c.value) for c in goal.conditions if c.fact == "at"}
    there = constructed(program)
    found = []
    for kind in dict.fromkeys(one.kind for one in there):
        if not kind or (said.kind and kind != said.kind):
            continue
        named = [name for name, of in goal.things.items() if kind in of.kinds]
        if not named or kind in vocabulary.pieces.values():
            continue
        is_place = all(name in places for name in named)
        is_vessel = any(c.fact == "filled" and c.thing in named for c in goal.conditions)
        if said.into and not (is_place or is_vessel):
            continue
        found.append((is_place, kind, [one for one in there if one.kind == kind]))
    reasons = []
    for is_place, kind, of_kind in sorted(found, key=lambda one: one[0]):
        try:
            used, meant = _choose(corrected, of_kind, said, world, is_place=is_place)
        except EvaluationProblem as error:
            reasons.append(str(error))
            continue
        if is_place and said.too:
            raise EvaluationProblem("to put things there, too, I need a model")
        if is_place:
            wanted = next(goal.things[name] for name in places if kind in goal.things[name].kinds)
            return _to_another_place(corrected, used, meant, wanted, world, vocabulary)
        if len({name.partition(".")[0] for name in goal.things if "." in name}) > 1:
            raise EvaluationProblem("to take another one among other things, I need a model")
        if said.too:
            return AGAIN + with_things(program, _instead_of(used, meant, world))
        return _with_another_item(corrected, used, meant, program, world)
    raise EvaluationProblem(reasons[0] if reasons else "to know which one you mean, I need a model")


def _choose(
    corrected: str,
    of_kind: Sequence[ConstructedThing],
    said: AnotherOne,
    world: KnownWorld,
    *,
    is_place: bool,
) -> tuple[str, str]:
    """The thing that was taken of a class, and the one that is meant."""
    kind = of_kind[0].kind
    name = spoken(kind)
    of_class = [one for one, of in world.kinds.items() if of == kind and world.exists(one)]
    used = [one for one in of_class if (_holds_new(one, world) if is_place else world.is_new(one))]
    if len(of_kind) != 1 or of_kind[0].repeated or len(used) != 1:
        raise EvaluationProblem(f"to know which {name} you mean, I need a model")
    meant = [one for one in of_class if _is_meant(one, said, world)]
    is_other = not (said.word or said.place)
    if is_other or said.not_that or said.too:
        meant = [one for one in meant if one not in used]
    if is_other and not meant:
        raise EvaluationProblem(f"there is no other {name} here")
    was = [
        c.before for c in world.changes(standing(corrected)) if (c.fact, c.thing) == ("at", used[0])
    ]
    if not meant and said.place and was and world.kinds.get(str(was[0])) == said.place:
        raise EvaluationProblem(f"{used[0]} is the one that I took from there")
    if not meant:
        where = f" at the {spoken(said.place)}" if said.place else ""
        raise EvaluationProblem(f"I know of no {said.word} {name}{where}".replace("  ", " "))
    if len(meant) > 1:
        raise EvaluationProblem(f"I do not know which one you mean: {listed(meant)}")
    if meant == used:
        raise EvaluationProblem(f"{used[0]} is the one that I have taken")
    if world.value("sliced", used[0]):
        raise EvaluationProblem(f"{used[0]} is cut already; to take another one, I need a model")
    return used[0], meant[0]


def _is_meant(thing: str, said: AnotherOne, world: KnownWorld) -> bool:
    if said.place and not is_at(thing, said.place, world):
        return False
    if not said.word:
        return True
    if said.word in words()["states"]:
        fact, wanted = words()["states"][said.word]
        value, known = world.get(fact, thing)
        return known and world.is_found(thing) and bool(value) == wanted
    return said.word in world.words(thing)


def _holds_new(place: str, world: KnownWorld) -> bool:
    return any(world.value("at", one) == place and world.is_new(one) for one in world.kinds)


def _with_another_item(
    corrected: str, used: str, meant: str, program: str, world: KnownWorld
) -> str:
    changes = world.changes(standing(corrected))
    was = [c.before for c in changes if c.fact == "at" and c.thing == used]
    back = ""
    is_filled = any((c.fact, c.thing) == ("filled", used) for c in changes)
    if is_filled and world.value("filled", used) and used not in world.fixed:
        back = program_of([poured_away(used, world)], world.kinds)
    if was and was[0] and not is_at(used, str(was[0]), world):
        back += program_of([ProgramStep(used, "pickup_and_place", str(was[0]))], world.kinds)
    elif was:
        back += program_of(set_down([used]), world.kinds)
    return ANOTHER + back + with_things(program, _instead_of(used, meant, world))


def _instead_of(
    used: str, meant: str, world: KnownWorld
) -> Callable[[ConstructedThing], str | None]:
    kind = world.kinds[used]
    return lambda one: meant if one.kind == kind else None


def _to_another_place(
    corrected: str,
    used: str,
    meant: str,
    wanted: GoalThing,
    world: KnownWorld,
    vocabulary: HouseholdWords,
) -> str:
    """The program that moves what was put into a place to the one that is meant."""
    goal = asked(corrected, vocabulary)
    name = next(name for name, of in goal.things.items() if of == wanted)
    steps = []
    is_clean = any(
        c.thing == name and (c.fact, c.value) == ("dirty", False) for c in goal.conditions
    )
    if is_clean and world.value("dirty", meant) is not False:
        steps += [ProgramStep(meant, "clean"), ProgramStep(meant, "put_down")]
    on_it = [one for one in world.kinds if world.value("at", one) == used and world.is_new(one)]
    if not on_it:
        raise EvaluationProblem(f"there is nothing on {used} that I have put there")
    return ANOTHER + program_of(
        [*steps, *(ProgramStep(one, "pickup_and_place", meant) for one in on_it)], world.kinds
    )
