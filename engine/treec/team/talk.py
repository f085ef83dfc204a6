"""Plain data about the team for parsers of people's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.frozen import frozen


@frozen
class TalkAgent:
    """An agent; `stopped`: it is interrupted and waits to be resumed."""

    name: str
    also: tuple[str, ...] = ()
    person: bool = False
    stopped: bool = False

    def names(self) -> Iterator[str]:
        """What it goes by."""
        yield from (self.name, *self.also)


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
    asked: bool = False
    """Whether somebody asked for it: no recipe has it."""


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
    one", "yes" and "that" may mean while no recipe is set. `before` is what the user said last, the
    latest first: "sorry, I meant the other one" corrects it.
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
    before: tuple[str, ...] = ()
    sight: object = None
