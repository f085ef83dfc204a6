"""A decision's request, and what asks it over real HTTP."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from treec.ask.transport import Answer, Message, Request
from treec_models.fingerprint import FingerprintParts
from treec_models.models import ModelClients

SCHEMA = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "choose": {"type": "string", "enum": ["Cook", "Rest"]},
    },
    "required": ["reasoning", "choose"],
    "additionalProperties": False,
}
SAID = (Message("system", "You help in a kitchen."), Message("user", "available: get pepper"))
QUESTION = Request("Execution", "decision", SAID, SCHEMA, {"available": ["get pepper"]})
PARTS = FingerprintParts(
    node="Choose",
    kind="decision",
    observation="mood: merry",
    system="You help.",
    instructions="Choose one.",
    examples=(("mood: calm", '{"choose": "Rest"}'),),
    schema={"type": "object", "required": ["choose"]},
    temperature=0.0,
    knows={"capabilities": ["R1 can get"]},
)
"""A question with each of its parts."""
GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""


def ask(url: str, *questions: Request, model: str = "openai/fake") -> list[Answer]:
    """The answers of a server to questions asked one after the other."""

    async def all_of_them() -> list[Answer]:
        asked = ModelClients(model, url)
        return [await asked.ask(replace(one, timeout=GUARD)) for one in questions or (QUESTION,)]

    return asyncio.run(all_of_them())


def script(*cases: dict[str, Any]) -> dict[str, Any]:
    """A script of these cases."""
    return {"cases": list(cases)}
