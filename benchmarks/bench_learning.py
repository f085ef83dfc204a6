"""Steps a second of the environments that policies are trained in, on one core."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np

from benchmarks.table import Cell, Table
from treec_learning.names import STARTS
from treec_learning.pantry.environment import StretchPantry
from treec_learning.pantry.vectorized import ManyPantries
from treec_learning.shipped import reward_file


def run(small: bool) -> list[Table]:
    """Random actions, episode after episode, alone and 128 side by side."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    seconds = 0.2 if small else 5.0
    rows = [_row("one, as gymnasium has it", 1, _alone(), seconds)]
    rows += [_row(f"{n} side by side", n, _many(n), seconds) for n in (16, 128)]
    return [
        Table(
            "Steps of the pantry a second",
            ("treec/StretchPantry-v0", "steps a second"),
            rows,
            ("Random actions; the drawing of new episodes is part of it.",),
        )
    ]


def _alone() -> Callable[[np.random.Generator], None]:
    env = StretchPantry("reach")
    env.reset(seed=0)

    def step(rng: np.random.Generator) -> None:
        ended = env.step(np.int64(rng.integers(10)))[2:4]
        if any(ended):
            env.reset()

    return step


def _many(number: int) -> Callable[[np.random.Generator], None]:
    many = ManyPantries(number, reward_file("reach"), dict.fromkeys(STARTS, 1.0), "joints")
    many.reset()
    return lambda rng: many.step(rng.integers(10, size=number)) and None


def _row(
    name: str, number: int, step: Callable[[np.random.Generator], None], seconds: float
) -> tuple[Cell, ...]:
    rng, began, steps = np.random.default_rng(0), time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < seconds:
        step(rng)
        steps += number
    return (name, round(steps / spent))
