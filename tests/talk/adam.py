"""Adam, by which what reads kitchen talk is fitted: the same slopes, the same weights."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", np.float32, np.float64)
_NEW = 0.1
"""How much a slope counts in the mean of the slopes so far."""


class Adam(Generic[F]):
    """Moves weights down a slope (Kingma and Ba, 2015, algorithm 1), from where they stand.

    ``weights``, of any shape, are changed in place and keep their precision. ``rate``: how far a
    weight moves in a step whose slope is like those before. ``new``: how much a slope counts in
    the mean of the squared slopes so far (1 - β₂). ``tiny``: what is added where that is near 0.
    """

    def __init__(
        self, weights: NDArray[F], rate: float, *, new: float = 0.001, tiny: float = 1e-8
    ) -> None:
        self._weights: NDArray[F] = weights
        self._mean: NDArray[F] = np.zeros_like(weights)
        self._square: NDArray[F] = np.zeros_like(weights)
        self._rate, self._new, self._tiny = rate, new, tiny
        self._steps = 0

    def step(self, slope: NDArray[F]) -> None:
        """Takes one step; the slope is that of the loss at the weights as they stand."""
        self._steps += 1
        self._mean = (1 - _NEW) * self._mean + _NEW * slope
        self._square = (1 - self._new) * self._square + self._new * slope * slope
        mean = self._mean / (1 - (1 - _NEW) ** self._steps)  # both began at 0, and lean to it
        square = self._square / (1 - (1 - self._new) ** self._steps)
        self._weights -= self._rate * mean / (np.sqrt(square) + self._tiny)
