"""Restores the nodes of a resumed run as they were at the end of its last tick.

The journal has the status of every node, what nodes remember, and the variables of trees. If the
tree is the same and no file has changed, all of them are as they were, so that nothing that is
finished is done again. What was at work begins again: skills and nodes of others that were RUNNING.
A model is asked again; a program that it wrote is not asked for again, and leaves out the steps
that it has done.

A sequence that took a subtask of a robot whose world has gone on meanwhile is halted; and so is a
tree one of whose variables no journal can hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from treec.compile.definition import definition_of
from treec.nodes.asked import OFFLINE, FinishedStep, RunsSteps
from treec.nodes.events import Programmed, SkillEnded, Step
from treec.nodes.foreign import remembering
from treec.nodes.leaves.take import Take
from treec.nodes.recorded_value import NotRecordable, from_record
from treec.run.loop import halt_node
from treec.run.state import RUNNING, SUCCESS, RunState
from treec.run.status_recorder import path_of, tree_event, walk
from treec.world.history import events_of
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.run.run import Run


class NodeMemory:
    """The nodes of a run's tree as they were."""

    def __init__(self, run: Run, records: Sequence[Record], state: RunState) -> None:
        """``state`` is that after the records; without records all nodes begin anew."""
        self.agents: set[str] = set()
        """Robots that go on with their current subtask."""
        self._run = run
        self._programs: list[RunsSteps] = []
        self._steps = finished_steps(records)
        self._texts = model_programs(records)
        nodes_before = state.nodes if records else ()
        known = [(node.path, node.kind, node.depth) for node in nodes_before]
        made = [(node.path, node.kind, node.depth) for node in tree_event(walk(run.root)).nodes]
        if known == made:
            nodes = [node for node, _ in walk(run.root)]
            self._statuses = dict(zip(nodes, state.statuses, strict=True))
            self._memory = {nodes[number]: memory for number, memory in state.memory.items()}
            self._lost = self._restore_variables(state)
            self._restore(run.root)
            run.loop.rests = run.loop.has_finished

    def forget(self) -> None:
        """Let programs that have not begun begin with their first step."""
        for program in self._programs:
            program.forget_finished()

    def _restore_variables(self, state: RunState) -> set[str]:
        """Set the variables of trees; returns the paths of those trees that lack one."""
        lost = set()
        for path, (_, frame) in self._run.frames.items():
            for name, value in state.tree_variables.get(path, {}).items():
                try:
                    frame.variables[name].value = from_record(value, self._run.team)
                    frame.variables[name].by = state.values[path, name].by
                except (NotRecordable, KeyError):
                    lost.add(path)
        return lost

    def _restore(self, node: Behaviour) -> None:
        """Restore a node and those below it."""
        status = self._statuses[node]
        definition, remembers = definition_of(node), remembering(node)
        begins_anew = definition is None or definition.resume == "anew"
        is_foreign = "tick" in vars(node)
        node.status = Status[status]
        running = [child for child in node.children if self._statuses[child] == RUNNING]
        if isinstance(node, Composite) and status == RUNNING:
            node.current_child = running[0] if running else None
        goes_on = remembers is None or remembers.recall(self._memory.get(node))
        if isinstance(node, RunsSteps):
            if status == RUNNING:
                self._restore_program(node)
            return
        if status == RUNNING and begins_anew and is_foreign:
            setattr(node, "begins_again", True)  # noqa: B010
        elif status == RUNNING and not goes_on:
            node.status = Status.INVALID
        if not (begins_anew and node.children):
            for child in node.children:
                self._restore(child)
        if status == RUNNING and (node.status is Status.INVALID or not self._can_go_on(node)):
            for below in (node, *node.children):
                halt_node(below)

    def _restore_program(self, node: RunsSteps) -> None:
        node.leave_out(self._steps.get(node.path, []))
        if (text := self._texts.get(node.path)) is not None:
            node.take_up(*text)
        self._programs.append(node)

    def _can_go_on(self, node: Behaviour) -> bool:
        """Whether what a running node has finished still holds."""
        if path_of(node).removesuffix(":then") in self._lost:
            return False
        definition = definition_of(node)
        if definition is None or definition.resume != "position":
            return True
        takes = [
            leaf
            for child in node.children
            if self._statuses[child] != RUNNING
            for leaf in child.iterate()
            if isinstance(leaf, Take) and self._statuses[leaf] == SUCCESS
        ]
        for take in takes:  # journals of earlier versions of treec have no variables
            if take.scope.lookup(take.into) is None:
                return False
        taken = {take.agent_name for take in takes}
        if not all(map(self._run.runtime.stands_still, taken)):
            return False
        self.agents |= taken
        return True


def finished_steps(records: Sequence[Record]) -> Mapping[str, list[FinishedStep]]:
    """The steps that the last program of each node has done, by the node's path."""
    steps: dict[str, list[FinishedStep]] = {}
    current: dict[str, str] = {}
    for record, event in events_of(records, Programmed, Step, SkillEnded):
        match event:
            case Programmed(node=node):
                steps[node] = []
            case Step(node=node, skill=skill):
                current[node] = skill
            case SkillEnded(skill=skill, args=args, ok=True):
                if current.get(record.by) == skill:
                    del current[record.by]
                    steps.setdefault(record.by, []).append((skill, args))
    return steps


def model_programs(records: Sequence[Record]) -> Mapping[str, tuple[str, str]]:
    """The last program of each node, if a model wrote it: its text and the model's name."""
    found: dict[str, tuple[str, str]] = {}
    for _, event in events_of(records, Programmed):
        found.pop(event.node, None)
        if event.by != OFFLINE:
            found[event.node] = event.program, event.by
    return found
