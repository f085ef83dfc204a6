"""The loop that fits a model: AdamW, warm-up and cosine, checkpoints from which it goes on."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from treec.atomic import atomic_writer

KEEP = 50
"""Steps between two checkpoints."""
WARM = 60


def rate(step: int, steps: int, highest: float) -> float:
    """Return the learning rate of a step."""
    if step < WARM:
        return highest * (step + 1) / WARM
    done = (step - WARM) / max(1, steps - WARM)
    return highest * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def fit(
    model: Any,
    loss_of: Callable[[int], Any],
    checkpoint: Path,
    *,
    steps: int,
    highest: float,
    told: Callable[[int, float], None],
) -> None:
    """Fit a model in place; ``loss_of(step)`` gives the loss of a step's batch.

    A checkpoint that is there is continued; equal steps draw equal batches.
    """
    decayed = [it for it in model.parameters() if it.ndim > 1]
    others = [it for it in model.parameters() if it.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.02}, {"params": others, "weight_decay": 0.0}],
        betas=(0.9, 0.98),
    )
    first = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first = int(state["step"])
    model.train()
    for step in range(first, steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps, highest)
        loss = loss_of(step)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        told(step + 1, float(loss.detach()))
        if (step + 1) % KEEP == 0 or step + 1 == steps:
            state = {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "step": step + 1,
            }
            with atomic_writer(checkpoint) as file:
                torch.save(state, file)
    model.eval()
