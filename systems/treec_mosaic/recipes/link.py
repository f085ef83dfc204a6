"""Finds edges that a recipe lacks: from the subtask that brings a thing to those that use it.

A list says "load the crate after parking the cart", and further down "fetch the crate";
that loading needs the fetched crate is left to common sense. The tasks know it: the goal of the
fetch is ``at(crate) == 'dock'``, and a skill of the loading asks for ``at(crate)``. Likewise what
is put back where it came from is put back after its uses. Such edges are proposed, not taken: the
list is what somebody wrote, and they are what somebody may have meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from treec.files.tasks import SubtaskSpec
from treec.frozen import frozen
from treec.graph import descendants, reverse, topological_order
from treec_kitchen.graph_findings import GraphFinding
from treec_mosaic.recipes.subtask_reader import FactOf, InterpretedSubtask, SubtaskReader


@frozen
class SubtaskLink:
    """``id`` should wait for ``before``; ``reversed`` if ``before`` waits for ``id`` now."""

    id: str
    before: str
    thing: str
    reason: str
    reversed: bool = False


@frozen
class Trip:
    """The subtasks of a recipe that fetch, use and put back one thing."""

    of: FactOf
    fetches: tuple[str, ...]
    uses: tuple[str, ...]
    puts_back: tuple[str, ...]


class Links:
    """How the subtasks of one recipe are linked by the things that they use."""

    def __init__(self, reader: SubtaskReader, subtasks: Mapping[str, SubtaskSpec]) -> None:
        self.reader = reader
        self.subtasks = subtasks
        self._words = reader.knowledge.recipe_words(subtasks)
        self.meanings = reader.read(self._words)
        self.after = {id: (*spec.after, *spec.after_any) for id, spec in subtasks.items()}
        self.trips = tuple(self._trips())
        self.kept: dict[object, tuple[GraphFinding, ...]] = {}
        """What analyses have found in them."""

    def missing(self) -> list[SubtaskLink]:
        """The missing edges, without those that follow from others."""
        after = {id: list(before) for id, before in self.after.items()}
        found: list[SubtaskLink] = []
        rank = {id: number for number, id in enumerate(topological_order(reverse(after)))}
        for trip in self.trips:
            for id in sorted(trip.uses, key=lambda id: rank.get(id, len(rank))):
                if trip.fetches and descendants(after, id).isdisjoint(trip.fetches):
                    self._link(after, found, id, trip.fetches[0], trip)
            for id in trip.puts_back:
                for before in (*trip.uses, *(() if trip.uses else trip.fetches)):
                    if before not in descendants(after, id):
                        self._link(after, found, id, before, trip)
        mixtures = [(*found, "which makes") for found in self._mixtures()]
        parts = [(*found, "which is part of the") for found in self._poured()]
        for id, maker, mixture, how in mixtures + parts:
            if maker not in descendants(after, id):
                reversed = id in descendants(after, maker)
                reason = f"{how} {mixture}"
                found.append(SubtaskLink(id, maker, mixture, reason, reversed))
                after[id] += [] if reversed else [maker]
        position = {id: number for number, id in enumerate(self.meanings)}
        return sorted(found, key=lambda link: (position[link.id], position[link.before]))

    def with_edges(self, added: Iterable[SubtaskLink]) -> Links:
        """The same subtasks with more edges."""
        after = {id: [*spec.after] for id, spec in self.subtasks.items()}
        for link in added:
            after[link.id].append(link.before)
        new = {
            id: spec.model_copy(update={"after": after[id]}) for id, spec in self.subtasks.items()
        }
        return Links(self.reader, new)

    def _mixtures(self) -> Iterator[tuple[str, str, str]]:
        """The subtasks that name what others make: a syrup is made, not fetched."""
        for maker, spec in self.subtasks.items():
            said = re.compile(rf"\b{re.escape(spec.makes or '')}\b", re.IGNORECASE)
            vessel = self.reader.knowledge.made_in(self._words[maker]) if spec.makes else None
            for id, other in self.subtasks.items() if spec.makes else ():
                words = other.do or id
                if id != maker and said.search(words) and (not vessel or self._words[id] != words):
                    yield id, maker, str(spec.makes)

    def _poured(self) -> Iterator[tuple[str, str, str]]:
        """What is put into a vessel above the subtask that makes something in it: its parts."""
        order = [*self.subtasks]
        for number, maker in enumerate(order):
            made = self.subtasks[maker].makes
            vessel = self.reader.knowledge.made_in(self._words[maker]) if made else None
            for id in order[:number] if vessel else ():
                goal = self.meanings[id].goal
                if goal is None or maker in descendants(self.after, id):
                    continue
                if goal.value == vessel or vessel in goal.of[1][1:]:
                    yield maker, id, str(made)

    def are_ordered(self, one: str, other: str) -> bool:
        """Whether one of two subtasks waits for the other, directly or through others."""
        return one in descendants(self.after, other) or other in descendants(self.after, one)

    def _link(
        self,
        after: dict[str, list[str]],
        found: list[SubtaskLink],
        id: str,
        before: str,
        trip: Trip,
    ) -> None:
        reversed = id in descendants(after, before)
        if not reversed:
            after[id].append(before)
        goal, thing = self.meanings[before].goal, trip.of[1][0]
        if before in trip.fetches and goal is not None:
            reason = f"which brings about {describe_goal(self.meanings[before])}"
        else:
            reason = f"which uses {thing} before it is put back"
        found.append(SubtaskLink(id, before, thing, reason, reversed))

    def _trips(self) -> Iterator[Trip]:
        """For each fact that some subtask's goal sets: who sets it and who needs it."""
        setters: dict[FactOf, list[InterpretedSubtask]] = {}
        for meaning in self.meanings.values():
            if meaning.goal is not None:
                setters.setdefault(meaning.goal.of, []).append(meaning)
        for of, setting in setters.items():
            fetches, back = self._split(of, setting)
            others = {*fetches, *back}
            valued = any(m.goal is not None and m.goal.valued for m in setting)
            uses = [
                id
                for id, m in self.meanings.items()
                if id not in others and m.uses(of) and (m.has_steps or valued)
            ]
            yield Trip(of, tuple(fetches), tuple(uses), tuple(back))

    def _split(self, of: FactOf, setting: list[InterpretedSubtask]) -> tuple[list[str], list[str]]:
        """Those that bring a thing, and those that put it back.

        To hand it to somebody, or to stack it on what the words name, is to use it.
        """
        fetches: list[InterpretedSubtask] = []
        back: list[str] = []
        for meaning in setting:
            goal = meaning.goal
            assert goal is not None
            if self.reader.is_agent(goal.value) or goal.value in meaning.names:
                continue
            if goal.plain or not goal.valued:
                fetches.append(meaning)
            else:
                back.append(meaning.id)
        values = {m.goal.value for m in fetches if m.goal is not None}
        if len(values) > 1:
            start = self.reader.start(of[0], of[1][0]) if of[1] else None
            back += [m.id for m in fetches if m.goal is not None and m.goal.value == start]
        return [m.id for m in fetches if m.id not in back], back


def describe_goal(meaning: InterpretedSubtask) -> str:
    """The goal of a subtask with its things in the place of the arguments."""
    goal = meaning.goal
    assert goal is not None
    fact = f"{goal.of[0]}({', '.join(goal.of[1])})"
    return f"{fact} == '{goal.value}'" if goal.valued else fact
