"""Subtasks and proposals as entities, kept from one version of the world to the next.

Most events change few subtasks or none. What is made here is shared by all snapshots whose stored
subtasks, or proposals, are the same object, so that a tick costs what has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from heapq import merge
from itertools import compress
from operator import attrgetter, eq, itemgetter

from treec.team.entities import Agent, Subtask
from treec.team.knowledge import Knowledge
from treec.team.state import FINISHED, ProposalState, SubtaskState, by_status, is_ready
from treec.world.persistent import PersistentMap, changed_keys


class Work:
    """All subtasks of one version of the stored ones, and what is counted of them."""

    def __init__(
        self, stored: Mapping[str, SubtaskState], recipe: str, earlier: Work | None
    ) -> None:
        """Entities of ``earlier`` are kept where nothing about the subtask has changed."""
        self._stored = stored
        self._recipe = recipe
        self.subtasks: PersistentMap[str, Subtask]
        self.listed: tuple[Subtask, ...]
        """All subtasks, in the order in which they were added."""
        self.current: tuple[Subtask, ...]
        """Current subtasks: of the recipe, requested in addition, or still unfinished."""
        self.changed: Collection[str]
        """The ids of the entities that are not those of ``earlier``."""
        self.finished = 0
        """The number of finished subtasks."""
        self._places: dict[str, int]
        self._current_places: dict[str, int]
        self._statuses: Counter[str]
        self._followers: dict[str, dict[str, None]]
        """The subtasks that wait for each one; some may have ceased to."""
        changed = None if earlier is None else changed_keys(stored, earlier._stored)
        if earlier is None or changed is None:
            self._make_all(earlier)
        else:
            self._make_changed(earlier, changed)

    @classmethod
    def of(cls, stored: Mapping[str, SubtaskState], recipe: str, earlier: Work | None) -> Work:
        """The earlier one, if it is of the same subtasks and recipe."""
        is_same = earlier is not None and earlier._stored is stored and earlier._recipe == recipe
        return earlier if earlier is not None and is_same else cls(stored, recipe, earlier)

    @property
    def statuses(self) -> frozenset[str]:
        """The statuses that current subtasks have."""
        return frozenset(self._statuses)

    def _make_all(self, earlier: Work | None) -> None:
        self.subtasks = PersistentMap(_all_subtasks(self._stored, earlier))
        self.changed = self.subtasks.keys()
        self._followers = {}
        for id, subtask in self._stored.items():
            self._note_followers(id, subtask)
        self.listed = tuple(self.subtasks.values())
        self._places = {id: place for place, id in enumerate(self.subtasks)}
        self.finished = sum(1 for subtask in self.listed if subtask.status in FINISHED)
        self._list_current()

    def _make_changed(self, earlier: Work, changed: Sequence[str]) -> None:
        """Only those that have changed, or whose turn it now is, are made anew."""
        stored, before = self._stored, earlier._stored
        self._followers = earlier._followers
        found: dict[str, Subtask] = {}
        for id in changed:
            old = before.get(id)
            if old is None or _relations(old) != _relations(stored[id]):
                self._note_followers(id, stored[id])
            found[id] = _subtask(id, stored[id], stored)
        for id in changed:
            old = before.get(id)
            if old is None or old.status != stored[id].status:
                for other in self._followers.get(id, ()):
                    is_known = other in found or other not in earlier.subtasks
                    ready = not is_known and is_ready(stored[other], stored)
                    if not is_known and earlier.subtasks[other].ready != ready:
                        found[other] = _subtask(other, stored[other], stored)
        self.changed = found.keys()
        self._take(earlier, found)

    def _take(self, earlier: Work, found: Mapping[str, Subtask]) -> None:
        """Take what was made anew into what is listed and counted."""
        old = {id: entity for id in found if (entity := earlier.subtasks.get(id)) is not None}
        self.subtasks = earlier.subtasks
        for id, entity in found.items():
            self.subtasks = self.subtasks.set(id, entity)
        is_newest = len(earlier._places) == len(earlier.listed)
        self._places = earlier._places if is_newest else _places(earlier.listed)
        self.listed = _replaced(earlier.listed, found, self._places)
        self.finished = earlier.finished + sum(
            (entity.status in FINISHED) - (id in old and old[id].status in FINISHED)
            for id, entity in found.items()
        )
        was = {id for id, entity in old.items() if earlier._is_current(entity)}
        now = {id for id, entity in found.items() if self._is_current(entity)}
        if earlier._recipe != self._recipe or was != now & old.keys():
            self._list_current()
            return
        is_newest = len(earlier._current_places) == len(earlier.current)
        self._current_places = earlier._current_places if is_newest else _places(earlier.current)
        self.current = _replaced(
            earlier.current, {id: found[id] for id in found if id in now}, self._current_places
        )
        self._statuses = Counter(earlier._statuses)
        self._statuses.subtract(old[id].status for id in was)
        self._statuses.update(found[id].status for id in now)
        self._statuses = +self._statuses

    def _list_current(self) -> None:
        self.current = tuple(filter(self._is_current, self.listed))
        self._current_places = _places(self.current)
        self._statuses = Counter(subtask.status for subtask in self.current)

    def _is_current(self, subtask: Subtask) -> bool:
        return not subtask.past and (
            subtask.recipe in (None, self._recipe) or subtask.status not in FINISHED
        )

    def _note_followers(self, id: str, subtask: SubtaskState) -> None:
        for other in (*subtask.after, *subtask.after_any):
            self._followers.setdefault(other, {})[id] = None


class ProposalLists:
    """The open and the declined proposals of one version of the stored ones."""

    def __init__(self, stored: Mapping[str, ProposalState]) -> None:
        self._stored = stored
        entries = PersistentMap.of(stored)
        self.open = entries.where(by_status, "open")
        self.declined = tuple(entries[id] for id in entries.where(by_status, "declined"))

    @classmethod
    def of(
        cls, stored: Mapping[str, ProposalState], earlier: ProposalLists | None
    ) -> ProposalLists:
        """The earlier one, if it is of the same proposals."""
        return earlier if earlier is not None and earlier._stored is stored else cls(stored)


class Candidates:
    """Subtasks that may be proposed, by task, in their order."""

    def __init__(self, subtasks: Sequence[Subtask]) -> None:
        self._subtasks = subtasks
        self._tasks = tuple(map(attrgetter("task"), subtasks))
        self._kinds = tuple(dict.fromkeys(self._tasks))

    def for_agent(self, knowledge: Knowledge, agent: Agent) -> Iterator[Subtask]:
        """Those that an agent may be able to do, in their order, found as they are asked for.

        For a person, those that no robot can do or that somebody has tried.
        """
        robots = [name for name in knowledge.agents if name not in knowledge.people]
        lists = [
            self._tried_of(task)
            if agent.person and any(knowledge.able(robot, task) for robot in robots)
            else self._of(task)
            for task in self._kinds
            if knowledge.able(agent.name, task)
        ]
        found = lists[0] if len(lists) == 1 else merge(*lists, key=itemgetter(0))
        return (subtask for _, subtask in found)

    def _of(self, task: str | None) -> Iterator[tuple[int, Subtask]]:
        numbered = enumerate(self._subtasks)
        if len(self._kinds) == 1:
            return numbered
        return compress(numbered, map(partial(eq, task), self._tasks))

    def _tried_of(self, task: str | None) -> Iterator[tuple[int, Subtask]]:
        return (one for one in self._tried if one[1].task == task)

    @cached_property
    def _tried(self) -> Sequence[tuple[int, Subtask]]:
        numbered = enumerate(self._subtasks)
        if not any(map(attrgetter("failures"), self._subtasks)):
            return [*compress(numbered, map(attrgetter("tried"), self._subtasks))]
        return [one for one in numbered if one[1].failures or one[1].tried]


def _all_subtasks(
    stored: Mapping[str, SubtaskState], earlier: Work | None
) -> Mapping[str, Subtask]:
    before = {} if earlier is None else earlier._stored
    known = {} if earlier is None else earlier.subtasks
    found: dict[str, Subtask] = {}
    for id, subtask in stored.items():
        entity = known[id] if before.get(id) is subtask else None
        if entity is None or entity.ready != is_ready(subtask, stored):
            entity = _subtask(id, subtask, stored)
        found[id] = entity
    return found


def _places(listed: Sequence[Subtask]) -> dict[str, int]:
    return {subtask.id: place for place, subtask in enumerate(listed)}


def _replaced(
    listed: Sequence[Subtask], found: Mapping[str, Subtask], places: dict[str, int]
) -> tuple[Subtask, ...]:
    """Listed subtasks with some made anew, in their places; new ones get the next."""
    if not found:
        return tuple(listed)
    changed = list(listed)
    for id, entity in found.items():
        place = places.setdefault(id, len(changed))
        if place < len(changed):
            changed[place] = entity
        else:
            changed.append(entity)
    return tuple(changed)


def _relations(subtask: SubtaskState) -> object:
    return subtask.after, subtask.after_any


def _subtask(id: str, stored: SubtaskState, others: Mapping[str, SubtaskState]) -> Subtask:
    ready = is_ready(stored, others)
    return Subtask(
        id=id,
        words=stored.words,
        task=stored.task,
        args=stored.args,
        recipe=stored.recipe,
        after=stored.after,
        after_any=stored.after_any,
        status=stored.status,
        agent=stored.agent,
        ready=ready,
        reason=stored.reason,
        told=stored.told,
        failures=stored.failures,
        past=stored.past,
        helpers=stored.helpers,
        tried=stored.tried,
        steps=stored.steps,
    )
