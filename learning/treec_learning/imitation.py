"""Behaviour cloning: a network is fitted to the actions of demonstrations.

As in MOSAIC (appendix D): two hidden layers of 256, and a cross-entropy that weighs each action by
how rare it is. Where an action is a row of numbers, it is the squared error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from treec_learning.pantry.simulator import ACTIONS


@dataclass(frozen=True)
class Demonstrations:
    """What was seen (n, size) and done (n,), or (n, numbers), in them, and how many there are."""

    seen: npt.NDArray[np.float32]
    done: npt.NDArray[Any]
    number: int
    unsolved: int


def make_network(size: int, layers: Sequence[int], outputs: int) -> nn.Sequential:
    """Return a network from an observation to logits of the actions, or to an action's numbers."""
    parts: list[nn.Module] = []
    for width in layers:
        parts += [nn.Linear(size, width), nn.Tanh()]
        size = width
    return nn.Sequential(*parts, nn.Linear(size, outputs))


def clone(
    demonstrations: Demonstrations,
    layers: Sequence[int],
    *,
    epochs: int,
    batch: int,
    learning_rate: float,
    seed: int,
    report: Callable[[int, float], None] = lambda epoch, loss: None,
) -> nn.Sequential:
    """Fit a network to demonstrations."""
    torch.manual_seed(seed)
    seen, done = torch.as_tensor(demonstrations.seen), torch.as_tensor(demonstrations.done)
    outputs = len(ACTIONS) if done.ndim == 1 else done.shape[1]
    network = make_network(seen.shape[1], layers, outputs)
    weight = None
    if done.ndim == 1:
        count = torch.bincount(done, minlength=outputs).float()
        weight = torch.where(count > 0, len(done) / (outputs * count.clamp(min=1)), 0.0)
    fit = torch.optim.Adam(network.parameters(), lr=learning_rate)
    fading = torch.optim.lr_scheduler.CosineAnnealingLR(fit, epochs)
    for epoch in range(epochs):
        order = torch.randperm(len(done))
        total = 0.0
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            logits = network(seen[rows])
            if weight is None:
                loss = nn.functional.mse_loss(logits, done[rows])
            else:
                loss = nn.functional.cross_entropy(logits, done[rows], weight)
            fit.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            fit.step()
            total += float(loss.detach()) * len(rows)
        fading.step()
        report(epoch + 1, total / len(order))
    return network
