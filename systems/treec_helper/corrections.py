"""Short corrections that need no model: once more, more, less, another place or thing, undone.

They are carried out with the program of the request that they correct, if that makes them possible:
it runs again with other things than those that it has made, what it has put somewhere is put
elsewhere, what is too much is taken away, and what can be taken back is. What shall hold in the end
is judged as after every correction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import repeat

from treec.source.errors import EvaluationProblem
from treec_helper.asked import (
    HouseholdWords,
    asked,
    corrected_by,
    is_all_taken_back,
    is_repeated,
    is_taken_back,
    plainly,
    standing,
    what_is_taken_back,
)
from treec_helper.constructors import ConstructedThing, constructed, with_things
from treec_helper.fewer import as_asked, is_fewer, taken_away
from treec_helper.goals import KnownWorld, RequestGoal, counts, is_at
from treec_helper.marks import AGAIN, first_program, moved_to, took_another
from treec_helper.mentions import another_one, mentions, spoken, words
from treec_helper.more import added
from treec_helper.other_one import with_another
from treec_helper.taken_back import program_of, set_down, taking_back

_MOST_TIMES = 5
_FOR_ANOTHER = re.compile(r"\bfor [A-Z][a-z]+\b")
"""Whom one more is for: who gets it is not the robot's to know."""
_MORE = re.compile(r"\b(?:another|more|extra|too|as well|also)\b")
_WORD = re.compile(r"[a-z]+|\d+")
_FIRST = re.compile(
    r"(?:(?:no|oh|sorry|actually|wait|please|not that one) )*(?:(?:i meant?|i want|take|use) )?"
    r"the (?:first|previous|former|one before)(?: one)?(?: (?:again|please|after all))*"
)
"""After another thing was taken: the one that was taken before."""


def is_short(corrected: str, said: str, vocabulary: HouseholdWords) -> bool:
    """Whether words say only how many are wanted of what was made, or which: "two coffees"."""
    if is_taken_back(said):
        return _names_what_was_asked(corrected, what_is_taken_back(said), vocabulary)
    said = plainly(said)
    return (
        another_one(said, vocabulary.kinds) is not None
        or _is_recount(corrected, said, vocabulary)
        or (_says_only("fewer", said, vocabulary) and is_fewer(corrected, said, vocabulary))
        or (_says_only("elsewhere", said, vocabulary) and _is_moved(corrected, said, vocabulary))
    )


def _names_what_was_asked(corrected: str, words_said: str, vocabulary: HouseholdWords) -> bool:
    """Whether words name a thing that was asked for, or none: "the mug" after coffee in a mug."""
    if not words_said:
        return True
    goal = asked(corrected, vocabulary)
    kinds = {kind for thing in goal.things.values() for kind in thing.kinds}
    named = mentions(words_said, vocabulary.kinds)
    return len(named) == 1 and named[0].kind in kinds


def _is_moved(corrected: str, said: str, vocabulary: HouseholdWords) -> bool:
    """Whether words say that what was put somewhere is to be elsewhere."""
    before, after = asked(corrected, vocabulary), asked(corrected_by(corrected, said), vocabulary)
    where = {
        c.thing: before.things[str(c.value)].kinds for c in before.conditions if c.fact == "at"
    }
    return any(
        c.fact == "at" and where.get(c.thing, ()) not in ((), after.things[str(c.value)].kinds)
        for c in after.conditions
    )


def _is_recount(corrected: str, said: str, vocabulary: HouseholdWords) -> bool:
    if _FOR_ANOTHER.search(said):
        return _times(corrected, said, vocabulary) > 0
    named = mentions(said, vocabulary.kinds)
    if len(named) > 1 or not _says_only("repeats", said, vocabulary):
        return False
    if named and (named[0].count or 0) < 2 and not _MORE.search(said.lower()):
        return False
    before, after = asked(corrected, vocabulary), asked(corrected_by(corrected, said), vocabulary)
    added_things = counts(after) - counts(before)
    return bool(added_things) and not counts(before) - counts(after)


def corrected_program(
    corrected: str, said: str, carried_out: str, world: KnownWorld, vocabulary: HouseholdWords
) -> str:
    """The program of a correction. Raises EvaluationProblem if it takes a model."""
    is_first = took_another(carried_out) and _is_first(corrected, said, vocabulary)
    if is_taken_back(said) or is_first:
        return _taken_back(corrected, said, world, vocabulary)
    said = plainly(said)
    program = first_program(carried_out)
    if not program.strip():
        raise EvaluationProblem("nothing was done that I could change or do again")
    if _says_only("repeats", said, vocabulary):
        goal = asked(corrected, vocabulary)
        judged = bool(_items(goal))  # else nobody knows what it has made
        repeats = judged and is_repeated(said) and not _names_others(said, goal, vocabulary)
        times = _times(corrected, said, vocabulary) or int(repeats)
        if 0 < times <= _MOST_TIMES:
            return _again(goal, times, program, world, vocabulary)
        if more := added(corrected, said, world, vocabulary):
            return more
    if _says_only("fewer", said, vocabulary) and is_fewer(corrected, said, vocabulary):
        return taken_away(corrected, said, world, vocabulary)
    if (another := another_one(said, vocabulary.kinds)) is not None:
        return with_another(corrected, another, program, world, vocabulary)
    if _says_only("elsewhere", said, vocabulary):
        moves = list(_elsewhere(corrected, said, world, vocabulary))
        if moves:
            return "".join(moves)
    raise EvaluationProblem("to change what I have done, I need a model")


def _taken_back(corrected: str, said: str, world: KnownWorld, vocabulary: HouseholdWords) -> str:
    if is_all_taken_back(said):
        changes, mark = world.all_changes(standing(corrected).partition("\n<Driver>")[0]), True
    else:
        changes, mark = world.changes(standing(corrected)), False
    if not changes:
        raise EvaluationProblem("there is nothing that I could take back")
    named = {one.kind for one in mentions(what_is_taken_back(said), vocabulary.kinds)}
    others = {world.kinds[c.thing] for c in changes if c.fact == "at"} - named
    if what_is_taken_back(said) and (others or not named):
        raise EvaluationProblem("to put only that back, I need a model")
    return taking_back(changes, world, all_of_it=mark)


def _is_first(corrected: str, said: str, vocabulary: HouseholdWords) -> bool:
    """Whether the thing is meant that was taken before another one: "the first mug"."""
    text = said.lower()
    for one in reversed(mentions(text, vocabulary.kinds)):
        text = f"{text[: one.start]}one{text[one.end :]}"
    plain = " ".join(re.findall(r"[a-z]+", text))
    is_other = _names_others(said, asked(corrected, vocabulary), vocabulary)
    return _FIRST.fullmatch(plain) is not None and not is_other


def _says_only(kind: str, said: str, vocabulary: HouseholdWords) -> bool:
    """Whether nothing is said beside one thing at most, politeness and words of this kind."""
    text = _FOR_ANOTHER.sub("", said).lower()
    named = mentions(text, vocabulary.kinds)
    for one in reversed(named):
        text = text[: one.start] + text[one.end :]
    known = {*words()[kind], *words()["polite"]}
    left = _WORD.findall(re.sub(r"<\w+>", " ", text))
    return len(named) < 2 and known.issuperset(left)


def _names_others(said: str, goal: RequestGoal, vocabulary: HouseholdWords) -> bool:
    """Whether words name a thing that was not asked for: "coffee again" after toast."""
    known = {kind for thing in goal.things.values() for kind in thing.kinds}
    known |= {whole for whole, piece in vocabulary.pieces.items() if piece in known}
    drinks = any(condition.fact == "filled" for condition in goal.conditions)
    named = mentions(said, vocabulary.kinds)
    return any(one.kind not in known if one.kind else not drinks for one in named)


def _times(corrected: str, said: str, vocabulary: HouseholdWords) -> int:
    """How often a request is to be carried out once more to have as many as are wanted; else 0."""
    first = counts(asked(corrected.partition("\n<Driver>")[0], vocabulary))
    before = counts(asked(corrected, vocabulary))
    after = counts(asked(corrected_by(corrected, said), vocabulary))
    more = {item: after[item] - before[item] for item in {*before, *after}}
    made = {item for item, number in more.items() if number}
    times = {more[item] / first[item] if first[item] else 0.5 for item in made}
    time = times.pop() if len(times) == 1 and made >= _made(corrected, vocabulary) else 0.0
    return int(time) if time == int(time) and time > 0 else 0


def _made(corrected: str, vocabulary: HouseholdWords) -> set[str]:
    """The items of a request that are made, or put somewhere."""
    goal = asked(corrected, vocabulary)
    put = {c.thing for c in goal.conditions if c.fact == "at"}
    items = (name for name in _items(goal) if goal.things[name].new or name in put)
    return {name.partition(".")[0] for name in items}


def _items(goal: RequestGoal) -> list[str]:
    """The things of a goal other than the places where they go, each numbered within its item."""
    return [name for name in goal.things if "." in name]


def _again(
    goal: RequestGoal, times: int, program: str, world: KnownWorld, vocabulary: HouseholdWords
) -> str:
    """A program so many times more, with other things than it has made, in the same places.

    Raises EvaluationProblem if there are no others.
    """
    places = {c.thing: goal.things[str(c.value)] for c in goal.conditions if c.fact == "at"}
    made = [name for name in _items(goal) if goal.things[name].new or name in places]
    kinds = {kind for name in made for kind in goal.things[name].kinds}
    others: dict[str, Iterator[str]] = {}
    if any(one.repeated and one.kind in ("", *kinds) for one in constructed(program)):
        raise EvaluationProblem("to do again what I do in a loop, I need a model")
    for kind in kinds.difference(vocabulary.pieces.values()):
        wanted = [one.kind for one in constructed(program)].count(kind)
        there = [one for one, of in world.kinds.items() if of == kind and world.exists(one)]
        own = [c for c in goal.conditions if kind in goal.things[c.thing].kinds]
        free = [one for one in there if not (world.is_new(one) and as_asked(one, own, goal, world))]
        if len(free) < times * wanted:
            number = f"{'are' if len(free) > 1 else 'is'} {len(free) or 'no'}"
            raise EvaluationProblem(
                f"there {number} other {spoken(kind)}{'s' if len(free) > 1 else ''} here"
            )
        others[kind] = iter(free)
    for kind in {kind for place in places.values() for kind in place.kinds} - others.keys():
        used = (one for one, of in world.kinds.items() if of == kind and _holds(one, kinds, world))
        if (place := next(used, None)) is not None:
            others[kind] = repeat(place)
    if not all(map(_kinds_in(program).intersection, (place.kinds for place in places.values()))):
        raise EvaluationProblem("to put more of it elsewhere, I need a model")
    in_use = _kinds_in(program).difference(
        kind for place in places.values() for kind in place.kinds
    )
    kept = (one for one, k in world.kinds.items() if k in kinds and world.is_new(one))
    in_the_way = [k for k in kept if world.kinds.get(str(world.value("at", k))) in in_use]
    cleared = {world.kinds[one] for one in in_the_way}
    more = ""
    for _ in range(times):
        more += AGAIN + program_of(set_down(in_the_way), world.kinds)
        now: list[str] = []

        def other(one: ConstructedThing, now: list[str] = now) -> str | None:
            thing = next(others[one.kind], None) if one.kind in others else None
            now += [thing] if thing is not None and one.kind in cleared else []
            return thing

        more += with_things(program, other)
        in_the_way = now
    return more


def _kinds_in(program: str) -> set[str]:
    return {one.kind for one in constructed(program)}


def _holds(place: str, kinds: set[str], world: KnownWorld) -> bool:
    """Whether something of these kinds was put here for the request at hand."""
    things = (one for one, kind in world.kinds.items() if kind in kinds and world.is_new(one))
    return any(is_at(one, place, world) for one in things)


def _elsewhere(
    corrected: str, said: str, world: KnownWorld, vocabulary: HouseholdWords
) -> Iterator[str]:
    """The lines that put what a request has put somewhere into another place."""
    before = asked(corrected, vocabulary)
    after = asked(corrected_by(corrected, said), vocabulary)
    put = {c.thing: before.things[str(c.value)] for c in before.conditions if c.fact == "at"}
    taken: list[str] = []
    for condition in after.conditions:
        old = put.get(condition.thing)
        new = after.things[str(condition.value)] if condition.fact == "at" else None
        if old is None or new is None or old.kinds == new.kinds:
            continue
        item = before.things[condition.thing]
        there = [
            (thing, kind)
            for thing, kind in world.kinds.items()
            if kind in item.kinds and thing not in taken and world.is_new(thing)
            if any(is_at(thing, place, world) for place in old.kinds)
        ]
        for thing, kind in there if item.every else there[:1]:
            if not taken:
                yield moved_to(old.kinds[0], new.kinds[0])
                yield f'target = InteractionObject("{new.kinds[0]}")\n'
            taken.append(thing)
            name = f"item{len(taken)}"
            yield f'{name} = InteractionObject("{kind}", object_instance="{thing}")\n'
            yield f"{name}.pickup_and_place(target)\n"
