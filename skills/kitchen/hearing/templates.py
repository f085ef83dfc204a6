"""The patterns of tasks: a verb, its particle, and a slot for each argument."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from treec import TalkContext, TalkTask
from treec.skills.kitchen.hearing import verbs
from treec.skills.kitchen.hearing.chunker import Chunker, own_ways
from treec.skills.kitchen.hearing.lexicon import Way
from treec.skills.kitchen.hearing.words import name_words

JOINTS = {
    **dict.fromkeys(("into", "in", "to", "inside", "onto", "through"), "into"),
    **dict.fromkeys(("on", "over", "onto", "upon", "on top of"), "on"),
    **dict.fromkeys(("with", "using"), "with"),
}
"""Prepositions by the relation that they express."""


@dataclass(frozen=True, slots=True)
class TemplateSlot:
    """An argument of a pattern: its name, its types, and its preposition."""

    name: str
    types: frozenset[str]
    joint: str


@dataclass(frozen=True, slots=True)
class PhraseTemplate:
    """A pattern of a task. `people` are the arguments that a person fills: "hand me"."""

    task: TalkTask
    ways: tuple[Way, ...]
    slots: tuple[TemplateSlot, ...]
    particle: str
    people: tuple[str, ...] = ()


Ways = dict[Way, list[tuple[PhraseTemplate, int]]]


def types_of(text: str) -> frozenset[str]:
    """The types that an argument accepts: "Item or Tool"."""
    return frozenset(part.strip() for part in text.split(" or "))


def _template(task: TalkTask, says: str) -> PhraseTemplate:
    """A task's pattern: its verb, its slots with their prepositions, and its particle."""
    slots: list[TemplateSlot] = []
    people: list[str] = []
    joint = ""
    particle = ""
    head = name_words(says.partition("<")[0])
    for word in _pieces(says):
        if word.startswith("<"):
            name = word[1:-1]
            kind = JOINTS.get(joint, joint) if slots else ""
            if types_of(task.args.get(name, "")) <= {"Person", "Agent", "Robot"}:
                people.append(name)
                continue
            slots.append(TemplateSlot(name, types_of(task.args.get(name, "")), kind))
            joint = ""
        elif (word in verbs.PARTICLES and not slots) or word in ("away", "back"):
            particle = word
        elif slots:
            joint = f"{joint} {word}".strip() if joint == "on" or joint == "on top" else word
    ways = own_ways(says) or (head[:1],)
    if particle and particle not in ("away", "back"):
        ways = tuple(way for way in ways if len(way) > 1) or ways
    return PhraseTemplate(task, ways, tuple(slots), particle, tuple(people))


def _pieces(says: str) -> Iterator[str]:
    for piece in says.replace("<", " <").replace(">", "> ").split()[1:]:
        if piece not in ("the", "a", "an", "me"):
            yield piece


def ways_of(chunker: Chunker, context: TalkContext) -> Ways:
    """The patterns of the tasks, cached with the chunker, which lives as long as the tasks do."""
    if not chunker.ways:
        has_wash = any(task.name == "wash" for task in context.tasks)
        theirs = {*verbs.synonyms()["wash"], ("pick",)} - {("prep",)} if has_wash else set()
        for task in context.tasks:
            for says in task.says:
                _learn(chunker.ways, _template(task, says), theirs)
    return chunker.ways


def _learn(ways: Ways, template: PhraseTemplate, theirs: Container[Way]) -> None:
    """Every wording of a task's pattern, its own verb (0) before the synonyms (1).

    A synonym of `theirs`, the own verbs of other tasks, is left out: "prepare" is not "wash".
    """

    def add(way: Way, quality: int) -> None:
        slots = ways.setdefault(way, [])
        if all(it[0] is not template for it in slots):
            slots.append((template, quality))

    for way in template.ways:
        add(way, 0)
    for way in template.ways:
        for key in {" ".join(way), way[0]}:
            if way[0] == "put" and key == "put":
                key = "put away" if template.particle in ("away", "back") else "pour"
            if way == ("take",) or (way[0] == "take" and template.particle):
                key = "put away"
            if "on" in {slot.joint for slot in template.slots} and key == "pour":
                continue
            for other in verbs.synonyms().get(key, ()):
                if template.task.name != "prepare" or other not in theirs:
                    add(other, 1)
