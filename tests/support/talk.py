"""A parser for tests: it reads a few fixed phrases, and raises or lies when it is told to."""

from __future__ import annotations

import re
from typing import Any

from treec.team.talk import TalkContext


def read(text: str, context: TalkContext) -> Any:
    """The acts in words such as `stop R1`, `yes`, `no`, `R2: get pepper`, `raise`, `nonsense`."""
    if text == "raise":
        raise RuntimeError("the parser broke")
    if text == "nonsense":
        return [{"kind": "accept", "quote": "words nobody said", "proposals": []}]
    found: list[dict[str, Any]] = []
    for match in re.finditer(r"\bstop(?: (R\d))?", text):
        found.append({"kind": "stop", "quote": match[0], "agent": match[1]})
    ids = [proposal.id for proposal in context.proposals]
    if text == "yes":
        found.append({"kind": "accept", "quote": text, "proposals": ids})
    if text == "no":
        found.append({"kind": "decline", "quote": text, "proposals": ids})
    if asked := re.fullmatch(r"(R\d): get (.+)", text):
        task = {"agent": asked[1], "task": "get", "args": {"item": asked[2]}, "first": False}
        found.append({"kind": "request", "quote": text, **task})
    return found
