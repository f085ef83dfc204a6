"""Postponement of a proposal, or inability to do it, without a yes or a no.

"Let me finish my coffee first", "it's too hot for the cream yet" and "I need a wee minute" decline
what they name, or all open proposals. "I'm not allowed to use the knife" declines the speaker's
own.
"""

from __future__ import annotations

import re

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.words import word_set

_TIME = re.compile(
    r"(?:please |just |sorry |no )*(?:(?:can|could|will|would) you )?"
    r"(?:give(?: me| us| it)|(?:i|we)(?: will| would| still| just| do| may| might| only)*"
    r" (?:need|want|require)|let (?:me|us|it) have|(?:i|we) (?:could|can) (?:do with|use)|need|"
    r"wait|hold on|hang on)(?! seconds)"
    r"(?: just| only| a| an| one| another| two| three| five| ten| few| couple| of| little| wee|"
    r" good| tiny| quick| half| some| more| about| bit| at least| \d+)*"
    r" (?:minutes?|mins?|moments?|seconds?|secs?|ticks?|jiffy|mo|while|breather|hour|time|longer)"
    r"(?: more| longer| first| please| here| yet| now| though| ok| (?:to|with|for|before) .*)?"
)
_FIRST = re.compile(
    r"(?:let |leave )(?:I|IT|WE|O|THEY|DET) .*|(?:I|WE) (?:have|need|want|must|will|would_like|"
    r"should|am|would|are|had|just) .*|(?:IT|O|THEY) (?:has|have|must|needs?|should|will) .*"
)
_UNREADY = re.compile(
    r"(?:(?:I|WE|IT|O|DET \w+|OTHERS) )?(?:is |are |am )?not "
    r"(?:\w+ )?(?:ready|DONE) (?:(?:to|for|with) .*|yet |though )?|"
    r"(?:O|IT) (?:is|are) not (?:\w+ ){1,3}yet "
)
_RESTING = re.compile(
    r"(?:let|leave|allow) (?:IT|O|THEY) (?:to )?(?:sit|rest|ORD|stand|cool|settle|drain|dry|"
    r"simmer|soak|breathe|chill|infuse|boil|thaw)\b.*|"
    r"(?:let |allow |leave )?(?:DET )?(?:IT|O|THEY|R|soup|salad|W) (?:(?:should|must|has to|"
    r"have to|"
    r"needs? to|wants? to|can|could|ought to|had better|is to|will have to|may|might) )?"
    r"(?:to )?(?:sit|rest|ORD|stand|cool|settle|drain|dry|simmer|soak|breathe|chill|infuse|"
    r"cool_down|thaw|bubble|thicken)(?: (?!in\b|into\b).*)?"
)
_AWAITING = re.compile(
    r"(?:I|WE|let's) (?:(?:would|will|want to|had better|should|need to|have to|must|would rather|"
    r"better|could) )?"
    r"(?:rather )?(?:wait|wait_for|wait for|hang_on_for|hold_on_for)(?: for)? (?:O|DET|A|IT|THEY|"
    r"OTHERS|R)\b.*"
)
_SOFT_YET = word_set("yet still now")
_TOO = word_set("hot cold warm soon early wet thick thin full raw busy tired dry hungry")
_UNABLE = re.compile(
    r"\b(?:can not|cannot|could not|not able|not allowed|may not|must not|dare not|not dare|"
    r"no good|useless|hopeless|rubbish|terrible|bad|not good|not great|no|will not let me|"
    r"does not let me|not trust myself|not trusted|never learned|not supposed|afraid of|"
    r"scared of|frightened of|not like|"
    r"too (?:dirty|sticky|greasy|weak|sore|tired|shaky|old|young|short|small|stiff|cold))\b"
)
_RELUCTANT = re.compile(
    r"\b(?:not (?:\w+ )*(?:mood|up|keen|fond|fit|good|great|skilled|able) (?:for|on|of|to|at|with)|"
    r"(?:have not|have no|do not have|have not got|have got no|no) (?:any |the |much |got |"
    r"enough )*"
    r"(?:time|energy|strength|patience|nerve|stomach|nerves|hands) (?:for|to)|"
    r"can not (?:face|bear|be bothered|manage)|dread|fed up with|sick of|allergic to|"
    r"(?:no good|useless|hopeless|terrible|rubbish|bad|awful|clumsy) (?:at|with)|"
    r"(?:scared|afraid|frightened|terrified) of)\b"
)
_OWN = word_set(
    "knife knives blade blades sharp hand hands free tap sink wrist wrists fingers finger nails "
    "arm gloves apron peeler chopping cutting slicing washing board"
)

_UNDONE = re.compile(r"\b(?:should|could|would|might|must|ought to) (?:not )?have (?!to\b)\w+")


def postponement(clause: Clause, refs: Refs) -> HeardAct | None:
    """The no of a clause that asks for time, or for something else first."""
    if _UNDONE.search(clause.words):
        return None  # "I should have gone to the gym first"
    if not refs.context.proposals or clause.asks or clause.has("TALE"):
        return None
    tasks = {m.task for m in refs.proposed.values() if m is not None}
    if any(
        f == "past" and refs.kitchen.tasks_of(c) & tasks for c in clause.core for _, f in c.verb
    ):
        return None  # "the bananas aren't sliced yet": so much is known
    words = clause.words
    keys = set(words.split())
    first = clause.has("FIRST") and clause.chunks[-1].kind in ("FIRST", "FLOAT", "PLEASE")
    too = "too" in keys and keys & _TOO and (keys & _SOFT_YET or clause.has("for"))
    awaits = _AWAITING.fullmatch(clause.line) is not None
    reason = (
        awaits
        or _TIME.fullmatch(words) is not None
        or (first and _FIRST.fullmatch(clause.line) is not None)
        or (_UNREADY.fullmatch(clause.line) is not None and not clause.has("THEY"))
        or _RESTING.fullmatch(clause.line) is not None
        or (too and not clause.has("THEY") and not clause.has("OTHERS"))
    )
    if awaits:
        made = act("decline", clause)
        made.bare = True
        return made
    mine = "for me" in {c.key for c in clause.chunks} and any(
        p.agent == refs.user for p in refs.context.proposals
    )
    return _no(clause, refs, own=bool(too and mine)) if reason else None


def asks_time(clause: Clause) -> bool:
    """ "I need another minute for the lettuce": about the speaker's work, with nothing proposed."""
    own = clause.words.startswith(("i ", "we ", "need", "let me", "give"))
    return own and not clause.asks and _TIME.fullmatch(clause.words) is not None


def inability(clause: Clause, refs: Refs) -> HeardAct | None:
    """The no of a clause that says why the speaker cannot do their part."""
    if clause.asks or clause.has("TALE"):
        return None
    if not ({"i", "me", "my"} & set(clause.words.split()) or clause.words.startswith("can not")):
        return None
    if _UNABLE.search(clause.words) and _OWN & set(clause.words.split()):
        return _no(clause, refs, own=True)
    if not _RELUCTANT.search(clause.words):
        return None
    mine = [m.task for p in refs.context.proposals
            if p.agent == refs.user and (m := refs.proposed[p.id]) is not None]  # fmt: skip
    is_work = any(refs.kitchen.tasks_of(c) & set(mine) for c in clause.core if c.verb)
    return _no(clause, refs, own=True) if is_work or clause.has("O") else None


def _no(clause: Clause, refs: Refs, *, own: bool) -> HeardAct | None:
    every = refs.context.proposals
    mine = tuple(p.id for p in every if p.agent == refs.user)
    ref = refs.read(c for c in clause.core if c.kind == "O")
    proposal_ids = None if ref.empty or (own and not ref.things) else refs.proposals(ref)
    if proposal_ids == ():
        return None
    made = act("decline", clause)
    if own:
        ids = tuple(i for i in proposal_ids or () if i in mine) or mine
        if not ids or (proposal_ids is not None and not set(proposal_ids) & set(mine)):
            return None
        made.ids = ids
        return made
    made.ids = proposal_ids or None
    made.bare = made.ids is None
    return made


def not_yet(clause: Clause, last: HeardAct | None) -> bool:
    """ "Two more onions and I'm done": a future completion."""
    if last is None or last.kind not in ("remark", "request") or clause.joint != "and":
        return False
    is_nearly = last.clause.has("NEARLY") or {"more", "last", "another"} & set(
        last.clause.words.split()
    )
    is_remaining = any(c.ref in ("more", "last") for c in last.clause.core)
    return bool(is_nearly or is_remaining) and not any(
        c.kind in ("is", "are", "have") for c in last.clause.core
    )
