"""What a stop takes back: orders, a yes, a go-on that were said before it and have not begun.

Words are read together, and a model may take seconds to read an order: a stop that was said after
it is carried out at once, and the order must not move a robot afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treec.team.entities import Utterance
from treec.team.stop_words import STOP
from treec.team.team import TeamSnapshot

Act = Mapping[str, Any]

KEPT = frozenset({STOP, "decline", "drop", "release", "done", "ask", "remark"})
"""Kinds of acts that begin nothing."""


def taken_back(acts: Sequence[Act], said: Sequence[Utterance], team: TeamSnapshot) -> Iterator[Act]:
    """Yield the acts before a stop that is not followed by a go-on; all are of these utterances."""
    texts = {utterance.id: (number, utterance.text) for number, utterance in enumerate(said)}

    def end(act: Act) -> tuple[int, int]:
        number, text = texts[act["utterance"]]
        return number, text.find(act["quote"]) + len(act["quote"])

    def begin(act: Act) -> tuple[int, int]:
        return end(act)[0], end(act)[1] - len(act["quote"])

    stops = [
        stop
        for stop in acts
        if stop["kind"] == STOP
        and not any(
            one["kind"] == "resume" and end(stop) <= begin(one) and stops_agents(stop, one, team)
            for one in acts
        )
    ]
    for act in acts:
        if any(end(act) <= begin(stop) and stops_agents(stop, act, team) for stop in stops):
            yield act


def stops_agents(stop: Act, act: Act, team: TeamSnapshot) -> bool:
    """Whether an act begins something that a stop is about; nobody named is any robot."""
    if act["kind"] in KEPT:
        return False
    who: set[object]
    if act["kind"] == "accept":
        proposals = {proposal.id: proposal for proposal in team.open}
        who = {str(proposals[id].agent) for id in act.get("proposals") or () if id in proposals}
    else:
        who = {act.get("agent")}
    robots = {agent.name for agent in team.agents.values() if not agent.person}
    who = {agent for agent in who if agent is None or agent in robots}
    stopped = stop.get("agent")
    return bool(who) and (stopped is None or None in who or stopped in who)
