"""Subtasks and proposals as entities, kept from one version of the world to the next.

Most events change few subtasks or none. What is made here is shared by all snapshots whose stored
subtasks, or proposals, are the same object, so that a tick costs what has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import merge
from itertools import compress
from operator import is_not, itemgetter

from treec.team.entities import Agent, Subtask
from treec.team.knowledge import Knowledge
from treec.team.state import FINISHED, ProposalState, SubtaskState, is_ready


class Work:
    """All subtasks of one version of the stored ones, and what is counted of them."""

    def __init__(
        self, stored: Mapping[str, SubtaskState], recipe: str, earlier: Work | None
    ) -> None:
        """Entities of ``earlier`` are kept where nothing about the subtask has changed."""
        self._stored = stored
        self._recipe = recipe
        self.subtasks: Mapping[str, Subtask]
        if earlier is None or [*earlier._stored] != [*stored]:
            self.subtasks = _all_subtasks(stored, earlier)
        else:
            self.subtasks = self._changed_since(earlier)

    @classmethod
    def of(cls, stored: Mapping[str, SubtaskState], recipe: str, earlier: Work | None) -> Work:
        """The earlier one, if it is of the same subtasks and recipe."""
        is_same = earlier is not None and earlier._stored is stored and earlier._recipe == recipe
        return earlier if earlier is not None and is_same else cls(stored, recipe, earlier)

    def _changed_since(self, earlier: Work) -> Mapping[str, Subtask]:
        """Only those that have changed, or whose turn it now is, are made anew."""
        stored, before = self._stored, earlier._stored
        if stored is before:
            changed = []
        else:
            differ = map(is_not, stored.values(), before.values())
            changed = list(compress(stored, differ))
        if all(_relations(stored[id]) == _relations(before[id]) for id in changed):
            self.followers = earlier.followers
        if not changed:
            return earlier.subtasks
        found = dict(earlier.subtasks)
        for id in changed:
            found[id] = _subtask(id, stored[id], stored)
            if before[id].status == stored[id].status:
                continue
            for other in earlier.followers.get(id, ()):
                if found[other].ready != is_ready(stored[other], stored):
                    found[other] = _subtask(other, stored[other], stored)
        return found

    @cached_property
    def followers(self) -> Mapping[str, Sequence[str]]:
        """The subtasks that wait for each one."""
        found: dict[str, list[str]] = {}
        for id, subtask in self._stored.items():
            for other in (*subtask.after, *subtask.after_any):
                found.setdefault(other, []).append(id)
        return found

    @cached_property
    def listed(self) -> tuple[Subtask, ...]:
        """All subtasks, in the order in which they were added."""
        return tuple(self.subtasks.values())

    @cached_property
    def current(self) -> tuple[Subtask, ...]:
        """Current subtasks: of the recipe, requested in addition, or still unfinished."""
        return tuple(
            s
            for s in self.listed
            if not s.past and (s.recipe in (None, self._recipe) or s.status not in FINISHED)
        )

    @cached_property
    def statuses(self) -> frozenset[str]:
        """The statuses that current subtasks have."""
        return frozenset(subtask.status for subtask in self.current)

    @cached_property
    def finished(self) -> int:
        """The number of finished subtasks."""
        return sum(1 for subtask in self.listed if subtask.status in FINISHED)


class ProposalLists:
    """The open and the declined proposals of one version of the stored ones."""

    def __init__(self, stored: Mapping[str, ProposalState]) -> None:
        self._stored = stored
        self.open = tuple(id for id, p in stored.items() if p.status == "open")
        self.declined = tuple(p for p in stored.values() if p.status == "declined")

    @classmethod
    def of(
        cls, stored: Mapping[str, ProposalState], earlier: ProposalLists | None
    ) -> ProposalLists:
        """The earlier one, if it is of the same proposals."""
        return earlier if earlier is not None and earlier._stored is stored else cls(stored)


class Candidates:
    """Subtasks that may be proposed, by task, in their order."""

    def __init__(self, subtasks: Sequence[Subtask]) -> None:
        self._by_task: dict[str | None, list[tuple[int, Subtask]]] = {}
        for numbered in enumerate(subtasks):
            self._by_task.setdefault(numbered[1].task, []).append(numbered)
        self._tried = {
            task: [one for one in found if one[1].failures or one[1].tried]
            for task, found in self._by_task.items()
        }

    def for_agent(self, knowledge: Knowledge, agent: Agent) -> Iterator[Subtask]:
        """Those that an agent may be able to do, in their order.

        For a person, those that no robot can do or that somebody has tried.
        """
        robots = [name for name in knowledge.agents if name not in knowledge.people]
        lists = [
            self._tried[task]
            if agent.person and any(knowledge.able(robot, task) for robot in robots)
            else found
            for task, found in self._by_task.items()
            if knowledge.able(agent.name, task)
        ]
        return (subtask for _, subtask in merge(*lists, key=itemgetter(0)))


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
