"""A graph's nodes as the team's subtasks: who gets which now, what when none can be done."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from treec.nodes.runtime import Runtime
from treec.systems.dag_plan.arms.arm_graph import ArmGraph
from treec.systems.dag_plan.arms.dispatch import DispatchState
from treec.systems.dag_plan.arms.world_logic import FactValue, Key, State
from treec.systems.dag_plan.events import (
    PlanChanged,
    PlanDone,
    Planned,
    PlanSlot,
    PlanState,
    plans_of,
)
from treec.team.entities import Agent, Subtask
from treec.team.events import Assigned, SubtaskAdded, SubtaskDropped
from treec.team.state import FINISHED
from treec.world.events import Commit, Event
from treec.world.failures import GoalMissed


class PlanInfeasible(Exception):
    """A graph that cannot be done to its end; the text says why."""


def facts_now(runtime: Runtime) -> dict[Key, FactValue]:
    """What is so in the running world; what is unknown, none or false is not there."""
    found: dict[Key, FactValue] = {}
    for (name, args), fact in runtime.world.facts:
        value = fact.value
        if value is None or value is False or fact.source == "unknown":
            continue
        if isinstance(value, str | bool | int | float):
            found[(name, *args)] = value
    return found


class Share:
    """Shares one graph out; `start` is what was so before its first node."""

    def __init__(
        self, runtime: Runtime, path: str, going: ArmGraph, start: State, tries: int
    ) -> None:
        self.runtime = runtime
        self.path = path
        self.going = going
        self.start = start
        self.tries = tries
        self.text = ""
        self._began: dict[str, float] = {}

    # The subtasks

    @property
    def _state(self) -> PlanState:
        return plans_of(self.runtime.world.state)[self.path]

    def subtasks(self) -> dict[str, Subtask]:
        """Node → its subtask as it is now."""
        known = self.runtime.team.now.subtasks
        return {node: known[id] for node, id in self._state.nodes.items() if id in known}

    def plan(
        self,
        task: str,
        text: str,
        by: str,
        because: str,
        taken: Mapping[str, str],
        left: Sequence[str],
    ) -> None:
        """Make subtasks of the nodes, except those `taken` over; those `left` are dropped."""
        self.text = text
        ids: dict[str, str] = dict(taken)
        events: list[Event] = []
        if left:
            events.append(SubtaskDropped(tuple(left)))
        for node in self.going.order:
            if node not in ids:
                ids[node] = self._free_id(node, ids)
                events.append(self._added(node, ids))
        slots = tuple(PlanSlot(*slot) for slot in self._expected(set(taken)))
        arms = self.going.fixed
        events.append(Planned(self.path, task, text, by, ids, slots, arms, because))
        self.runtime.world.emit(Commit("plan", tuple(events)), self.path)

    def _expected(self, done: set[str]) -> list[tuple[str, tuple[str, ...], float, float]]:
        """How it is going to go, from now on, when nothing comes in between."""
        now = self.runtime.clock.now()
        held = {}
        if done:
            arms = {node: self._arms(s) for node, s in self.subtasks().items() if node in done}
            held = {node: found for node, found in arms.items() if node in self._takers}
        moment = DispatchState(frozenset(done), {}, held, frozenset(self.going.arms))
        slots = self.going.dispatcher.slots(moment)
        return [(n, a, round(s + now, 3), round(e + now, 3)) for n, a, s, e in slots]

    @property
    def _takers(self) -> set[str]:
        return {pair.occupy for pair in self.going.pairs}

    def _free_id(self, node: str, ids: Mapping[str, str]) -> str:
        """A node's words; numbered when there is such a subtask already."""
        words = self.going.nodes[node].name
        used = {*self.runtime.team.now.subtasks, *ids.values()}
        found, number = words, 2
        while found in used:
            found, number = f"{words} ({number})", number + 1
        return found

    def _added(self, node: str, ids: Mapping[str, str]) -> Event:
        steps, things = self.going.steps(node)
        after = [ids[other] for other in self.going.nodes[node].after if other in ids]
        words = self.going.nodes[node].name
        return SubtaskAdded(ids[node], words, args=things, steps=steps, after=tuple(after))

    def _arms(self, subtask: Subtask) -> tuple[str, ...]:
        """Who is at it or did it, in the order of the arms."""
        found = {*subtask.helpers, *((subtask.agent,) if subtask.agent else ())}
        return tuple(arm for arm in self.going.arms if arm in found)

    def done(self) -> dict[str, tuple[str, ...]]:
        """The nodes that are done, and who did each."""
        return {n: self._arms(s) for n, s in self.subtasks().items() if s.status == "done"}

    def words_done(self) -> dict[str, str]:
        """The subtasks that are done, and the words of each."""
        found = self.subtasks()
        return {found[n].id: found[n].words for n in self.going.order if n in self.done()}

    def unfinished(self) -> list[str]:
        """The subtasks that nobody shall do when another graph takes this one's place."""
        return [s.id for s in self.subtasks().values() if s.status not in FINISHED]

    def held_now(self) -> dict[str, str]:
        """Agent → the thing that it holds, of those things that this graph took."""
        done = self.done()
        return {
            arm: pair.thing
            for pair in self.going.pairs
            if pair.occupy in done and pair.release not in done
            for arm in done[pair.occupy]
        }

    def holds(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """What was taken and is not let go of: its subtask, the words of that, and the arms."""
        done, found = self.done(), self.subtasks()
        return {
            found[pair.occupy].id: (self.going.nodes[pair.occupy].name, done[pair.occupy])
            for pair in self.going.pairs
            if pair.occupy in done and pair.release not in done
        }

    def told_done(self) -> tuple[str, ...]:
        """What is done, in words, in the order of the graph."""
        return tuple(self.words_done().values())

    def told_held(self) -> tuple[str, ...]:
        """What hands hold, in words."""
        return tuple(f'{arm} holds "{thing}"' for arm, thing in self.held_now().items())

    # Sharing out

    def go_on(self) -> bool:
        """Give out what can be begun now; True when all is done. Raises NobodyCan."""
        found = self.subtasks()
        agents = {arm: self.runtime.team.now.agents[arm] for arm in self.going.arms}
        done = self.done()
        running = self._running(found, agents)
        state = facts_now(self.runtime)
        if len(done) == len(self.going.nodes):
            return self._at_the_end(done, state)
        free = frozenset(
            arm
            for arm, agent in agents.items()
            if agent.status == "Idle"
            and agent.current is None
            and not any(
                s.status == "queued" and not self._given_back(s, agents) for s in agent.queue
            )
            and not any(arm in arms for arms, _ in running.values())
        )
        held = {
            node: arms
            for node, arms in {**done, **{n: a for n, (a, _) in running.items()}}.items()
            if node in self._takers
        }

        taking = {arm for n in self._takers & {*running} for arm in running[n][0]}
        hands = {arm for arm in agents if arm not in self.held_now() and arm not in taking}
        working = {arm for arm, agent in agents.items() if agent.status != "Interrupted"}

        def may(node: str, arms: tuple[str, ...]) -> bool:
            subtask = found[node]
            if subtask.failures >= self.tries or self.going.refusal(node, arms, state) is not None:
                return False
            return not self._should_leave(node, subtask, arms, working, hands)

        def must(node: str, arms: tuple[str, ...]) -> bool:
            fails = found[node].failures >= self.tries
            return not fails and self.going.refusal(node, arms, state) is None

        moment = DispatchState(frozenset(done), running, held, free, may)
        starts = self.going.dispatcher.begin(moment)
        if not starts and not running:  # those who should do it cannot
            starts = self.going.dispatcher.begin(replace(moment, may=must))
        if starts:
            events = (Assigned(a[0], (found[n].id,), helpers=tuple(a[1:])) for n, a in starts)
            self.runtime.world.emit(Commit("share", tuple(events)), self.path)
            return False
        at = {node: arms for node, (arms, _) in running.items()}
        refused = {n for n in self._ready(done, at) if self._refusal(n, done, state) is not None}
        if refused and self._again(done, state, at):
            return False
        if not running and all(a.status == "Idle" and a.current is None for a in agents.values()):
            self._stuck(found, done, state)
        return False

    def _ready(self, done: Container[str], running: Container[str]) -> list[str]:
        """The nodes that nobody is at, and that wait for nothing more."""
        nodes = self.going.nodes
        return [
            node
            for node in self.going.order
            if node not in done
            and node not in running
            and all(other in done for other in nodes[node].after if other in nodes)
        ]

    def _running(
        self, found: Mapping[str, Subtask], agents: Mapping[str, Agent]
    ) -> dict[str, tuple[tuple[str, ...], float]]:
        """Nodes that somebody is at or is about to begin, and the seconds that each still takes."""
        now = self.runtime.clock.now()
        running = {}
        for node, subtask in found.items():
            begun = subtask.status == "running"
            if not begun and (subtask.status != "queued" or self._given_back(subtask, agents)):
                continue
            arms = self._arms(subtask)
            since = self._began.setdefault(subtask.id, now) if begun else now
            left = since + self.going.takes(node, arms) - now
            running[node] = arms, max(left, 0.001)
        for subtask in found.values():
            if subtask.status != "running":
                self._began.pop(subtask.id, None)
        return running

    def _given_back(self, subtask: Subtask, agents: Mapping[str, Agent]) -> bool:
        """Whether who has it, or helps with it, has dropped out."""
        arms = self._arms(subtask)
        return not arms or any(agents[arm].status == "Interrupted" for arm in arms)

    def _should_leave(
        self,
        node: str,
        subtask: Subtask,
        arms: Sequence[str],
        working: Container[str],
        hands: Container[str],
    ) -> bool:
        """Whether others do better than who failed at it last.

        After one failure that is somebody with empty `hands`, after two anybody who is `working`.
        """
        if not subtask.tried or subtask.tried[-1] not in arms:
            return False
        if node in self.going.fixed or self.going.nodes[node].type not in ("occupy", "operate"):
            return False  # nobody else may, or they need what this very hand holds
        fit = hands if len(subtask.tried) < 2 else working
        others = [
            arm
            for arm in self.going.arms
            if arm not in subtask.tried and arm in fit and arm in working
        ]
        return len(others) >= len(arms)

    def _at_the_end(self, done: Mapping[str, tuple[str, ...]], state: State) -> bool:
        missed = self.going.world.missed(state)
        if not missed:
            self.runtime.world.emit(PlanDone(self.path), self.path)
            return True
        if not self._again(done, state, {}):
            raise PlanInfeasible(str(GoalMissed(tuple(missed))))
        return False

    def _stuck(
        self, found: Mapping[str, Subtask], done: Mapping[str, tuple[str, ...]], state: State
    ) -> None:
        """Nobody is at work, and nothing can be begun: say why. Raises NobodyCan."""
        reasons = []
        for node in self._ready(done, ()):
            subtask = found[node]
            if subtask.failures >= self.tries:
                reasons.append(f"{subtask.words} failed {subtask.failures} times: {subtask.reason}")
            else:
                why = self._refusal(node, done, state) or "the arms hold something else"
                reasons.append(f"{subtask.words} cannot be done: {why}")
        raise PlanInfeasible("; ".join(reasons))

    def _refusal(self, node: str, done: Mapping[str, tuple[str, ...]], state: State) -> str | None:
        """Why a node cannot be begun by whoever should."""
        holding = [
            done[p.occupy] for p in self.going.pairs if node in p.members[1:] and p.occupy in done
        ]
        arms = self.going.arms
        need = len(self.going.meanings[node].skill.arms)
        who = holding[0] if holding and len(holding[0]) == need else arms[:need]
        who = self.going.fixed.get(node, who)
        return self.going.refusal(node, who, state)

    def _again(
        self,
        done: Mapping[str, tuple[str, ...]],
        state: State,
        running: Mapping[str, tuple[str, ...]],
    ) -> bool:
        """Let what somebody has undone be done again; False when nothing was."""
        undone = self.going.undone(done, self.start, state, running)
        if not undone:
            return False
        ids = dict(self._state.nodes)
        events: list[Event] = []
        for node in undone:
            ids[node] = self._free_id(node, ids)
            events.append(self._added(node, ids))
        events.append(PlanChanged(self.path, {node: ids[node] for node in undone}))
        self.runtime.world.emit(Commit("plan", tuple(events)), self.path)
        return True
