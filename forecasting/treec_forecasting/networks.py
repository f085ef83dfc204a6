"""The networks: STS-GCN, and an MLP over the cosine transform of time.

Both take windows in the person's frame and give joints for the second ahead, as residuals to the
last positions. Inputs are (batch, 10, k, 3), metres.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from treec_sapien.people.skeleton import FUTURE, PAST

POINTS = 8
"""What is forecast: seven joints and the root."""

SCENE = 16
"""What is seen: these, the partner's seven joints, and a thing."""


class SpaceTimeLayer(nn.Module):
    """One layer of STS-GCN (Sofianos et al. 2021, section 3.2): time, then space, then channels.

    The adjacency is the product of one matrix over time for each joint and one over joints for each
    frame.
    """

    def __init__(self, take: int, give: int, frames: int, points: int, dropout: float) -> None:
        super().__init__()
        bound = 1.0 / math.sqrt(frames)
        self.time = nn.Parameter(torch.empty(points, frames, frames).uniform_(-bound, bound))
        bound = 1.0 / math.sqrt(points)
        self.space = nn.Parameter(torch.empty(frames, points, points).uniform_(-bound, bound))
        self.mix = nn.Sequential(
            nn.Conv2d(take, give, 1), nn.BatchNorm2d(give), nn.Dropout(dropout)
        )
        self.skip: nn.Module = nn.Identity()
        if take != give:
            self.skip = nn.Sequential(nn.Conv2d(take, give, 1), nn.BatchNorm2d(give))
        self.rise = nn.PReLU()

    def forward(self, x: Tensor) -> Tensor:
        """Return (batch, give, frames, points)."""
        y = torch.einsum("nctv,vtq->ncqv", x, self.time)
        y = torch.einsum("nctv,tvw->nctw", y, self.space)
        y_out: Tensor = self.rise(self.mix(y) + self.skip(x))
        return y_out


class StsGcn(nn.Module):
    """STS-GCN with the channels of its release, over the person's own joints and root alone."""

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        sizes = (3, 64, 32, 64, 3)
        self.encode = nn.Sequential(
            *(SpaceTimeLayer(a, b, PAST, POINTS, dropout) for a, b in pairwise(sizes))
        )
        self.widen = nn.Sequential(nn.Conv2d(PAST, FUTURE, 3, padding=1), nn.PReLU())
        self.decode = nn.ModuleList(
            nn.Sequential(nn.Conv2d(FUTURE, FUTURE, 3, padding=1), nn.Dropout(dropout), nn.PReLU())
            for _ in range(3)
        )
        self.out = nn.Conv2d(FUTURE, FUTURE, 3, padding=1)

    def forward(self, past: Tensor, has: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return joints and root (batch, 25, 8, 3), and no spread."""
        own = past[:, :, :POINTS]
        x = self.encode(own.permute(0, 3, 1, 2)).permute(0, 2, 1, 3)
        x = self.widen(x)
        for layer in self.decode:
            x = layer(x) + x
        return own[:, -1:] + self.out(x).permute(0, 1, 3, 2), None


class DctMlp(nn.Module):
    """Residual MLP over the cosine transform of the past, after siMLPe (Guo et al. 2023).

    Unlike siMLPe it mixes time and space in one, sees the partner and the thing, and gives a spread
    (m) for each joint and frame: the mean distance that it expects to be off.
    """

    def __init__(
        self,
        width: int = 512,
        depth: int = 3,
        dropout: float = 0.1,
        sees: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self.sees = tuple(sees)
        self.register_buffer("dct", _dct(PAST), persistent=False)
        self.register_buffer("back", _dct(FUTURE), persistent=False)
        given = PAST * SCENE * 3 + 2
        self.enter = nn.Linear(given, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(
                nn.LayerNorm(width),
                nn.Linear(width, width),
                nn.GELU(),
                nn.Dropout(dropout),
                nn.Linear(width, width),
            )
            for _ in range(depth)
        )
        self.norm = nn.LayerNorm(width)
        self.joints = nn.Linear(width, FUTURE * POINTS * 3)
        self.spread = nn.Linear(width, FUTURE * (POINTS - 1))
        nn.init.normal_(self.joints.weight, std=1e-3)
        nn.init.zeros_(self.joints.bias)

    def forward(self, past: Tensor, has: Tensor) -> tuple[Tensor, Tensor]:
        """Return joints and root (batch, 25, 8, 3), and the spread (batch, 25, 7)."""
        n = len(past)
        keep = torch.stack(
            [
                has[:, 0] * float("partner" in self.sees),
                has[:, 1] * float("thing" in self.sees),
            ],
            dim=1,
        )
        shown = torch.cat(
            [
                past[:, :, :POINTS],
                past[:, :, POINTS:15] * keep[:, 0].view(n, 1, 1, 1),
                past[:, :, 15:] * keep[:, 1].view(n, 1, 1, 1),
            ],
            dim=2,
        )
        waves = torch.einsum("ft,ntkc->nfkc", self.dct, shown)
        x = self.enter(torch.cat([waves.reshape(n, -1), keep], dim=1))
        for block in self.blocks:
            x = x + block(x)
        x = self.norm(x)
        moved = torch.einsum("ft,nfkc->ntkc", self.back, self.joints(x).view(n, FUTURE, POINTS, 3))
        spread = nn.functional.softplus(self.spread(x)).view(n, FUTURE, POINTS - 1) * 0.1 + 1e-3
        return past[:, -1:, :POINTS] + moved, spread


def _dct(n: int) -> Tensor:
    """The orthonormal cosine transform (n, n): row f is the wave of frequency f."""
    t = torch.arange(n, dtype=torch.float64)
    waves = torch.cos(math.pi / n * (t + 0.5) * t[:, None]) * math.sqrt(2.0 / n)
    waves[0] /= math.sqrt(2.0)
    return waves.float()


def make_network(kind: str, parameters: dict[str, Any]) -> nn.Module:
    """Return a network by the name that a forecast file has. Raises ValueError."""
    if kind == "sts_gcn":
        return StsGcn(**parameters)
    if kind == "dct_mlp":
        return DctMlp(**parameters)
    raise ValueError(f"unknown network '{kind}'")
