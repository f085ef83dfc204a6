"""Work that one agent declines and another takes over: "no onions for me, let the arm"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.swaps import assign

_ON = re.compile(
    r"(?:(?:let|have|make|get|ask|tell) A (?:to )?(?:do|have|take|handle|take_care_of)? ?(?:IT )?"
    r"|(?:give|leave|hand|pass|hand over|hand_over|pass_on) IT (?:over |on )?(?:to|for|with) A "
    r"|IT (?:is |'s |can be |should be )?(?:for|on) A "
    r"|A (?:can|could|should|shall|may|must|will|might|has to|is to|ought to|had better) "
    r"(?:(?:do|have|take|handle|manage|get|take_over|take over|take_care_of) ?)?(?:IT )?"
    r"|A (?:does|do|takes?|has) IT |A (?:instead )?"
    r"|(?:can|could|will|would) (?:not )?A (?:do|have|take|handle|take_over|take_care_of) ?"
    r"(?:IT )?)"
)
_PASSED = re.compile(
    r"(?:(?:I|WE|YOU) (?:will|would|can|could|should|shall|may|want_to|would_like_to|must) |"
    r"let's |can (?:I|WE|YOU) |just )?(?:rather )?"
    r"(?:give|leave|hand|pass|hand_over|pass_on|hand_on|assign|delegate|push|move|transfer|shift) "
    r"(?:IT|ORD|DET HEAD|HEAD) (?:over |on |off |along |across )*(?:to|onto|on to|with|for) A "
)
"""Work that is delegated without naming it."""
_THEIRS = re.compile(
    r"(?:IT|ORD) (?:should|can|could|would|had better|must|ought to|has to) be "
    r"(?:rather |more )?A (?:(?:'s |is )(?:W |ADJ )?(?:HEAD|turn|job|task|W) )?(?:not ORD )?"
)
"""Work that is said to be somebody's own."""
_MYSELF = re.compile(
    r"(?:I (?:will|can|shall|could|may|would_rather|had_better|will_just|am_going_to|must|want_to)?"
    r" ?(?:rather )?(?:do|take|have|handle|manage|get|take_over|take over|take_care_of|finish) IT )"
)


_ELLIPTIC = re.compile(r"I (?:will|shall|can|would_rather)(?: do(?: IT)?)? ")


def _mine(clause: Clause, last: HeardAct, refs: Refs) -> list[HeardAct]:
    """ "R1 need not spread it, I shall": the work is not dropped; the speaker does it."""
    if last.sentence < clause.sentence - 1 or clause.asks:
        return []
    excluded = last.fields["subtasks"]
    ids = [p.id for p in refs.context.proposals if [p.subtask] == excluded]
    if not ids or not any(c.kind == "A" for c in last.clause.core):
        return []
    last.kind, last.fields, last.ids = "decline", {}, tuple(ids)
    return assign(clause, ((refs.user, refs.proposed[i]) for i in ids))


def delegate(clause: Clause, acts: Sequence[HeardAct], refs: Refs) -> list[HeardAct]:
    """Requests to the agent named after a refusal, with an optional reason in between.

    "I won't chop, my eyes hurt. R1 can do it."
    """
    before = acts[-1] if acts else None
    if before is not None and before.kind == "drop" and _ELLIPTIC.fullmatch(clause.line):
        return _mine(clause, before, refs)
    spoken = [a for a in acts if a.kind != "remark" or a.sentence < clause.sentence - 1]
    last = spoken[-1] if spoken else None
    every = refs.context.proposals
    request = _delegated_subtask(clause, last, refs)
    if request:
        return request
    if last is not None and last.kind == "decline" and last.bare and len(every) == 1:
        last = replace(last, ids=(every[0].id,))
    if last is None or last.kind != "decline" or last.ids is None or len(last.ids) != 1:
        return []
    if last.sentence < clause.sentence - 1 or clause.asks:
        return []
    theirs = {p.agent: refs.proposed[p.id] for p in refs.context.proposals if p.id == last.ids[0]}
    if refs.user not in theirs and _MYSELF.fullmatch(clause.line):  # "don't stir, I'll do that"
        return assign(clause, ((refs.user, found) for found in theirs.values()))
    if clause.saying:
        return []
    agents = {a for c in clause.core for a in c.agents}
    only_called = not agents and len(clause.addressees) == 1
    line = clause.line
    if only_called:  # "R1, you do it"
        line = re.sub(r"^(?:YOU )?", "A ", line)
        agents = set(clause.addressees)
        if line.strip() == "A" or "IT" not in line.split() + ["do"] * ("do" in line.split()):
            return []
    if len(agents) != 1 or agents & set(theirs) or (clause.line == "A " and "not" in line):
        return []
    bare = line.strip() == "A"
    if bare and not clause.has("INSTEAD") and "instead" not in clause.words.split():
        return []
    if only_called:
        line = re.sub(r"^A (do|take|have|handle) ", r"A can \1 ", line)
    if _ON.fullmatch(line) is None:
        return []
    return assign(clause, ((next(iter(agents)), found) for found in theirs.values()))


def _delegated_subtask(clause: Clause, last: HeardAct | None, refs: Refs) -> list[HeardAct]:
    """ "Give that job to R2", "pass that one on to R1": the only candidate."""
    if (
        clause.asks
        or clause.has("TALE")
        or not (_PASSED.fullmatch(clause.line) or _THEIRS.fullmatch(clause.line))
    ):
        return []
    agent = next(c.agents[0] for c in clause.core if c.kind == "A")
    has_thing = last is not None and last.sentence == clause.sentence and last.clause.has("O")
    declined = last.ids if last is not None and last.kind == "decline" else None
    if has_thing and not declined:
        return []  # "the salt is there, give it to R1"
    others = [
        p for p in refs.context.proposals if p.agent != agent and p.id in (declined or (p.id,))
    ]
    mine = [p for p in others if p.agent == refs.user]
    candidates = others if len(others) == 1 else mine
    return (
        assign(clause, ((agent, refs.proposed[p.id]) for p in candidates))
        if len(candidates) == 1
        else []
    )
