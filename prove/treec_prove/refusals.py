"""Answers that their node refuses: they lead to the same, so that one of them is tried for all.

A node reads an answer before it does anything (``AskingNode.look``). What it refuses then only has
it asked again: all answers that are refused in a state lead to the same state, but for the words in
which the model is told why, which no node reads. So what is refused is found by reading alone, at a
tenth of the price of a tick. At the last attempt a reading goes on by its rules, whatever was
refused; an action may do a part of what was, so that there each answer is tried.

The first and the last answer that are refused alike are both tried; if they lead to different
states, all are (``treec_prove.expander``).
"""

from __future__ import annotations

from collections.abc import Iterable

from treec.ask.transport import Answer
from treec.world.events import EventRefused
from treec_asking.asking import AskingNode, Exchange
from treec_hearing.node import Reading
from treec_prove.explored import MODEL, Explored
from treec_prove.happenings import Happening

LEAST = 4
"""Answers to a question that are worth finding out which of them are refused."""


def refused_alike(explored: Explored, happenings: Iterable[Happening]) -> list[list[Happening]]:
    """The answers that lead to the same, in groups; what is read may change what is in the run."""
    groups: list[list[Happening]] = []
    answers: dict[int, list[Happening]] = {}
    for one in happenings:
        if one[0] == "answer":
            answers.setdefault(one[1], []).append(one)
    for number, given in answers.items():
        node = _node_that_asks(explored, number) if len(given) >= LEAST else None
        if node is None:
            continue
        found: dict[bool, list[Happening]] = {}
        for one in given:
            error = _refusal(node, Answer(one[2], by=MODEL))
            if error is not None:
                found.setdefault(hasattr(error, "once"), []).append(one)
        groups += found.values()
    return groups


def _node_that_asks(explored: Explored, number: int) -> AskingNode | None:  # type: ignore[type-arg]
    """Who will read the answer to an open question, if what is refused can be told alike."""
    exchange = getattr(explored.asker.open[number].flight.deliver, "__self__", None)
    if not isinstance(exchange, Exchange) or exchange.outdated:
        return None
    for node in explored.run.root.iterate():
        if isinstance(node, AskingNode) and node.exchange is exchange:
            is_last = exchange.attempt > node.entry.model.model.retries or exchange._once
            is_told = exchange.answerer.typed or (is_last and not isinstance(node, Reading))
            return None if is_told else node
    return None


def _refusal(node: AskingNode, answer: Answer) -> Exception | None:  # type: ignore[type-arg]
    """Why a node refuses an answer as soon as it has read it; None if it does not."""
    exchange = node.exchange
    assert isinstance(exchange, Exchange)
    try:
        node.parse(node._read(exchange, answer)[0])
    except (ValueError, EventRefused) as error:
        return error
    return None
