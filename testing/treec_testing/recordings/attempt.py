"""An answer of a model as it is recorded: to which request, by whom, and the node's verdict."""

from __future__ import annotations

from treec.ask.transport import Answer, Request
from treec.files.fields import Model
from treec_models.fingerprint import request_fingerprint
from treec_models.redaction import Redactor

ALWAYS = "always"
"""The author of what a rule of `always` has decided."""


class Attempt(Model):
    """An answer: to which request, by whom, and the node's verdict."""

    asked: str
    by: str
    answer: str
    verdict: str = "accepted"
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    confidence: float | None = None
    tries: list[str] = []


def attempt_of(request: Request, answer: Answer, redact: Redactor) -> Attempt:
    """An answer as it is recorded, without keys."""
    return Attempt(
        asked=request_fingerprint(request),
        by=answer.by,
        answer=redact(answer.text),
        input_tokens=answer.input_tokens,
        confidence=answer.confidence,
        output_tokens=answer.output_tokens,
        cost=answer.cost,
        seconds=answer.seconds,
        tries=[redact(one) for one in answer.tries],
    )
