"""What the nodes of a graph mean in a world, and what those are meant to be that are wrong.

Where a finding says what would be right, the rest of the graph is judged as if it stood there, so
that all errors are told at once rather than in stages.
"""

from __future__ import annotations

from dataclasses import replace

from treec.source.text import Span
from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.commands import CommandMeaning, interpret
from treec_dag_plan.arms.graph_reading import GraphReading
from treec_dag_plan.arms.model import GraphNode
from treec_dag_plan.arms.read_names import fold, read_name
from treec_dag_plan.arms.world import ArmWorld
from treec_kitchen.graph_findings import GraphFinding

_MOST_STEPS = 5
"""Corrections of one node: a command, two objects, the number of arms, its type."""


class AsMeant:
    """The nodes of a reading as they are meant in a world, with the findings about them."""

    def __init__(
        self, reading: GraphReading, world: ArmWorld, findings: list[GraphFinding]
    ) -> None:
        self.reading, self.world = reading, world
        self.findings = list(findings)
        self.settled: list[GraphFinding] = []
        """The findings that say what would be right, as if it stood there already."""
        self._listed = set[str]()
        self.meanings: dict[str, CommandMeaning] = {}

    def node(self, node: GraphNode) -> GraphNode:
        """A node as it is meant; what is wrong with it is added to the findings."""
        if node.type == "complete":
            return node
        if not node.objects:
            node = self._quoted(node)
        if not node.command or not all(node.objects) or not node.objects:
            return node  # the reader has said so
        for _ in range(_MOST_STEPS):
            found = interpret(self.world, node.command, node.objects, node.arms)
            if isinstance(found, CommandMeaning):
                return self._typed(node, found)
            right = _corrected(node, found)
            self._add(found.of(node.id, self._place(node, found)), right is not None)
            if right is None:
                return node
            node = right
        return node

    def _add(self, finding: GraphFinding, is_settled: bool) -> None:
        for names in {"names", "commands"} & finding.args.keys() if finding.help else ():
            if names in self._listed and "near" not in finding.args:  # told once
                rest = {key: value for key, value in finding.args.items() if key != names}
                finding = replace(finding, args=rest)
            elif "near" not in finding.args:
                self._listed.add(names)
        self.findings.append(finding)
        if is_settled:
            self.settled.append(finding)

    def _typed(self, node: GraphNode, meaning: CommandMeaning) -> GraphNode:
        self.meanings[node.id] = meaning
        wanted = meaning.skill.type
        if wanted == node.type:
            return node
        span, command = self.reading.span(node.id, "type"), node.command
        wrong = kinds.WRONG_TYPE.at(
            node.id, span=span, type=node.type, command=command, wanted=wanted
        )
        self._add(wrong, True)
        return replace(node, type=wanted)

    def _quoted(self, node: GraphNode) -> GraphNode:
        """A node in whose name things of the world stand without quotes, with them in quotes."""
        words = node.name.replace("_", " ").split()
        names = {tuple(fold(name).split()): name for name in self.world.names}
        longest = max(map(len, names), default=0)
        quoted, at = list[str](), 0
        while at < len(words):
            for count in range(longest, 0, -1):
                name = names.get(tuple(fold(word) for word in words[at : at + count]))
                if name is not None:
                    quoted.append(f'"{name}"')
                    at += count
                    break
            else:
                quoted.append(words[at])
                at += 1
        named = read_name(" ".join(quoted))
        for place, one in enumerate(self.findings if named.objects else ()):
            if one.kind is kinds.NAMES_NO_OBJECT and one.node == node.id:
                right = replace(one, args={"right": " ".join(quoted)})
                self.findings[place] = right
                self.settled.append(right)
        return replace(node, command=named.command, objects=named.objects)

    def _place(self, node: GraphNode, found: GraphFinding) -> Span:
        objects = self.reading.objects.get(node.id, ())
        place: int | None = found.args.get("place")
        if place is not None and place < len(objects):
            return objects[place]
        return self.reading.span(node.id, "arm_num" if found.kind is kinds.WRONG_ARMS else "name")


def _corrected(node: GraphNode, found: GraphFinding) -> GraphNode | None:
    """The node with what a finding says would be right; None if it does not say."""
    near = found.args.get("near")
    if found.kind is kinds.WRONG_ARMS:
        return replace(node, arms=found.args["needs"])
    if found.kind is kinds.UNKNOWN_COMMAND and near:
        return replace(node, command=read_name(near).command)
    if found.kind is kinds.UNKNOWN_THING and near:
        objects = list(node.objects)
        objects[found.args["place"]] = near
        return replace(node, objects=tuple(objects))
    return None
