"""A task for arms as PDDL: a domain from the skills, a problem from the scene and the goal.

A fact with a value becomes a predicate with the value as its last argument, true for at most one
value. A nested fact (`opened(door(at(item)))`) becomes a variable, quantified by `exists` in
conditions and `forall` in effects. Names are converted to unique PDDL names (`Pddl.names`).

Where arms differ, a predicate says which of them have a skill, and a function how many milliseconds
they take for it; the sum is then to be minimized.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from treec.files.places import FactSpec
from treec.frozen import frozen
from treec_dag_plan.arms.pddl_terms import Terms
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.world import ArmWorld, GroundAction, SkillModel

REQUIREMENTS = ":adl :typing :equality"
TOP = "object"
_TAKEN = frozenset(
    ("and", "or", "not", "exists", "forall", "when", "object", "either", "imply", "assign")
)


@frozen(slots=False)
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
    differences = _Differences(world, names, facts)
    requirements = f"{REQUIREMENTS} :action-costs" if differences.costs else REQUIREMENTS
    lines = [f"(define (domain {domain_name})", f"  (:requirements {requirements})", "  (:types"]
    lines += [f"    {type_} - {parent}" for type_, parent in types.values()]
    lines += ["  )", "  (:predicates"]
    lines += [f"    {terms.declaration(name)}" for name in facts]
    lines += [f"    {text}" for text in differences.predicates()]
    lines += ["  )", *differences.functions()]
    for skill in world.skills:
        lines += _action(skill, terms, names, types, differences)
    domain = "\n".join([*lines, ")", ""])
    text = _problem(problem, terms, names, types, domain_name, differences)
    return Pddl(domain, text, names)


class _Differences:
    """What distinguishes arms: skills that some lack, and durations."""

    def __init__(
        self, world: ArmWorld, names: Mapping[str, str], facts: Mapping[str, FactSpec]
    ) -> None:
        self.names = names
        self.groups = {
            skill.name: [
                (arms, world.lack(skill, arms) is None, round(1000 * world.takes(skill, arms)))
                for arms in permutations(world.arms, len(skill.arms))
                if all(
                    arm not in world.limits
                    or world.types.is_a(world.limits[arm].type, skill.types[arg])
                    for arg, arm in zip(skill.arms, arms, strict=True)
                )
            ]
            for skill in world.skills
        }
        self.arity = {skill.name: len(skill.arms) for skill in world.skills}
        self.lacking = [
            name for name, group in self.groups.items() if not all(able for _, able, _ in group)
        ]
        self.costs = any(len({ms for _, _, ms in group}) > 1 for group in self.groups.values())
        self.prefix = "able"
        while any(f"{self.prefix}_{names[skill]}" in facts for skill in self.groups):
            self.prefix += "_"

    def able(self, skill: str, args: Sequence[str]) -> str:
        """The atom that says that arms can do a skill."""
        return f"({self.prefix}_{self.names[skill]} {' '.join(args)})"

    def takes(self, skill: str, args: Sequence[str]) -> str:
        """The duration of a skill."""
        return f"(takes_{self.names[skill]} {' '.join(args)})"

    def predicates(self) -> Iterator[str]:
        """The declarations of the skills that some arms lack."""
        for skill in self.lacking:
            args = [f"?a{n}" for n in range(self.arity[skill])]
            yield self.able(skill, [*args[:-1], f"{args[-1]} - object"])

    def functions(self) -> Iterator[str]:
        """The declarations of the durations."""
        if not self.costs:
            return
        yield "  (:functions"
        yield "    (total-cost) - number"
        for skill, count in self.arity.items():
            args = [f"?a{n}" for n in range(count)]
            yield f"    {self.takes(skill, [*args[:-1], f'{args[-1]} - object'])} - number"
        yield "  )"

    def start(self) -> Iterator[str]:
        """The initial state: who has which skill, and the durations."""
        for skill, group in self.groups.items():
            for arms, able, milliseconds in group:
                args = [self.names[arm] for arm in arms]
                if able and skill in self.lacking:
                    yield self.able(skill, args)
                if self.costs:
                    yield f"(= {self.takes(skill, args)} {milliseconds})"
        if self.costs:
            yield "(= (total-cost) 0)"


def _problem(
    problem: AllocationProblem,
    terms: Terms,
    names: Mapping[str, str],
    types: Mapping[str, tuple[str, str]],
    domain: str,
    differences: _Differences,
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
    lines += [f"    {text}" for text in differences.start()]
    lines += ["  )", "  (:goal (and"]
    lines += [f"    {terms.condition(term, {})}" for term in world.goal]
    lines += ["  ))", *(["  (:metric minimize (total-cost))"] if differences.costs else [])]
    return "\n".join([*lines, ")", ""])


def _action(
    skill: SkillModel,
    terms: Terms,
    names: Mapping[str, str],
    types: Mapping[str, tuple[str, str]],
    differences: _Differences,
) -> list[str]:
    bound = {arg: f"?{_plain(arg)}" for arg in skill.types}
    given = " ".join(f"{bound[arg]} - {_type(kind, types)}" for arg, kind in skill.types.items())
    lines = [f"  (:action {names[skill.name]}", f"    :parameters ({given})"]
    lines.append("    :precondition (and")
    arms = [bound[arm] for arm in skill.arms]
    if skill.name in differences.lacking:
        lines.append(f"      {differences.able(skill.name, arms)}")
    lines += [f"      {terms.condition(term, bound)}" for term in skill.before]
    lines += ["    )", "    :effect (and"]
    if differences.costs:
        lines.append(f"      (increase (total-cost) {differences.takes(skill.name, arms)})")
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
