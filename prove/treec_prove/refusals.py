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

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from treec.ask.transport import Answer
from treec.world.events import EventRefused
from treec_asking.asking import AskingNode, Exchange
from treec_hearing.node import Reading
from treec_prove.happenings import Happening
from treec_prove.undecided import MODEL

if TYPE_CHECKING:
    from treec.run.run import Run
    from treec_prove.explored import Explored

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
        by_text = {one[2]: one for one in given}
        exchange = explored.asker.open[number].exchange
        for group in groups_of_refused(explored.run, exchange, list(by_text)):
            groups.append([by_text[text] for text in group])
    return groups


def groups_of_refused(
    run: Run, exchange: Exchange | None, answers: Sequence[str]
) -> list[list[str]]:
    """The answers to a question that its node refuses alike, as soon as it has read them."""
    node = _node_that_asks(run, exchange) if len(answers) >= LEAST else None
    found: dict[bool, list[str]] = {}
    for text in answers if node is not None else ():
        error = _refusal(node, Answer(text, by=MODEL))  # type: ignore[arg-type]
        if error is not None:
            found.setdefault(hasattr(error, "once"), []).append(text)
    return list(found.values())


def _node_that_asks(run: Run, exchange: Exchange | None) -> AskingNode | None:  # type: ignore[type-arg]
    """Who will read the answer to an open question, if what is refused can be told alike."""
    if exchange is None or exchange.outdated:
        return None
    for node in run.root.iterate():
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


def without_middles(
    options: Iterable[Happening], groups: Iterable[Sequence[Happening]]
) -> Iterator[Happening]:
    """Answers without those between the first and the last of a group."""
    middles = {one for group in groups for one in group[1:-1]}
    return (one for one in options if one not in middles)
