"""Findings about a recipe's things: fetched and not used, used and not fetched, or fetched late."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from treec.team.knowledge import say_task
from treec_kitchen.graph_findings import FindingKind, GraphFinding
from treec_mosaic.recipes.link import Links, SubtaskLink, Trip
from treec_mosaic.recipes.subtask_reader import InterpretedSubtask, SubtaskReader

UNUSED = FindingKind(
    "unused",
    None,
    "'{node}' fetches {thing}, which no other subtask uses",
    ("take it away, or add the subtask that uses it",),
    quotes=True,
)
NOT_AWAITED = FindingKind(
    "not_awaited",
    None,
    "'{node}' uses {thing}, but does not wait for '{missing[0]}'",
    ("write '{missing[0]}' under its 'after'",),
    quotes=True,
)
FETCHED_LATE = FindingKind(
    "fetched_late",
    None,
    "'{node}' comes before '{missing[0]}', which fetches {thing} for it",
    ("let the first wait for the second, not the other way",),
    quotes=True,
)
NEVER_FETCHED = FindingKind(
    "never_fetched",
    None,
    "'{node}' uses {thing}, which is at '{place}': no subtask fetches it",
    ("add a subtask '{words}' and let it wait for that",),
    quotes=True,
)


def find_unused(links: Links) -> Iterator[GraphFinding]:
    """Things that are fetched and that no subtask uses.

    Not where the subtask says where to, or all there is to do is to bring things: they stay there.
    """
    trips = [trip for trip in links.trips if _fetched_thing(links, trip)]
    brought = {id for trip in trips for id in trip.fetches}
    if len(brought) > 1 and brought == links.meanings.keys():
        return
    for trip in trips:
        thing = trip.of[1][0] if trip.of[1] else ""
        if trip.uses or _named_elsewhere(links, trip, thing):
            continue
        if all(_says_where(links.meanings[id]) for id in trip.fetches):
            continue
        yield UNUSED.at(*trip.fetches, thing=thing)


def _fetched_thing(links: Links, trip: Trip) -> bool:
    goals = [links.meanings[id].goal for id in trip.fetches]
    return any(goal is not None and goal.valued for goal in goals)


def _says_where(meaning: InterpretedSubtask) -> bool:
    """Whether a subtask's words name the place that it brings its thing to."""
    return meaning.goal is not None and meaning.goal.value in meaning.names


def _named_elsewhere(links: Links, trip: Trip, thing: str) -> bool:
    own = {*trip.fetches, *trip.puts_back}
    return any(thing in m.names for id, m in links.meanings.items() if id not in own)


def find_not_fetched(links: Links) -> Iterator[GraphFinding]:
    """Things that are used before they are fetched, or without, or in no fixed order with it."""
    awaited = _fetches_not_awaited(links)
    yield from _fetched_late(awaited)
    for link in awaited:
        if not link.reversed:
            yield NOT_AWAITED.at(link.id, missing=(link.before, link.id), thing=link.thing)
    yield from find_never_fetched(links)


def find_fetched_late(links: Links) -> Iterator[GraphFinding]:
    """Things that are fetched only after they have been used."""
    return _fetched_late(_fetches_not_awaited(links))


def _fetched_late(awaited: Iterable[SubtaskLink]) -> Iterator[GraphFinding]:
    for link in awaited:
        if link.reversed:
            missing = link.before, link.id
            yield FETCHED_LATE.at(link.id, link.before, missing=missing, thing=link.thing)


def _fetches_not_awaited(links: Links) -> list[SubtaskLink]:
    """The missing edges from subtasks that bring things; the order of putting back is free."""
    fetches = {id for trip in links.trips for id in trip.fetches}
    return [link for link in links.missing() if link.before in fetches]


def find_never_fetched(links: Links) -> Iterator[GraphFinding]:
    """Things that are used elsewhere than where they are, and that no subtask fetches."""
    fetched = {trip.of for trip in links.trips if trip.fetches}
    reported: set[str] = set()
    for meaning in links.meanings.values():
        if meaning.goal is not None and meaning.goal.valued:
            continue  # a subtask that moves a thing starts where it is
        for fact, places, task in _fetching_tasks(links.reader):
            for thing in meaning.names:
                start = links.reader.start(fact, thing)
                of = (fact, (thing,))
                if thing in reported or of in fetched or not meaning.uses(of):
                    continue
                if start in places or not _elsewhere(links.reader, start, places):
                    continue
                if not _takes(links.reader, task, thing):
                    continue
                reported.add(thing)
                words = say_task(
                    task, links.reader.knowledge.tasks[task], _args(links, task, thing)
                )
                yield NEVER_FETCHED.at(meaning.id, thing=thing, place=start, words=words)


@lru_cache(maxsize=4)
def _fetching_tasks(reader: SubtaskReader) -> tuple[tuple[str, set[str], str], ...]:
    """Each fact that a task with one argument sets to a place it names: fact, places, task."""
    found: dict[str, tuple[set[str], str]] = {}
    for name, model in reader.knowledge.tasks.items():
        if len(model.args) != 1:
            continue
        goal = reader.goal(model, {})
        if goal is None or not goal.valued or not goal.plain or goal.value is None:
            continue
        if reader.is_agent(goal.value) or goal.of[1] != tuple(model.args):
            continue
        found.setdefault(goal.of[0], (set(), name))[0].add(goal.value)
    return tuple((fact, places, name) for fact, (places, name) in found.items())


def _elsewhere(reader: SubtaskReader, start: object, places: set[str]) -> bool:
    """Whether a thing is at a place of such a type, not held by an agent or on another thing."""
    types = reader.view.types
    own = reader.view.thing_type(str(start))
    kinds = (reader.view.thing_type(place) for place in places)
    return own is not None and any(kind is not None and types.is_a(own, kind) for kind in kinds)


def _takes(reader: SubtaskReader, task: str, thing: str) -> bool:
    kind = reader.view.thing_type(thing)
    expected = next(iter(reader.knowledge.tasks[task].args.values()))
    return kind is not None and (expected == "any" or reader.view.types.is_a(kind, expected))


def _args(links: Links, task: str, thing: str) -> dict[str, object]:
    return dict.fromkeys(links.reader.knowledge.tasks[task].args, thing)
