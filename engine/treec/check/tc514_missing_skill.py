"""Skill that who is to do it does not have.

An agent that lists `skills` has only these. If every agent that can do a task lists its skills,
and none of them has one that the task's steps call, the task fails whoever does it. A `skill` node
of a tree is run by each agent that the trees above bind: `for: agent in robots` binds all robots.
In a `selector`, which goes on with its next child, that is a warning.

Wrong, where the steps of `get` call `pick`:

    agent: R1
    is: Robot
    about: Fetches things.
    can: [get]
    skills: {go_to: {}, place: {}}

Right:

    agent: R1
    is: Robot
    about: Fetches things.
    can: [get]
    skills: {go_to: {}, pick: {}, place: {}}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from treec.check.base import entries, places
from treec.check.loops import items_of
from treec.check.tree_nodes import TreeNodeAt, root_of
from treec.files.entry import AnyEntry
from treec.files.nodes import NodeBase
from treec.files.tasks import TaskFile
from treec.files.view import View
from treec.nodes.control.tree import TreeNode
from treec.nodes.leaves.skill import SkillNode
from treec.program.places import StepsError
from treec.program.steps import NameRef, StepCall, Steps, parse_steps
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.values import is_reference
from treec.team.knowledge import ANYTHING

CODE = "TC514"
_CHOOSES = re.compile(
    r"\b(?:can|is_a)\(|\bname\b|\bagent\b *(?:[=!]=|in\b|not in\b)|[=!]= *agent\b"
)
"""A condition on who an agent is."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report steps whose skill no robot that can do the task has, and skills in trees."""
    if view.system is not None and (root := view.find("tree", view.system.model.root)) is not None:
        yield from _Trees(view).check(root, {})
    people = set(view.people)
    robots = {name: agent for name, agent in view.agents.items() if name not in people}
    if any(ANYTHING in agent.can and not agent.skills for agent in robots.values()):
        return
    able: dict[str, list[str]] = {}
    for name, agent in robots.items():
        for able_to in agent.can:
            able.setdefault(able_to, []).append(name)
    skills = view.all("skill")
    for entry in entries(view, "task"):
        task: TaskFile = entry.model
        names = sorted({*able.get(entry.name, ()), *able.get(ANYTHING, ())})
        if not names or not all(robots[name].skills for name in names):
            continue
        available = {skill for name in names for skill in robots[name].skills}
        for step in _steps(task):
            if step.name in available or step.name not in skills or not _is_own(step):
                continue
            yield Diagnostic(
                CODE,
                "error",
                entry.span_in(("steps",), step.at.offset, step.at.length),
                f"no agent that can do '{entry.name}' has the skill '{step.name}'",
                f"add it to 'skills' of {' or '.join(names)}",
            )


def _steps(task: TaskFile) -> Steps:
    try:
        return parse_steps(task.steps or "")
    except StepsError:
        return ()


def _is_own(step: StepCall) -> bool:
    """Whether the agent that has the subtask executes the step itself."""
    named = dict(step.kwargs).get("agent")
    return named is None or (isinstance(named, NameRef) and named.name == "agent")


Bound = Mapping[str, frozenset[str]]
"""Names in a tree that stand for agents, and the agents."""


class _Trees:
    """Follows agents from a system's root through ports and loops to the skills that they run."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._seen: set[object] = set()

    def check(
        self, tree: AnyEntry, bound: Bound, severity: Severity = "error"
    ) -> Iterator[Diagnostic]:
        key = tree, frozenset(bound.items())
        if key not in self._seen and not _tells_agents_apart(tree):
            self._seen.add(key)
            yield from self._node(root_of(tree), bound, severity)

    def _node(self, at: TreeNodeAt, bound: Bound, severity: Severity) -> Iterator[Diagnostic]:
        node = at.node
        if at.key is not None and at.key.endswith("selector"):
            severity = "warning"
        if isinstance(node, NodeBase) and node.for_ is not None:
            bound = {**bound, node.for_.name: self._agents(items_of(self.view, node.for_) or ())}
        if isinstance(node, SkillNode):
            for agent in sorted(self._of(node.with_.get("agent"), bound)):
                skills = self.view.agents[agent].skills
                own = node.skill.rpartition("/")[2]
                if skills and own not in skills and self.view.find("skill", node.skill):
                    message = f"{agent} runs this, and has no skill '{node.skill}'"
                    help = f"add it to 'skills' of {agent}"
                    yield Diagnostic(CODE, severity, at.span("skill"), message, help)
        elif isinstance(node, TreeNode):
            target = self.view.find("tree", node.tree)
            if target is not None:
                given = {name: self._of(value, bound) for name, value in node.with_.items()}
                own_bound = {name: who for name, who in given.items() if who}
                yield from self.check(target, own_bound, severity)
        for child in at.children:
            yield from self._node(child, bound, severity)

    def _of(self, value: object, bound: Bound) -> frozenset[str]:
        if is_reference(value):
            return bound.get(str(value)[1:], frozenset())
        return self._agents((value,))

    def _agents(self, values: Iterable[object]) -> frozenset[str]:
        return frozenset(str(value) for value in values if str(value) in self.view.agents)


def _tells_agents_apart(tree: AnyEntry) -> bool:
    """Whether a condition of a tree may choose by agent what is run."""
    texts = (str(place.value) for place in places(tree) if place.kind == "expression")
    return any(_CHOOSES.search(text) for text in texts)
