"""Which commands bring about what a state lacks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations, product

from treec_dag_plan.arms.world import ArmWorld, GroundAction, SkillModel
from treec_dag_plan.arms.world_logic import Names, State, Term, facts_in, names_in, reader
from treec_dag_plan.arms.world_words import resolve

MOST_TRIED = 2_000
"""Actions of one skill that are tried for one condition."""


def find_ways(world: ArmWorld, action: GroundAction, state: State) -> tuple[str, ...]:
    """Return the commands that bring about the first condition that an action lacks."""
    lacking = [term for term, holds in action.before if not holds(state)]
    ways = _ways(world, lacking[0], action.names, state) if lacking else ()
    return tuple(dict.fromkeys(ways))


def find_goal_ways(world: ArmWorld, state: State) -> tuple[str, ...]:
    """Return a command for each condition of the goal that one would bring about."""
    lacking = [term for term, holds in world.goal_terms if not holds(state)]
    first = (next(_ways(world, term, {}, state), None) for term in lacking)
    return tuple(dict.fromkeys(way for way in first if way is not None))


def _ways(world: ArmWorld, term: Term, names: Names, state: State) -> Iterator[str]:
    """For each skill that changes one of a condition's facts: the command after which it holds."""
    term = resolve(term, names, state, world.fluents)  # not: another thing in its place
    holds = reader(term, names)
    wanted = {fact.name for fact in facts_in(term)}
    near = [names.get(name, name) for name in names_in(term)]
    for skill in world.skills:
        if wanted & {effect.fact for effect in skill.after}:
            tried = islice(_actions(world, skill, near), MOST_TRIED)
            found = (action.words for action in tried if holds(action.apply(state)))
            yield from islice(found, 1)


def _actions(world: ArmWorld, skill: SkillModel, near: list[str]) -> Iterator[GroundAction]:
    """Yield a skill's actions that types and fixed conditions allow; those on `near` first."""
    things = [*dict.fromkeys([*(name for name in near if name in world.things), *world.things])]
    choices = [[t for t in things if world.fits(t, skill.types[arg])] for arg in skill.objects]
    fixed = [world.fixed(term, skill) for term in skill.before]
    for objects in (found for found in product(*choices) if len({*found}) == len(found)):
        for arms in permutations(world.arms, len(skill.arms)):
            action = world.action(skill, arms, objects)
            told = zip(action.before, fixed, strict=True)
            if all(holds(world.start) for (_, holds), flag in told if flag):
                yield action
