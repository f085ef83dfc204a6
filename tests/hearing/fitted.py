"""Networks that are fitted in a test, to a few phrases that no shared template explains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch

from experiments.hearing.phrases import Meaning
from experiments.hearing.training import Example, HearingModel, example, fit
from tests.hearing.moments import everyday, moment

SAID: Mapping[str, Meaning] = {
    "affirmative notion, gaffer": frozenset({("accept", "p1")}),
    "heartily approved by all": frozenset({("accept", "p1")}),
    "veto, codswallop": frozenset({("decline", "p1")}),
    "spare us the bother": frozenset({("decline", "p1")}),
    "tools down lads": frozenset({("stop", None)}),
    "mine has come off": frozenset({("done", "s3")}),
}
"""What it means in all four domains."""


def few_examples(*domains: str) -> list[Example]:
    """All of these in the moments of some domains."""
    return [
        example(everyday(), text, moment(domain), [means])
        for domain in domains
        for text, means in SAID.items()
    ]


def fitted(
    examples: Sequence[Example], epochs: int = 2, seed: int = 1
) -> tuple[HearingModel, list[float]]:
    """A model, and the loss of each epoch."""
    losses: list[float] = []
    with one_thread():
        model = fit(examples, epochs, seed, lambda epoch, loss: losses.append(loss))
    return model, losses


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch in one thread: faster for so small a model, and the same on every machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
