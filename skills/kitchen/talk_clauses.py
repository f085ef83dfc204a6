"""An utterance cut into clauses, in which names stand as `@a0`, `@o1`, `@r2`.

With the names out of the way a clause is a short line of words that regular expressions can
judge as a whole: "R2 should get ranch sauce first" is `@a0 should get @o1 first`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from skills.kitchen.talk_fold import fold
from skills.kitchen.talk_names import Mention, Names
from skills.kitchen.talk_words import Item, items

_JOINTS = frozenset({"and", "then", "but", "plus", "before", "except"})
_SENTENCE_ENDS = frozenset(".!?…\n")
LONGEST_CLAUSE = 40


@dataclass(frozen=True)
class Clause:
    """Words between two joints.

    `joint` is what stood before it: a connecting word, else a break's character, "" at the very
    start. `sentence` numbers the sentences; `asks` says that its sentence ends in a question mark.
    `said` holds the words of each mention.
    """

    words: tuple[Item, ...]
    mentions: tuple[Mention, ...]
    joint: str
    sentence: int
    asks: bool = False
    said: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def line(self) -> str:
        """The clause's words with one space between them."""
        return " ".join(word.key for word in self.words)

    @property
    def start(self) -> int:
        """Where it begins in the utterance."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """Where it ends in the utterance."""
        return self.words[-1].end

    @property
    def too_long(self) -> bool:
        """Nobody gives an order in so many words; it is not judged."""
        return len(self.words) > LONGEST_CLAUSE

    def mention(self, key: str) -> Mention:
        """What a placeholder like `@o1` stands for."""
        return self.mentions[int(key[2:])]

    def keys(self, letter: str, line: str | None = None) -> list[str]:
        """The placeholders of agents (`a`), objects (`o`) or recipes (`r`) in a line."""
        return [key for key in (line or self.line).split() if key.startswith("@" + letter)]

    def agents(self, line: str | None = None) -> list[str]:
        """The agents named in it, once each, in order."""
        names = [self.mention(key).agent for key in self.keys("a", line)]
        return list(dict.fromkeys(name for name in names if name))

    def cut(self, count: int) -> tuple[Clause, Clause]:
        """Its first `count` words and the rest, each a clause; the second has no joint."""
        head, tail = self.words[:count], self.words[count:]
        return (
            Clause(head, self.mentions, self.joint, self.sentence, self.asks, self.said),
            Clause(tail, self.mentions, "", self.sentence, self.asks, self.said),
        )


def clauses(text: str, names: Names) -> list[Clause]:
    """The clauses of an utterance, in order; none is empty."""
    words = fold(items(text))
    mentions: list[Mention] = []
    said: list[tuple[str, ...]] = []
    found: list[tuple[list[Item], str, int]] = []
    ends: dict[int, str] = {}
    sentence, joint, run = 0, "", list[Item]()

    def close(next_joint: str) -> None:
        nonlocal run, joint
        if run:
            found.append((run, joint, sentence))
            joint = next_joint
        elif next_joint.isalpha() or not joint.isalpha():
            joint = next_joint  # in ", and" the word says more than the comma
        run = []

    index = 0
    while index < len(words):
        word = words[index]
        named = None if word.breaks else names.at(words, index)
        if named is not None:
            began = index
            mention, index = named
            said.append(tuple(names.mend(it.key) for it in words[began:index]))
            if mention.agent and run and run[-1].key == "the":
                word = run.pop()
            key = f"@{mention.letter}{len(mentions)}"
            mentions.append(mention)
            run.append(Item(key, word.start, words[index - 1].end))
            continue
        if word.breaks:
            close(word.key)
            if word.key in _SENTENCE_ENDS:
                ends.setdefault(sentence, word.key)
                if word.key == "?":
                    ends[sentence] = "?"
                following = words[index + 1] if index + 1 < len(words) else None
                if following is not None and not (following.breaks and following.key in "?!."):
                    sentence += 1
        elif word.key in _JOINTS or (word.key == "so" and _goes_on(words, index, bool(run), names)):
            close(word.key)
        else:
            run.append(word)
        index += 1
    close("")
    everything = tuple(mentions)
    return [
        Clause(tuple(run), everything, joint, number, ends.get(number) == "?", tuple(said))
        for run, joint, number in found
    ]


def _goes_on(words: list[Item], index: int, within: bool, names: Names) -> bool:
    """Whether a "so" leads to something new: not in "so good", "I think so"."""
    if index + 1 >= len(words) or words[index + 1].breaks:
        return False
    if not within or words[index + 1].key in ("i", "you", "we", "please", "let's"):
        return True
    named = names.at(words, index + 1)
    return named is not None and named[0].agent is not None
