"""What is odd about a recipe, by what its subtasks do to things: forgotten, missing, twice.

Each finding names the subtask that it is about; where that stands, the caller knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from treec.files.entry import AnyEntry
from treec.files.tasks import RecipeFile
from treec.files.view import View
from treec.graph import reachable_and_or
from treec.plan.link import Links, Trip
from treec.plan.meaning import SubtaskMeaning, SubtaskReader
from treec.team.knowledge import ANYTHING, knowledge_of, say_task


@dataclass(frozen=True, slots=True)
class SubtaskFinding:
    """Something odd about a subtask, and what would be right."""

    id: str
    message: str
    help: str


_links: WeakKeyDictionary[View, dict[int, Links]] = WeakKeyDictionary()


def links_of(view: View, entry: AnyEntry) -> Links:
    """What a recipe's subtasks have to do with each other; found once."""
    kept = _links.setdefault(view, {})
    if id(entry) not in kept:
        model: RecipeFile = entry.model
        words = {id: spec.do or id for id, spec in model.subtasks.items()}
        after = {id: (*spec.after, *spec.after_any) for id, spec in model.subtasks.items()}
        kept[id(entry)] = Links(_reader(view), words, after)
    return kept[id(entry)]


@lru_cache(maxsize=4)
def _reader(view: View) -> SubtaskReader:
    return SubtaskReader(knowledge_of(view))


def understood(links: Links) -> bool:
    """Whether a recipe is right so far, so that what its subtasks do to things can be judged.

    What a slip of the pen or a circle brings with it is not worth telling.
    """
    anybody = any(ANYTHING in agent.can for agent in links.reader.knowledge.agents.values())
    if len(reachable_and_or(links.after, {})) < len(links.after):
        return False
    return all(m.known or (m.task is None and anybody) for m in links.meanings.values())


def forgotten(links: Links) -> Iterator[SubtaskFinding]:
    """Things that are fetched and that no subtask uses."""
    for trip in links.trips:
        thing = trip.of[1][0] if trip.of[1] else ""
        if not _fetched_thing(links, trip) or trip.uses or _named_elsewhere(links, trip, thing):
            continue
        yield SubtaskFinding(
            trip.fetches[0],
            f"'{trip.fetches[0]}' fetches {thing}, which no other subtask uses",
            "take it away, or add the subtask that uses it",
        )


def _fetched_thing(links: Links, trip: Trip) -> bool:
    goals = [links.meanings[id].goal for id in trip.fetches]
    return any(goal is not None and goal.valued for goal in goals)


def _named_elsewhere(links: Links, trip: Trip, thing: str) -> bool:
    own = {*trip.fetches, *trip.puts_back}
    return any(thing in m.names for id, m in links.meanings.items() if id not in own)


def not_fetched(links: Links, edges: bool = True) -> Iterator[SubtaskFinding]:
    """Things that are used where nothing has brought them; with ``edges``, not before either."""
    if edges:
        yield from turned(links)
        for link in links.missing():
            if not link.turned and link.before in _fetches(links):
                message = f"'{link.id}' uses {link.thing}, but does not wait for '{link.before}'"
                yield SubtaskFinding(link.id, message, f"write '{link.before}' under its 'after'")
    yield from _never_fetched(links)


def turned(links: Links) -> Iterator[SubtaskFinding]:
    """Things that are fetched only after they have been used."""
    for link in links.missing():
        if link.turned and link.before in _fetches(links):
            message = f"'{link.id}' comes before '{link.before}', which fetches {link.thing} for it"
            yield SubtaskFinding(
                link.id, message, "let the first wait for the second, not the other way"
            )


def _fetches(links: Links) -> set[str]:
    """What brings things; when they are put back is a matter of taste."""
    return {id for trip in links.trips for id in trip.fetches}


def _never_fetched(links: Links) -> Iterator[SubtaskFinding]:
    fetched = {trip.of for trip in links.trips if trip.fetches}
    told: set[str] = set()
    for meaning in links.meanings.values():
        if meaning.goal is not None and meaning.goal.valued:
            continue  # what moves a thing begins where it is
        for fact, places, task in _bringing(links.reader):
            for thing in meaning.names:
                start = links.reader.start(fact, thing)
                of = (fact, (thing,))
                if thing in told or of in fetched or not meaning.uses(of):
                    continue
                if start in places or not _elsewhere(links.reader, start, places):
                    continue
                if not _takes(links.reader, task, thing):
                    continue
                told.add(thing)
                words = say_task(
                    task, links.reader.knowledge.tasks[task], _args(links, task, thing)
                )
                yield SubtaskFinding(
                    meaning.id,
                    f"'{meaning.id}' uses {thing}, which is at '{start}': no subtask fetches it",
                    f"add a subtask '{words}' and let it wait for that",
                )


@lru_cache(maxsize=4)
def _bringing(reader: SubtaskReader) -> tuple[tuple[str, set[str], str], ...]:
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
    """Whether a thing stands where such places are, not with somebody or upon another thing."""
    types = reader.view.types
    own = reader.view.thing_type(str(start))
    kinds = (reader.view.thing_type(place) for place in places)
    return own is not None and any(kind is not None and types.is_a(own, kind) for kind in kinds)


def _takes(reader: SubtaskReader, task: str, thing: str) -> bool:
    kind = reader.view.thing_type(thing)
    wanted = next(iter(reader.knowledge.tasks[task].args.values()))
    return kind is not None and (wanted == "any" or reader.view.types.is_a(kind, wanted))


def _args(links: Links, task: str, thing: str) -> dict[str, object]:
    return dict.fromkeys(links.reader.knowledge.tasks[task].args, thing)


def twice(links: Links) -> Iterator[SubtaskFinding]:
    """Subtasks that are the same as another, where doing it once more changes nothing."""
    seen: dict[tuple[str, tuple[str, ...]], list[SubtaskMeaning]] = {}
    for meaning in links.meanings.values():
        key = (meaning.task or meaning.words.casefold(), meaning.names)
        for other in seen.setdefault(key, []):
            if not links.ordered(other.id, meaning.id):
                message = f"'{meaning.id}' is the same as '{other.id}', and neither waits"
                help = "take one away, or let one wait for the other"
            elif meaning.again or _undone(links, meaning, other):
                continue
            else:
                message = f"'{meaning.id}' is the same as '{other.id}', which has done it"
                help = "take one of them away"
            yield SubtaskFinding(meaning.id, message, help)
            break
        seen[key].append(meaning)


def _undone(links: Links, one: SubtaskMeaning, other: SubtaskMeaning) -> bool:
    """Whether a third subtask sets what both of them set, such as putting away what is fetched."""
    return one.goal is None or any(
        m.goal is not None and m.goal.of == one.goal.of and m.goal.value != one.goal.value
        for m in links.meanings.values()
    )
