"""The interface to whatever answers requests: one asynchronous method. With a scripted transport.

Deadlines, retries, limits and recording are layers above it; nothing here knows of trees or
prompts. A transport that is to run under both drivers awaits only :func:`clock_sleep` and
:func:`forever`.
"""

from __future__ import annotations

import enum
import json
import sys
from collections.abc import Generator, Mapping, Sequence
from typing import Literal, Protocol

from treec.frozen import frozen
from treec.world.clock import Clock, RealClock

Role = Literal["system", "user", "assistant"]


@frozen
class Message:
    """One part of the prompt."""

    role: Role
    content: str


DECISION_PROVIDERS = ("systemone", "decisions")
"""The providers of decision models, by the first part of a model's name."""

QUESTIONS = "questions"
"""The key of a request's schema, where a decision model is asked typed questions."""


def is_decision_model(name: str | None) -> bool:
    """Whether a model answers typed questions, with probabilities."""
    return name is not None and name.partition("/")[0] in DECISION_PROVIDERS


def decision_model_name(name: str) -> str:
    """The whole name of a decision model: `systemone/NAME`, or `decisions/PROVIDER/NAME`."""
    if "/" not in name:
        return f"{DECISION_PROVIDERS[0]}/{name}"
    return name if is_decision_model(name) else f"{DECISION_PROVIDERS[1]}/{name}"


@frozen(eq=False)
class Request:
    """A question of the node called ``node``, of a file's ``kind``; ``attempt`` counts from 1.

    ``schema`` is the JSON Schema of the answer, or for a decision model its typed questions about
    the last message, below `questions` by their names. ``observation`` is what the node sees, as
    plain JSON.
    ``model`` and ``temperature`` are the node's own, if its file has them; ``timeout`` is how many
    seconds an answer may take, tries and waits included. ``asker`` is the run that
    asks: its requests that are the same may share an answer. Without one, each has an answer of its
    own, as samples need.
    """

    node: str
    kind: str
    messages: tuple[Message, ...]
    schema: Mapping[str, object]
    observation: Mapping[str, object]
    attempt: int = 1
    model: str | None = None
    temperature: float | None = None
    timeout: float | None = None
    asker: object = None


@frozen
class Answer:
    """The text that came back, and who gave it: ``offline``, ``hand`` or ``MODEL@VERSION``.

    ``cost`` is in US dollars, ``seconds`` how long it took; None if unknown. ``tries`` are
    the tries before it that got no answer, and why. ``confidence`` is the model's own, from 0 to 1:
    not the chance of being right.
    """

    text: str
    by: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    tries: tuple[str, ...] = ()
    confidence: float | None = None

    @property
    def tokens(self) -> int:
        """The tokens of the prompt and the answer, as far as they are known."""
        return sum(max(0, count or 0) for count in (self.input_tokens, self.output_tokens))


class TransportError(Exception):
    """There is no answer. The message is for people; the node falls back."""

    spent: Answer | None = None
    """Who was asked and what it took, where that is known."""


class Unavailable(TransportError):
    """No answer for now; a retry may help, after ``retry_after`` seconds if given."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class TooLarge(TransportError):
    """The response is larger than any answer may be."""


class Transport(Protocol):
    """Answers requests. A request is cancelled when its node is halted."""

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError."""


@frozen
class Pause:
    """Tells the stepping driver when to resume: at ``until``, or never (None)."""

    until: float | None

    def __await__(self) -> Generator[Pause, None, None]:
        yield self


async def clock_sleep(clock: Clock, seconds: float) -> None:
    """Sleep for some seconds of the clock.

    Under the stepping driver this sets a timer; inside asyncio, where only a real clock makes
    sense, the event loop sleeps.
    """
    if not _in_asyncio():
        await Pause(clock.now() + seconds)
        return
    import asyncio

    if not isinstance(clock, RealClock):
        raise TypeError("a virtual clock cannot be awaited inside asyncio: use SteppedAsker")
    await asyncio.sleep(clock.real_seconds(clock.now() + seconds))


async def forever() -> None:
    """Wait until cancelled."""
    if not _in_asyncio():
        await Pause(None)
        return
    import asyncio

    await asyncio.get_running_loop().create_future()


def _in_asyncio() -> bool:
    # By sys.modules: a run that asks nothing over the network does not pay for asyncio.
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


class Silence(enum.Enum):
    """An answer that never comes."""

    NEVER = "never"


NEVER = Silence.NEVER
"""In a script, in place of an answer: the request waits until it is cancelled."""

ScriptedAnswer = str | Mapping[str, object] | Exception | Silence


@frozen
class Scripted:
    """An answer that comes after some seconds of the clock."""

    answer: ScriptedAnswer
    after: float = 0.0


class ScriptedTransport:
    """Answers each node's requests from a list, in order, then with ``default``.

    A string is sent as it is, a mapping as JSON, an exception is raised. ``requests`` holds all
    requests.
    """

    def __init__(
        self,
        answers: Mapping[str, Sequence[ScriptedAnswer | Scripted]],
        default: ScriptedAnswer | Scripted | None = None,
        *,
        clock: Clock | None = None,
        by: str = "scripted",
    ) -> None:
        self.requests: list[Request] = []
        self._answers = {node: tuple(sent) for node, sent in answers.items()}
        self._default = default
        self._clock = clock
        self._by = by
        self._given: dict[str, int] = {}
        for node, sent in answers.items():
            # A lone text is a sequence too: it would answer letter by letter.
            if isinstance(sent, (str, Mapping)):
                raise TypeError(f"the answers of {node} must be a list of answers")
        everything = [*(one for sent in self._answers.values() for one in sent), default]
        if clock is None and any(isinstance(one, Scripted) and one.after for one in everything):
            raise ValueError("an answer that takes time needs a clock")

    async def ask(self, request: Request) -> Answer:
        """The node's next answer. Raises TransportError if there is none."""
        self.requests.append(request)
        scripted = self._next(request.node)
        if not isinstance(scripted, Scripted):
            scripted = Scripted(scripted)
        if scripted.after and self._clock is not None:
            await clock_sleep(self._clock, scripted.after)
        answer = scripted.answer
        if isinstance(answer, Silence):
            await forever()
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Answer(text, by=self._by)

    def unused(self) -> dict[str, int]:
        """The number of unused answers, by node; empty if all were used."""
        unused = {
            node: len(sent) - self._given.get(node, 0) for node, sent in self._answers.items()
        }
        return {node: count for node, count in unused.items() if count}

    def _next(self, node: str) -> ScriptedAnswer | Scripted:
        answers = self._answers.get(node, ())
        sent = self._given.get(node, 0)
        if sent < len(answers):
            self._given[node] = sent + 1
            return answers[sent]
        if self._default is not None:
            return self._default
        raise TransportError(f"{node} asked {sent + 1} times, but {len(answers)} are scripted")
