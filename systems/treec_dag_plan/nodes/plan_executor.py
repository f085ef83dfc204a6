"""Execute a task graph: turn its nodes into subtasks, assign them and handle failures."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from treec.nodes.runtime import Runtime
from treec.team.entities import Agent, Subtask
from treec.team.events import (
    AgentInterrupted,
    Assigned,
    SubtaskAdded,
    SubtaskDone,
    SubtaskDropped,
)
from treec.team.state import FINISHED
from treec.world.events import Commit, Event
from treec.world.failures import GoalMissed
from treec.world.history import events_of
from treec_dag_plan.arms.arm_graph import ArmGraph
from treec_dag_plan.arms.dispatch import DispatchState
from treec_dag_plan.arms.world_logic import FactValue, Key, State
from treec_dag_plan.events import (
    PlanChanged,
    PlanDone,
    Planned,
    PlanSlot,
    PlanState,
    StepsChanged,
    plans_of,
)


class PlanInfeasible(Exception):
    """A graph cannot be finished; the text says why."""


class GoalUnknown(Exception):
    """All of a graph is finished, but nobody can say whether the task is done."""

    def __init__(self) -> None:
        super().__init__("all sub-tasks are finished, but no goal says whether the task is done")


def facts_now(runtime: Runtime) -> dict[Key, FactValue]:
    """Return the facts of the running world that are known and neither None nor False."""
    found: dict[Key, FactValue] = {}
    for (name, args), fact in runtime.world.facts:
        value = fact.value
        if value is None or value is False or fact.source == "unknown":
            continue
        if isinstance(value, str | bool | int | float):
            found[(name, *args)] = value
    return found


class PlanExecutor:
    """Executes one graph; `start` is the state before its first node."""

    def __init__(
        self, runtime: Runtime, path: str, graph: ArmGraph, start: State, tries: int
    ) -> None:
        self.runtime = runtime
        self.path = path
        self.graph = graph
        self.start = start
        self.tries = tries
        self.text = ""
        self._began: dict[str, float] = {}
        self._failed: dict[str, tuple[int, int]] = {}
        self.waits_for = ""
        """Which arms are out without which nothing can be done; '' if something can."""

    # The subtasks

    @property
    def _state(self) -> PlanState:
        return plans_of(self.runtime.world.state)[self.path]

    def subtasks(self) -> dict[str, Subtask]:
        """Return node → its current subtask."""
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
        """Add subtasks for the nodes except those `taken` over; drop the subtasks in `left`."""
        self.text = text
        ids: dict[str, str] = dict(taken)
        events: list[Event] = []
        if left:
            events.append(SubtaskDropped(tuple(left)))
        for node in self.graph.order:
            if node not in ids:
                ids[node] = self._free_id(node, ids)
                events.append(self._add_event(node, ids))
        slots = tuple(PlanSlot(*slot) for slot in self._expected(set(taken)))
        arms = self.graph.fixed
        events.append(Planned(self.path, task, text, by, ids, slots, arms, because))
        self.runtime.world.emit(Commit("plan", tuple(events)), self.path)

    def _expected(self, done: set[str]) -> list[tuple[str, tuple[str, ...], float, float]]:
        """Predict the schedule from now on, without disturbances."""
        now = self.runtime.clock.now()
        held = {}
        if done:
            arms = {node: self._arms(s) for node, s in self.subtasks().items() if node in done}
            held = {node: found for node, found in arms.items() if node in self._occupies}
        moment = DispatchState(frozenset(done), {}, held, frozenset(self.graph.arms))
        slots = self.graph.dispatcher.slots(moment)
        return [(n, a, round(s + now, 3), round(e + now, 3)) for n, a, s, e in slots]

    @property
    def _occupies(self) -> set[str]:
        return {pair.occupy for pair in self.graph.pairs}

    def _free_id(self, node: str, ids: Mapping[str, str]) -> str:
        """Return a node's words as an id, numbered if it is in use."""
        words = self.graph.nodes[node].name
        used = {*self.runtime.team.now.subtasks, *ids.values()}
        found, number = words, 2
        while found in used:
            found, number = f"{words} ({number})", number + 1
        return found

    def _add_event(self, node: str, ids: Mapping[str, str]) -> Event:
        steps, things = self.graph.steps(node), self.graph.things(node)
        after = [ids[other] for other in self.graph.nodes[node].after if other in ids]
        words = self.graph.nodes[node].name
        return SubtaskAdded(ids[node], words, args=things, steps=steps, after=tuple(after))

    def _arms(self, subtask: Subtask) -> tuple[str, ...]:
        """Return the arms that do or did a subtask, in their order."""
        found = {*subtask.helpers, *((subtask.agent,) if subtask.agent else ())}
        return tuple(arm for arm in self.graph.arms if arm in found)

    def done(self) -> dict[str, tuple[str, ...]]:
        """Return finished node → its arms."""
        return {n: self._arms(s) for n, s in self.subtasks().items() if s.status == "done"}

    def describe_finished(self) -> dict[str, str]:
        """Return finished subtask → its words."""
        found = self.subtasks()
        return {found[n].id: found[n].words for n in self.graph.order if n in self.done()}

    def unfinished(self) -> list[str]:
        """Return the unfinished subtasks, dropped when another graph replaces this one."""
        return [s.id for s in self.subtasks().values() if s.status not in FINISHED]

    def held_objects(self) -> dict[str, str]:
        """Return agent → the object that it holds because of this graph."""
        done = self.done()
        return {
            arm: pair.thing
            for pair in self.graph.pairs
            if pair.occupy in done and pair.release not in done
            for arm in done[pair.occupy]
        }

    def holds(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Return the open holds: occupy subtask → (its words, the arms)."""
        done, found = self.done(), self.subtasks()
        return {
            found[pair.occupy].id: (self.graph.nodes[pair.occupy].name, done[pair.occupy])
            for pair in self.graph.pairs
            if pair.occupy in done and pair.release not in done
        }

    def done_words(self) -> tuple[str, ...]:
        """Return the words of finished subtasks, in topological order."""
        return tuple(self.describe_finished().values())

    def describe_held(self) -> tuple[str, ...]:
        """Describe what each arm holds."""
        return tuple(f'{arm} holds "{thing}"' for arm, thing in self.held_objects().items())

    # Assignment

    def go_on(self) -> bool:
        """Assign what can start now; true when everything is done. Raises PlanInfeasible."""
        self.waits_for = ""
        found = self.subtasks()
        agents = {arm: self.runtime.team.now.agents[arm] for arm in self.graph.arms}
        done = self.done()
        running = self._running(found, agents)
        state = facts_now(self.runtime)
        if len(done) == len(self.graph.nodes):
            return self._at_the_end(done, state)
        if came_about := self._came_about(found, state):
            self.runtime.world.emit(Commit("plan", tuple(came_about)), self.path)
            return False
        free = frozenset(
            arm
            for arm, agent in agents.items()
            if agent.status == "Idle"
            and agent.current is None
            and not any(
                s.status == "queued" and not self._is_returned(s, agents) for s in agent.queue
            )
            and not any(arm in arms for arms, _ in running.values())
        )
        held = {
            node: arms
            for node, arms in {**done, **{n: a for n, (a, _) in running.items()}}.items()
            if node in self._occupies
        }

        taking = {arm for n in self._occupies & {*running} for arm in running[n][0]}
        hands = {arm for arm in agents if arm not in self.held_objects() and arm not in taking}
        working = {arm for arm, agent in agents.items() if agent.status != "Interrupted"}
        later = self._to_try_later(found)

        def may(node: str, arms: tuple[str, ...]) -> bool:
            subtask = found[node]
            if subtask.failures >= self.tries or self.graph.refusal(node, arms, state) is not None:
                return False
            if node in later:
                return False
            return not self._should_leave(node, subtask, arms, working, hands)

        def must(node: str, arms: tuple[str, ...]) -> bool:
            fails = found[node].failures >= self.tries
            return not fails and self.graph.refusal(node, arms, state) is None

        moment = DispatchState(frozenset(done), running, held, free, may)
        starts = self.graph.dispatcher.begin(moment)
        if not starts and not running:  # the preferred arms cannot
            starts = self.graph.dispatcher.begin(replace(moment, may=must))
        if starts:
            events: list[Event] = []
            for node, arms in starts:
                leads, *helpers = self.graph.in_roles(node, arms)
                steps = self.graph.steps(node, arms)
                if steps != found[node].steps:
                    events.append(StepsChanged(found[node].id, steps))
                events.append(Assigned(leads, (found[node].id,), helpers=tuple(helpers)))
            self.runtime.world.emit(Commit("share", tuple(events)), self.path)
            return False
        at = {node: arms for node, (arms, _) in running.items()}
        refused = {n for n in self._ready(done, at) if self._refusal(n, done, state) is not None}
        if refused and self._repeat_undone(done, state, at):
            return False
        out = [arm for arm, agent in agents.items() if agent.status == "Interrupted"]
        others = [agent for arm, agent in agents.items() if arm not in out]
        if not running and all(a.status == "Idle" and a.current is None for a in others):
            if not out:
                self._stuck(found, done, state)
            self.waits_for = self._describe_wait(out, found, done)
        return False

    def _ready(self, done: Container[str], running: Container[str]) -> list[str]:
        """Return the nodes that are ready and not running."""
        nodes = self.graph.nodes
        return [
            node
            for node in self.graph.order
            if node not in done
            and node not in running
            and all(other in done for other in nodes[node].after if other in nodes)
        ]

    def _running(
        self, found: Mapping[str, Subtask], agents: Mapping[str, Agent]
    ) -> dict[str, tuple[tuple[str, ...], float]]:
        """Return running or queued node → (its arms, its remaining seconds)."""
        now = self.runtime.clock.now()
        running = {}
        for node, subtask in found.items():
            is_running = subtask.status == "running"
            if not is_running and (
                subtask.status != "queued" or self._is_returned(subtask, agents)
            ):
                continue
            arms = self._arms(subtask)
            since = self._began.setdefault(subtask.id, now) if is_running else now
            left = since + self.graph.takes(node, arms) - now
            running[node] = arms, max(left, 0.001)
        for subtask in found.values():
            if subtask.status != "running":
                self._began.pop(subtask.id, None)
        return running

    def _is_returned(self, subtask: Subtask, agents: Mapping[str, Agent]) -> bool:
        """Whether a subtask has no arms, or one of them is interrupted."""
        arms = self._arms(subtask)
        return not arms or any(agents[arm].status == "Interrupted" for arm in arms)

    def _came_about(self, found: Mapping[str, Subtask], state: State) -> list[Event]:
        """Return that failed nodes are done whose effects hold all the same.

        A grasp that knocked something over has what it grasped: to grasp it again is impossible.
        """
        events: list[Event] = []
        for node, subtask in found.items():
            if subtask.status != "failed" or not subtask.tried:
                continue
            arms = subtask.tried[-1], *subtask.helpers
            effects = self.graph.action(node, arms).plain_effects()
            if effects and all(self._holds(key, it, state) for key, it in effects.items()):
                events.append(Assigned(arms[0], (subtask.id,), helpers=subtask.helpers))
                events.append(SubtaskDone(subtask.id))
        return events

    def _holds(self, key: Key, value: FactValue, state: State) -> bool:
        """Whether a fact has a value; none and false are the same, but only none may be unknown."""
        name, *args = key
        if value not in (None, False):
            return state.get(key) == value
        known = self.runtime.world.facts.get(name, tuple(args))
        is_known = known is None or known.source != "unknown"
        return key not in state and (is_known or value is None)

    def _to_try_later(self, found: Mapping[str, Subtask]) -> set[str]:
        """Return the nodes whose last try waits until another node has ended since they failed.

        What is in the way is often what another arm is at: an open door, or the arm itself.
        """
        ended = sum(s.failures + (s.status == "done") for s in found.values())
        waiting = set()
        for node, subtask in found.items():
            if subtask.failures == 0 or subtask.status == "done":
                continue
            failures, before = self._failed.get(subtask.id, (0, 0))
            if failures != subtask.failures:
                before = ended
                self._failed[subtask.id] = subtask.failures, ended
            if subtask.failures == self.tries - 1 and ended == before:
                waiting.add(node)
        return waiting

    def _should_leave(
        self,
        node: str,
        subtask: Subtask,
        arms: Sequence[str],
        working: Container[str],
        hands: Container[str],
    ) -> bool:
        """Whether other arms should retry a node instead of the one that failed last.

        After one failure an arm with empty `hands` should, after two any `working` one.
        """
        if not subtask.tried or subtask.tried[-1] not in arms:
            return False
        if node in self.graph.fixed or self.graph.nodes[node].type not in ("occupy", "operate"):
            return False  # fixed, or the arm holds the object
        fit = hands if len(subtask.tried) < 2 else working
        others = [
            arm
            for arm in self.graph.arms
            if arm not in subtask.tried and arm in fit and arm in working
        ]
        return len(others) >= len(arms)

    def _at_the_end(self, done: Mapping[str, tuple[str, ...]], state: State) -> bool:
        missed = self.graph.world.unmet_goals(state)
        if not self.graph.problem.has_goal:
            raise GoalUnknown
        if not missed:
            self.runtime.world.emit(PlanDone(self.path), self.path)
            return True
        if not self._repeat_undone(done, state, {}):
            raise PlanInfeasible(str(GoalMissed(tuple(missed))))
        return False

    def _describe_wait(
        self, out: Sequence[str], found: Mapping[str, Subtask], done: Container[str]
    ) -> str:
        """Say which arms are out, what they hold, and what cannot be done without them."""
        held, why = self.held_objects(), self._interruptions()
        arms = []
        for arm in out:
            reason = f" ({why[arm]})" if why.get(arm) else ""
            hold = f' and holds "{held[arm]}"' if arm in held else ""
            others = [other for other in held if other != arm and held[other] == held.get(arm)]
            both = f" together with {' and '.join(others)}" if others else ""
            arms.append(f"{arm} is out{reason}{hold}{both}")
        words = [found[node].words for node in self._ready(done, ())]
        them = "it" if len(out) == 1 else "them"
        return f"{'. '.join(arms)}. Without {them} nobody can {' or '.join(words)}"

    def _interruptions(self) -> dict[str, str | None]:
        """Return agent → why it was stopped last."""
        stops = events_of(self.runtime.world.journal.records, AgentInterrupted)
        return {event.agent: event.reason for _, event in stops}

    def _stuck(
        self, found: Mapping[str, Subtask], done: Mapping[str, tuple[str, ...]], state: State
    ) -> None:
        """Nothing runs and nothing can start: raise PlanInfeasible with the reasons."""
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
        """Say why a node's arms cannot start it; None if they can."""
        holding = [
            done[p.occupy] for p in self.graph.pairs if node in p.members[1:] and p.occupy in done
        ]
        arms = self.graph.arms
        need = len(self.graph.meanings[node].skill.arms)
        who = holding[0] if holding and len(holding[0]) == need else arms[:need]
        who = self.graph.fixed.get(node, who)
        return self.graph.refusal(node, who, state)

    def _repeat_undone(
        self,
        done: Mapping[str, tuple[str, ...]],
        state: State,
        running: Mapping[str, tuple[str, ...]],
    ) -> bool:
        """Add subtasks for nodes whose effect was undone; false if there are none."""
        undone = self.graph.undone(done, self.start, state, running)
        if not undone:
            return False
        ids = dict(self._state.nodes)
        events: list[Event] = []
        for node in undone:
            ids[node] = self._free_id(node, ids)
            events.append(self._add_event(node, ids))
        events.append(PlanChanged(self.path, {node: ids[node] for node in undone}))
        self.runtime.world.emit(Commit("plan", tuple(events)), self.path)
        return True
