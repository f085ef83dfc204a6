"""Requests: a task's words in a frame that asks for it, and recipes that are chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_tasks import DETERMINER, Found
from skills.kitchen.talk_words import pasts

_ADVERBS = (
    r"(?:(?:please|also|just|now|actually|maybe|but|quickly|ok|all right|all-right|first|"
    r"next|then|kindly|quickly|immediately|already|instead|"
    r"go ahead and|go and|go|start|begin|better) )*+"
)
_YOU = r"(?:you|someone|anyone|one of you|one of the robots|a robot|the robots?|robots?)"
_SAID = r"(?:i said )?"
AGENT = r"@a\d+"
_MODAL = (
    r"(?:should|must|can|will|'ll|shall|may|has to|have to|needs to|need to|ought to|to|"
    r"had better|is to|would please)"
)

_FRAMES: tuple[tuple[str, str, str], ...] = (
    # (who is asked: "named" | "user" | "open", form of the verb, the words before it)
    ("open", "base", rf"{_SAID}{_ADVERBS}(?:let's {_ADVERBS})?"),
    ("open", "base", rf"{_SAID}{_ADVERBS}{_YOU} (?:{_MODAL} )?{_ADVERBS}"),
    ("open", "base", rf"i (?:want|need|would like|'d like|would love) {_YOU} to {_ADVERBS}"),
    ("named", "base", rf"{_SAID}{_ADVERBS}{AGENT} (?:{_MODAL} )?{_ADVERBS}"),
    (
        "named",
        "base",
        rf"{_SAID}{_ADVERBS}(?:let's )?(?:let|have|make|ask|tell|get) {AGENT} (?:to )?{_ADVERBS}",
    ),
    (
        "named",
        "base",
        rf"(?:i|we) (?:actually )?(?:want|need|would like|'d like|would love|'d love|prefer|"
        rf"would prefer|'d prefer) {AGENT} to {_ADVERBS}",
    ),
    (
        "user",
        "base",
        rf"{_ADVERBS}(?:i think )?i (?:will|'ll|can|shall|am going to|'m going to|am gonna|"
        rf"'m gonna|want to|"
        rf"would like to|'d like to|'d love to|'d rather|would rather) {_ADVERBS}",
    ),
    ("user", "base", rf"{_ADVERBS}(?:let|leave) me (?:to )?{_ADVERBS}"),
    ("user", "base", rf"{_ADVERBS}i {_ADVERBS}"),
    ("user", "ing", rf"i (?:am|'m) {_ADVERBS}"),
)
_QUESTIONS: tuple[tuple[str, str, str], ...] = (
    (
        "open",
        "base",
        rf"{_ADVERBS}(?:can|could|would|will) {_YOU} (?:maybe |perhaps )?{_ADVERBS}",
    ),
    (
        "named",
        "base",
        rf"{_ADVERBS}(?:can|could|would|will) {AGENT} (?:maybe |perhaps )?{_ADVERBS}",
    ),
    (
        "named",
        "base",
        rf"{_ADVERBS}(?:can|could|would|will) you {_ADVERBS}(?:have|let|ask|tell|make|get) {AGENT} "
        rf"(?:to )?{_ADVERBS}",
    ),
    ("open", "ing", rf"(?:would|do) you mind {_ADVERBS}"),
)
_COMPILED = {
    asked: tuple((who, form, re.compile(source)) for who, form, source in frames)
    for asked, frames in ((False, _FRAMES), (True, _QUESTIONS))
}
QUESTION_FRAME = re.compile(rf"{_ADVERBS}(?:(?:can|could|would|will) (?!i |we )|do you mind ).*")

_TRAIL = re.compile(
    r"(?: (?:please|now|first|next|then|too|also|again|instead|yourself|myself|itself|"
    r"quickly|will you|would you|soon please|"
    r"instead of (?:me|you|@a\d+)|(?:before|after) (?:the |a )?@o\d+|"
    r"soon|asap|immediately|right away|right now|straight away|at once|"
    r"(?:before|after) (?:that|this)|"
    r"for (?:me|us|now)|to (?:me|us)|over here|over there|over|here|there|back|thanks|thank you|"
    r"today|"
    r"as well|already|anyway|alone|myself))*+"
    rf"(?P<voice> {AGENT})?"
    r"(?: (?:from|to|into|in|on|onto|at|with|for|off|out|near|beside|by|because|since|while|until|"
    r"till|using|instead of)(?: (?!(?:or|if|when|once|unless|not|after)(?!\S))\S+)+)?"
    r"(?: (?:please|first|next|now))*+"
    r"(?: (?:i|we|it|that) (?:'m|am|'s|is|are|'re)"
    r"(?: (?!(?:or|if|when|once|unless|not|after)(?!\S))\S+)+)?"
)
_FIRST = re.compile(
    r"(?<!\S)(?:first(?! ones?)|next|right away|right now|straight away|immediately|at once|asap|"
    r"before (?:anything|everything) else|before (?:that|this))(?!\S)"
)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of whom; `agent` is None when nobody was named, `open` when anyone may be."""

    found: Found
    agent: str | None
    subject: bool
    first: bool


_PLAIN_I = re.compile(rf"{_ADVERBS}i {_ADVERBS}")


def says_first(line: str) -> bool:
    """Whether words put something before everything else."""
    return _FIRST.search(line) is not None


def fits_trail(behind: str) -> bool:
    """Whether words behind a task take nothing of its meaning away."""
    return _TRAIL.fullmatch(behind) is not None


def request(clause: Clause, hits: list[Found], user: str) -> Request | None:
    """The request that a clause is, from end to end, or None."""
    asked = QUESTION_FRAME.fullmatch(clause.line) is not None
    if clause.asks and not asked:
        return None
    for found in hits:
        trail = _TRAIL.fullmatch(found.behind)
        if trail is None:
            continue
        for who, form, frame in _COMPILED[asked]:
            if form != found.form or frame.fullmatch(found.before) is None:
                continue
            verb = clause.words[len(found.before.split())].key
            if _PLAIN_I.fullmatch(found.before) and verb in pasts(verb):
                continue  # "I put": it may be done
            named = clause.agents(found.before)
            agent = user if who == "user" else named[0] if named else None
            if who == "open" and trail["voice"]:
                agent = clause.mention(trail["voice"].strip()).agent
            first = says_first(found.before + " " + found.behind)
            return Request(found, agent, who != "open", first)
    return None


_GENERIC = re.compile(
    rf"(?P<before>(?:.* )?)(?:do|handle|take care of) {DETERMINER}(?P<thing>@o\d+)(?P<behind>.*)"
)


def generic(clause: Clause) -> tuple[str, str, str] | None:
    """ "I'll do the lettuce": the words before, the object's placeholder, the words behind."""
    match = None if clause.too_long else _GENERIC.fullmatch(clause.line)
    return (match["before"], match["thing"], match["behind"]) if match else None


_MEAL = (
    r"(?:something|anything|"
    r"(?:a |some |the |our )?(?:dinner|lunch|breakfast|supper|meal|food|dish))"
)
_MAKE = r"(?:make|cook|prepare|have|do|try|start|start with|switch to|go with|go for|eat)"
_WANTED = (
    r"(?:(?:please|also|maybe|perhaps|actually|now|today|tonight|how about|what about) )*+"
    rf"(?:(?:let's|i want|i want to|i would like|i'd like|i 'd like|i 'd like to|i would like to|"
    rf"we want|we want to|we will|we 'll|we should|we could|we can|can we|could we|shall we|i 'll|"
    rf"i will|i 'm going to|we 're going to|i am going to|help me|can you help me|"
    rf"could you help me|i feel like|i 'm in the mood for|i am in the mood for|i choose|"
    rf"i 'd love|i 'd love to) )?"
    rf"(?:(?:please|now|just|rather|actually|to) )*+(?:(?:{_MAKE}|making|cooking|having) )?"
)
_WITH = (
    r"(?: (?:please|today|tonight|now|then|instead|together|"
    r"for (?:dinner|lunch|breakfast|supper|us|me|today|tonight|everyone)|"
    r"with (?:you|me)|first|too|again|thanks))*+"
)
_CHOOSE = re.compile(rf"{_WANTED}{DETERMINER}(?P<recipe>@[or]\d+)(?: (?:recipe|one))?{_WITH}")
_CHOOSE_ANY = re.compile(
    rf"(?:let's|i want to|i 'd like to|i would like to|we 'll|can we|shall we) "
    rf"(?:make|cook|prepare)(?: {_MEAL})?{_WITH}"
)
_NO_PROPOSAL = re.compile(r"(?:what about|i 'll have|do|prepare|have) .*")


def choice(clause: Clause) -> tuple[str | None] | None:
    """The recipe that a clause chooses, as `(name,)`; `(None,)` for cooking without saying what."""
    if clause.too_long:
        return None
    match = _CHOOSE.fullmatch(clause.line)
    if match is not None and _NO_PROPOSAL.fullmatch(clause.line) is None:
        recipe = clause.mention(match["recipe"]).recipe
        if recipe is not None:
            return (recipe,)
    return (None,) if not clause.asks and _CHOOSE_ANY.fullmatch(clause.line) else None
