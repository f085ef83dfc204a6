"""Policies in environments that are not treec's, beside random actions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from treec_learning.episodes import EpisodeResult
from treec_learning.evaluation import share_text
from treec_learning.files import LearningFile
from treec_learning.own_environment import (
    Controller,
    EnvironmentProblem,
    close,
    describe_environment,
    episode_seeds,
    make_environment,
    try_controller,
)
from treec_learning.pantry.cases import Purpose
from treec_learning.policy import Policy

RANDOM = "random"
Table = dict[str, dict[str, list[EpisodeResult]]]
"""Policy → row (the policy itself, or random actions) → its episodes."""


def evaluate(
    policies: Mapping[str, Policy],
    episodes: int,
    seed: int,
    *,
    tell: Callable[[str], None] = lambda text: None,
) -> Table:
    """Try each policy, and random actions, in the same episodes of its environment.

    Raises EnvironmentProblem, also where the environment is no longer what it was.
    """
    table: Table = {}
    for name, policy in policies.items():
        spec = file_of(policy)
        env = make_environment(spec)
        if describe_environment(spec, env) != policy.spaces:
            raise EnvironmentProblem(
                f"{spec.environment} shows or takes other things than when {name} was trained"
            )
        seeds = episode_seeds(Purpose.EVALUATION, seed, episodes)
        rows: dict[str, Controller] = {
            name: policy.action,
            RANDOM: lambda _, env=env: env.action_space.sample(),  # type: ignore[misc]
        }
        env.action_space.seed(seed)
        table[name] = {
            row: try_controller(
                spec,
                env,
                controller,
                seeds,
                lambda number, row=row: tell(f"{row}: {number + 1} of {episodes}"),  # type: ignore[misc]
            )
            for row, controller in rows.items()
        }
        close(env)
    return table


def to_text(table: Table) -> str:
    """The table as text."""
    width = max(len(row) for rows in table.values() for row in rows) + 2
    lines = [f"{'':{width}}{'succeeded':>14}{'return':>20}{'steps':>8}"]
    for rows in table.values():
        for row, results in rows.items():
            steps = float(np.mean([it.steps for it in results]))
            line = f"{row:{width}}{_shares(results):>14}{_mean(results):>20}{steps:>8.0f}"
            lines.append(line)
    if any(it.success is None for rows in table.values() for row in rows.values() for it in row):
        lines.append("-: nothing says what a success is (info['is_success'], reward_threshold)")
    return "\n".join(lines) + "\n"


def to_json(table: Table) -> dict[str, Any]:
    """The table as plain data."""
    return {
        name: {
            row: {
                "succeeded": [it.success for it in results],
                "returns": [round(it.value, 4) for it in results],
                "steps": [it.steps for it in results],
            }
            for row, results in rows.items()
        }
        for name, rows in table.items()
    }


def _shares(results: Sequence[EpisodeResult]) -> str:
    known = [it.success for it in results if it.success is not None]
    return share_text(known) if len(known) == len(results) else "-"


def _mean(results: Sequence[EpisodeResult]) -> str:
    values = [it.value for it in results]
    error = float(np.std(values)) / math.sqrt(len(values))
    return f"{float(np.mean(values)):.4g} ± {error:.2g}"


def file_of(policy: Policy) -> LearningFile:
    """Return the learning file that a policy was made of. Raises ValueError."""
    learning = policy.made["learning"]
    default = {name: field.default for name, field in LearningFile.model_fields.items()}
    algorithm = {key: it for key, it in learning["algorithm"].items() if it is not None}
    given = {key: it for key, it in learning.items() if key not in default or it != default[key]}
    return LearningFile.model_validate({**given, "algorithm": algorithm})
