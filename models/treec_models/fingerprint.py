"""The parts of a question, with a fingerprint of the whole request and of each part.

The whole is everything that the model gets to see. The fingerprints of the parts tell which one
has changed: system text, instructions, examples, observation, schema or settings. What a node
`knows` of its library is kept beside them; it is not in the whole, since the texts show it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from treec.ask.transport import Message, Request

DIGITS = 16
"""Hexadecimal digits of a fingerprint: 64 bits, enough for thousands of questions; no secret."""


def fingerprint(value: object) -> str:
    """A hash of plain data, the same in every process."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


@dataclass(frozen=True, slots=True)
class FingerprintParts:
    """The parts of a node's first request. `examples` are pairs (observation, answer)."""

    node: str
    kind: str
    observation: str
    system: str
    instructions: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    schema: Mapping[str, object] = field(default_factory=dict)
    model: str | None = None
    temperature: float | None = None
    knows: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(
        cls, request: Request, system: str = "", knows: Mapping[str, object] | None = None
    ) -> FingerprintParts:
        """Split a request into its parts; `system` is the file's rendered system text, if known."""
        messages = list(request.messages[: len(request.messages) - 2 * (request.attempt - 1)])
        head = messages.pop(0).content if messages and messages[0].role == "system" else ""
        first, instructions = "", head
        if system and (head == system or head.startswith(system + "\n\n")):
            first, instructions = system, head[len(system) :].removeprefix("\n\n")
        pairs = zip(messages[:-1:2], messages[1:-1:2], strict=False)
        return cls(
            node=request.node,
            kind=request.kind,
            observation=messages[-1].content if messages else "",
            system=first,
            instructions=instructions,
            examples=tuple((observation.content, answer.content) for observation, answer in pairs),
            schema=request.schema,
            model=request.model,
            temperature=request.temperature,
            knows=knows or {},
        )

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the request."""
        head = "\n\n".join(text for text in (self.system, self.instructions) if text)
        found = [Message("system", head)] if head else []
        for observation, answer in self.examples:
            found += [Message("user", observation), Message("assistant", answer)]
        return (*found, Message("user", self.observation))

    @property
    def whole(self) -> str:
        """The fingerprint of the request."""
        return _whole(
            self.node, self.kind, self.messages, self.schema, self.model, self.temperature
        )

    def parts(self) -> dict[str, str]:
        """The parts as texts, as shown in diffs."""
        examples = [
            f"example {number}:\n{observation}\n→ {answer}"
            for number, (observation, answer) in enumerate(self.examples, 1)
        ]
        settings = f"model: {self.model or 'any'}\ntemperature: {_number(self.temperature)}"
        return {
            "system": self.system,
            "instructions": self.instructions,
            "examples": "\n\n".join(examples),
            "observation": self.observation,
            "schema": json.dumps(self.schema, indent=1, ensure_ascii=False),
            "settings": settings,
            "knows": "\n".join(
                f"{name}: {json.dumps(value, ensure_ascii=False)}"
                for name, value in self.knows.items()
            ),
        }

    def fingerprints(self) -> dict[str, str]:
        """The fingerprints of the whole and of each part that is not empty."""
        parts = {name: fingerprint(text) for name, text in self.parts().items() if text}
        return {"whole": self.whole, **parts}


def request_fingerprint(request: Request) -> str:
    """The fingerprint of a request, which includes earlier attempts and their reasons."""
    return _whole(
        request.node,
        request.kind,
        request.messages,
        request.schema,
        request.model,
        request.temperature,
    )


def _whole(
    node: str,
    kind: str,
    messages: Sequence[Message],
    schema: Mapping[str, object],
    model: str | None,
    temperature: float | None,
) -> str:
    texts = [[message.role, message.content] for message in messages]
    number = None if temperature is None else float(temperature)
    return fingerprint([node, kind, texts, schema, model, number])


def _number(value: float | None) -> str:
    return "the model's own" if value is None else f"{value:g}"
