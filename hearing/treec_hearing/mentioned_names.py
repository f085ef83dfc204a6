"""The names of the moment that an utterance mentions, in whole or in part."""

from __future__ import annotations

from itertools import islice

from treec_hearing.mentions import Mentions


class MentionedNames:
    """The names of the moment that are mentioned in an utterance, in whole or in part."""

    def __init__(self, mentions: Mentions) -> None:
        self.context, self.lexicon = mentions.context, mentions.lexicon
        self.agents: dict[str, set[int]] = {}
        self.things: dict[str, set[int]] = {}
        self.parts: dict[str, set[int]] = {}
        """Things of whose name only a word is said."""
        self.tasks: dict[str, set[int]] = {}
        self.complete: set[str] = set()
        """Tasks all of whose words are said."""
        self.said: set[tuple[str, frozenset[tuple[str, str]]]] = set()
        """Tasks that are said as their files say them, with their things."""
        self.recipes: dict[str, set[int]] = {}
        self.recipe_parts: dict[str, set[int]] = {}
        self.counts: dict[int, set[int]] = {}
        """Place in a list from 1, or backwards from -1; 0 is all."""
        self.base_verbs: set[int] = set()
        """Words that are a task's verb as in an order."""
        for at in range(len(mentions.words)):
            self._note(mentions, at)
        self.named = set().union(*self.things.values())
        for at, stem in enumerate(mentions.stems):
            if at not in self.named and not self._is_numbered_otherwise(mentions, at):
                for name in self.lexicon.things_with(stem):
                    self.parts.setdefault(name, set()).add(at)
            for name in self.lexicon.recipes_with(stem):
                self.recipe_parts.setdefault(name, set()).add(at)

    def _is_numbered_otherwise(self, mentions: Mentions, at: int) -> bool:
        """Whether the next word is a number that no thing has: "crate 99" is no crate here."""
        stems = mentions.stems
        after = stems[at + 1] if at + 1 < len(stems) and not mentions.words[at + 1].breaks else ""
        return after.isdigit() and not self.lexicon.things_with(after)

    def _note(self, mentions: Mentions, at: int) -> None:
        for end, name in islice(mentions.find("Agent", at), 1):
            self.agents.setdefault(str(name), set()).update(range(at, end))
        for end, name in islice(mentions.find("", at), 1):
            self.things.setdefault(str(name), set()).update(range(at, end))
        for end, name in islice(mentions.find("Recipe", at), 1):
            self.recipes.setdefault(str(name), set()).update(range(at, end))
        for pattern, words, complete in mentions.verbs(at):
            self.tasks.setdefault(pattern.task, set()).update(words)
            self.complete |= {pattern.task} if complete else set()
            self.base_verbs |= {at} if pattern.base else set()
        for _, said, _ in mentions.every_task(at):
            self.said.add((said.task, frozenset(said.args)))
        for end, number in mentions.numbers(at):
            self.counts.setdefault(number, set()).update(range(at, end))
