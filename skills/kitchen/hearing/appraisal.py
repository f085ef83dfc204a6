"""Evaluations of a plan: "that's a sensible way to split it", "sounds like a fair deal".

Praise of a proposal accepts it and criticism declines it. The evaluation must name a plan
("idea", "way") or have the last utterance as its subject ("that", "sounds").
"""

from __future__ import annotations

from collections.abc import Sequence

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import word_set

GOOD = word_set(
    "fine good great perfect nice cool lovely excellent wonderful brilliant super ideal fair "
    "acceptable best better sensible splendid fantastic awesome terrific marvellous sound right "
    "reasonable smart wise clever solid neat decent logical practical useful helpful grand ace "
    "swell superb handy efficient workable okay ok alright agreeable suitable satisfactory "
    "delightful first-rate smashing top cracking capital excellent proper tidy convenient easy "
    "sweet dandy peachy magnificent spot bang true correct agreed settled approved"
)
"""Words of praise."""
BAD = word_set(
    "bad terrible wrong unnecessary premature early pointless awful silly horrible rubbish stupid "
    "crazy daft unwise risky useless nonsense overkill dangerous unsafe ridiculous mad foolish "
    "dreadful poor dumb unfair impossible unacceptable insane lousy"
)
"""Words of criticism."""
PLANS = word_set(
    "idea plan way split division deal arrangement thought solution suggestion proposal start "
    "choice call offer shout teamwork approach strategy schedule order setup distribution bargain "
    "thinking compromise option move step point allocation combination system programme program"
)
"""Nouns for a plan."""
_HOW = word_set(
    "really very quite pretty absolutely exactly just all so such rather perfectly totally fairly "
    "more most actually eminently thoroughly entirely completely simply truly a bit jolly"
)
_SEEMING = word_set("sounds sound seems seem feels")
_BEING = ("is", "are", "would", "will", "could", "should", "'s", "be", "must", "might", "may")
_TAIL = ("to", "for", "with", "by", "from", "as", "of", "in", "on", "at", "if", "I", "about")
_FOREIGN = ("O", "R", "A", "OTHERS", "THEY", "TALE", "not", "no", "never", "but", "SOMEONE")
_BY_HERE = word_set("me us that this it now then here today")


def admires(clause: Clause) -> bool:
    """ "That lettuce looks lovely": praise of a thing, not of what will be done with it."""
    core = clause.core
    return len(core) > 2 and core[0].kind == "O" and core[1].key in ("looks", "look")


def appraise(clause: Clause) -> str | None:
    """The answer that an evaluation amounts to: "accept", "decline", or None."""
    core = clause.core
    if len(core) > 1 and core[0].kind == "what" and core[1].kind == "DET":
        core = core[1:]  # "what a good idea"
    if clause.asks or not core or clause.has("TALE"):
        return None
    index = 0
    has_pronoun = core[0].kind == "IT" and core[0].key not in ("so", "it")
    to_me = {"for me", "for us", "to me", "by me", "with me"} & {c.key for c in clause.chunks}
    has_pronoun |= core[0].kind == "is" and bool(to_me)  # "is good for me": learners leave "it" out
    plan = core[0].kind == "IT" and core[0].key.startswith("the ")
    index += core[0].kind == "IT"
    has_verb, index = _verb(core, index)
    negated = any(c.kind == "not" for c in core[:index])
    quality, names_plan, index = _quality(core, index)
    if not quality or (not index and not names_plan):
        return None
    rest = core[index:]
    if rest and (rest[0].kind not in _TAIL or any(c.kind in _FOREIGN for c in rest)):
        return None
    if not (names_plan or plan or has_verb or (has_pronoun and _near(rest))):
        return None
    if names_plan and core[0].kind not in ("IT", "DET", "W", "ADJ", "is") and not has_verb:
        return None
    return "accept" if (quality == "good") != negated else "decline"


def _verb(core: Sequence[Chunk], index: int) -> tuple[bool, int]:
    """Whether there is a verb of seeming at `index`, and where its complement begins."""
    has_verb = False
    while index < len(core) and (
        core[index].kind in _BEING or core[index].kind == "not" or core[index].key in _SEEMING
    ):
        has_verb |= core[index].key in _SEEMING
        index += 1
    if has_verb and index < len(core) and core[index].key == "like":
        index += 1
    return has_verb, index


def _quality(core: Sequence[Chunk], index: int) -> tuple[str, bool, int]:
    """Praise or criticism, whether it names a plan, and where it ends."""
    quality = ""
    names_plan = False
    while index < len(core):
        chunk = core[index]
        if chunk.key in GOOD or chunk.key in BAD:
            quality = "good" if chunk.key in GOOD else "bad"
        elif chunk.key in PLANS:
            names_plan = True
        elif chunk.kind == "HEAD":
            return "", False, index  # "that's the nice part"
        elif not (chunk.kind in ("DET", "ADJ") or chunk.key in _HOW) or names_plan:
            break
        index += 1
    return quality, names_plan, index


def _near(rest: Sequence[Chunk]) -> bool:
    """Whether only "for me", "by us" or "then" follows."""
    return all(c.kind in ("I", "WE", "IT", "YOU", *_TAIL) or c.key in _BY_HERE for c in rest)
