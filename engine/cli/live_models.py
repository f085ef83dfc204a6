"""What the models of a run came to, as the lines of its summary: in all, then node by node."""

from __future__ import annotations

from collections.abc import Iterator

from treec.cli.live_paint import safe
from treec.run.model_requests import LIMITS, NodeRequests
from treec.run.summary import Summary, Trouble

HEAD = ("asked", "refused", "failed", "tokens in", "out", "cost", "mean", "worst")


def model_lines(totals: Summary) -> Iterator[tuple[str, str, str]]:
    """What stands before each line, the line, its style; none when no model was asked."""
    if not totals.models:
        return
    whole = totals.requests
    waited = f", {sum(whole.seconds):.1f} s of waiting" if whole.seconds else ""
    cost = f", {_money(whole.cost)}" if whole.cost is not None else ""
    tokens = f"{whole.input_tokens:,} tokens in, {whole.output_tokens:,} out"
    yield "model", f"{safe(totals.model or 'a model')}: {tokens}{cost}{waited}", ""
    for lost in totals.lost:
        yield "", _lost(lost), "yellow"
    if whole.held_back:
        number = f"{whole.held_back} question{'' if whole.held_back == 1 else 's'}"
        yield "", f"{number} held back by the limit: the nodes' own rules answered", "yellow"
    rows = [("", *HEAD), *(_cells(name, one) for name, one in totals.models.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        name, *numbers = row
        right = (number.rjust(w) for number, w in zip(numbers, widths[1:], strict=True))
        cells = [name.ljust(widths[0]), *right]
        yield "", "  ".join(cells), "dim" if not name else ""


def lost_words(reason: object, module: object) -> str:
    """What people are told when models answer no longer: a limit is no failure of theirs."""
    if module == LIMITS:
        return f"! {safe(reason)}: no model is asked any more, offline rules decide"
    return f"! no model answers: {safe(reason)}: offline rules decide"


def _lost(lost: Trouble) -> str:
    if lost.module == LIMITS:
        return f"from {lost.t:.1f} s on nobody was asked: {safe(lost.why)}"
    return f"no answer from {lost.t:.1f} s on: {safe(lost.why)} [{safe(lost.module)}]"


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
