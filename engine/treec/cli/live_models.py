"""Lines of the summary about models: totals, then a table by node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treec.cli.terminal_text import safe
from treec.nodes.events import Answered, ModelLost
from treec.run.model_requests import LIMITS, NodeRequests, refused_answers
from treec.run.summary import MODEL, Summary, Trouble

HEAD = ("asked", "refused", "failed", "tokens in", "out", "cost", "mean", "worst")


def model_lines(totals: Summary) -> Iterator[tuple[str, str, str]]:
    """Label, text and style of each line; none if no model was asked."""
    if not totals.models:
        return
    whole = totals.requests
    waited = f", {sum(whole.seconds):.1f} s of waiting" if whole.seconds else ""
    cost = f", {_money(whole.cost)}" if whole.cost is not None else ""
    tokens = f"{whole.input_tokens:,} tokens in, {whole.output_tokens:,} out"
    yield "model", f"{safe(totals.model or 'a model')}: {tokens}{cost}{waited}", ""
    for lost in totals.lost:
        yield "", _format_trouble(lost), "yellow"
    if whole.held_back:
        number = _questions(whole.held_back)
        limited = any(lost.module == LIMITS for lost in totals.lost)
        named = any(lost.what != MODEL for lost in totals.lost)
        why = "since a model did not answer" if named else "since no model answered"
        who = "others" if named else "offline rules"
        why = "because of the limit" if limited else why
        yield "", f"{number} not sent, {why}: {who} answered", "yellow"
    if whole.dropped:
        number = f"{whole.dropped} request{'' if whole.dropped == 1 else 's'}"
        tokens = f"about {whole.closed_tokens:,} more tokens in"
        yield "", f"{number} closed before an answer: {tokens}", ""
    if whole.kept:
        yield "", f"{_questions(whole.kept)} not asked again: the last answer still held", ""
    rows = [("", *HEAD), *(_cells(name, one) for name, one in totals.models.items())]
    for row, line in zip(rows, lines_of(rows), strict=True):
        yield "", line, "" if row[0] else "dim"


def lines_of(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of a name and numbers as lines of equal length."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *numbers in rows:
        right = (number.rjust(w) for number, w in zip(numbers, widths[1:], strict=True))
        yield "  ".join([name.ljust(widths[0]), *right])


def model_lost_text(event: ModelLost) -> str:
    """The message for a model that is no longer asked, or does not answer."""
    if event.module == LIMITS:
        return f"! {safe(event.reason)}: no model is asked any more, offline rules decide"
    if event.model:
        return f"! {safe(event.model)} does not answer: {safe(event.reason)}: others decide"
    return f"! no model answers: {safe(event.reason)}: offline rules decide"


def given_up_text(event: Answered) -> str:
    """The message for a model whose answers were all refused, or whose last one is none."""
    why = event.failed or refused_answers(event.attempt, str(event.refused))
    return f"! {safe(event.name)}: {safe(why)}: the rules decide"


def _questions(number: int) -> str:
    return f"{number} question{'' if number == 1 else 's'}"


def _format_trouble(lost: Trouble) -> str:
    if lost.module == LIMITS:
        return f"not asked after {lost.t:.1f} s: {safe(lost.why)}"
    of = "" if lost.what == MODEL else f" of {safe(lost.what)}"
    return f"no answers{of} after {lost.t:.1f} s: {safe(lost.why)} [{safe(lost.module)}]"


def _cells(name: str, one: NodeRequests) -> tuple[str, ...]:
    return (
        safe(name),
        str(one.asked),
        str(one.refused),
        str(one.failed),
        f"{one.input_tokens:,}",
        f"{one.output_tokens:,}",
        _money(one.cost),
        _seconds(one.mean),
        _seconds(one.worst),
    )


def _money(dollars: float | None) -> str:
    if dollars is None:
        return "-"
    return f"${dollars:.2f}" if dollars >= 1 or not dollars else f"${dollars:.4f}"


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f} s"
