"""Restores where the nodes of a resumed run were, so that finished ones are not run again.

The journal has the status of every node at the end of the last tick. If the tree is the same and no
file has changed, each sequence and selector that was RUNNING goes on with the child that was. A
leaf that was RUNNING begins again; a program that a model wrote is not asked for again, and leaves
out the steps that it has done. Loops go on with the cycle, attempt or item that they were at; a
`for_each` begins again if its list has other names by now. What is in variables is not in the
journal: a taken subtask is its robot's current one, and a sequence whose finished children have set
other variables begins again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from treec.compile.definition import definition_of
from treec.nodes.asking import OFFLINE
from treec.nodes.base import Remembers
from treec.nodes.events import Programmed, SkillEnded, Step
from treec.nodes.leaves.take import Take
from treec.nodes.program import FinishedStep, Program
from treec.run.state import RUNNING, SUCCESS, RunState
from treec.run.status_recorder import tree_event, walk
from treec.world.events import flat
from treec.world.journal import Record


class NodeMemory:
    """The nodes of a tree as they were; ``can_go_on`` tells whose subtasks may go on."""

    def __init__(
        self,
        root: Behaviour,
        records: Sequence[Record],
        state: RunState,
        can_go_on: Callable[[str], bool],
    ) -> None:
        """``state`` is that after the records; without records all nodes begin anew."""
        self.agents: set[str] = set()
        """Robots that go on with their current subtask."""
        self._can_go_on = can_go_on
        self._programs: list[Program] = []
        self._steps = finished_steps(records)
        self._texts = model_programs(records)
        nodes_before = state.nodes if records else ()
        known = [(node.path, node.kind, node.depth) for node in nodes_before]
        made = [(node.path, node.kind, node.depth) for node in tree_event(walk(root)).nodes]
        if known == made:
            nodes = (node for node, _ in walk(root))
            self._statuses = dict(zip(nodes, state.statuses, strict=True))
            self._places = {
                node: place
                for number, (node, _) in enumerate(walk(root))
                if (place := state.places.get(number)) is not None
            }
            self._restore(root)

    def forget(self) -> None:
        """Let programs that have not begun begin with their first step."""
        for program in self._programs:
            program.forget_finished()

    def _restore(self, node: Behaviour) -> None:
        if self._statuses[node] != RUNNING:
            return
        if isinstance(node, Program):
            node.leave_out(self._steps.get(node.path, []))
            if (text := self._texts.get(node.path)) is not None:
                node.take_up(*text)
            self._programs.append(node)
            return
        definition = definition_of(node)
        match "anew" if definition is None else definition.resume:
            case "position" if isinstance(node, Composite):
                self._restore_position(node)
            case "child" if self._statuses[node.children[0]] == RUNNING:
                node.status = Status.RUNNING
                self._restore(node.children[0])
            case "below":
                for child in node.children:
                    self._restore(child)
            case "place" if isinstance(node, Remembers):
                if node.recall(self._places.get(node)):
                    node.status = Status.RUNNING
                    for child in node.children:
                        self._restore(child)

    def _restore_position(self, node: Composite) -> None:
        current = next((c for c in node.children if self._statuses[c] == RUNNING), None)
        if current is None:
            return
        before = node.children[: node.children.index(current)]
        leaves = [
            leaf
            for child in before
            for leaf in child.iterate()
            if not leaf.children and self._statuses[leaf] == SUCCESS
        ]
        taken = [leaf for leaf in leaves if isinstance(leaf, Take)]
        if not all(self._can_go_on(leaf.agent_name) for leaf in taken):
            return
        if not all(map(_is_restored, leaves)):
            return
        self.agents.update(leaf.agent_name for leaf in taken)
        for child in before:
            child.status = Status[self._statuses[child]]
        node.status, node.current_child = Status.RUNNING, current
        self._restore(current)


def _is_restored(leaf: Behaviour) -> bool:
    """Whether everything is there that a leaf's SUCCESS has left."""
    node: Behaviour | None = leaf
    while node is not None:
        definition = definition_of(node)
        if definition is not None:
            restores = definition.restores
            return restores(leaf) if callable(restores) else restores
        node = node.parent  # which has made it
    return False


def finished_steps(records: Sequence[Record]) -> Mapping[str, list[FinishedStep]]:
    """The steps that the last program of each node has done, by the node's path."""
    steps: dict[str, list[FinishedStep]] = {}
    current: dict[str, str] = {}
    for record in records:
        for event in flat(record.event):
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
    for event in (event for record in records for event in flat(record.event)):
        if isinstance(event, Programmed):
            found.pop(event.node, None)
            if event.by != OFFLINE:
                found[event.node] = event.program, event.by
    return found
