"""Plain data about the team for parsers of people's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treec.frozen import frozen

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@frozen
class TalkAgent:
    """An agent; `stopped`: it is interrupted and waits to be resumed."""

    name: str
    also: tuple[str, ...] = ()
    person: bool = False
    stopped: bool = False

    def names(self) -> Iterator[str]:
        """What it goes by; a robot with a number is also called by that: R2 is "robot two"."""
        yield from (self.name, *self.also)
        numbered = re.fullmatch(r"([A-Za-z]+)[ -]?([1-9])", self.name)
        if numbered and not self.person:
            letters, digit = numbered.groups()
            for number in (digit, _NUMBERS[int(digit) - 1]):
                for before in (letters, "robot", "robot number", "number"):
                    yield f"{before} {number}"
            yield f"{letters}-{digit}"


@frozen
class TalkProposal:
    """An open proposal: the agent would do the subtask."""

    id: str
    agent: str
    subtask: str
    words: str


@frozen
class TalkSubtask:
    """A subtask. status: waiting, ready, queued, running, interrupted, done, dropped or failed."""

    id: str
    words: str
    status: str
    agent: str | None = None
    failed: bool = False
    """Whether it failed, though it may be ready to be tried again."""


@frozen
class TalkTask:
    """A task: its patterns of words, and the types of its arguments by name."""

    name: str
    says: tuple[str, ...]
    args: Mapping[str, str]


@frozen
class TalkObject:
    """A thing of the scene; `types` are its type and that one's ancestors."""

    name: str
    also: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


@frozen
class TalkContext:
    """The situation in which an utterance is parsed. Proposals are the open ones, oldest first.

    `offered` are the recipes that the assistant named when it last spoke, in order: what "the first
    one", "yes" and "that" may mean while no recipe is set.
    """

    agents: tuple[TalkAgent, ...]
    user: str
    proposals: tuple[TalkProposal, ...]
    subtasks: tuple[TalkSubtask, ...]
    recipes: tuple[str, ...]
    recipe_name: str
    tasks: tuple[TalkTask, ...]
    objects: tuple[TalkObject, ...]
    acts: tuple[str, ...]
    offered: tuple[str, ...] = ()
