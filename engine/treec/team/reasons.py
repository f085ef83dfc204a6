"""Reasons of failures in words for people; the journal keeps them as the module reported them.

A module's reason names calls and conditions: ``load(crate, cart): 'near(agent) == at(container)'
does not hold``. People are told what it means: the cart is out of reach.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from treec.source.errors import LocatedError
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec.team.knowledge import Knowledge
from treec.team.sentences import sentence
from treec.world.failures import (
    Described,
    Forbidden,
    GoalMissed,
    Raised,
    StepFailed,
    TimedOut,
    Unmet,
    failure_of,
)

_LATE = re.compile(r"\b(?:timed out|took longer|timeout)\b")
_RAISED = re.compile(r"[A-Z]\w*: .*|\w+: '\w+' .*", re.DOTALL)
_LABEL = re.compile(r"^[a-z]\w*: ")
"""A worker's own word for a failure: ``blocked: something is in the way``."""
_CODE = re.compile(r"[(){}\[\]]|==|!=|[a-z]_[a-z]|\w+\.\w+:|\bNone\b|\bis none\b|\w's '")
_LINE = re.compile(r"^\w+, line \d+: ")
"""Where in a program an error is."""


def is_code(text: str) -> bool:
    """Whether a text has a call or a condition in it, which is nothing to tell people."""
    return _CODE.search(text) is not None


def explain_failure(knowledge: Knowledge, agent: str, reason: str) -> str:
    """A reason in words for people, without a full stop."""
    failure = failure_of(_LINE.sub("", reason.strip()))
    why = failure.why if isinstance(failure, StepFailed) else failure
    if isinstance(why, Described):
        bare = why.why
        if isinstance(failure, StepFailed):
            bare = replace(failure, why=bare)
        return f"{explain_failure(knowledge, agent, str(bare))}; {why.state}"
    match failure, why:
        case StepFailed() as step, Unmet(condition):
            return _otherwise(knowledge, agent, step, condition)
        case _, TimedOut():
            return _reason(knowledge, "too_late", agent)
        case _, GoalMissed():
            return _reason(knowledge, "goal_missed", agent)
        case _, Forbidden(reason=words):
            return words.rstrip(".")
        case _, Raised():
            return _reason(knowledge, "unknown", agent)
    text = str(why)
    if _LATE.search(text):
        return _reason(knowledge, "too_late", agent)
    if not text or text == "failed" or _RAISED.fullmatch(text) or is_code(text):
        return _reason(knowledge, "unknown", agent)
    told = _LABEL.sub("", text).rstrip(".")
    for person in knowledge.people if len(knowledge.people) == 1 else ():  # who is told
        name = rf"\b{re.escape(person)}\b(?!['’-])"
        told = re.sub(name, "you", re.sub(f"{name} is\\b", "you are", told))
    return told


def _reason(knowledge: Knowledge, name: str, agent: str) -> str:
    text = sentence(knowledge.view, name)
    return text.render(MappingScope({"agent": agent})).strip() if text is not None else ""


def _otherwise(knowledge: Knowledge, agent: str, step: StepFailed, condition: str) -> str:
    """The text of the skill's `otherwise` for a condition that does not hold."""
    model = knowledge.skill(step.skill)
    text = model.otherwise.get(condition) if model else None
    if model is None or text is None:
        return _reason(knowledge, "not_ready", agent)
    names = [name for name in model.args if name != "agent"]
    given: Mapping[str, object] = {"agent": agent, **dict(zip(names, step.args, strict=False))}
    try:
        return TextTemplate.parse(text).render(MappingScope(given)).strip()
    except LocatedError:
        return _reason(knowledge, "not_ready", agent)
