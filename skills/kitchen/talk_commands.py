"""Commands to robots that work: stop and go on. A stop that is none is worse than a missed one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_requests import AGENT, fits_trail
from skills.kitchen.talk_tasks import Found

_ALL = r"(?:everyone|everything|both|all|you|guys|robots|robot|of|the|two|of you)"
_SUBJECT = rf"(?:(?:{AGENT}|{_ALL}|please|now|hey|just|immediately|and) )*+"
_MUST = r"(?:(?:should|must|has to|have to|needs to|need to|to|please|can|may|do|now|just) )*+"
_LEAD = (
    rf"(?:i said )?(?:(?:please|ok|hey|no|oh|wait|goodness|god|gosh|right|careful|thanks|"
    rf"then|and) )*+(?:let's )?(?:(?:i want|i need|i 'd like|"
    rf"let|have|make|tell|ask|get) (?=@a|you|everyone|both|all|the))?{_SUBJECT}{_MUST}"
)
_ASKED = rf"(?:please )?(?:can|could|would|will) (?=@a|you|everyone|both|all|the ){_SUBJECT}"
_STOP = r"(?:emergency stop|e-stop|stop|halt|freeze|hold everything|shut down|back off)"
_STOP_TAIL = (
    rf"(?: (?:{AGENT}(?: from \S+.*)?|it|that|this|now|please|immediately|right now|right there|"
    r"there|here|everything|everyone|both|all|all of you|the|robots?|moving|working|cooking|"
    r"doing (?:that|this|it)|what you (?:'re|are) doing|"
    r"whatever you (?:'re|are) doing|at once|for now|for a (?:moment|second|minute|bit)|"
    r"you|guys|them|stop|halt|too|moment|dead))*+"
)
_HOLD = re.compile(
    rf"(?:(?:ok|no|oh|hey|please) )*+(?:(?:let|have|make|tell|ask) )?(?:{_SUBJECT}{_MUST}|{_ASKED})"
    rf"(?:wait|hold on|hang on|freeze|(?:just )?one (?:moment|second|minute)|"
    rf"just a (?:moment|second|minute))"
    rf"(?: (?:{AGENT}|wait|hold on|please|now|everyone|both|all|there|right there|right|you|guys|"
    r"robots?|the|a (?:moment|second|minute|bit)|one (?:moment|second|minute)|"
    r"for a (?:moment|second|"
    r"minute|bit)|it|up|stop|here))*+"
)
_DOERS = re.compile(rf"(?:{_LEAD}|{_ASKED})(?P<verb>{_STOP})(?P<tail>{_STOP_TAIL})")
_ASKED_START = re.compile(rf"{_ASKED}.*")
_STOP_DOING = re.compile(rf"(?:(?:{_LEAD}|{_ASKED})stop |(?:(?:ok|that 's|that is|now) )*+enough )")
_FROZEN_THING = re.compile(r"(?<!\S)(?:it|that|this|all|everything|the)(?!\S)")

_GO_ON = (
    r"(?:go on|continue|carry on|resume|keep going|keep working|keep cooking|proceed|"
    r"go ahead|start again|keep on)"
)
_GO_TAIL = (
    rf"(?: (?:now|again|please|then|working|cooking|moving|too|both|everyone|your work|{AGENT}|"
    r"what you were doing|as before|with (?:it|that|this|(?:the|your) (?:work|recipe|cooking)|"
    r"(?:the )?@[or]\d+)))*+"
)
_GO_LEAD = (
    rf"(?:(?:please|now|ok|then|so|right|never-mind|never mind|false alarm|"
    rf"all-right) )*+(?:(?:let|have|tell|ask|let's) )?{_SUBJECT}"
    r"(?:(?:can|may|should|to|please|now|will|just|do|both|everyone) )*+"
)
_RESUME = re.compile(rf"(?:{_GO_LEAD}|{_ASKED})(?P<verb>{_GO_ON})(?P<tail>{_GO_TAIL})")
_GO_DOING = re.compile(
    rf"(?:{_GO_LEAD}|{_ASKED})(?:continue|resume|keep on|go on|carry on) (?:to )?"
)


def _asks(clause: Clause) -> bool:
    return clause.asks and _ASKED_START.fullmatch(clause.line) is None


def stop(
    clause: Clause,
    hits: list[Found],
    doers: dict[str, Found | None],
    user: str,
    *,
    answers: bool,
    short: Iterable[Found] = (),
) -> list[str | None] | None:
    """Who is told to stop, `[None]` for everybody; None when the clause is no stop.

    `doers` holds what each agent is at, so that "stop stirring" reaches who stirs. `answers` says
    that proposals are open, to which "wait" is an answer; `short` finds tasks said in part.
    """
    if clause.too_long or _asks(clause):
        return None
    if not answers and set(doers) - {user} and _HOLD.fullmatch(clause.line) is not None:
        if "freeze it" in clause.line:
            return None
        named = [name for name in clause.agents() if name != user]
        return list(named) or [None]
    match = _DOERS.fullmatch(clause.line)
    if match is not None:
        if match["verb"] == "freeze" and _FROZEN_THING.search(match["tail"]):
            return None
        named = [name for name in clause.agents() if name != user]
        if clause.agents() and not named:
            return None
        return list(named) or [None]
    stopping = clause.line.find("stop ") >= 0 or clause.line.find("enough ") >= 0
    for hit in (*hits, *(short if stopping else ())):
        if hit.form == "ing" and _STOP_DOING.fullmatch(hit.before) and fits_trail(hit.behind):
            named = clause.agents(hit.before)
            at_it = [n for n, doing in doers.items() if doing is None or doing.task == hit.task]
            return [*(named or at_it)] or None  # nobody is at it: then nobody is stopped
    return None


def go_on(clause: Clause, hits: list[Found]) -> tuple[str, list[str]] | None:
    """The verb of going on and the agents named with it, or None."""
    if clause.too_long or _asks(clause):
        return None
    match = _RESUME.fullmatch(clause.line)
    if match is not None:
        return match["verb"], clause.agents()
    for hit in hits:
        said = hit.form in ("ing", "base") and _GO_DOING.fullmatch(hit.before)
        if said and fits_trail(hit.behind):
            return "continue", clause.agents(hit.before)
    return None
