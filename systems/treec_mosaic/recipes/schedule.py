"""A recipe as a task graph with a team, for `treec plan schedule`: who does what when."""

from __future__ import annotations

from collections.abc import Iterator

from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.files.tasks import RecipeFile, SubtaskSpec, TaskFile
from treec.files.view import View
from treec.program.effects import find_effect
from treec.program.places import StepsError
from treec.program.steps import parse_steps
from treec.team.knowledge import Knowledge, knowledge_of
from treec.team.words import BoundTask
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.schedule.team import ArmTeam
from treec_mosaic.portions import spoken_words

BY_HAND = 60.0
"""Seconds of a person's subtask for which the recipe gives no time."""


def plan_of(library: Library, name: str) -> tuple[TaskGraph, ArmTeam]:
    """Return the graph and the team of a recipe, by its name or file. Raises Stop."""
    from treec_mosaic.recipes.show import find_recipe

    return graph_and_team(*find_recipe(library, name))


def graph_and_team(view: View, entry: AnyEntry) -> tuple[TaskGraph, ArmTeam]:
    """Return a recipe's subtasks as nodes and its system's agents as arms, with their durations.

    A robot takes as long as the skills of its steps, of which the one that achieves the goal takes
    what the recipe says; a person what the recipe says, else `BY_HAND`. Ways between places that
    only a skill's preconditions call for are not counted.
    """
    recipe: RecipeFile = entry.model
    knowledge = knowledge_of(view)
    words = knowledge.recipe_words(recipe.subtasks)
    nodes: list[GraphNode] = []
    times: dict[str, dict[str, float | None]] = {}
    for id, spec in recipe.subtasks.items():
        bound = knowledge.words.match(words[id])
        said = spoken_words(view, recipe, id)
        after = (*spec.after, *spec.after_any[:1])
        nodes.append(GraphNode(id, said, bound.task if bound else "", (), 1, after, "operate"))
        times[id] = {name: seconds(knowledge, spec, bound, name) for name in knowledge.agents}
    arms = tuple(knowledge.agents)
    return TaskGraph(tuple(nodes)), ArmTeam(arms, {name: name for name in arms}, times)


def seconds(
    knowledge: Knowledge, spec: SubtaskSpec, bound: BoundTask | None, agent: str
) -> float | None:
    """Return how long an agent takes for a subtask; None if it cannot do it."""
    if not knowledge.able(agent, bound.task if bound else None):
        return None
    if agent in knowledge.people or bound is None:
        return spec.takes or BY_HAND
    return sum(_steps(knowledge, knowledge.tasks[bound.task], spec, agent)) or BY_HAND


def _steps(knowledge: Knowledge, task: TaskFile, spec: SubtaskSpec, agent: str) -> Iterator[float]:
    try:
        steps = parse_steps(task.steps or "")
    except StepsError:  # reported by TC506
        return
    goal = find_effect(task.goal) if task.goal else None
    for step in steps:
        skill = knowledge.skill(step.name)
        if skill is None:
            continue
        reached = {effect.fact for effect in map(find_effect, skill.after) if effect is not None}
        own = knowledge.agents[agent].skills.get(step.name)
        usual = skill.takes if own is None or own.takes is None else own.takes
        yield spec.takes if spec.takes and goal and goal.fact in reached else usual
