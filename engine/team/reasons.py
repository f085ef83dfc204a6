"""Why something failed, in words for people; the journal keeps the reason as the module gave it.

A module's reason names calls and conditions: ``load(crate, cart): 'near(agent) == at(container)'
does not hold``. People are told what it comes to: that the cart is out of reach.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from treec.source.errors import LocatedError
from treec.source.scope import MappingScope
from treec.source.template import Template
from treec.team.knowledge import Knowledge

_STEP = re.compile(r"(?P<skill>[\w/]+)\((?P<args>[^()]*)\): (?P<why>.+)", re.DOTALL)
_UNMET = re.compile(r"'(?P<condition>.+)' does not hold", re.DOTALL)
_RAISED = re.compile(r"\w+(?:Error|Exception|Interrupt|Exit|Refused)?: .*", re.DOTALL)
_LATE = re.compile(r"\b(?:timed out|took longer|timeout)\b")
_CODE = re.compile(r"[(){}\[\]]|==|!=|\w_\w|\w+\.\w+:|\bNone\b|\bis none\b")

TOO_LATE = "it took too long"
SOMETHING = "something went wrong with it"


def for_people(knowledge: Knowledge, agent: str, reason: str) -> str:
    """A reason as one would tell it to a person, without a full stop."""
    step = _STEP.fullmatch(reason.strip())
    why = step["why"] if step else reason.strip()
    unmet = _UNMET.fullmatch(why)
    if unmet and step:
        return _otherwise(knowledge, agent, step, unmet["condition"])
    if _LATE.search(why):
        return TOO_LATE
    if not why or why == "failed" or _RAISED.fullmatch(why) or _CODE.search(why):
        return SOMETHING
    return why.rstrip(".")


def _otherwise(knowledge: Knowledge, agent: str, step: re.Match[str], condition: str) -> str:
    """What the skill's file has for a condition that does not hold."""
    model = knowledge.skill(step["skill"])
    text = model.otherwise.get(condition) if model else None
    if model is None or text is None:
        return f"{agent} could not get ready for it"
    names = [name for name in model.args if name != "agent"]
    values = [value.strip() for value in step["args"].split(",")]
    given: Mapping[str, object] = {"agent": agent, **dict(zip(names, values, strict=False))}
    try:
        return Template.parse(text).render(MappingScope(given)).strip()
    except LocatedError:
        return f"{agent} could not get ready for it"
