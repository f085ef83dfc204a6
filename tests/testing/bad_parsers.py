"""A parser that passes all trials, and for each trial some that do not."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

from treec import TalkContext

Acts = list[dict[str, Any]]


def good(text: str, context: TalkContext) -> Acts:
    """Stops, yes, no, and remarks."""
    found: Acts = []
    for match in re.finditer(r"\b(stop|yes|no)\b", text[:2000], re.IGNORECASE):
        word = match[0].lower()
        if word == "stop" and "stop" in context.acts:
            names = [a.name for a in context.agents if not a.person and a.name in text]
            found.append({"kind": "stop", "quote": match[0], "agent": (names or [None])[0]})
        kind = {"yes": "accept", "no": "decline"}.get(word)
        if kind in context.acts and context.proposals:
            ids = [proposal.id for proposal in context.proposals]
            found.append({"kind": kind, "quote": match[0], "proposals": ids})
    return found


def one_argument(text: str) -> Acts:
    return []


def raises(text: str, context: TalkContext) -> Acts:
    return [{"kind": "remark", "quote": text.split()[5]}]


def exits(text: str, context: TalkContext) -> Acts:
    if text == "stop":
        sys.exit()
    return good(text, context)


def gives_none(text: str, context: TalkContext) -> Any:
    return good(text, context) or None


def no_quote(text: str, context: TalkContext) -> Any:
    return [{"kind": act["kind"]} for act in good(text, context)]


def gives_texts(text: str, context: TalkContext) -> Any:
    return [act["kind"] for act in good(text, context)]


def own_kind(text: str, context: TalkContext) -> Acts:
    return [{"kind": "greet", "quote": "hello"}] if "hello" in text else good(text, context)


def own_quote(text: str, context: TalkContext) -> Acts:
    return [{**act, "quote": f"{act['quote']}!!"} for act in good(text, context)]


def wrong_field(text: str, context: TalkContext) -> Acts:
    return [{**act, "agent": 7} if act["kind"] == "stop" else act for act in good(text, context)]


def gives_a_set(text: str, context: TalkContext) -> Acts:
    return [{**act, "seen": {1}} for act in good(text, context)]


def first_letter(text: str, context: TalkContext) -> Acts:
    return good(text, context) if text[0] else []


def grows(text: str, context: TalkContext) -> Acts:
    if len(text) > 5_000:
        threading.Event().wait(0.4)
    return good(text, context)


def lowers(text: str, context: TalkContext) -> Acts:
    low = text.lower()
    return [{"kind": "stop", "quote": text[m.start() : m.end()] + text[m.end() : m.end()] + "."[
        : int(text[m.start() : m.end()].lower() != "stop")
    ], "agent": None} for m in re.finditer("stop", low)]  # fmt: skip


def needs_ascii(text: str, context: TalkContext) -> Acts:
    text.encode("utf-8")
    return good(text, context)


def formats(text: str, context: TalkContext) -> Acts:
    text.format(item="crate")
    return good(text, context)


NUMBERS = count()
HEARD: list[str] = []
FOUND: dict[tuple[str, str], Acts] = {}


def varies(text: str, context: TalkContext) -> Acts:
    return [{**act, "number": next(NUMBERS)} for act in good(text, context)]


def remembers(text: str, context: TalkContext) -> Acts:
    HEARD.append(text)
    before = HEARD[-2] if len(HEARD) > 1 else ""
    return [{**act, "after": before} for act in good(text, context)]


def keeps(text: str, context: TalkContext) -> Acts:
    return FOUND.setdefault((text, repr(context)), good(text, context))


def changes_context(text: str, context: TalkContext) -> Acts:
    for task in context.tasks:
        task.args["seen"] = "text"  # type: ignore[index]
    return good(text, context)


def needs_agents(text: str, context: TalkContext) -> Acts:
    assert context.agents[0]
    return good(text, context)


def no_escape(text: str, context: TalkContext) -> Acts:
    for agent in context.agents:
        re.search(rf"\b{agent.name}\b", text)
    return good(text, context)


BAD: dict[str, tuple[Callable[..., Any], ...]] = {
    "P01": (
        one_argument,
        raises,
        exits,
        first_letter,
        needs_ascii,
        formats,
        needs_agents,
        no_escape,
    ),
    "P02": (
        gives_none,
        no_quote,
        gives_texts,
        own_kind,
        own_quote,
        wrong_field,
        gives_a_set,
        lowers,
    ),
    "P03": (varies, remembers, keeps, changes_context),
    "P04": (grows,),
}
"""By the ids of the trials that find them."""
