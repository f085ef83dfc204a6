"""A parser for tests of readings that have one: yes, no and stop, nothing else."""

from __future__ import annotations

from treec.team.talk import TalkContext

ACTS = ["accept", "decline", "request", "done", "drop", "stop", "resume", "choose", "ask", "remark"]


def read(text: str, context: TalkContext) -> list[dict[str, object]]:
    """The act of a text of one word or two."""
    word = text.lower().strip(" .!").partition(" ")[0]
    proposals = [proposal.id for proposal in context.proposals]
    if word in ("yes", "no") and proposals:
        kind = "accept" if word == "yes" else "decline"
        return [{"kind": kind, "quote": text, "proposals": proposals}]
    if word == "stop":
        return [{"kind": "stop", "quote": text, "agent": None}]
    return [{"kind": "remark", "quote": text}] if text.strip() else []
