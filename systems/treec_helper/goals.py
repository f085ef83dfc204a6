"""Goal conditions of a request: things of classes, each with what shall hold of it in the end.

They are known before anything is done, by the words (:mod:`treec_helper.asked`) and by what the
program's skills declare (:mod:`treec_helper.declared`), and judged by what the robot knows of the
world. Different names stand for different things; of all choices of things, the one counts by which
most conditions hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice, product

from treec.frozen import frozen
from treec_helper.mentions import spoken

MOST_CHOICES = 256
"""Choices of places that are tried."""
MOST_PLACES = 8
"""Things of a class that are tried as a place."""


@frozen
class GoalFact:
    """A fact of a thing that shall hold; ``value`` of `at` is the name of a thing of the goal."""

    fact: str
    thing: str
    value: object = True


@frozen
class GoalThing:
    """A thing of a goal: one of its classes, or the one that has this name.

    ``new``: it has to be made in this request. ``every``: the conditions are of all of its class.
    """

    kinds: tuple[str, ...] = ()
    named: str = ""
    new: bool = False
    every: bool = False
    was: tuple[tuple[str, object], ...] = ()
    """What held of the thing that is meant when it was asked for: it was dirty, or on the shelf.

    `word` is what a scene says of it: its colour. What held of nothing tells nothing.
    """


@frozen(slots=False)
class RequestGoal:
    """Things by name, and their conditions."""

    things: Mapping[str, GoalThing] = field(default_factory=dict)
    conditions: tuple[GoalFact, ...] = ()


@frozen(slots=False)
class ThingChange:
    """A fact of a thing that a request has changed, and its value before; none if not known."""

    fact: str
    thing: str
    before: object


@frozen(slots=False)
class KnownWorld:
    """What is known: ``get`` gives the value of a fact of a thing, and whether that is known."""

    kinds: Mapping[str, str]
    get: Callable[[str, str], tuple[object, bool]]
    is_new: Callable[[str], bool] = lambda thing: True
    """Whether something of a thing was changed since the request was begun."""
    changes: Callable[[str], Sequence[ThingChange]] = lambda request: ()
    """What a request has changed, the latest change first."""
    words: Callable[[str], Collection[str]] = lambda thing: ()
    """What a scene says of a thing in words: its colour."""
    fixed: Collection[str] = ()
    """The things that cannot be carried."""
    is_found: Callable[[str], bool] = lambda thing: True
    """Whether it is known where a thing is, or that it is cut; of others no state is known."""
    all_changes: Callable[[str], Sequence[ThingChange]] = lambda request: ()
    """What a request and its corrections have changed, the latest change first."""
    agents: Collection[object] = ()
    """Who may hold a thing."""
    was: Callable[[str, str], object] = lambda fact, thing: None
    """The value of a fact when the request was made, as far as it was found then or later."""

    def value(self, fact: str, thing: str) -> object:
        """The value of a fact; none if it is not known."""
        value, known = self.get(fact, thing)
        return value if known else None

    def exists(self, thing: str) -> bool:
        """Whether a thing is there: a piece is not before its whole is cut."""
        whole = self.value("cut_from", thing)
        return not whole or bool(self.value("at", thing) or self.value("sliced", str(whole)))


def counts(goal: RequestGoal) -> Counter[str]:
    """How many things of each item of a goal there are, without the places where they go."""
    return Counter(name.partition(".")[0] for name in goal.things if "." in name)


def unmet_of(goal: RequestGoal, world: KnownWorld) -> list[str]:
    """What of a goal does not hold, a sentence each, with the names of the things."""
    found = [text for name in goal.things for text in _of_every(goal, name, world)]
    return list(dict.fromkeys([*found, *_best(_single(goal), world)]))


def _of_every(goal: RequestGoal, name: str, world: KnownWorld) -> Iterator[str]:
    wanted = goal.things[name]
    if not wanted.every:
        return
    for thing in _candidates(wanted, world):
        if not world.is_found(thing):
            yield f"I have not found {thing}"
            continue
        one = replace(wanted, named=thing, every=False)
        own = tuple(c for c in goal.conditions if c.thing == name)
        places = {str(c.value) for c in own}
        others = {n: of for n, of in _single(goal).things.items() if n in places}
        yield from _best(RequestGoal({**others, name: one}, own), world)


def _single(goal: RequestGoal) -> RequestGoal:
    """A goal without the things of which all are meant."""
    things = {name: wanted for name, wanted in goal.things.items() if not wanted.every}
    return RequestGoal(things, tuple(c for c in goal.conditions if c.thing in things))


def _candidates(wanted: GoalThing, world: KnownWorld) -> list[str]:
    if wanted.named:
        return [wanted.named]
    found = [
        thing
        for thing, kind in world.kinds.items()
        if (kind in wanted.kinds if wanted.kinds else thing not in world.fixed)
        if world.exists(thing)
    ]
    for fact, value in wanted.was:
        fit = [thing for thing in found if _fitted(fact, value, thing, world)]
        if fit and wanted.every and fact != "at":
            fit += [one for one in found if one not in fit and not world.is_found(one)]
        if fit or not wanted.kinds:
            found = fit
    return [thing for thing in found if not wanted.new or world.is_new(thing)]


def _fitted(fact: str, value: object, thing: str, world: KnownWorld) -> bool:
    """Whether something held of a thing when the request was made."""
    if fact == "word":
        return str(value) in world.words(thing)
    before = world.was(fact, thing)
    if fact == "at":
        return before is not None and value in (before, world.kinds.get(str(before)))
    return bool(before) == value


def _best(goal: RequestGoal, world: KnownWorld) -> list[str]:
    """What does not hold for the choice of things by which most does."""
    places = list(dict.fromkeys(str(c.value) for c in goal.conditions if c.fact == "at"))
    places = [name for name in places if name in goal.things]
    options = [
        _ranked(name, goal, world)[:MOST_PLACES] or [""] for name in places if name in goal.things
    ]
    best: list[str] | None = None
    for chosen in islice(product(*options), MOST_CHOICES):
        of_places = dict(zip(places, chosen, strict=True))
        if len(set(filter(None, chosen))) < len([c for c in chosen if c]):
            continue
        wrong = list(_wrong(goal, of_places, world))
        if best is None or len(wrong) < len(best):
            best = wrong
        if not best:
            break
    return best or []


def _ranked(name: str, goal: RequestGoal, world: KnownWorld) -> list[str]:
    """The things that a name may stand for, first those of which most of its own holds."""
    own = [c for c in goal.conditions if c.thing == name and c.fact != "at"]
    things = _candidates(goal.things[name], world)
    used = {str(world.value("at", thing)) for thing in world.kinds}

    def misses(thing: str) -> tuple[int, bool]:
        return sum(_text(c, thing, "", world) != "" for c in own), thing not in used

    return sorted(things, key=misses)


def _wrong(goal: RequestGoal, places: Mapping[str, str], world: KnownWorld) -> Iterator[str]:
    chosen = dict(places)
    taken = set(filter(None, places.values()))
    for name, wanted in goal.things.items():
        own = [c for c in goal.conditions if c.thing == name]
        if name not in chosen:
            free = [thing for thing in _candidates(wanted, world) if thing not in taken]
            chosen[name] = min(
                free,
                key=lambda thing: sum(
                    _text(c, thing, chosen.get(str(c.value), ""), world) != "" for c in own
                ),
                default="",
            )
            taken.add(chosen[name])
        if not chosen[name]:
            if own or wanted.new:
                yield _lacking(wanted, own, world)
            continue
        for condition in own:
            where = chosen.get(str(condition.value), "")
            text = _text(condition, chosen[name], where, world)
            if text:
                yield text


def _lacking(wanted: GoalThing, own: Sequence[GoalFact], world: KnownWorld) -> str:
    """That there is nothing, or not enough, of a class."""
    if not wanted.kinds:
        return f"there is no {wanted.named}" if wanted.named else "there is nothing"
    kind = spoken(wanted.kinds[0])
    there = any(kind in wanted.kinds and world.exists(thing) for thing, kind in world.kinds.items())
    liquids = [str(c.value) for c in own if c.fact == "filled"]
    if liquids and len(wanted.kinds) > 1:
        return f"there is no {'new ' if there and wanted.new else ''}{liquids[0]}"
    if there:
        return f"there is no {'new' if wanted.new else 'other'} {kind}"
    return f"there is no {kind} here"


_STATES = {
    "dirty": "dirty",
    "cooked": "cooked",
    "boiled": "boiled",
    "sliced": "cut",
    "opened": "open",
    "running": "turned on",
}


def _text(condition: GoalFact, thing: str, where: str, world: KnownWorld) -> str:
    """Why a condition does not hold of a thing; empty if it does."""
    fact, wanted = condition.fact, condition.value
    if fact == "kept":
        before, now = world.was(str(wanted), thing), world.value(str(wanted), thing)
        same = before == now or not (before or now)
        changed = _STATES.get(str(wanted), "moved")
        return "" if same else f"{thing} was to be left as it was, and is {changed}"
    value, known = world.get("at" if fact in ("away", "holding", "moved") else fact, thing)
    if fact == "at":
        target = where or str(wanted)
        if is_at(thing, target, world):
            return ""
        here = f"{thing} is at {value}" if known and value else f"where {thing} is, is not known"
        here = f"{thing} is in my hand" if known and value in world.agents else here
        return f"{here}, not at {target}"
    if fact == "away":
        if not world.is_found(thing):
            return f"where {thing} is, is not known"
        return f"{thing} is still at {wanted}" if is_at(thing, where or str(wanted), world) else ""
    if fact == "moved":
        is_moved = value in world.agents or (value is not None and value != world.was("at", thing))
        return "" if is_moved or thing in world.fixed else f"{thing} is where it was"
    if fact == "holding":
        return "" if is_at(thing, str(wanted), world) else f"{thing} is not in the hand"
    if not known and not (fact == "filled" and wanted is False and world.is_found(thing)):
        state = _STATES.get(fact, "filled")
        return f"whether {thing} is {'clean' if fact == 'dirty' else state} is not known"
    if fact == "filled":
        if value == wanted or bool(value) is wanted:
            return ""
        if not wanted:
            return f"there is still {value} in {thing}"
        return f"there is {value or 'nothing'} in {thing}, not {wanted}"
    if bool(value) == wanted:
        return ""
    return f"{thing} is {'not' if wanted else 'still'} {_STATES[fact]}"


def is_at(thing: str, target: str, world: KnownWorld) -> bool:
    """Whether a thing is on or in another, or in what is there; pieces of it, if it is cut."""
    seen: set[str] = set()
    here: object = thing
    while here and str(here) not in seen:
        seen.add(str(here))
        if world.value("sliced", str(here)) and here == thing:
            pieces = [p for p in world.kinds if world.value("cut_from", p) == thing]
            if pieces:
                return all(is_at(piece, target, world) for piece in pieces)
        here = world.value("at", str(here))
        if here is not None and target in (str(here), world.kinds.get(str(here))):
            return True
    return False


def described(goal: RequestGoal) -> str:
    """A goal as people read it: "slice of bread: cooked, at a plate; plate: not dirty"."""
    lines: dict[str, int] = {}
    for name, wanted in goal.things.items():
        own = [_words(c, goal) for c in goal.conditions if c.thing == name]
        if own or wanted.new:
            own = own or ["made"]
            kind = spoken(wanted.kinds[0]) if wanted.kinds else wanted.named or "thing there"
            line = f"{'every ' if wanted.every else ''}{kind}: {', '.join(own)}"
            lines[line] = lines.get(line, 0) + 1
    return "; ".join(f"{n} × {line}" if n > 1 else line for line, n in lines.items())


def _words(condition: GoalFact, goal: RequestGoal) -> str:
    if condition.fact in ("at", "away"):
        place = goal.things.get(str(condition.value))
        of = place.kinds[0] if place is not None and place.kinds else str(condition.value)
        kind = spoken(of)
        return f"{'not ' if condition.fact == 'away' else ''}at the {kind}"
    if condition.fact == "filled":
        known = {True: "filled", False: "empty"}
        return known.get(condition.value) or f"filled with {condition.value}"  # type: ignore[call-overload]
    if condition.fact == "kept":
        return "left as it is"
    if condition.fact == "moved":
        return "fetched"
    if condition.fact == "holding":
        return "in the hand"
    return f"{'' if condition.value else 'not '}{_STATES[condition.fact]}"
