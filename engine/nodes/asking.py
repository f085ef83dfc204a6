"""A question to whoever answers, asked again with the reason while its answers are refused.

The node decides what is wrong with an answer; this keeps the attempts, the request in flight, and
what goes into the journal of both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.ask.driver import Handle
from engine.ask.transport import Answer, Message, Request
from engine.files.entry import AnyEntry
from engine.files.prompts import Prompt
from engine.nodes.observation import Observation, plain
from engine.nodes.runtime import Runtime
from engine.source.scope import MappingScope, Scope
from engine.source.template import Template
from engine.team.given import example_values


class Asking:
    """One question: in flight, answered, or given up."""

    def __init__(
        self,
        runtime: Runtime,
        entry: AnyEntry,
        path: str,
        messages: Sequence[Message],
        schema: Mapping[str, object],
        observation: Observation,
    ) -> None:
        self.runtime = runtime
        self.entry = entry
        self.path = path
        self.observation = observation
        self.words = words(runtime)
        self.attempt = 0
        self._messages = list(messages)
        self._schema = schema
        self._handle: Handle | None = None
        self._result: Answer | Exception | None = None
        self._ask()

    @property
    def overtaken(self) -> bool:
        """Whether the user has said something, or was understood, since this was asked."""
        return not words(self.runtime) <= self.words

    def take(self) -> Answer | Exception | None:
        """What came back, once; None while it is in flight."""
        result, self._result = self._result, None
        return result

    def again(self, answer: Answer, reason: str) -> bool:
        """Ask again with the reason; False when that was done often enough."""
        told = {"node": self.path, "attempt": self.attempt, "by": answer.by, "text": answer.text}
        self.runtime.world.emit("answered", {**told, "refused": reason}, self.path)
        model: Prompt = self.entry.model
        if self.attempt > model.model.retries:
            return False
        self._messages += [
            Message("assistant", answer.text),
            Message("user", f"That cannot be used: {reason} Answer again."),
        ]
        self._ask()
        return True

    def accepted(self, answer: Answer) -> None:
        """Note in the journal that the answer was used."""
        told = {"node": self.path, "attempt": self.attempt, "by": answer.by, "text": answer.text}
        self.runtime.world.emit("answered", told, self.path)

    def failed(self, error: Exception) -> None:
        """Note in the journal that no answer came."""
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        told = {"node": self.path, "attempt": self.attempt, "failed": reason}
        self.runtime.world.emit("answered", told, self.path)

    def cancel(self) -> None:
        """Close the request; its answer is nobody's any more."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._result = None

    def _ask(self) -> None:
        self.attempt += 1
        asker = self.runtime.asker
        assert asker is not None
        seen = {name: plain(value) for name, value in self.observation.values.items()}
        request = Request(
            node=self.entry.name,
            kind=self.entry.kind,  # type: ignore[arg-type]
            messages=tuple(self._messages),
            schema=self._schema,
            observation=seen,
            attempt=self.attempt,
        )
        self.runtime.world.emit("asked", {"node": self.path, "attempt": self.attempt}, self.path)
        deadline = self.entry.model.model.timeout
        self._handle = asker.start(request, self._deliver, deadline)

    def _deliver(self, result: Answer | Exception) -> None:
        self._handle = None
        self._result = result


def words(runtime: Runtime) -> frozenset[str]:
    """The id of what people said last, and of all that was understood and is not settled.

    It is within that of an earlier moment as long as nothing was said or understood since.
    """
    now = runtime.team.now
    return frozenset((now.talk.last_heard, *(act.id for act in now.acts)))


def messages(
    runtime: Runtime,
    entry: AnyEntry,
    scope: Scope,
    extra: Mapping[str, object],
    render_answer: Callable[[Any], str],
) -> list[Message]:
    """The prompt of a node: its system text and instructions, its examples, what it sees now."""
    model: Prompt = entry.model
    outer = MappingScope(extra, parent=scope)
    head = [
        Template.parse(text).render(outer).strip()
        for text in (model.system, model.instructions)
        if text
    ]
    found = [Message("system", "\n\n".join(head))] if head else []
    for example in getattr(model, "examples", ()):
        knowledge = runtime.team.knowledge
        values = example_values(knowledge, (*model.sees, *model.recalls), example.given)
        given = MappingScope({**values, **extra}, parent=scope)
        found.append(Message("user", render_observation(model, given)))
        found.append(Message("assistant", render_answer(example.answer)))
    found.append(Message("user", render_observation(model, outer)))
    return found


def render_observation(model: Prompt, scope: Scope) -> str:
    """What a node sees, through its own template or a line for each name."""
    if model.observation is not None:
        return Template.parse(model.observation).render(scope).strip()
    lines = []
    for name in (*model.sees, *model.recalls):
        value = scope.lookup(name)
        said = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        lines.append(f"{name}: {said or 'none'}")
    return "\n".join(lines)


def closed(
    properties: Mapping[str, object], required: Sequence[str] | None = None
) -> dict[str, object]:
    """The JSON Schema of an object that has these properties and no others; all, if not said."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else list(required),
        "additionalProperties": False,
    }


def answer_json(answer: Any) -> str:
    """An example's answer as the model should write it."""
    return json.dumps(answer.model_dump(), ensure_ascii=False)


def parse_answer(answer: Answer) -> Mapping[str, Any]:
    """The answer's JSON object. Raises ValueError, saying what is wrong."""
    try:
        data = json.loads(answer.text)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at character {error.pos}.") from None
    except RecursionError:
        raise ValueError("it is nested too deeply.") from None
    if not isinstance(data, dict):
        raise ValueError("it must be a JSON object.")
    return data
