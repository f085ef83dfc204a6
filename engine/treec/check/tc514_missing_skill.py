"""Task that needs a skill no capable agent has.

An agent that lists `skills` has only these. If every agent that can do a task lists its skills,
and none of them has one that the task's steps call, the task fails whoever does it.

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

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.tasks import TaskFile
from treec.files.view import View
from treec.program.places import StepsError
from treec.program.steps import NameRef, StepCall, Steps, parse_steps
from treec.source.diagnostics import Diagnostic
from treec.team.knowledge import ANYTHING

CODE = "TC514"


def check(view: View) -> Iterator[Diagnostic]:
    """Report steps whose skill no robot that can do the task has."""
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
