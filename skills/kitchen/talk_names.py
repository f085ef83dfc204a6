"""Names in an utterance: agents, objects and recipes, small typos mended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine import TalkContext
from skills.kitchen.talk_common import COMMON
from skills.kitchen.talk_words import Item, name_words, plurals

_LONGEST_NAME = 8
_ON_WHEELS = (
    "mobile robot",
    "mobile one",
    "one on wheels",
    "robot on wheels",
    "one with wheels",
    "robot with wheels",
    "one with the wheels",
    "wheeled robot",
    "wheeled one",
    "wheelie",
)
_DIGIT_WORDS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five"}


@dataclass(slots=True)
class Mention:
    """What a stretch of words names; the same words may name an object and a recipe."""

    agent: str | None = None
    objects: tuple[str, ...] = ()
    recipe: str | None = None

    @property
    def letter(self) -> str:
        """What it is first: `a`gent, `o`bject or `r`ecipe."""
        return "a" if self.agent else "o" if self.objects else "r"


class Names:
    """The names of a context, looked up by their words."""

    def __init__(self, context: TalkContext) -> None:
        self._known: dict[tuple[str, ...], Mention] = {}
        self._recipe_words: set[str] = set()
        self._glued: dict[str, str] = {}  # recipes without regard to spaces and plurals
        for recipe in context.recipes:
            if words := name_words(recipe):
                self._entry(words).recipe = recipe
                self._recipe_words.update(words)
                self._glued.setdefault(_glue(words), recipe)
        for thing in context.objects:
            for words in _variants((thing.name, *thing.also)):
                entry = self._entry(words)
                if thing.name not in entry.objects:
                    entry.objects = (*entry.objects, thing.name)
        for agent in context.agents:
            for name in (agent.name, *agent.also):
                for words in _spoken(name_words(name), robot=not agent.person):
                    self._entry(words).agent = agent.name
        self._vocabulary = sorted({word for words in self._known for word in words})
        said = [subtask.words for subtask in context.subtasks]
        said += [says for task in context.tasks for says in task.says]
        self._plain = {word for line in said for word in name_words(line)} | set(self._vocabulary)
        self._mended: dict[str, str] = {}

    def _entry(self, words: tuple[str, ...]) -> Mention:
        return self._known.setdefault(words, Mention())

    def mend(self, word: str) -> str:
        """The word, or the one name's word of which it is a small typo.

        Only words of five letters and more are mended, into words of four and more that begin
        with the same letter; two nearest words mean that nothing is certain.
        """
        if len(word) < 5 or word in self._plain or word in COMMON or not word.isalpha():
            return word
        if word not in self._mended:
            self._mended[word] = self._nearest(word)
        return self._mended[word]

    def _nearest(self, word: str) -> str:
        from rapidfuzz.distance import OSA  # imported when first needed: it is compiled code

        near: set[str] = set()
        for known in self._vocabulary:
            if len(known) < 4 or known[0] != word[0] or abs(len(known) - len(word)) > 2:
                continue
            long = len(known) >= 6 and known in self._recipe_words
            if OSA.distance(word, known, score_cutoff=2) <= (2 if long or len(known) >= 8 else 1):
                near.add(known)
        stems = {known.removesuffix("s") for known in near}
        if len(near) > 1:
            near = {known for known in near if OSA.distance(word, known, score_cutoff=2) == 1}
            stems = {known.removesuffix("s") for known in near}
        return (
            min(near, key=lambda known: (abs(len(known) - len(word)), known))
            if len(stems) == 1
            else word
        )

    def at(self, words: list[Item], index: int) -> tuple[Mention, int] | None:
        """The longest name that begins at `index`, and the index behind it."""
        reach = index
        keys: list[str] = []
        while reach < len(words) and not words[reach].breaks and len(keys) < _LONGEST_NAME:
            keys.append(self.mend(words[reach].key))
            reach += 1
        while keys:
            if (mention := self._known.get(tuple(keys))) is not None:
                return mention, index + len(keys)
            recipe = self._glued.get(_glue(tuple(keys))) if len("".join(keys)) > 4 else None
            if recipe is not None:
                return Mention(recipe=recipe), index + len(keys)
            keys.pop()
        return None


def _glue(words: tuple[str, ...]) -> str:
    """ "Egg drop soups" as "eggdropsoup"."""
    return "".join(word.replace("-", "").removesuffix("s") for word in words)


def _variants(names: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """Each name's words, in both numbers of the last one."""
    for name in names:
        words = name_words(name)
        if words:
            yield words
            yield from ((*words[:-1], other) for other in plurals(words[-1]))


def _spoken(words: tuple[str, ...], *, robot: bool) -> Iterable[tuple[str, ...]]:
    """An agent's name as it is written, and "R 2", "R two" for R2 as it is heard."""
    if words:
        yield words
    if robot and words[:1] == ("the",) and len(words) > 1:
        yield words[1:]
        yield ("robot", *words[1:])
    if "mobile" in words:
        yield from (tuple(said.split()) for said in _ON_WHEELS)
    if len(words) == 1 and (parts := re.fullmatch(r"([a-z]+)(\d)", words[0])):
        yield parts[1], parts[2]
        if parts[2] in _DIGIT_WORDS:
            yield parts[1], _DIGIT_WORDS[parts[2]]
