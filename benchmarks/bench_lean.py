"""MOSAIC with a model at every node, and with a model at the reading alone (`mosaic_lean`)."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.ask.transport import Answer, Request, TransportError, clock_sleep
from treec.files.library import Library, load_library
from treec.files.view import View
from treec.run.run import Run
from treec.team.events import Said
from treec.world.clock import VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal, Record

TALK = (
    "Let's make a caesar salad.",
    "Yes please.",
    "Who has the croutons?",
    "R2, stop!",
    "R2, go on.",
    "I will chop the lettuce.",
    "What is left to do?",
    "R1 should get the ranch sauce.",
    "The lettuce is done.",
    "Thank you.",
)
EVERY = 20.0
ANSWER = 1.0
"""Simulated seconds until a request comes back."""
CHARACTERS = 4
"""Characters for one token."""


def run(small: bool) -> list[Table]:
    """One conversation with each system."""
    library = load_library(ROOT)
    talk = TALK[:2] if small else TALK
    return [
        Table(
            "A model at every node, and at the reading alone",
            (
                *("system", "utterances", "requests", "requests an utterance"),
                *("prompt tokens an utterance", "reply after, s", "worst, s"),
            ),
            [row(library, system, talk) for system in ("mosaic", "mosaic_lean")],
            (
                f"The same {len(talk)} utterances, one every {EVERY:g} s of virtual time, robots "
                f"at work. Every request comes back after {ANSWER:g} s without an answer, so that "
                "rules and parsers decide the same in both: counted is what would be asked and "
                "waited for, whatever the model. Requests that a choice made irrelevant count. "
                f"Tokens: {CHARACTERS} characters each. 'Reply after': from the words to the "
                "assistant's next sentence, median and worst.",
            ),
        )
    ]


@dataclass
class Unanswered:
    """A transport that counts what it is asked, and never answers."""

    clock: VirtualClock
    tokens: list[int] = field(default_factory=list)

    async def ask(self, request: Request) -> Answer:
        """Raise TransportError after `ANSWER` seconds."""
        text = sum(len(message.content) for message in request.messages)
        self.tokens.append((text + len(str(request.schema))) // CHARACTERS)
        await clock_sleep(self.clock, ANSWER)
        raise TransportError("this transport never answers")


def row(library: Library, system: str, talk: tuple[str, ...]) -> tuple[Cell, ...]:
    """The conversation with one system."""
    clock = VirtualClock()
    transport = Unanswered(clock)
    view = View(library, library.find("system", system))
    kitchen = Run(view, clock, Journal.in_memory(), transport=transport, chat=True)
    replies: list[float] = []

    def on_record(record: Record) -> None:
        if any(isinstance(e, Said) and e.who == "assistant" for e in flat(record.event)):
            replies.append(record.t)

    kitchen.world.subscribe(on_record)
    waits: list[float] = []
    for words in talk:
        begin = clock.now()
        replies.clear()
        kitchen.say(words)
        kitchen.loop.run(deadline=begin + EVERY)
        if replies:
            waits.append(replies[0] - begin)
    kitchen.loop.shutdown()
    return (
        system,
        len(talk),
        len(transport.tokens),
        len(transport.tokens) / len(talk),
        sum(transport.tokens) / len(talk),
        statistics.median(waits),
        max(waits),
    )
