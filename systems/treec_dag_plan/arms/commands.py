"""Map the words of a sub-task to a skill with its objects and number of arms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treec.frozen import frozen
from treec.source.diagnostics import did_you_mean
from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.read_names import fold, read_name
from treec_dag_plan.arms.world import ArmWorld, GroundAction, SkillModel
from treec_dag_plan.arms.world_logic import format_term, reader
from treec_kitchen.graph_findings import GraphFinding

MOST_NAMES = 12
"""How many things a help line lists."""


@frozen
class CommandMeaning:
    """The skill and the objects that words mean, by their names in the world.

    `others` are further skills with which arms of another kind do the same: same command, objects,
    number of arms and type of node.
    """

    skill: SkillModel
    objects: tuple[str, ...]
    others: tuple[SkillModel, ...] = ()
    barred: tuple[tuple[SkillModel, str], ...] = ()
    """Further skills of this command that these objects rule out, and why."""

    def skill_of(self, world: ArmWorld, arms: Sequence[str]) -> SkillModel:
        """Return the first skill that these arms have, else the first for arms of their type."""
        if not self.others or len(arms) != len(self.skill.arms):
            return self.skill
        skills = (self.skill, *self.others)
        able = (s for s in skills if world.lack(s, world.in_roles(s, arms)) is None)
        return next(able, None) or next(
            (s for s in skills if world.are_of_types(s, world.in_roles(s, arms))), self.skill
        )

    def action(self, world: ArmWorld, arms: Sequence[str]) -> GroundAction:
        """Return the action of these arms."""
        skill = self.skill_of(world, arms)
        return world.action(skill, world.in_roles(skill, arms), self.objects)

    def takes(self, world: ArmWorld, arms: Sequence[str]) -> float:
        """Return the duration in seconds for these arms: that of the slowest."""
        return world.takes(self.skill_of(world, arms), arms)

    def lack(self, world: ArmWorld, arms: Sequence[str]) -> str | None:
        """Why these arms can never do it; None if they can."""
        skill = self.skill_of(world, arms)
        lack = world.lack(skill, world.in_roles(skill, arms))
        barred = [one for one in self.barred if len(one[0].arms) == len(arms)]
        for other, why in barred if lack is not None else ():
            if world.lack(other, world.in_roles(other, arms)) is None:
                return f"{' and '.join(arms)} cannot {other.name}: {why}"
        return lack


def syntaxes(world: ArmWorld) -> tuple[str, ...]:
    """Return a syntax of every command: put "item" into "target"."""
    found: dict[str, str] = {}
    for skill in world.skills:
        found.setdefault(fold(skill.command), _syntax(skill))
    return tuple(found.values())


def interpret(
    world: ArmWorld, command: str, objects: Sequence[str], arms: int
) -> CommandMeaning | GraphFinding:
    """What a command with objects means when it is done with a number of arms.

    A finding about one of the objects has its number, from 0, as ``place``.
    """
    skills = [skill for skill in world.skills if fold(skill.command) == fold(command)]
    if not skills:
        return _no_command(world, command, len(objects))
    if all(len(skill.objects) != len(objects) for skill in skills):
        count, syntax = len(skills[0].objects), _syntax(skills[0])
        return kinds.WRONG_OBJECT_COUNT.at(command=command, count=count, syntax=syntax)
    things: list[str] = []
    for place, name in enumerate(objects):
        thing = world.names.get(name)
        if thing is None:
            near, names = did_you_mean(name, world.names), list(world.names)
            if len(names) > MOST_NAMES:
                names = [*names[:MOST_NAMES], "…"]
            return kinds.UNKNOWN_THING.at(name=name, near=near, names=names, place=place)
        things.append(thing)
    matches = [skill for skill in skills if _misfit(world, skill, things) is None]
    if not matches:
        place = max(p for skill in skills if (p := _misfit(world, skill, things)) is not None)
        types = dict.fromkeys(skill.types[skill.objects[place]] for skill in skills)
        return kinds.WRONG_THING_TYPE.at(
            name=objects[place],
            type=world.things[things[place]],
            command=command,
            wanted=tuple(types),
            place=place,
            right=_swapped(world, skills, things),
            fitting=_fitting(world, types),
        )
    return _by_arms(world, matches, things, arms)


def interpret_all(world: ArmWorld, graph: TaskGraph) -> dict[str, CommandMeaning]:
    """Return node → what its words mean. Raises ValueError for the first that mean nothing."""
    found: dict[str, CommandMeaning] = {}
    for node in graph.work():
        meaning = interpret(world, node.command, node.objects, node.arms)
        if isinstance(meaning, GraphFinding):
            raise ValueError(f"{node.id}: {meaning.message}")
        found[node.id] = meaning
    return found


def action_of(world: ArmWorld, name: str, arms: Sequence[str]) -> GroundAction | GraphFinding:
    """Parse a plan's sub-task and return its action with these arms."""
    skills = read_name(name)
    if not skills.objects:
        return kinds.NO_OBJECT.at(name=name, commands=syntaxes(world))
    found = interpret(world, skills.command, skills.objects, len(arms))
    return found if isinstance(found, GraphFinding) else found.action(world, arms)


def _by_arms(
    world: ArmWorld, matches: Sequence[SkillModel], things: Sequence[str], arms: int
) -> CommandMeaning | GraphFinding:
    """Return the skill for this number of arms among those that these objects fit."""
    why = [(skill, find_impossible_condition(world, skill, things)) for skill in matches]
    able = [skill for skill, reason in why if reason is None]
    right = [skill for skill in able if len(skill.arms) == arms]
    if right:
        others = tuple(skill for skill in right[1:] if skill.type == right[0].type)
        barred = tuple((skill, reason) for skill, reason in why if reason is not None)
        return CommandMeaning(right[0], tuple(things), others, barred)
    words = matches[0].syntax.format(**dict(zip(matches[0].objects, things, strict=True)))
    if able:
        return kinds.WRONG_ARMS.at(words=words, needs=len(able[0].arms), arms=arms)
    with_arms = [skill for skill in matches if len(skill.arms) == arms] or matches
    return kinds.IMPOSSIBLE.at(
        words=words,
        why=find_impossible_condition(world, with_arms[0], things),
        right=next(_possible_instead(world, matches[0], things), None),
    )


def _possible_instead(world: ArmWorld, skill: SkillModel, things: Sequence[str]) -> Iterator[str]:
    """Commands that begin with the same word and can be done: put onto for put into."""
    first = fold(skill.command).partition(" ")[0]
    for other in world.skills:
        is_like_it = fold(other.command).partition(" ")[0] == first
        if is_like_it and other.command != skill.command and _is_possible(world, other, things):
            yield other.syntax.format(**dict(zip(other.objects, things, strict=True)))


def _swapped(world: ArmWorld, skills: Sequence[SkillModel], things: Sequence[str]) -> str | None:
    """The command with its objects in the other order, if that can be done."""
    swapped = things[::-1]
    for skill in skills:
        if len(things) == len(skill.objects) > 1 and _is_possible(world, skill, swapped):
            return skill.syntax.format(**dict(zip(skill.objects, swapped, strict=True)))
    return None


def _fitting(world: ArmWorld, types: Iterable[str]) -> tuple[str, ...] | None:
    """The things of one of these types."""
    wanted = [*types]
    return tuple(one for one in world.things if any(world.fits(one, it) for it in wanted)) or None


def _is_possible(world: ArmWorld, skill: SkillModel, things: Sequence[str]) -> bool:
    """Whether types and fixed conditions allow a skill with these things."""
    return (
        _misfit(world, skill, things) is None
        and find_impossible_condition(world, skill, things) is None
    )


def find_impossible_condition(
    world: ArmWorld, skill: SkillModel, things: Sequence[str]
) -> str | None:
    """The condition that rules a skill out for things, whatever happens; None if there is none."""
    names = dict(zip(skill.objects, things, strict=True))
    for term in skill.before:
        if world.fixed(term, skill) and not reader(term, names)(world.start):
            return f"{format_term(term, names)} does not hold"
    return None


def _misfit(world: ArmWorld, skill: SkillModel, things: Sequence[str]) -> int | None:
    if len(skill.objects) != len(things):
        return 0
    for place, (arg, thing) in enumerate(zip(skill.objects, things, strict=True)):
        if not world.fits(thing, skill.types[arg]):
            return place
    return None


def _no_command(world: ArmWorld, command: str, count: int) -> GraphFinding:
    known = {fold(skill.command): skill for skill in world.skills if len(skill.objects) == count}
    near = did_you_mean(fold(command), known)
    first = fold(command).partition(" ")[0]
    if near is None:  # `put in` means `put into` sooner than `put onto`
        near = next((words for words in known if words.partition(" ")[0] == first), None)
    likely = _syntax(known[near]) if near else None
    firsts = {fold(skill.command).partition(" ")[0] for skill in world.skills}
    said = fold(command).split()
    if "and" in said and count > 1 and len(firsts.intersection(said)) + (said[-1] == "and") > 1:
        return kinds.SEVERAL_COMMANDS.at(command=command)
    return kinds.UNKNOWN_COMMAND.at(command=command, near=likely, commands=syntaxes(world))


def _syntax(skill: SkillModel) -> str:
    return skill.syntax.replace("{", "").replace("}", "")
