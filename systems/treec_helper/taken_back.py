"""What a request has changed, and the program that takes it back.

What was moved, opened or turned on is put back, and what was filled is poured away; what is cut,
cooked or washed stays so, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treec.source.errors import EvaluationProblem
from treec_helper.constructors import CONSTRUCTOR
from treec_helper.goals import KnownWorld, ThingChange
from treec_helper.marks import ALL_TAKEN_BACK, TAKEN_BACK
from treec_helper.mentions import listed

if TYPE_CHECKING:  # a check reads what the functions take
    from treec.world.events import Event

_FACTS = ("at", "opened", "running", "filled", "dirty", "sliced", "cooked", "boiled")
_STAYS = {"sliced": "cut", "cooked": "cooked", "boiled": "boiled"}
_REQUEST = "request"
"""The state variable that holds the request at hand."""


def changes_of(
    commits: Iterable[Iterable[Event]],
    request: str,
    agents: Sequence[str],
    *,
    corrections: bool = False,
    meant: Callable[[str], str] = str,
) -> list[ThingChange]:
    """What was changed while a request was at hand, for the last time; the latest change first.

    ``commits`` are the events of a run that happened together, in their order. ``corrections``:
    what its corrections changed counts, too. ``meant`` gives the words that a request stands for.
    """
    from treec.world.events import FactSet, FactUnknown, StateSet

    values: dict[tuple[str, str], object] = {}
    before: dict[tuple[str, str], object] = {}
    is_at_hand = False
    for events in commits:
        found: set[str] = set()
        for event in events:
            if isinstance(event, StateSet) and event.name == _REQUEST:
                words = meant(str(event.value))
                is_later = corrections and words.startswith(f"{request}\n<Driver>")
                is_at_hand = words == request or is_later
                before = {} if is_at_hand and not is_later else before
            if not isinstance(event, FactSet | FactUnknown) or len(event.args) != 1:
                continue
            key, value = (event.fact, event.args[0]), getattr(event, "value", None)
            if event.fact == "located" and value:
                found.add(key[1])
            if event.fact not in _FACTS or value in agents:
                continue
            first_seen = key[1] in found or (event.fact == "at" and values.get(key) is None)
            if is_at_hand and not first_seen:
                before[key] = before.pop(key, values.get(key))  # the latest stands last
            values[key] = value
    return [ThingChange(fact, thing, value) for (fact, thing), value in before.items()][::-1]


ValuesBefore = Mapping[tuple[str, str], object]


def values_before(commits: Iterable[Iterable[Event]]) -> ValuesBefore:
    """The facts of things when the request at hand was first made; of what was found later, then.

    A request's corrections are no new request.
    """
    from treec.world.events import FactSet, StateSet

    now: dict[tuple[str, str], object] = {}
    then: dict[tuple[str, str], object] = {}
    first = ""
    for commit in commits:
        events = list(commit)
        facts = [one for one in events if isinstance(one, FactSet) and len(one.args) == 1]
        found = {one.args[0] for one in facts if one.fact == "located" and one.value}
        for event in events:
            if isinstance(event, StateSet) and event.name == _REQUEST:
                words = str(event.value).partition("\n<Driver>")[0]
                if words and words != first:
                    first, then = words, dict(now)
        for fact in facts:
            if fact.fact in _FACTS:
                key = (fact.fact, fact.args[0])
                then.setdefault(key, fact.value if key[1] in found else now.get(key))
                now[key] = fact.value
    return then


def taking_back(
    changes: Sequence[ThingChange], world: KnownWorld, *, all_of_it: bool = False
) -> str:
    """The program that takes changes back. Raises EvaluationProblem if that cannot be."""
    moved = {c.thing: c.before for c in changes if c.fact == "at" and _is_moved(c, world)}
    stays = list(_that_stay(changes[::-1], world))
    if stays:
        raise EvaluationProblem(f"that cannot be taken back: {listed(stays)}")
    steps: dict[ProgramStep, None] = {}
    for change in changes:
        for step in _steps(change, moved, world):
            steps.pop(step, None)  # a mug is put back after it is emptied
            steps[step] = None
    for thing in _closed_before(changes, moved, world):
        steps[ProgramStep(thing, "close")] = None
    clean = [
        f"{c.thing} stays clean"
        for c in changes
        if c.fact == "dirty" and c.before and not world.value("dirty", c.thing)
    ]
    if not steps:
        raise EvaluationProblem(
            f"that cannot be taken back: {listed(clean)}" if clean else "there is nothing to undo"
        )
    note = f"; {listed(clean)}" if clean else ""
    mark = ALL_TAKEN_BACK if all_of_it else TAKEN_BACK
    return f"{mark}{note}\n{program_of(list(steps), world.kinds)}"


class ProgramStep(NamedTuple):
    """A skill of one thing in a program: mug.pickup_and_place(table)."""

    thing: str
    skill: str
    target: str = ""
    """The other thing, if the skill takes one."""


def program_of(steps: Sequence[ProgramStep], kinds: Mapping[str, str]) -> str:
    """A program of these steps."""
    names: dict[str, str] = {}
    lines = []

    def name_of(thing: str) -> str:
        if thing not in names:
            names[thing] = f"thing{len(names) + 1}"
            instance = f'"{kinds[thing]}", object_instance="{thing}"'
            lines.append(f"{names[thing]} = {CONSTRUCTOR}({instance})")
        return names[thing]

    for thing, skill, target in steps:
        on, argument = name_of(thing), name_of(target) if target else ""
        lines.append(f"{on}.{skill}({argument})")
    return "".join(f"{line}\n" for line in lines)


def set_down(things: Iterable[str]) -> list[ProgramStep]:
    """The steps that take things from where they are: a mug out of the coffee machine."""
    return [ProgramStep(thing, skill) for thing in things for skill in ("pickup", "put_down")]


def poured_away(thing: str, world: KnownWorld) -> ProgramStep:
    """The step that empties a vessel into a sink. Raises EvaluationProblem if there is no sink."""
    sinks = ("SinkBasin", "Sink")
    sink = next((one for one, kind in world.kinds.items() if kind in sinks), None)
    if sink is None:
        raise EvaluationProblem(f"there is no sink to pour {thing} out into")
    return ProgramStep(thing, "pour", sink)


def _is_moved(change: ThingChange, world: KnownWorld) -> bool:
    now = world.value("at", change.thing)
    return bool(now) and now != change.before and world.exists(change.thing)


def _that_stay(changes: Sequence[ThingChange], world: KnownWorld) -> Iterator[str]:
    for change in changes:
        now, thing = world.value(change.fact, change.thing), change.thing
        if change.fact in _STAYS and now and not change.before:
            yield f"{thing} stays {_STAYS[change.fact]}"
        elif change.fact == "at" and _is_moved(change, world) and not change.before:
            if not world.value("cut_from", thing):
                yield f"I do not know where {thing} was"
        elif change.fact == "filled" and now != change.before:
            if change.before not in (None, "water"):
                yield f"the {change.before} that was in {thing} is gone"
            elif now and thing in world.fixed:
                yield f"the {now} in {thing} stays there"


def _steps(
    change: ThingChange, moved: Mapping[str, object], world: KnownWorld
) -> Iterator[ProgramStep]:
    thing, now = change.thing, world.value(change.fact, change.thing)
    if change.fact == "filled" and now != change.before:
        if now:
            yield poured_away(thing, world)
        if change.before == "water":
            yield ProgramStep(thing, "fill_up")
        if thing in moved:
            yield ProgramStep(thing, "pickup_and_place", str(moved[thing]))
    elif change.fact == "at" and thing in moved and moved[thing]:
        yield ProgramStep(thing, "pickup_and_place", str(moved[thing]))
    elif change.fact == "running" and bool(now) != bool(change.before):
        yield ProgramStep(thing, f"toggle_{'off' if now else 'on'}")
    elif change.fact == "opened" and change.before and not now:
        yield ProgramStep(thing, "open")


def _closed_before(
    changes: Sequence[ThingChange], moved: Mapping[str, object], world: KnownWorld
) -> list[str]:
    """What was closed, and is open now or opened to put something back."""
    opened = {c.thing: c.before for c in changes if c.fact == "opened"}
    return [
        thing
        for thing in dict.fromkeys((*opened, *map(str, moved.values())))
        if not opened.get(thing, world.value("opened", thing))
        and (world.value("opened", thing) or world.value("encloses", thing))
    ]
