"""Imperatives that look like statements or wishes: "R1 cut the salmon", "dish up the soup"."""

from __future__ import annotations

from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Refs


def dishes_up(clause: Clause) -> bool:
    """Whether a clause is about serving the current dish, not a wish for another one."""
    return any(way[0] in ("serve", "dish", "plate") for c in clause.core for way, _ in c.verb)


def as_order(clause: Clause, refs: Refs) -> bool:
    """ "R1 cut the salmon": an imperative, not a report, if R1 was not at it."""
    core = clause.core
    if len(core) < 3 or core[0].kind != "A" or core[1].key not in ("cut", "spread", "beat"):
        return False
    said = [set(found.args) for found in refs.kitchen.find(core[1:], "base")]
    mine = [
        refs.meanings[s.id]
        for s in refs.context.subtasks
        if s.agent in core[0].agents and s.status in ("running", "interrupted")
    ]
    mine += [refs.proposed[p.id] for p in refs.context.proposals if p.agent in core[0].agents]
    args = [set(m.args) for m in mine if m is not None]
    return bool(said) and not any(one <= own for one in said for own in args)
