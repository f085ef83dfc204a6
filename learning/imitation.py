"""Behaviour cloning: a network is fitted to the actions of demonstrations.

As in MOSAIC (appendix D): two hidden layers of 256, and a cross-entropy that weighs each action by
how rare it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from treec.learning.pantry.cases import Purpose, draw_case, generator
from treec.learning.pantry.planner import plan
from treec.learning.pantry.simulator import ACTIONS, PantrySimulator


@dataclass(frozen=True)
class Demonstrations:
    """What was seen (n, size) and done (n,) in them, and how many there are."""

    seen: npt.NDArray[np.float32]
    done: npt.NDArray[np.int64]
    number: int
    unsolved: int


def demonstrate(
    number: int,
    shares: dict[str, float],
    sight: str,
    seed: int,
    *,
    top: bool = True,
    told: Callable[[int], None] = lambda n: None,
) -> Demonstrations:
    """Let the planner solve cases until there are ``number`` demonstrations.

    Cases that it does not solve are left out and counted.
    """
    seen, done, unsolved, found = [], [], 0, 0
    index = 0
    while found < number:
        rng = generator(Purpose.DEMONSTRATION, seed, 0, index)
        case = draw_case(rng, shares, top=top)
        index += 1
        actions = plan(case, 1500)
        if actions is None:
            unsolved += 1
            continue
        simulator = PantrySimulator([case])
        for action in actions:
            seen.append(simulator.seen(sight)[0])
            done.append(action)
            simulator.step(np.array([action]))
        found += 1
        told(found)
    return Demonstrations(np.stack(seen), np.array(done, dtype=np.int64), found, unsolved)


def make_network(size: int, layers: Sequence[int]) -> nn.Sequential:
    """Return a network from an observation to logits of the actions."""
    parts: list[nn.Module] = []
    for width in layers:
        parts += [nn.Linear(size, width), nn.Tanh()]
        size = width
    return nn.Sequential(*parts, nn.Linear(size, len(ACTIONS)))


def clone(
    demonstrations: Demonstrations,
    layers: Sequence[int],
    *,
    epochs: int,
    batch: int,
    learning_rate: float,
    seed: int,
    told: Callable[[int, float], None] = lambda epoch, loss: None,
) -> nn.Sequential:
    """Fit a network to demonstrations."""
    torch.manual_seed(seed)
    seen, done = torch.as_tensor(demonstrations.seen), torch.as_tensor(demonstrations.done)
    network = make_network(seen.shape[1], layers)
    count = torch.bincount(done, minlength=len(ACTIONS)).float()
    weight = torch.where(count > 0, len(done) / (len(ACTIONS) * count.clamp(min=1)), 0.0)
    fit = torch.optim.Adam(network.parameters(), lr=learning_rate)
    fading = torch.optim.lr_scheduler.CosineAnnealingLR(fit, epochs)
    for epoch in range(epochs):
        order = torch.randperm(len(done))
        total = 0.0
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            loss = nn.functional.cross_entropy(network(seen[rows]), done[rows], weight)
            fit.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            fit.step()
            total += float(loss.detach()) * len(rows)
        fading.step()
        told(epoch + 1, total / len(order))
    return network
