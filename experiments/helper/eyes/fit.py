"""Fits the networks of the small eyes with torch, and writes them for numpy."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import distributed as dist
from torch import nn
from torch.nn import functional as F


def block(inward: int, outward: int, stride: int = 1) -> nn.Sequential:
    """A convolution, normalised while it is fitted, and a ReLU."""
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU()
    )


class Classes(nn.Module):
    """The network of `treec_household.embodied.network.see`."""

    def __init__(self, features: int, kinds: int) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(features, 128), nn.Linear(128, 96)
        self.head = nn.Linear(96, 3 + kinds)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Middles and logits (k, 3 + kinds) of pixels' features."""
        out: torch.Tensor = self.head(F.relu(self.b(F.relu(self.a(x)))))
        return out


class States(nn.Module):
    """The network of `treec_household.embodied.network.states`."""

    def __init__(self, kinds: int, facts: int) -> None:
        super().__init__()
        self.a, self.b, self.c = block(3, 16, 2), block(16, 32, 2), block(32, 48, 2)
        self.kinds = nn.Embedding(kinds, 16)
        self.hidden, self.head = nn.Linear(9 * 48 + 16, 64), nn.Linear(64, facts)

    def forward(self, crop: torch.Tensor, kind: torch.Tensor) -> torch.Tensor:
        """Logits (n, facts) of crops (n, 3, 24, 24) of things of classes (n,)."""
        x = self.c(self.b(self.a(crop))).permute(0, 2, 3, 1).flatten(1)
        out: torch.Tensor = self.head(F.relu(self.hidden(torch.cat([x, self.kinds(kind)], 1))))
        return out


def fit(
    model: nn.Module,
    loss: Callable[[np.ndarray[Any, Any]], torch.Tensor],
    train: np.ndarray[Any, Any],
    *,
    steps: int,
    batch: int,
    rate: float,
    tell: Callable[[str], None],
) -> None:
    """Minimise the loss of batches of example numbers, for so many steps; processes share them."""
    together = dist.get_world_size() if dist.is_initialized() else 1
    rng = np.random.default_rng(dist.get_rank() if together > 1 else 0)
    best = torch.optim.AdamW(model.parameters(), rate, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, rate, steps, pct_start=0.1)
    begun, mean = time.monotonic(), 0.0
    model.train()
    for step in range(steps):
        value = loss(rng.choice(train, batch // together, replace=False))
        best.zero_grad()
        value.backward()  # type: ignore[no-untyped-call]
        if together > 1:
            flat = torch.cat([p.grad.flatten() for p in model.parameters()])  # type: ignore[union-attr]
            dist.all_reduce(flat)
            sizes = [p.numel() for p in model.parameters()]
            for p, own in zip(model.parameters(), torch.split(flat / together, sizes), strict=True):
                p.grad.copy_(own.view_as(p))  # type: ignore[union-attr]
        best.step()
        plan.step()
        mean += (float(value.detach()) - mean) / min(step + 1, 50)
        if step % 25 == 24:
            tell(f"step {step + 1} of {steps}: loss {mean:.3f}, {time.monotonic() - begun:.0f} s")
    model.eval()


def save(model: nn.Module, path: Path, **more: np.ndarray[Any, Any]) -> None:
    """Write the weights as half floats, each normalisation folded into its convolution."""
    out: dict[str, np.ndarray[Any, Any]] = dict(more)
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    for name, part in model.named_children():
        if isinstance(part, nn.Sequential):
            scale = state[f"{name}.1.weight"] / np.sqrt(state[f"{name}.1.running_var"] + 1e-5)
            w = state[f"{name}.0.weight"] * scale[:, None, None, None]
            out[f"{name}.w"] = w.transpose(2, 3, 1, 0).reshape(-1, len(scale))
            out[f"{name}.b"] = state[f"{name}.1.bias"] - state[f"{name}.1.running_mean"] * scale
        elif isinstance(part, nn.Embedding):
            out[f"{name}.w"] = state[f"{name}.weight"]
        else:
            out[f"{name}.w"] = state[f"{name}.weight"].T
            out[f"{name}.b"] = state[f"{name}.bias"]
    half = {n: v.astype(np.float16) if v.dtype == np.float32 else v for n, v in out.items()}
    np.savez_compressed(path, **half)
