"""Policies of hands in the kinematic simulator, beside the straight way that needs no learning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_learning.evaluation import share_text
from treec_learning.files import RewardFile
from treec_learning.hand.straight_line import straight_actions
from treec_learning.hand.training_task import draw_cases, try_hands
from treec_learning.pantry.cases import Purpose
from treec_learning.policy import Policy

STRAIGHT = "straight, nothing learned"


@dataclass
class HandTable:
    """Which episodes succeeded, by policy, controller and start."""

    episodes: int
    seed: int
    rows: dict[str, dict[str, dict[str, npt.NDArray[np.bool_]]]] = field(default_factory=dict)


def evaluate(policies: Mapping[str, Policy], episodes: int, seed: int) -> HandTable:
    """Try policies from each start that they were trained with, on cases of their own."""
    table = HandTable(episodes, seed)
    for name, policy in policies.items():
        reward = RewardFile.model_validate(policy.made["reward"])
        rows = table.rows[name] = {"learned": {}, STRAIGHT: {}}
        for start in policy.made["learning"]["starts"]:
            cases = draw_cases(Purpose.EVALUATION, seed, episodes, {start: 1.0}, reward)
            rows["learned"][start] = try_hands(cases, policy.motions, reward)
            rows[STRAIGHT][start] = try_hands(cases, straight_actions, reward)
    return table


def to_text(table: HandTable) -> str:
    """The table as text."""
    lines = []
    for name, rows in table.rows.items():
        starts = list(rows["learned"])
        lines.append(f"{name:28}" + "".join(f"{start:>14}" for start in starts))
        for row, successes in rows.items():
            shares = "".join(f"{share_text(successes[start]):>14}" for start in starts)
            lines.append(f"  {row:26}{shares}")
    lines.append("In the kinematic simulator; --env sapien judges with physics.")
    return "\n".join(lines) + "\n"


def to_json(table: HandTable) -> dict[str, Any]:
    """The table as plain data."""
    return {
        "episodes": table.episodes,
        "seed": table.seed,
        "policies": {
            name: {
                row: {start: int(good.sum()) for start, good in successes.items()}
                for row, successes in rows.items()
            }
            for name, rows in table.rows.items()
        },
    }
