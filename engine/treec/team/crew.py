"""Agents as entities, kept from one version of the world to the next.

An agent is made anew when its own state has changed, or one of its subtasks.
"""

from __future__ import annotations

from collections.abc import Mapping

from treec.team.entities import Agent
from treec.team.knowledge import Knowledge
from treec.team.state import AgentState
from treec.team.work import Work
from treec.world.persistent import PersistentMap, changed_keys


class Crew:
    """All agents of one version of the stored ones and of the work."""

    def __init__(
        self,
        stored: Mapping[str, AgentState],
        work: Work,
        knowledge: Knowledge,
        earlier: Crew | None,
    ) -> None:
        """Entities of ``earlier`` are kept where nothing about the agent has changed."""
        self._stored = stored
        self._work = work
        self._knowledge = knowledge
        self.agents: PersistentMap[str, Agent]
        self.listed: tuple[Agent, ...]
        """All agents, in order of name."""
        self._places: dict[str, int]
        self._holders: dict[str, dict[str, None]]
        """The agents that have each subtask; some may have had it before."""
        changed = None if earlier is None else changed_keys(stored, earlier._stored)
        if earlier is None or changed is None or not earlier.agents.keys() >= {*changed}:
            self._holders = {}
            names = [name for name in knowledge.agents if name in stored]
            self.agents = PersistentMap((name, self._agent(name)) for name in names)
            self.listed = tuple(self.agents.values())
            self._places = {name: place for place, name in enumerate(names)}
            return
        self._holders, self._places = earlier._holders, earlier._places
        self.agents, self.listed = earlier.agents, earlier.listed
        found = dict.fromkeys(changed)
        if work is not earlier._work:
            for id in work.changed:
                found.update(self._holders.get(id, {}))
        if found:
            listed = list(earlier.listed)
            for name in found:
                agent = listed[self._places[name]] = self._agent(name)
                self.agents = self.agents.set(name, agent)
            self.listed = tuple(listed)

    @classmethod
    def of(
        cls,
        stored: Mapping[str, AgentState],
        work: Work,
        knowledge: Knowledge,
        earlier: Crew | None,
    ) -> Crew:
        """The earlier one, if it is of the same agents and work."""
        if earlier is not None and earlier._stored is stored and earlier._work is work:
            return earlier
        return cls(stored, work, knowledge, earlier)

    def _agent(self, name: str) -> Agent:
        stored, subtasks = self._stored[name], self._work.subtasks
        spec = self._knowledge.agents[name]
        current = stored.current or None
        for id in stored.queue if current is None else (current, *stored.queue):
            self._holders.setdefault(id, {})[name] = None
        return Agent(
            name=name,
            type=spec.is_,
            about=spec.about,
            can=tuple(spec.can),
            status=stored.status,
            queue=tuple(subtasks[id] for id in stored.queue),
            current=None if current is None else subtasks[current],
            person=stored.person,
        )
