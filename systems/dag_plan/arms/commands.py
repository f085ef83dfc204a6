"""From the words of a sub-task to skills: which command, which things, how many arms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treec.source.diagnostics import did_you_mean
from treec.systems.dag_plan.arms.read_names import fold, read_name
from treec.systems.dag_plan.arms.world import ArmWorld, GroundAction, SkillModel
from treec.systems.dag_plan.arms.world_logic import reader, written

Problem = str
"""What is wrong with words: `command`, `objects`, `thing`, `type`, `arms` or `never`."""


@dataclass(frozen=True, slots=True)
class Misread:
    """Words that are no sub-task of this world; `place` is the number of the object meant."""

    problem: Problem
    message: str
    help: str | None = None
    place: int | None = None
    needs: int | None = None
    """How many arms it takes, when the number of arms is wrong."""


@dataclass(frozen=True, slots=True)
class CommandMeaning:
    """The skill that words mean, and the things, by their names in the world."""

    skill: SkillModel
    objects: tuple[str, ...]

    def action(self, world: ArmWorld, arms: Sequence[str]) -> GroundAction:
        """It, done by these arms."""
        return world.action(self.skill, arms, self.objects)


def syntaxes(world: ArmWorld) -> tuple[str, ...]:
    """Every command as it is written, each once: put "item" into "target"."""
    found = (skill.syntax.replace("{", "").replace("}", "") for skill in world.skills)
    return tuple(dict.fromkeys(found))


def meant(
    world: ArmWorld, command: str, objects: Sequence[str], arms: int
) -> CommandMeaning | Misread:
    """What a command with objects means when it is done with a number of arms."""
    named = [skill for skill in world.skills if fold(skill.command) == fold(command)]
    if not named:
        return _no_command(world, command, len(objects))
    if all(len(skill.objects) != len(objects) for skill in named):
        count = len(named[0].objects)
        said = "an object" if count == 1 else f"{count} objects"
        return Misread("objects", f"'{command}' takes {said}", f"write {_shown(named[0])}")
    things: list[str] = []
    for place, name in enumerate(objects):
        thing = world.names.get(name)
        if thing is None:
            near = did_you_mean(name, world.names)
            help = f'did you mean "{near}"?' if near else _there(world)
            return Misread("thing", f'there is no "{name}" in this task', help, place)
        things.append(thing)
    fitting = [skill for skill in named if _misfit(world, skill, things) is None]
    if not fitting:
        place = max(p for skill in named if (p := _misfit(world, skill, things)) is not None)
        wanted = dict.fromkeys(skill.types[skill.objects[place]] for skill in named)
        kind = world.things[things[place]]
        said = f"\"{objects[place]}\" is of type {kind}: '{command}' takes {' or '.join(wanted)}"
        return Misread("type", said, None, place)
    return _by_arms(world, fitting, things, arms)


def action_of(world: ArmWorld, name: str, arms: Sequence[str]) -> GroundAction | Misread:
    """A sub-task as a plan writes it, done by these arms."""
    named = read_name(name)
    if not named.objects:
        known = ", ".join(syntaxes(world))
        return Misread("objects", f"'{name}' names no object in quotes", f"commands: {known}")
    found = meant(world, named.command, named.objects, len(arms))
    return found if isinstance(found, Misread) else found.action(world, arms)


def _by_arms(
    world: ArmWorld, fitting: Sequence[SkillModel], things: Sequence[str], arms: int
) -> CommandMeaning | Misread:
    """Of the skills that these things fit, the one for this number of arms."""
    able = [skill for skill in fitting if never(world, skill, things) is None]
    right = [skill for skill in able if len(skill.arms) == arms]
    if right:
        return CommandMeaning(right[0], tuple(things))
    words = fitting[0].syntax.format(**dict(zip(fitting[0].objects, things, strict=True)))
    if able:
        needed = len(able[0].arms)
        said = "one arm" if needed == 1 else f"{needed} arms"
        told = f"{words} takes {said}, not {arms}"
        return Misread("arms", told, f"write arm_num: {needed}", None, needed)
    with_arms = [skill for skill in fitting if len(skill.arms) == arms] or fitting
    why = never(world, with_arms[0], things)
    return Misread("never", f"{words} can never be done: {why}")


def never(world: ArmWorld, skill: SkillModel, things: Sequence[str]) -> str | None:
    """The condition that rules a skill out for things, whatever happens; None if there is none."""
    names = dict(zip(skill.objects, things, strict=True))
    for term in skill.before:
        if world.fixed(term, skill) and not reader(term, names)(world.start):
            return f"{written(term, names)} does not hold"
    return None


def _misfit(world: ArmWorld, skill: SkillModel, things: Sequence[str]) -> int | None:
    if len(skill.objects) != len(things):
        return 0
    for place, (arg, thing) in enumerate(zip(skill.objects, things, strict=True)):
        if not world.fits(thing, skill.types[arg]):
            return place
    return None


def _no_command(world: ArmWorld, command: str, count: int) -> Misread:
    known = {fold(skill.command): skill for skill in world.skills if len(skill.objects) == count}
    near = did_you_mean(fold(command), known)
    first = fold(command).partition(" ")[0]
    if near is None:  # `put in` means `put into` sooner than `put onto`
        near = next((words for words in known if words.partition(" ")[0] == first), None)
    help = f"did you mean {_shown(known[near])}?" if near else None
    help = help or f"commands: {', '.join(syntaxes(world))}"
    return Misread("command", f"there is no command '{command}'", help)


def _shown(skill: SkillModel) -> str:
    return skill.syntax.replace("{", "").replace("}", "")


def _there(world: ArmWorld) -> str:
    names = list(world.names)
    more = ", …" if len(names) > 12 else ""
    return f"there are: {', '.join(names[:12])}{more}"
