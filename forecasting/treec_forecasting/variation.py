"""What makes windows of training more various than recordings are.

Other frame rates, bodies of other sizes, people who stop and stand, a camera's noise, joints that
stay where they were last seen.
"""

from __future__ import annotations

import math
from itertools import pairwise

import torch
from torch import Tensor

from treec_sapien.people.skeleton import PAST, WINDOW

SLOW, SIZES, STOPS, CLEAN, LOST = 0.15, 0.2, 0.05, 0.35, 0.2
"""Shares of windows: of a lower frame rate, of another size, in which people stop for good, without
noise, with lost joints."""

SIZE = (0.85, 1.15)
"""How much smaller or larger people are."""

NOISE = (0.002, 0.03)
"""Standard deviations (m) of a camera's noise, from which that of a window is drawn, log-uniform.

Half of the windows with noise have the forecast file's own."""

MOST_LOST = 0.35
"""Share of lost joints at most."""


def varied(windows: Tensor, noise: float) -> tuple[Tensor, Tensor]:
    """Vary windows (w, 35, 16, 3) in the person's frame; draws from torch's generator.

    Return what is seen (w, 10, 16, 3) and what happens: joints and root (w, 25, 8, 3).
    """
    count = len(windows)
    rates = _RATES[torch.randint(len(_RATES), (count,))]
    slow = torch.einsum("wts,wskc->wtkc", rates, windows)
    out = torch.where(_some(count, SLOW), slow, windows)
    sizes = SIZE[0] + (SIZE[1] - SIZE[0]) * torch.rand(count, 1, 1, 1)
    out = out * torch.where(_some(count, SIZES), sizes, 1.0)
    stop = torch.randint(PAST, (count,)) * (torch.rand(count) < 0.5)
    stop = torch.where(_some(count, STOPS).view(-1), stop, WINDOW)
    frames = torch.minimum(torch.arange(WINDOW)[None], stop[:, None])
    out = torch.gather(out, 1, frames[:, :, None, None].expand(-1, -1, *out.shape[2:]))
    drawn = NOISE[0] * torch.exp(torch.rand(count) * math.log(NOISE[1] / NOISE[0]))
    sigma = torch.where(torch.rand(count) < 0.5, noise, drawn).view(-1, 1, 1, 1)
    sigma = torch.where(_some(count, CLEAN), 0.0, sigma)
    past = out[:, :PAST] + sigma * torch.randn_like(out[:, :PAST])
    share = torch.where(_some(count, LOST), MOST_LOST * torch.rand(count, 1, 1, 1), 0.0)
    lost = torch.rand(past.shape[:3]) < share[..., 0]
    lost[:, 0] = False
    at = torch.where(lost, 0, torch.arange(PAST)[None, :, None]).cummax(dim=1).values
    past = torch.gather(past, 1, at[..., None].expand(-1, -1, -1, 3))
    return past, out[:, PAST:, :8]


def _some(count: int, share: float) -> Tensor:
    """Return which windows (w, 1, 1, 1) are of a share."""
    return torch.rand(count, 1, 1, 1) < share


def _lower_rates() -> Tensor:
    """Return matrices (m, 35, 35) that keep every second or third frame, and fill in between."""
    matrices = []
    for step in (2, 3):
        for first in range(step):
            kept = sorted({0, WINDOW - 1, *range(first, WINDOW, step)})
            matrix = torch.zeros(WINDOW, WINDOW)
            for a, b in pairwise(kept):
                for frame in range(a, b + 1):
                    matrix[frame] = 0.0
                    matrix[frame, a] = (b - frame) / (b - a)
                    matrix[frame, b] = (frame - a) / (b - a)
            matrices.append(matrix)
    return torch.stack(matrices)


_RATES = _lower_rates()
