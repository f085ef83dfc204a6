"""Agents of stops and resumes, by their context or by the interrupted work."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Refs

_ONWARD = re.compile(
    r"\b(?:proceed|go ahead with|get on with|go on with|carry on|back to|away|resume|continue|keep|"
    r"on with|on(?= ?$)|(?:start|begin)\w* (?:.+ )?again|again where)\b"
)


def assign_stops(
    acts: Sequence[HeardAct], parts: Sequence[Clause], robots: Collection[str]
) -> None:
    """ "Wait, R2, there's a chair in your way": a stop concerns the agent named next to it."""
    for one in acts:
        if one.kind != "stop" or one.fields.get("agent") is not None:
            continue
        near = [p for p in parts if p.sentence == one.sentence]
        others = [a for a in acts if a is not one and a.sentence == one.sentence]
        if any(p.has("ALL") for p in near) or any(a.kind != "remark" for a in others):
            continue
        agents = {a for p in near for c in p.core if c.kind == "A" for a in c.agents}
        if len(agents) == 1 and agents <= set(robots):
            one.fields["agent"] = agents.pop()


def it_goes_on(acts: Sequence[HeardAct], parts: Sequence[Clause], robots: Collection[str]) -> None:
    """ "Is the arm okay? Then it can go on": resumes the agent that was just mentioned."""
    for one in acts:
        if one.kind != "resume" or one.fields.get("agent") is not None:
            continue
        if not any(c.key in ("it", "he", "she", "him", "her") for c in one.clause.core):
            continue
        near = [p for p in parts if p.sentence in (one.sentence, one.sentence - 1)]
        agents = {a for p in near for c in p.core if c.kind == "A" for a in c.agents}
        if len(agents) == 1 and agents <= set(robots):
            one.fields["agent"] = agents.pop()


def resume_interrupted(orders: list[HeardAct], clause: Clause, refs: Refs) -> list[HeardAct]:
    """ "R1, proceed with the pepper": resumes an interrupted subtask."""
    if len(orders) != 1 or orders[0].kind != "request" or orders[0].found is None:
        return orders
    match, agent = orders[0].found, orders[0].fields["agent"]
    now = refs.meanings[at.id] if (at := refs.at(refs.user)) is not None else None
    if agent == refs.user and now is not None and match.what == now.what:
        return [act("remark", clause)]  # "let me just finish the lettuce", who is at it
    if _ONWARD.search(clause.words) is None:
        return orders
    for subtask in refs.context.subtasks:
        meaning = refs.meanings[subtask.id]
        is_interrupted = subtask.status == "interrupted" and agent in (None, subtask.agent)
        same = meaning is not None and match.task == meaning.task
        if not is_interrupted or meaning is None or not same:
            continue
        if match.vague or set(match.args) <= set(meaning.args):
            return [act("resume", clause, agent=subtask.agent)]
    return orders
