"""The loop that fits a model: AdamW, warm-up and cosine, checkpoints from which it goes on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from treec.atomic import atomic_writer

EVERY = 30.0
"""Seconds between two checkpoints."""
WARM = 100
"""Steps in which the learning rate rises, but at most a tenth of all."""


def rate(step: int, steps: int, highest: float) -> float:
    """Return the learning rate of a step."""
    warm = max(1, min(WARM, steps // 10))
    if step < warm:
        return highest * (step + 1) / warm
    done = (step - warm) / max(1, steps - warm)
    return highest * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def device_of(name: str) -> Any:
    """Return the torch device of a name: `auto` is a GPU if torch has one, else the CPU.

    Raises ValueError if it is not there.
    """
    if name not in ("auto", "cpu") and not name.startswith("cuda"):
        raise ValueError(f"--device {name}: it must be cpu, cuda, or auto")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ValueError(f"torch has no GPU: --device {name} cannot be used")
    return torch.device(name)


def fit(
    model: Any,
    loss_of: Callable[[Any], Any],
    batches: Callable[[int], Iterator[Any]],
    checkpoint: Path,
    *,
    steps: int,
    highest: float,
    told: Callable[[int, float], None],
) -> None:
    """Fit a model in place; ``batches(first)`` gives the batches from a step on.

    A checkpoint that is there is continued; equal steps draw equal batches.
    """
    decayed = [it for it in model.parameters() if it.ndim > 1]
    others = [it for it in model.parameters() if it.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.02}, {"params": others, "weight_decay": 0.0}],
        betas=(0.9, 0.98),
    )
    device = next(model.parameters()).device
    first = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True, map_location=device)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first = int(state["step"])
    if first >= steps:
        model.eval()
        return
    model.train()
    kept = time.monotonic()
    for step, batch in enumerate(batches(first), first):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps, highest)
        loss = loss_of(batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        told(step + 1, float(loss.detach()))
        if time.monotonic() - kept > EVERY or step + 1 == steps:
            state = {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "step": step + 1,
            }
            with atomic_writer(checkpoint) as file:
                torch.save(state, file)
            kept = time.monotonic()
    model.eval()
