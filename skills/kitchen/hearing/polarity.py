"""Polarity of the words around a reference: acceptance, refusal, postponement."""

from __future__ import annotations

from treec.skills.kitchen.hearing.chunks import FLOATS
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import word_set

_FINE = word_set(
    "yes ok sure fine good great perfect agreed right approved accepted granted confirmed nice "
    "absolutely certainly definitely cool lovely excellent wonderful brilliant super ideal deal "
    "acceptable best better welcome correct sensible affirmative aye splendid fantastic awesome "
    "terrific marvellous sound happy permitted authorized authorised amazing grand swell superb "
    "reasonable smart wise keeper green thumbs permission blessing favour favor keen game glad "
    "content satisfied board approval agreement first clever useful helpful"
)
_POOR = word_set(
    "bad terrible wrong unnecessary premature early pointless awful silly horrible rubbish stupid "
    "mistake overkill refused rejected denied declined vetoed forbidden nope "
    "negative soon nonsense "
    "crazy daft unwise risky needless useless nah"
)
NOT = word_set("no not never neither nor without hardly nothing")
_LATER = word_set(
    "stay stays staying later tomorrow wait waits waiting patient hold holds rest "
    "rests postponed delayed paused"
)
_APPROVE = word_set(
    "agree agrees approve accept confirm take pick choose want like would_like go "
    "start begin proceed "
    "allow permit grant authorize authorise let vote support second endorse back "
    "welcome prefer fancy "
    "do have say consent would_love love go_ahead_with go_with start_with "
    "begin_with proceed_with "
    "go_for opt_for settle_for go_ahead proceed get_going get_started carry_on "
    "continue go_on begins "
    "starts do_with crack_on get_cracking go_ahead_and_do works work suits suit "
    "start_on decide_on settle_on "
    "make select get_on_with let's sounds opt"
)
_REJECT = word_set(
    "refuse reject decline veto deny forbid object disagree against dislike hate "
    "oppose skip postpone "
    "delay defer hold_off_on wait_with hold_off_with wait_on hold_on_with "
    "hang_on_with hold_back_on "
    "put_off put_on_hold hold_off hold_on hang_on leave leave_for_later "
    "leave_for_now wait_for table "
    "save park keep_for_later leave_until_later wait_before hold_back keep "
    "hold_back_with leave_out wait "
    "hold waiting leave_alone"
)
OBJECTION = word_set(
    "objection objections problem problems against issue issues complaint complaints doubts qualms "
    "reason mind object argue trouble fault reservations bad quarrel quarrels beef hesitation "
    "hesitations misgivings worries concerns question questions bother bone hardship hassle sweat "
    "chore burden nuisance worry imposition drama"
)
_PLAIN = word_set(
    "I WE YOU THEY IT is are am be was were being would will can could may should "
    "must shall might do does did "
    "has have had need needs to for with on about of in the a an by as that so at from go say "
    "sounds looks seems feels sound look seem works idea plan one HEAD DET ADJ call choice thing "
    "suggestion then if there here time not_yet turn up out get got who all what me my your his "
    "their let let's make think vote start begin off W green light ahead free allowed able please "
    "start until till touch near away send yet into down doing making having going anywhere moving"
)
_SOFT = word_set(
    "minute moment second bit while idea plan light order go vote point need rush "
    "hurry list use way side part turn word call shout nod tick case sense"
)
ORDERING = word_set("will can could shall might may should must would")
FIRM = word_set(
    "want need necessary time idea rush hurry wait agree like would_like plan do early soon"
)
GRANTING = word_set("yes ok no not can may could should to for go start begin proceed wait hold")
TAKING = word_set("do take have start begin get go make proceed try")


def polarity(words: list[str], line: str, is_named: bool, verbs: frozenset[str]) -> str | None:
    """Whether the words around a reference accept or decline it; None if they do neither."""
    unique = set(words)
    loose = [
        w for w in words
        if w not in _FINE | _POOR | NOT | _LATER | _APPROVE | _REJECT | OBJECTION | _PLAIN | _SOFT
    ]  # fmt: skip
    is_negated = bool(unique & NOT)
    if len(loose) > (1 if is_negated and is_named and not any(w in verbs for w in loose) else 0):
        return None
    if unique & {"PP", "DONE"} and not unique & _FINE:
        return None
    if is_negated and unique & OBJECTION and not unique & {"bad"}:
        return "accept"
    if line in ("keep X", "and keep X", "just keep X") and not is_negated and not is_named:
        return "accept"  # "strike the first, keep the others"
    if is_negated or unique & (_POOR | _LATER | _REJECT):
        return "decline"
    if unique & {"PP", "DONE"}:
        return None
    if unique & {"off", "out"} and not unique & _FINE:
        return None  # "take it off the list"
    if unique & _FINE or (unique & _APPROVE and _agrees(words, line)):
        return "accept"
    return None


def _agrees(words: list[str], line: str) -> bool:
    """Whether a verb of agreement agrees: it has an object, or its subject is the agent meant."""
    if line.endswith(" X") or " X " in f" {line} ":
        return not (words[0] in ("does", "did", "have", "has", "is", "are") and len(words) > 1)
    return False


def main_clause(clause: Clause) -> Clause:
    """ "Leave the sauce where it is" as "leave the sauce"."""
    chunks = clause.chunks
    places = ("where", "as", "on", "in", "at", "out")
    at = next((i for i, c in enumerate(chunks) if c.kind in places and i), None)
    if (
        at is None
        or not (chunks[0].of("HOLDOFF") or chunks[0].key == "keep")
        or not (clause.has("O") or clause.has("ORD"))
    ):
        return clause
    neutral = ("where", "as", "IT", "THEY", "is", "are", "on", "in", "at", "O", "out", *FLOATS)
    if any(c.kind not in neutral for c in chunks[at:]):
        return clause
    return clause.but(chunks[:at])
