"""A task for arms as PDDL: a domain from the skills, a problem from the scene and the goal.

A fact with a value becomes a predicate with the value as its last argument, true for at most one
value. A nested fact (`opened(door(at(item)))`) becomes a variable, quantified by `exists` in
conditions and `forall` in effects. Names are converted to unique PDDL names (`Pddl.names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from treec.files.places import FactSpec
from treec.systems.dag_plan.arms.pddl_terms import Terms
from treec.systems.dag_plan.arms.problem import AllocationProblem
from treec.systems.dag_plan.arms.world import ArmWorld, GroundAction, SkillModel

REQUIREMENTS = ":adl :typing :equality"
TOP = "object"
_TAKEN = frozenset(
    ("and", "or", "not", "exists", "forall", "when", "object", "either", "imply", "assign")
)


@dataclass(frozen=True)
class Pddl:
    """Domain and problem, and the PDDL names used in them."""

    domain: str
    problem: str
    names: Mapping[str, str]
    """A skill, an arm or a thing → its name in PDDL."""

    def step(self, action: GroundAction) -> tuple[str, tuple[str, ...]]:
        """Return an action's PDDL name and arguments."""
        args = (*action.skill.arms, *action.skill.objects)
        return self.names[action.skill.name], tuple(
            self.names[action.names[arg]] for arg in _order(action.skill, args)
        )


def to_pddl(problem: AllocationProblem) -> Pddl:
    """Render a task as a PDDL domain and problem."""
    world, facts = problem.world, problem.view.facts
    names = _names([*(skill.name for skill in world.skills), *world.arms, *world.things], facts)
    types = _types(world)
    terms = Terms(facts, names, lambda text: _type(text, types))
    domain_name = _plain(problem.view.domains[0].name)
    lines = [f"(define (domain {domain_name})", f"  (:requirements {REQUIREMENTS})", "  (:types"]
    lines += [f"    {type_} - {parent}" for type_, parent in types.values()]
    lines += ["  )", "  (:predicates"]
    lines += [f"    {terms.declaration(name)}" for name in facts]
    lines += ["  )"]
    for skill in world.skills:
        lines += _action(skill, terms, names, types)
    domain = "\n".join([*lines, ")", ""])
    return Pddl(domain, _problem(problem, terms, names, types, domain_name), names)


def _problem(
    problem: AllocationProblem,
    terms: Terms,
    names: Mapping[str, str],
    types: Mapping[str, tuple[str, str]],
    domain: str,
) -> str:
    world = problem.world
    lines = [f"(define (problem {_plain(problem.entry.name)})", f"  (:domain {domain})"]
    lines.append("  (:objects")
    arm_types = {arm: problem.view.agents[arm].is_ for arm in world.arms}
    for thing, kind in {**arm_types, **world.things}.items():
        lines.append(f"    {names[thing]} - {_type(kind, types)}")
    lines += ["  )", "  (:init"]
    for key, value in sorted(world.start.items(), key=lambda item: item[0]):
        parts = [*key[1:], *([] if value is True else [str(value)])]
        lines.append(f"    ({key[0]} {' '.join(names[part] for part in parts)})")
    lines += ["  )", "  (:goal (and"]
    lines += [f"    {terms.condition(term, {})}" for term in world.goal]
    return "\n".join([*lines, "  ))", ")", ""])


def _action(
    skill: SkillModel, terms: Terms, names: Mapping[str, str], types: Mapping[str, tuple[str, str]]
) -> list[str]:
    bound = {arg: f"?{_plain(arg)}" for arg in skill.types}
    given = " ".join(f"{bound[arg]} - {_type(kind, types)}" for arg, kind in skill.types.items())
    lines = [f"  (:action {names[skill.name]}", f"    :parameters ({given})"]
    lines.append("    :precondition (and")
    lines += [f"      {terms.condition(term, bound)}" for term in skill.before]
    lines += ["    )", "    :effect (and"]
    for effect in skill.after:
        found = terms.effects(effect.fact, effect.args, effect.value, bound)
        lines += [f"      {text}" for text in found]
    return [*lines, "    )", "  )"]


def _order(skill: SkillModel, args: Iterable[str]) -> Sequence[str]:
    """Arguments in the order in which the skill declares them."""
    there = set(args)
    return [arg for arg in skill.types if arg in there]


def _types(world: ArmWorld) -> dict[str, tuple[str, str]]:
    """Type → its PDDL name and its parent's, for the types in use."""
    used = [kind for skill in world.skills for kind in skill.types.values()]
    found: dict[str, tuple[str, str]] = {}
    for kind in [*used, *world.things.values()]:
        here: str | None = kind
        while here is not None and here not in found:
            parent = world.types.parents.get(here)
            found[here] = (f"t_{_plain(here)}", TOP if parent is None else f"t_{_plain(parent)}")
            here = parent
    return found


def _type(text: str, types: Mapping[str, tuple[str, str]]) -> str:
    """Return a type's PDDL name; unions become `object`."""
    found = types.get(text.strip())
    return TOP if found is None else found[0]


def _plain(name: str) -> str:
    text = re.sub(r"[^a-z0-9_]", "_", name.lower())
    return text if text[:1].isalpha() else f"n{text}"


def _names(words: Iterable[str], facts: Mapping[str, FactSpec]) -> dict[str, str]:
    """Return a unique PDDL name for each; none is that of a predicate."""
    found: dict[str, str] = {}
    used = {*facts, *_TAKEN}
    for name in words:
        if name in found:
            continue
        text, number = _plain(name), 1
        while text in used:
            number += 1
            text = f"{_plain(name)}_{number}"
        used.add(text)
        found[name] = text
    return found
