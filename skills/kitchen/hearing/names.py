"""Names of agents, things and recipes in an utterance, with small typos corrected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treec import TalkContext
from treec.skills.kitchen.hearing import verbs
from treec.skills.kitchen.hearing.common import COMMON
from treec.skills.kitchen.hearing.words import Word, name_words, plurals

_LONGEST_NAME = 8
_SMALL = frozenset(
    [
        "out",
        "in",
        "up",
        "on",
        "of",
        "to",
        "from",
        "off",
        "and",
        "away",
        "over",
        "back",
        "for",
        "with",
        "at",
        "it",
    ]
)
_NOUNS = (
    "robot",
    "one",
    "guy",
    "thing",
    "machine",
    "fellow",
    "lad",
    "chap",
    "bot",
    "fella",
    "helper",
)
_ON_WHEELS = (
    *(f"{sort} {noun}" for noun in _NOUNS for sort in ("mobile", "wheeled", "rolling", "driving")),
    *(f"{noun} {way}" for noun in _NOUNS for way in (
        "on wheels", "on the wheels", "with wheels", "with the wheels", "with its wheels",
        "that rolls", "that drives", "that moves", "that drives around", "that moves around",
    )),
    *("wheelie", "moving robot", "moving one", "rover"),
)  # fmt: skip
_ARMS = (
    *("arm", "robot arm", "robotic arm", "arm robot", "arm one", "fixed robot", "fixed one"),
    *(f"{noun} {way}" for noun in _NOUNS for way in ("with the arm", "without wheels")),
)
_DIGITS = {
    "1": ("1", "one", "won"),
    "2": ("2", "two", "too", "to"),
    "3": ("3", "three"),
    "4": ("4", "four"),
}
_SORTS = {
    "fish": "salmon tuna",
    "meat": "chicken beef ham",
    "greens": "lettuce spinach broccoli",
    "leaves": "lettuce spinach",
}
"""Hypernyms of things, and the things of each."""
_HEARD_R = ("are", "ar", "our")


@dataclass(slots=True)
class Mention:
    """What words name; the same words may name a thing and a recipe."""

    agent: str | None = None
    objects: tuple[str, ...] = ()
    recipe: str | None = None


class NameIndex:
    """The names of a context, looked up by their words."""

    def __init__(self, context: TalkContext) -> None:
        self._known: dict[tuple[str, ...], Mention] = {}
        self._glued: dict[str, str] = {}  # recipes by their words without spaces and plural endings
        self._recipe_words: set[str] = set()
        for recipe in context.recipes:
            if words := name_words(recipe):
                self._entry(words).recipe = recipe
                self._recipe_words.update(words)
                self._glued.setdefault(glue(words), recipe)
        for thing in context.objects:
            for words in _variants((thing.name, *thing.also)):
                entry = self._entry(words)
                if thing.name not in entry.objects:
                    entry.objects = (*entry.objects, thing.name)
        self._learn_heads(context)
        self._learn_sorts(context)
        for agent in context.agents:
            for name in (agent.name, *agent.also):
                for words in _spoken(name_words(name), robot=not agent.person):
                    self._entry(words).agent = agent.name
        self._heads = {words[0] for words in self._known}
        self._vocabulary = sorted({word for words in self._known for word in words})
        texts = [subtask.words for subtask in context.subtasks]
        texts += [says for task in context.tasks for says in task.says]
        self._plain = {word for line in texts for word in name_words(line)} | set(self._vocabulary)
        self._mended: dict[str, str] = {}

    def _learn_heads(self, context: TalkContext) -> None:
        """ "The sauce" is the only sauce, or the one that the work is about."""
        heads: dict[str, set[str]] = {}
        for thing in context.objects:
            for name in (thing.name, *thing.also):
                words = name_words(name)
                if len(words) > 1 and (words[-1],) not in self._known:
                    heads.setdefault(words[-1], set()).add(thing.name)
        verb_words = {word for own in (*verbs.TASKS, *verbs.TASKS.values()) for word in own.split()}
        dishes = {word for recipe in context.recipes for word in name_words(recipe)}
        self._prefer(context)
        for head, names in heads.items():
            said = {n for n in names if any(n in s.words for s in context.subtasks)} or names
            shape = head.removesuffix("s")  # "mango slices" are no bread
            if len(said) == 1 and not {head, shape} & (dishes | verb_words):
                self._known.setdefault((head,), Mention(objects=tuple(said)))

    def _prefer(self, context: TalkContext) -> None:
        """ "The stock" is the one that the work is about, if another has that short name."""
        for thing in context.objects:
            if any(thing.name in s.words for s in context.subtasks):
                for name in (thing.name, *thing.also):
                    words = name_words(name)
                    head_entry = self._known.get(words[-1:]) if len(words) > 1 else None
                    short = head_entry is not None and head_entry.objects and not head_entry.agent
                    if (
                        short
                        and head_entry is not None
                        and " ".join(words[-1:]) not in head_entry.objects
                    ):
                        spoken = any(
                            o in s.words for o in head_entry.objects for s in context.subtasks
                        )
                        head_entry.objects = head_entry.objects if spoken else (thing.name,)

    def _learn_sorts(self, context: TalkContext) -> None:
        """ "The fish" is the only fish that the work is about."""
        work = " ".join(subtask.words for subtask in context.subtasks)
        for sort, members in _SORTS.items():
            names = [t.name for t in context.objects if t.name in members.split()]
            here = [name for name in names if re.search(rf"\b{name}\b", work)]
            if len(here) == 1:
                self._known.setdefault((sort,), Mention(objects=(here[0],)))

    def leave(self, words: Iterable[str]) -> None:
        """Protect these words from being corrected to names."""
        self._plain |= set(words)

    def _entry(self, words: tuple[str, ...]) -> Mention:
        return self._known.setdefault(words, Mention())

    def mend(self, word: str) -> str:
        """The word, or the only word of a name of which it is a small typo.

        Words of three and four letters are corrected only for an omitted, doubled or transposed
        letter; if two words are equally close, none is chosen.
        """
        if len(word) < 3 or word in self._plain or word in COMMON or not word.isalpha():
            return word
        if word not in self._mended:
            if len(self._mended) > 5000:
                self._mended.clear()
            self._mended[word] = self._nearest(word)
        return self._mended[word]

    def _nearest(self, word: str) -> str:
        from rapidfuzz.distance import OSA  # compiled code, imported when first needed

        near: dict[str, int] = {}
        for candidate in self._vocabulary:
            if len(candidate) < 4 or candidate[0] != word[0] or abs(len(candidate) - len(word)) > 2:
                continue
            reach = (
                2
                if len(candidate) >= 7 or (len(candidate) >= 6 and candidate in self._recipe_words)
                else 1
            )
            if len(word) < 5 and (not set(word) <= set(candidate) or len(word) > len(candidate)):
                continue
            far = OSA.distance(word, candidate, score_cutoff=2)
            if far <= reach:
                near[candidate] = far
        nearest = [candidate for candidate, far in near.items() if far == min(near.values())]
        entries = {id_of(self._known.get((candidate,)), candidate) for candidate in nearest}
        if len(entries) != 1:
            return word
        return min(nearest, key=lambda candidate: (abs(len(candidate) - len(word)), candidate))

    def _nearly(self, said: str) -> str | None:
        """The recipe whose whole name is a small typo of these words: "ceasar salat"."""
        from rapidfuzz.distance import OSA

        near = [
            recipe
            for name, recipe in self._glued.items()
            if len(name) > 8 and name[0] == said[0] and OSA.distance(said, name) <= 2
        ]
        return near[0] if len(near) == 1 else None

    def at(self, words: Sequence[Word], index: int) -> tuple[Mention, int] | None:
        """The longest name that begins at `index`, and the index behind it."""
        reach = index
        keys: list[str] = []
        while reach < len(words) and not words[reach].breaks and len(keys) < _LONGEST_NAME:
            keys.append(self.mend(words[reach].key))
            if len(keys) == 1 and keys[0] not in self._heads and len(keys[0]) < 3:
                return None
            reach += 1
        while keys:
            if (mention := self._known.get(tuple(keys))) is not None:
                return mention, index + len(keys)
            recipe = self._glued.get(glue(tuple(keys))) if len("".join(keys)) > 4 else None
            shorter = self._known.get(tuple(keys[:-1]))
            whole = shorter is not None and shorter.recipe is not None
            small = keys[-1] in _SMALL  # "the chicken out of the fridge" is no chicken soup
            if (
                recipe is None
                and len(keys) > 1
                and keys[0] in self._recipe_words
                and not (whole or small)
            ):
                others = [k for k in keys[1:] if k in self._plain or k in COMMON]
                if all(k in self._vocabulary for k in others):  # "chicken out" is no soup
                    recipe = self._nearly(glue(tuple(keys)))
            if recipe is not None:
                return Mention(recipe=recipe), index + len(keys)
            keys.pop()
        return None


def id_of(mention: Mention | None, word: str) -> object:
    """Identity of a thing, the same for its two spellings."""
    return (
        (mention.agent, mention.objects) if mention and mention.objects else word.removesuffix("s")
    )


def glue(words: tuple[str, ...]) -> str:
    """ "Egg drop soups" as "eggdropsoup"."""
    return "".join(word.removesuffix("s") for word in words)


def _variants(names: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """The words of each name, with the last one in singular and plural."""
    for name in names:
        words = name_words(name)
        if words:
            yield words
            yield from ((*words[:-1], other) for other in plurals(words[-1]))


def _spoken(words: tuple[str, ...], *, robot: bool) -> Iterable[tuple[str, ...]]:
    """Spellings of an agent's name: as written, and "R 2", "R two" for R2."""
    if not words:
        return
    yield words
    if robot and words[:1] == ("the",) and len(words) > 1:
        yield words[1:]
        yield ("robot", *words[1:])
        yield ("my", *words[1:])
        yield ("our", *words[1:])
    if "mobile" in words:
        yield ("the", "wheels")
        for spoken in _ON_WHEELS:
            yield tuple(spoken.split())
            yield ("the", *spoken.split())
    if "arm" in words:
        for spoken in _ARMS:
            yield tuple(spoken.split())
            yield ("the", *spoken.split())
    parts = re.fullmatch(r"([a-z]+)-?(\d)", words[0]) if len(words) == 1 else None
    if robot and parts is not None:
        for digit in _DIGITS.get(parts[2], (parts[2],)):
            spellings = (
                _HEARD_R if parts[1] == "r" and digit in _DIGITS["2"][:2] + _DIGITS["1"][:2] else ()
            )
            for letter in (parts[1], *spellings):
                yield letter, digit
            yield "robot", digit
            yield "robot", "number", digit
            yield parts[1], "number", digit
        yield ("robot", parts[0])
        yield (f"{parts[1]}-{parts[2]}",)
