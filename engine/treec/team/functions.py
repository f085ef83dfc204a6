"""Names and functions of expressions; `treec.core` declares them and says what each is.

Each is called with the team. What looks words up is imported when it is called: a check of a test
such as `is ready` does not need it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from treec.frozen import frozen
from treec.source.diagnostics import suggestion
from treec.source.errors import EvaluationProblem
from treec.source.expression import Expression
from treec.source.objects import name_of
from treec.team.entities import Agent, Recipe, Subtask, Task, Utterance
from treec.team.names import WorldScope
from treec.team.state import FINISHED

if TYPE_CHECKING:
    from treec.team.team import Team

HELPER = "helper"
"""In a subtask's own steps: who does it with its agent; a second one is ``helper_2``."""


@frozen
class BoundSteps:
    """A task's steps with its arguments bound, for a program to run."""

    text: str
    task: str
    args: Mapping[str, object]


# Names

agents = attrgetter("agents")
subtasks = attrgetter("subtasks")
proposals = attrgetter("now.open")
acts = attrgetter("now.acts")
user_input = attrgetter("user_input")
chat = attrgetter("chat")
work = attrgetter("work")
blocked = attrgetter("blocked")
last_refusal = attrgetter("last_refusal")


def robots(team: Team) -> tuple[Agent, ...]:
    return tuple(agent for agent in team.agents if not agent.person)


def people(team: Team) -> tuple[Agent, ...]:
    return tuple(agent for agent in team.agents if agent.person)


def recipes(team: Team) -> tuple[Recipe, ...]:
    found = (team.knowledge.recipe(name) for name in team.knowledge.recipes)
    return tuple(recipe for recipe in found if recipe is not None)


def tasks(team: Team) -> tuple[Task, ...]:
    return team.knowledge.task_kinds()


def capabilities(team: Team) -> tuple[str, ...]:
    return team.knowledge.capabilities()


def things(team: Team) -> tuple[str, ...]:
    return team.knowledge.thing_lines()


def completed(team: Team) -> tuple[Subtask, ...]:
    return tuple(subtask for subtask in team.work if subtask.status == "done")


def all_done(team: Team) -> bool:
    return _all(team, ("done",))


def all_dropped(team: Team) -> bool:
    return _all(team, FINISHED)


def _all(team: Team, statuses: Sequence[str]) -> bool:
    found = team.now.work.statuses
    return bool(found) and found.issubset(statuses)


def now(team: Team) -> float:
    return team.world.watch.now()


def recipe_since(team: Team) -> object:
    return team.world.state["recipe_t"]


# Functions


def subtask(team: Team, name: object) -> Subtask | None:
    return team.subtask(name)


def agent(team: Team, name: object) -> Agent | None:
    return team.agent(name)


def suggest(
    team: Team, available: object, agents: object, since: float = -1.0, ahead: int = 0
) -> tuple[Mapping[str, object], ...]:
    return team.suggest(available, agents, since, ahead)


def queue(team: Team, agent: object) -> tuple[Subtask, ...]:
    return _agent(team, agent).queue


def current(team: Team, agent: object) -> Subtask | None:
    return _agent(team, agent).current


def status(team: Team, who: object) -> str:
    found = None if isinstance(who, Subtask) else team.agent(who)
    return team.now.agents[found.name].status if found else _subtask(team, who).status


def can(team: Team, agent: object, task: object) -> bool:
    if agent is None:
        return any(can(team, other, task) for other in team.agents)
    name = task.task if isinstance(task, Subtask) else None
    if isinstance(task, Task):
        name = task.name
    elif isinstance(task, str):
        bound = team.knowledge.words.match(task)
        name = bound.task if bound else task
    return team.knowledge.able(_agent(team, agent).name, name)


def proposed(team: Team, agent: object, subtask: object) -> bool:
    return any(
        str(p.agent) == str(agent) and str(subtask) in (p.subtask.id, p.subtask.words)
        for p in team.now.open
    )


def answered(team: Team, utterance: object) -> bool:
    id = utterance.id if isinstance(utterance, Utterance) else str(utterance)
    found = team.now.utterances.get(id)
    return found is not None and found.read and found.answered


def said(team: Team, text: object, since: float = 0.0) -> bool:
    last = team.now.talk.last_said(str(text).lower(), by_people=False)
    return last is not None and last >= since


def heard(team: Team, text: object) -> bool:
    return team.now.talk.last_said(str(text).lower(), by_people=True) is not None


def done(team: Team, subtask: object) -> bool:
    return _subtask(team, subtask).status == "done"


def doing(team: Team, task: object) -> Agent | None:
    for agent in team.agents:
        current = agent.current
        if current is None or agent.person:
            continue
        if isinstance(task, Task):
            same = current.task == task.name and dict(current.args) == dict(task.args)
        else:
            same = str(task) in (current.id, current.words)
        if same:
            return agent
    return None


def steps(team: Team, subtask: object) -> BoundSteps:
    found = _subtask(team, subtask)
    if found.steps is not None:
        helpers = {HELPER if n == 1 else f"{HELPER}_{n}": h for n, h in enumerate(found.helpers, 1)}
        return BoundSteps(found.steps, found.task or "", {**found.args, **helpers})
    task = team.knowledge.tasks.get(found.task or "")
    if task is None or task.steps is None:
        raise EvaluationProblem(f"no steps are known for '{found.words}'")
    return BoundSteps(task.steps, found.task or "", found.args)


def place_of(team: Team, thing: object) -> object:
    return team.fact("at", (thing,))


def needs(team: Team, subtask: object) -> tuple[Subtask, ...]:
    return team.needs(_subtask(team, subtask))


def refused(team: Team, subtask: object) -> bool:
    return team.refused(_subtask(team, subtask).id)


def holds(team: Team, task: object) -> bool:
    if not isinstance(task, Task | Subtask):
        raise EvaluationProblem(f"'{task}' is not a task")
    name = task.task if isinstance(task, Subtask) else task.name
    model = team.knowledge.tasks.get(str(name))
    if model is None or not model.goal or set(model.args) - set(task.args):
        return False
    return bool(Expression.parse(model.goal).evaluate(WorldScope(team).child(dict(task.args))))


def explain(team: Team, reason: object) -> str:
    from treec.team.reasons import explain_failure

    robots_ = [agent.name for agent in robots(team)]
    return explain_failure(team.knowledge, robots_[0] if len(robots_) == 1 else "", str(reason))


def is_a(team: Team, thing: object, kind: object) -> bool:
    view = team.knowledge.view
    own = view.thing_type(name_of(thing) or str(thing))
    return own is not None and view.types.is_a(own, str(kind))


def _agent(team: Team, name: object) -> Agent:
    found = team.agent(name)
    if found is None:
        raise EvaluationProblem(f"unknown agent '{name}'", suggestion(str(name), team.now.agents))
    return team.now.agents[found.name]


def _subtask(team: Team, name: object) -> Subtask:
    found = team.subtask(name)
    if found is None:
        raise EvaluationProblem(f"unknown subtask '{name}'")
    return found


# Tests


def is_ready(value: object) -> bool:
    return isinstance(value, Subtask) and value.ready


def is_finished(value: object) -> bool:
    return isinstance(value, Subtask) and value.status in FINISHED
