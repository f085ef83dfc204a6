"""Skill without a worker for an environment.

`runs_on` of the system says which environment each agent acts in, and `runs` of a skill names the
Python object that executes it there. An agent cannot execute a skill without one.

Wrong, in a system with `runs_on: {default: symbolic}`:

    skill: pick
    about: Pick something up.
    args: {agent: Robot, item: Item}
    runs:
      ros: depot.ros:Pick

Right:

    skill: pick
    about: Pick something up.
    args: {agent: Robot, item: Item}
    runs:
      symbolic: treec.envs.symbolic:Effects
      ros: depot.ros:Pick
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.extensions import registry
from treec.files.systems import SystemFile
from treec.files.tasks import SkillFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, list_names, suggestion

CODE = "TC512"


def check(view: View) -> Iterator[Diagnostic]:
    """Report skills that have no worker for the environment of a robot that has them."""
    skills = view.all("skill")
    if view.system is None or not skills:
        return
    system: SystemFile = view.system.model
    known = list(dict.fromkeys(env for entry in skills.values() for env in entry.model.runs))
    all_skills = registry().workers
    runs_on = {
        env: agents for env, agents in _environments(view, system).items() if env not in all_skills
    }
    for environment in runs_on:
        if environment not in known:
            yield Diagnostic(
                CODE,
                "error",
                view.system.span(*_loc(system, environment)),
                f"no skill has a worker for '{environment}'",
                suggestion(environment, known, "environments with workers"),
            )
    for entry in entries(view, "skill"):
        skill: SkillFile = entry.model
        for environment, agents in runs_on.items():
            if environment in skill.runs or environment not in known:
                continue
            owners = [a for a in agents if _has(view, a, entry.name)]
            if not owners:
                continue
            yield Diagnostic(
                CODE,
                "error",
                entry.span("runs", key=True) if skill.runs else entry.span("skill"),
                f"'{entry.name}' has no worker for '{environment}', "
                f"on which {list_names(owners)} runs in the system '{system.system}'",
                f"add '{environment}: package.module:Name' to 'runs'",
            )


def _environments(view: View, system: SystemFile) -> dict[str, list[str]]:
    """Return the agents in each environment; people need no workers."""
    found: dict[str, list[str]] = {}
    people = set(view.people)
    for name in view.agents:
        if name not in people:
            environment = system.runs_on.get(name) or system.runs_on.get("default", "symbolic")
            found.setdefault(environment, []).append(name)
    return found


def _loc(system: SystemFile, environment: str) -> Loc:
    for key, value in system.runs_on.items():
        if value == environment:
            return ("runs_on", key)
    return ("system",)


def _has(view: View, agent: str, skill: str) -> bool:
    """Whether an agent has a skill; one whose file lists none has all."""
    own = view.agents[agent].skills
    return not own or skill in own
