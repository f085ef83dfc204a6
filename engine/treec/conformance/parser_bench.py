"""What a parser is tried on: sentences, and contexts in which they are said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from treec.conformance.bench import PATIENCE
from treec.conformance.places import place_of_error
from treec.conformance.trial import CodePlace, Misbehaviour, NotTried
from treec.conformance.watch import PlayWatch
from treec.team.talk import (
    TalkAgent,
    TalkContext,
    TalkObject,
    TalkProposal,
    TalkSubtask,
    TalkTask,
)

QUICK = 2.0
"""Real seconds in which a long text is read."""

PLAIN_CONTEXT = TalkContext(
    agents=(TalkAgent("R1", ("robot one",)), TalkAgent("R2"), TalkAgent("user", person=True)),
    user="user",
    proposals=(),
    subtasks=(),
    recipes=("Morning Orders",),
    recipe_name="",
    tasks=(TalkTask("fetch", ("get {item}", "bring {item}"), {"item": "Item"}),),
    objects=(TalkObject("crate", ("box",), ("Item",)), TalkObject("dock", (), ("Place",))),
    acts=("accept", "decline", "request", "stop", "resume", "ask", "remark"),
)
"""The context for a parser that no reading names."""

EMPTY_CONTEXT = TalkContext((), "user", (), (), (), "", (), (), ())

SENTENCES = (
    "yes",
    "no, thanks",
    "yes, but not the first one",
    "stop",
    "stop!",
    "go on",
    "what are you doing?",
    "hello there",
    "Please do that. And then the other one, too.",
    "thank you",
    "I have done it",
    "forget it",
    "who is free?",
    "that's wrong",
)
"""What people say everywhere."""


@dataclass(frozen=True)
class Heard:
    """What a parser made of a text in a context."""

    text: str
    context: TalkContext
    acts: Any = None
    error: BaseException | None = None
    place: CodePlace | None = None
    seconds: float = 0.0

    @property
    def known_acts(self) -> list[Mapping[str, Any]]:
        """The acts that have their form."""
        if not isinstance(self.acts, list | tuple):
            return []
        return [act for act in self.acts if isinstance(act, Mapping)]


Parser = Callable[[str, TalkContext], Any]
JudgeAct = Callable[[Mapping[str, Any], str], str]
"""Why an act of a text is not one of the reading, or nothing."""


@dataclass
class ParserBench:
    """A parser, and what was said to it.

    ``judge`` says why an act is none of the reading; None if no reading names the parser.
    """

    parser: Parser
    context: TalkContext = PLAIN_CONTEXT
    judge: JudgeAct | None = None
    patience: float = PATIENCE
    quick: float = QUICK
    watches: list[PlayWatch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.untouched = deepcopy(self.context)
        self.context = deepcopy(self.context)

    def hear(self, *said: tuple[str, TalkContext]) -> list[Heard]:
        """Let the parser read texts one after another, in one play. Raises Misbehaviour if held."""
        found: list[Heard] = []
        watch = PlayWatch(self.patience)

        def play() -> None:
            for text, context in said:
                found.append(self._read(text, context))
                watch.beat()

        watch.run(play)
        self.watches.append(watch)
        if watch.is_held:
            text = said[len(found)][0]
            what = f"{_shown(text)} was not read in {self.patience:g} s"
            raise Misbehaviour(what, watch.held)
        return found

    def read(self, text: str) -> Heard:
        """One text in the bench's context."""
        return self.hear((text, self.context))[0]

    def _read(self, text: str, context: TalkContext) -> Heard:
        began = time.perf_counter()
        try:
            acts = self.parser(text, context)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Heard(text, context, error=error, place=place_of_error(error))
        return Heard(text, context, acts, seconds=time.perf_counter() - began)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Ordinary sentences about what is there."""
        context = self.context
        things = [thing.name for thing in context.objects] or ["crate"]
        names = [agent.name for agent in context.agents if not agent.person] or ["R1"]
        patterns = [pattern for task in context.tasks for pattern in task.says][:30]
        asked = [_filled(pattern, things, n) for n, pattern in enumerate(patterns)]
        return (
            *SENTENCES,
            *asked,
            *(f"{names[n % len(names)]}, {words}" for n, words in enumerate(asked[:10])),
            *(f"{name}, stop!" for name in names),
            *(f"let's make {recipe}" for recipe in context.recipes[:5]),
        )

    @cached_property
    def plain(self) -> list[Heard]:
        """What it made of ordinary sentences, also while a proposal is open and work is done."""
        busy = self.busy_context
        try:
            return self.hear(
                *((text, self.context) for text in self.sentences),
                *((text, busy) for text in self.sentences),
            )
        except Misbehaviour:
            return []

    @property
    def busy_context(self) -> TalkContext:
        """The context with an open proposal and subtasks."""
        names = [agent.name for agent in self.context.agents if not agent.person] or ["R1"]
        words = "get the crate"
        return replace(
            self.context,
            proposals=(TalkProposal("p1", names[0], "t1", words),),
            subtasks=(
                TalkSubtask("t1", words, "ready"),
                TalkSubtask("t2", "get the box", "running", names[-1]),
                TalkSubtask("t3", "get the other box", "done", names[0]),
            ),
        )

    def healthy(self) -> list[Heard]:
        """What it made of ordinary sentences. Raises NotTried if there are none."""
        if not self.plain:
            raise NotTried("ordinary sentences were not read")
        return self.plain


def require_read(heard: Iterable[Heard]) -> None:
    """Raise Misbehaviour for the first text whose reading raised."""
    for one in heard:
        if one.error is not None:
            raise Misbehaviour(
                f"{_shown(one.text)} made it raise {type(one.error).__name__}: {one.error}",
                one.place,
            )


def shown(heard: Heard) -> str:
    """A text as findings show it."""
    return _shown(heard.text)


def _shown(text: str) -> str:
    return repr(text) if len(text) <= 40 else f"{text[:30]!r}… ({len(text):,} characters)"


def _filled(pattern: str, things: list[str], number: int) -> str:
    """A task's pattern of words with things in its places."""
    for step in range(10):
        before, opened, rest = pattern.partition("{")
        if not opened:
            break
        _, _, after = rest.partition("}")
        pattern = before + things[(number + step) % len(things)] + after
    return pattern.replace("[", "").replace("]", "").replace("|", " ")
