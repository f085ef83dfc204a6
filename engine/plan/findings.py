"""Findings about a recipe, by what its subtasks do to things: unused, not fetched, repeated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from treec.files.entry import AnyEntry
from treec.files.tasks import RecipeFile
from treec.files.view import View, per_view
from treec.graph import reachable_and_or
from treec.plan.link import Links, Trip
from treec.plan.subtask_reader import InterpretedSubtask, SubtaskReader
from treec.source.graph_findings import FindingKind, GraphFinding
from treec.team.knowledge import ANYTHING, knowledge_of, say_task

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
USE_UNPREPARED = FindingKind(
    "use_unprepared",
    None,
    "'{node}' uses {thing}, but does not wait for '{missing[0]}'",
    ("write '{missing[0]}' under its 'after', or '{node}' under that of '{missing[0]}'",),
    quotes=True,
)
SAME_UNORDERED = FindingKind(
    "same_unordered",
    None,
    "'{node}' is the same as '{other}', and neither waits",
    ("take one away, or let one wait for the other",),
    quotes=True,
)
SAME_AGAIN = FindingKind(
    "same_again",
    None,
    "'{node}' is the same as '{other}', which has done it",
    ("take one of them away",),
    quotes=True,
)


@per_view
def _links(view: View) -> dict[int, Links]:
    return {}


def links_of(view: View, entry: AnyEntry) -> Links:
    """How a recipe's subtasks are linked by things; cached for the view."""
    cached = _links(view)
    if id(entry) not in cached:
        model: RecipeFile = entry.model
        words = {id: spec.do or id for id, spec in model.subtasks.items()}
        after = {id: (*spec.after, *spec.after_any) for id, spec in model.subtasks.items()}
        cached[id(entry)] = Links(_reader(view), words, after)
    return cached[id(entry)]


@per_view
def _reader(view: View) -> SubtaskReader:
    return SubtaskReader(knowledge_of(view))


def can_be_judged(links: Links) -> bool:
    """Whether a recipe has no cycle and no unknown words; other findings would only follow."""
    anybody = any(ANYTHING in agent.can for agent in links.reader.knowledge.agents.values())
    if len(reachable_and_or(links.after, {})) < len(links.after):
        return False
    return all(m.known or (m.task is None and anybody) for m in links.meanings.values())


def find_unused(links: Links) -> Iterator[GraphFinding]:
    """Things that are fetched and that no subtask uses."""
    for trip in links.trips:
        thing = trip.of[1][0] if trip.of[1] else ""
        if not _fetched_thing(links, trip) or trip.uses or _named_elsewhere(links, trip, thing):
            continue
        yield UNUSED.at(*trip.fetches, thing=thing)


def _fetched_thing(links: Links, trip: Trip) -> bool:
    goals = [links.meanings[id].goal for id in trip.fetches]
    return any(goal is not None and goal.valued for goal in goals)


def _named_elsewhere(links: Links, trip: Trip, thing: str) -> bool:
    own = {*trip.fetches, *trip.puts_back}
    return any(thing in m.names for id, m in links.meanings.items() if id not in own)


def find_not_fetched(links: Links) -> Iterator[GraphFinding]:
    """Things that are used before they are fetched, or without, or in no fixed order with it."""
    yield from find_fetched_late(links)
    for link in links.missing():
        if not link.reversed and link.before in _fetches(links):
            yield NOT_AWAITED.at(link.id, missing=(link.before, link.id), thing=link.thing)
    yield from find_never_fetched(links)


def find_fetched_late(links: Links) -> Iterator[GraphFinding]:
    """Things that are fetched only after they have been used."""
    for link in links.missing():
        if link.reversed and link.before in _fetches(links):
            missing = link.before, link.id
            yield FETCHED_LATE.at(link.id, link.before, missing=missing, thing=link.thing)


def _fetches(links: Links) -> set[str]:
    """The subtasks that bring things; the order of putting back is free."""
    return {id for trip in links.trips for id in trip.fetches}


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


def find_use_unprepared(links: Links) -> Iterator[GraphFinding]:
    """Things that one subtask changes and another brings to others, in no fixed order.

    The first has a goal about the thing alone (``cut(crate)``), the second one about it and where
    it goes (``loaded(crate, cart)``). Either may come first (a crate is washed and then loaded, or
    loaded and then tied down), but one of them must.
    """
    meanings = [m for m in links.meanings.values() if m.goal is not None and not m.goal.valued]
    for use in meanings:
        assert use.goal is not None
        for other in meanings:
            assert other.goal is not None
            changed = other.goal.of[1]
            if len(use.goal.of[1]) < 2 or changed != use.goal.of[1][:1]:
                continue
            if not links.are_ordered(use.id, other.id):
                yield USE_UNPREPARED.at(use.id, missing=(other.id, use.id), thing=changed[0])


def find_repeated(links: Links) -> Iterator[GraphFinding]:
    """Subtasks that are the same as another, where repeating it changes nothing."""
    seen: dict[tuple[str, tuple[str, ...]], list[InterpretedSubtask]] = {}
    for meaning in links.meanings.values():
        key = (meaning.task or meaning.words.casefold(), meaning.names)
        for other in seen.setdefault(key, []):
            if not links.are_ordered(other.id, meaning.id):
                kind = SAME_UNORDERED
            elif meaning.again or _undone(links, meaning, other):
                continue
            else:
                kind = SAME_AGAIN
            yield kind.at(meaning.id, other.id, other=other.id)
            break
        seen[key].append(meaning)


def _undone(links: Links, one: InterpretedSubtask, other: InterpretedSubtask) -> bool:
    """Whether a third subtask sets what both of them set, such as putting away what is fetched."""
    return one.goal is None or any(
        m.goal is not None and m.goal.of == one.goal.of and m.goal.value != one.goal.value
        for m in links.meanings.values()
    )
