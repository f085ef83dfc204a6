"""Resolve which proposals each yes and no is for."""

from __future__ import annotations

from typing import cast

from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.references import Refs

JOINED = ("and", "plus", "then")
"""Conjunctions that add one thing to another."""


def _reported_proposals(acts: list[HeardAct], refs: Refs) -> set[str]:
    """Proposals that are reported as done: "the lettuce is washed, the rest is fine"."""
    reported = {
        s for a in acts if a.kind == "done" for s in cast("list[str]", a.fields["subtasks"])
    }
    return {p.id for p in refs.context.proposals if p.subtask in reported}


def _rest(acts: list[HeardAct], every: tuple[str, ...], refs: Refs) -> None:
    """ "The rest", "the others": proposals in no other answer and no report."""
    plain: set[str] = set()
    rests = []
    for act in acts:
        if act.kind not in ("accept", "decline"):
            continue
        if any(c.ref in ("rest", "other") for c in act.clause.chunks):
            rests.append(act)
        else:
            plain |= set(act.ids or ())
    for act in rests:
        ids = act.ids if act.ids is not None else every
        act.ids = tuple(i for i in ids if i not in plain | _reported_proposals(acts, refs))


def resolve_answers(acts: list[HeardAct], every: tuple[str, ...], refs: Refs) -> list[HeardAct]:
    """Each answer with its proposals."""
    _rest(acts, every, refs)
    no_all = any(a.kind == "decline" and a.ids is None for a in acts)
    yes = {i for a in acts if a.kind == "accept" for i in a.ids or ()}
    no = {i for a in acts if a.kind == "decline" for i in a.ids or ()}
    answered: set[tuple[str, str]] = set()
    result: list[HeardAct] = []
    for act in acts:
        if act.kind not in ("accept", "decline"):
            result.append(act)
            continue
        if act.ids is None and _is_specified(act, acts):
            continue
        if act.kind == "accept" and act.ids is None and no_all:
            continue
        ids = act.ids if act.ids is not None else every
        if act.ids is None:
            ids = tuple(i for i in ids if i not in (no if act.kind == "accept" else yes))
            over = _reported_proposals(acts, refs) if act.kind == "accept" else set[str]()
            ids = tuple(i for i in ids if i not in over) or ids
        elif act.kind == "accept":
            later = {
                i for a in acts[acts.index(act) + 1 :] if a.kind == "decline" for i in a.ids or ()
            }
            over = later | _reported_proposals(acts, refs)
            ids = tuple(i for i in ids if i not in over)  # "it has boiled, it's lovely"
        else:
            later = {
                i for a in acts[acts.index(act) + 1 :] if a.kind == "accept" for i in a.ids or ()
            }
            ids = tuple(i for i in ids if i not in later)
        ids = tuple(i for i in ids if (act.kind, i) not in answered)
        answered |= {(act.kind, i) for i in ids}
        if ids:
            act.fields = {"proposals": list(ids)}
            result.append(act)
    return result


def _is_specified(plain: HeardAct, acts: list[HeardAct]) -> bool:
    """ "R2 may go, yes", "no, don't stir", "nah, skip it": another clause says what is meant."""
    is_drop = any(
        a.kind == "drop" and a.sentence == plain.sentence and a.joint in ("", ",") for a in acts
    )
    return (is_drop and plain.kind == "decline") or any(
        other is not plain
        and other.kind == plain.kind
        and other.sentence == plain.sentence
        and other.ids is not None
        and other.joint not in JOINED
        for other in acts
    )
