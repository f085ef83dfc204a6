"""Verb phrases as tasks: "toss the lettuce in" is the task of pouring it into the bowl."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treec import TalkContext
from treec.skills.kitchen.hearing.chunker import Chunker
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.lexicon import Way
from treec.skills.kitchen.hearing.phrases import ADJUNCTS, Phrase, phrase_of
from treec.skills.kitchen.hearing.templates import (
    JOINTS,
    PhraseTemplate,
    TemplateSlot,
    types_of,
    ways_of,
)
from treec.skills.kitchen.hearing.words import name_words, word_set

Args = tuple[tuple[str, str], ...]
LEFT = ("ready", "queued", "running", "interrupted", "waiting")
_INWARD = word_set("in into")
_TAKING = word_set("take carry move pick haul")
_THROWING = word_set("throw slide lend chuck sling toss fling lob bung fire shoot flick")
_STIRRING = word_set("stir fold mix whisk work combine blend beat")
_IN_PLACE = word_set(
    "assemble bake boil chop crack drain fry grate heat mash melt peel prepare season simmer slice "
    "toast wash whisk serve"
)
"""Tasks that move nothing: a place is only where they are done."""
_OF_VESSEL = word_set("assemble boil drain heat mash melt pour season serve simmer stir whisk")
"""Tasks on the dish, and so on its vessel."""
_LEFT_ALONE = word_set("simmer season drain serve")
_SETTING = word_set("put place set leave move lay pop stick drop deposit slide")


@dataclass(frozen=True, slots=True)
class TaskMatch:
    """A task that words name. `things` are the named things; `named` is their total number.

    `loose` counts the words that nothing explains; `vague`: no thing is named, the context supplies
    it.
    """

    task: str
    args: Args
    things: tuple[str, ...] = ()
    addressee: str | None = None
    loose: int = 0
    vague: bool = False
    either: bool = False
    unknown: str = ""

    @property
    def what(self) -> tuple[str, Args]:
        """The task with its arguments, for comparison."""
        return self.task, self.args


class TaskVocabulary:
    """The tasks of a context, and the meanings of its subtasks."""

    def __init__(self, context: TalkContext, chunker: Chunker) -> None:
        self.context = context
        self._chunker = chunker
        self._types = {thing.name: frozenset(thing.types) for thing in context.objects}
        self._dish = set(name_words(context.recipe_name))
        self._ways = ways_of(chunker, context)
        self._meanings = chunker.meanings
        self._open: list[tuple[TaskMatch, str]] = []
        self._open = self._subtasks()

    def _subtasks(self) -> list[tuple[TaskMatch, str]]:
        found = []
        for subtask in self.context.subtasks:
            meaning = self.meaning(subtask.words)
            if meaning is not None:
                found.append((meaning, subtask.status))
        return found

    def meaning(self, words: str) -> TaskMatch | None:
        """The task that a subtask's words name."""
        if words not in self._meanings:
            chunks = [c for c in self._chunker.chunks(words) if c.kind not in ("FLOAT", "BRK")]
            found = self.find(chunks, "base") if chunks else None
            self._meanings[words] = found[0] if found else None
        meaning: TaskMatch | None = self._meanings[words]
        return meaning

    def tasks_of(self, chunk: Chunk) -> frozenset[str]:
        """The tasks that a verb may mean."""
        found = [it for way, _ in chunk.verb for it in self._ways.get(way, ())]
        best = min((quality for _, quality in found), default=0)
        return frozenset(template.task.name for template, quality in found if quality == best)

    def type_of(self, thing: str) -> frozenset[str]:
        """All types of a thing."""
        return self._types.get(thing, frozenset())

    def find(
        self, chunks: Sequence[Chunk], form: str, before: tuple[str, ...] = ()
    ) -> tuple[TaskMatch, ...]:
        """The tasks that a verb phrase names, one for each thing; empty if it names none.

        `before` are the things named earlier, as antecedents of "it" and "them".
        """
        if not chunks or not chunks[0].verb:
            return ()
        ways = [way for way, shape in chunks[0].verb if shape == form]
        phrase = phrase_of(chunks[1:], self._dish, self._inward)
        best: tuple[float, tuple[TaskMatch, ...]] | None = None
        for way in ways:
            candidates = list(self._ways.get(way, ()))
            if len(way) == 1:
                for particle in phrase.particles:
                    candidates += self._ways.get((*way, particle), ())
            for template, quality in candidates:
                fits = self._fits(template, quality, way, phrase, before)
                if fits is not None and (best is None or fits[0] < best[0]):
                    best = fits
        return best[1] if best is not None else ()

    def _fits(
        self,
        template: PhraseTemplate,
        quality: int,
        way: Way,
        phrase: Phrase,
        before: tuple[str, ...],
    ) -> tuple[float, tuple[TaskMatch, ...]] | None:
        particles = {*phrase.particles, *way[1:]}
        if (
            template.task.name == "hand over"
            and quality
            and way[0] in _THROWING
            and not phrase.to_speaker
        ):
            return None
        if phrase.to_speaker and template.task.name in ("pour", "put away", "stack", "spread"):
            return None
        home = template.particle in ("away", "back")
        fetched_home = home and bool(particles & {"away", "back"})
        missing = bool(template.particle) and template.particle not in particles
        if missing and quality == 0 and not fetched_home:
            return None
        is_urging = particles == {"away"} and not phrase.nouns and way[0] not in _SETTING
        if not home and particles & {"away", "back"} and not is_urging:  # "stir away"
            return None
        if template.task.name == "get" and "along" in particles and not phrase.nouns:
            return None  # "we don't get along"
        if template.task.name == "pour" and particles & {"off", "out", "down"}:
            return None
        inward = {"in", "through"} & particles or any(
            JOINTS.get(joint) == "into" for joint, _ in phrase.nouns
        )
        if template.task.name == "pour" and way[0] in _STIRRING and not inward:
            return None
        if template.task.name == "pour" and way[0] == "toss" and not (phrase.nouns or inward):
            return None  # "toss it": what is there is stirred
        if (
            template.task.name == "get"
            and way[0] in _TAKING
            and not (phrase.nouns or (phrase.unknown and not phrase.pronoun))
        ):
            return None
        onto = self._place(phrase)
        if way[0] in _SETTING and not (particles & {"away", "back"}):
            if template.task.name == "get" and (onto != "table" or way[0] == "leave"):
                return None
            if home and onto in ("", "table"):
                return None
        slots = {slot.joint: slot for slot in template.slots}
        if not template.slots:
            return None
        first = template.slots[0]
        args: dict[str, str] = {}
        more: list[dict[str, str]] = []  # "season it with salt and pepper"
        themes: list[str] = []
        either = False
        cost = float(quality)
        for joint, noun in phrase.nouns:
            if noun.kind == "DISH":
                container = self._dish_container(template, slots)
                whole = joint == "" and template.task.name in _OF_VESSEL and self._vessel(first)
                if whole:
                    themes.append(whole)
                    continue
                if joint == "" and container is None:
                    return None
                if joint == "" and container is not None and container[0] != first.name:
                    return None
                if joint in ("", "into") and container is not None:
                    args[container[0]] = container[1]
                elif joint not in ADJUNCTS and joint != "with":
                    cost += 2
                continue
            either |= noun.either
            if joint == "":
                items = [self._one(names, first.types) for names in noun.things]
                if None in items:
                    return None
                themes += [thing for thing in items if thing is not None]
                continue
            kind = JOINTS.get(joint, joint)
            slot = slots.get(kind)
            if slot is None and kind == "on" and "into" in slots:
                slot = slots["into"] if self._one(noun.things[0], slots["into"].types) else None
                cost += 0.25  # "on the plate" is rather a task that says "on"
            if slot is not None and slot is not first:
                value = self._one(noun.things[0], slot.types)
                if value is None:
                    cost += 3
                else:
                    args[slot.name] = value
                    more += [
                        {slot.name: other}
                        for names in noun.things[1:]
                        if (other := self._one(names, slot.types)) and not noun.either
                    ]
            elif kind == "into" and not home:
                if any("Place" in self.type_of(t) for t in noun.things[0]):
                    cost += 0.5
                elif template.task.name in _IN_PLACE and themes:
                    cost += 0.3  # "melt the butter in the pan"
                elif template.slots and len(template.slots) == 1 and joint != "to":
                    if first.joint == "" and "Container" in first.types and not themes:
                        themes.append(self._one(noun.things[0], first.types) or "")
                        if not themes[-1]:
                            return None
                    else:
                        return None
                else:
                    return None
            elif (
                kind == "on"
                and not home
                and not any("Place" in self.type_of(t) for t in noun.things[0])
            ):
                cost += 2
        return self._matches(
            template, first, themes, args, more, phrase, before, cost, either, particles
        )

    def _place(self, phrase: Phrase) -> str:
        """The destination of a thing, if one is named."""
        for joint, noun in phrase.nouns:
            if JOINTS.get(joint) in ("into", "on") and noun.things:
                place = self._one(noun.things[0], frozenset({"Place"}))
                if place is not None:
                    return place
        return ""

    def _matches(
        self,
        template: PhraseTemplate,
        first: TemplateSlot,
        themes: list[str],
        args: dict[str, str],
        more: list[dict[str, str]],
        phrase: Phrase,
        before: tuple[str, ...],
        cost: float,
        either: bool,
        particles: set[str],
    ) -> tuple[float, tuple[TaskMatch, ...]] | None:
        args |= {name: self.context.user for name in template.people if phrase.to_speaker}
        things = (*themes, *args.values())
        if not themes and phrase.pronoun and before and not self._of_vessels(template, before):
            themes = [t for t in before if first.types & self.type_of(t)]
            if themes and self._in_vessel(template, first, themes):
                themes = []  # "no salt for me, and I'll simmer it"
            food = [t for t in themes if "Container" not in self.type_of(t)]
            if food and template.task.name not in ("get", "hand over", "put away", "wash"):
                themes = food  # "get the mushrooms in the pan and fry them"
        if not themes and phrase.pronoun and not before and template.task.name in _LEFT_ALONE:
            themes = [it] if (it := self._vessel(first)) else []  # "let it simmer"
        lacks = not themes and first.name not in args
        values: list[dict[str, str]] = [{**args, first.name: t} for t in dict.fromkeys(themes)]
        values = values or [dict(args)]
        values += [{**value, **other} for value in values for other in more]
        matches: list[TaskMatch] = []
        for value in values:
            whole, from_open = self._fill_arguments(
                template, value, phrase.unknown if lacks else ""
            )
            cost -= 0.6 * from_open
            if len(template.slots) > 1 and len(value) < len(template.slots) and not from_open:
                cost += 0.8 if _INWARD & particles else 1.5
            matches.append(
                TaskMatch(
                    template.task.name,
                    tuple(sorted(whole.items())),
                    things,
                    phrase.addressee,
                    phrase.loose,
                    lacks,
                    either,
                    phrase.unknown if lacks else "",
                )
            )
        return cost, tuple(matches)

    def _in_vessel(self, template: PhraseTemplate, first: TemplateSlot, themes: list[str]) -> bool:
        """Whether such work remains for exactly one vessel, and not for the things just named."""
        open_ = [f for f, at in self._open if f.task == template.task.name and at in LEFT]
        remaining = {dict(f.args).get(first.name, "") for f in open_}
        vessels = {name for name in remaining if "Container" in self.type_of(name)}
        return len(remaining) == len(vessels) == 1 and not remaining & set(themes)

    def _of_vessels(self, template: PhraseTemplate, things: tuple[str, ...]) -> bool:
        """ "The salt, please; I'll let it simmer": "it" is the pot, not the salt."""
        first = template.slots[0].name
        items_done = [dict(found.args)[first] for found, _ in self._open
                if found.task == template.task.name and first in dict(found.args)]  # fmt: skip
        if not items_done or any("Container" in self.type_of(thing) for thing in things):
            return False
        return all("Container" in self.type_of(thing) for thing in items_done)

    def _fill_arguments(
        self, template: PhraseTemplate, value: dict[str, str], unknown: str
    ) -> tuple[dict[str, str], float]:
        """The arguments, completed from the open subtasks that fit."""
        matches: list[tuple[TaskMatch, str]] = []
        for found, status in self._open:
            if found.task == template.task.name and value.items() <= dict(found.args).items():
                matches.append((found, status))
        if not matches or unknown:
            return value, 0.0
        for status in (*LEFT, "done", "dropped", "failed"):
            here = {found.args for found, at in matches if at == status}
            if len(here) == 1:
                return dict(next(iter(here))), 1.5 if status in LEFT[:4] else 1.0
            if here:
                break
        return value, 1.0

    def _dish_container(
        self, template: PhraseTemplate, slots: dict[str, TemplateSlot]
    ) -> tuple[str, str] | None:
        """The vessel of the dish, which the recipe's subtasks fill."""
        slot = next((s for s in template.slots if "Container" in s.types), None)
        vessel = self._vessel(slot) if slot is not None else ""
        return (slot.name, vessel) if slot is not None and vessel else None

    def _vessel(self, slot: TemplateSlot) -> str:
        """The vessel that the recipe's subtasks fill, if the slot takes it; else ""."""
        counts: dict[str, int] = {}
        for found, _ in self._open:
            for _, thing in found.args:
                types = self.type_of(thing)
                if slot.types & types and "Container" in types:
                    counts[thing] = counts.get(thing, 0) + 1
        return max(counts, key=lambda thing: counts[thing]) if counts else ""

    def _one(self, names: Iterable[str], types: frozenset[str]) -> str | None:
        candidates = [name for name in names if types & self.type_of(name)]
        return candidates[0] if len(candidates) == 1 else None

    def _inward(self, behind: Chunk | None) -> bool:
        """ "Throw in the pepper": what stands behind "in" is what is thrown."""
        if behind is None or not behind.things:
            return False
        return not any(
            {"Container", "Place"} & self.type_of(thing)
            for names in behind.things
            for thing in names
        )

    def fetch(self, names: Iterable[str]) -> TaskMatch | None:
        """The task of fetching a thing, if the kitchen has it and the thing can be fetched."""
        for task in self.context.tasks:
            if task.name == "get" and len(task.args) == 1:
                ((slot, types),) = task.args.items()
                thing = self._one(names, types_of(types))
                return TaskMatch("get", ((slot, thing),), (thing,)) if thing else None
        return None
