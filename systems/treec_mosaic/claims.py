"""Find the claims in English sentences and check them against the world.

A claim is a statement (never a question) that an agent will do, is doing or can do a task, or that
something is done. A clause that names no agent, task or object is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treec.team.entities import Subtask
from treec.team.state import FINISHED
from treec.team.statements import free_text
from treec.team.team import Team
from treec.team.words import BoundTask
from treec_mosaic.backed_claims import Claim, is_backed, promise_of
from treec_mosaic.plain_claims import find_unbacked_sentences

RULES = ("offline", "always", "fallback")
"""Who answers with sentences that people wrote: their claims are checked, not their words."""

LONGEST = 2_000
"""Maximum number of characters of a message that are searched for claims."""

_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]?")
_CLAUSE = re.compile(
    r"[,:–—]|\band\b(?=\s+(?:i|you|we|he|she|it|they)\b|\s+\w+\s+(?:will|is|are|can)\b)",
    re.IGNORECASE,
)
_WILL = re.compile(
    r"\b(?:will|shall|'ll|(?:is|are|am)\s+going\s+to|(?:is|are)\s+about\s+to)\s+(.+)", re.IGNORECASE
)
_IS_AT = re.compile(
    r"\b(?:is|are|'s|'re)\s+(?:now\s+|already\s+|busy\s+)?(\w+ing\b.*)", re.IGNORECASE
)
_CAN = re.compile(r"\bcan\s+(.+)", re.IGNORECASE)
_HAS_DONE = re.compile(r"\b(?:has|have|'ve)\s+(?!to\b)(?:already\s+|just\s+)?(.+)", re.IGNORECASE)
_DONE = re.compile(
    r"(.+?)\s+(?:is|are|has\s+been|have\s+been)\s+(?:now\s+|already\s+)?"
    r"(?:done|finished|ready|complete|completed)\b",
    re.IGNORECASE,
)
_STOPPED = re.compile(
    r"\b(?:has|have|is|are)\s+(?:been\s+)?(?:stopped|interrupted)\b", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|n't|never|no longer|cannot|can't|won't)\b", re.IGNORECASE)
_IF = re.compile(
    r"\b(?:if|once|when|whenever|unless|should|could|would|as soon as|until)\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"^(?:and|but|so|then|while|ok|okay|yes|sure|well)\b[ ,]*", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:now|then|next|first|also|just|already|please|go|gone)\s+", re.IGNORECASE
)


def read_claims(team: Team, message: str) -> Iterator[Claim]:
    """Yield the claims that a message makes."""
    for found in _SENTENCE.finditer(message[:LONGEST]):
        sentence = found.group().strip()
        if sentence.endswith("?"):
            continue
        who: str | None = None
        for part in _CLAUSE.split(sentence):
            clause = _JOIN.sub("", part.strip(" .!;\n\"'")) if part else ""
            if not clause or _IF.search(clause) or _NOT.search(clause):
                continue
            who = _subject(team, clause) or who
            claim = _claim(team, clause, who)
            if claim is not None:
                yield claim


def _claim(team: Team, clause: str, who: str | None) -> Claim | None:
    if who is not None and _STOPPED.search(clause):
        return Claim("stopped", who, None, None, clause)
    done = _DONE.match(clause)
    if done is not None:
        subtask = _find_subtask(team, done.group(1))
        return Claim("done", None, None, subtask.id, clause) if subtask else None
    if who is None:
        return None
    for kind, pattern in (("will", _WILL), ("at", _IS_AT), ("can", _CAN), ("did", _HAS_DONE)):
        found = pattern.search(clause)
        task = _task(team, found.group(1), kind) if found else None
        if task is not None:
            return Claim(kind, who, task, None, clause)
    return None


def _subject(team: Team, clause: str) -> str | None:
    """Return the agent at the start of a clause; 'you' is the first person of the team."""
    lowered = clause.lower()
    for name, spec in team.knowledge.agents.items():
        for word in (name, *spec.also):
            if re.match(rf"(?:the\s+)?{re.escape(word.lower())}\b", lowered):
                return name
    if re.match(r"you\b", lowered):
        return next(iter(sorted(team.knowledge.people)), None)
    return None


def _task(team: Team, words: str, kind: str) -> BoundTask | None:
    """Match the longest prefix of a verb phrase that names a task."""
    text = _LEADING.sub("", " ".join(words.split()))
    first, _, rest = text.partition(" ")
    forms = [first]
    if kind == "at":
        stem = first[:-3]
        forms = [stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem]
    elif kind == "did":
        forms = [first, *_present(first)]
    pieces = rest.split()
    for form in forms:
        for end in range(len(pieces), -1, -1):
            bound = team.knowledge.words.match(" ".join([form, *pieces[:end]]))
            if bound is not None:
                return bound
    return None


def _present(verb: str) -> list[str]:
    irregular = {"got": "get", "gotten": "get", "fetched": "fetch", "put": "put", "cut": "cut"}
    return [irregular.get(verb, ""), verb.removesuffix("ed"), verb.removesuffix("d")]


def _find_subtask(team: Team, words: str) -> Subtask | None:
    text = " ".join(words.lower().removeprefix("the ").split())
    named = [s for s in team.subtasks if text in (s.id.lower(), s.words.lower())]
    if named:
        return named[0]
    thing = team.knowledge.words.thing(text)
    if thing is None:
        return None
    about = [s for s in team.subtasks if thing in s.args.values()]
    return next((s for s in about if s.status not in FINISHED), about[0] if about else None)


def find_unbacked_claims(team: Team, message: object, answer: object = ()) -> tuple[str, ...]:
    """Return the claims of a message that neither the world nor the answer's actions support.

    Sentences that come with claims as data are left out: those are checked, and said, as data.
    """
    actions = [a for a in answer if isinstance(a, Mapping)] if isinstance(answer, tuple) else []
    promise = promise_of([(str(a["name"]), a["args"]) for a in actions])
    declared = [a["args"].get("claims") for a in actions if a["args"].get("message") == message]
    text = free_text(str(message), declared[0]) if any(declared) else str(message)
    claims = read_claims(team, text)
    found = [str(claim) for claim in claims if not is_backed(team, claim, promise)]
    if any(str(a.get("by") or RULES[0]) not in RULES for a in actions):
        found += find_unbacked_sentences(team, text, promise)
    return tuple(dict.fromkeys(found))
