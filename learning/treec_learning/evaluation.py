"""MOSAIC's Table 4 in the kinematic pantry: policies beside straight motion and the planner."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_learning.names import STARTS
from treec_learning.pantry.cases import Case, Purpose, draw_case, generator
from treec_learning.pantry.kinematics import configuration_at
from treec_learning.pantry.planner import plan
from treec_learning.pantry.simulator import STEPS, PantrySimulator
from treec_learning.policy import Policy
from treec_learning.trials import (
    Controller,
    Ints,
    ReachResult,
    follow_guarded,
    follow_policy,
    run_trial,
    scores_of,
    straight_scores,
)

PAPER: Mapping[str, Sequence[int]] = {
    "RL": (10, 10, 10, 4),
    "IK": (10, 3, 0, 2),
    "BC": (6, 4, 0, 3),
}
"""Successes of ten in the paper's Table 4, in the order of STARTS; on a robot, in a pantry."""
GUARDED: Mapping[str, bool] = {", guarded": True, ", guarded, no repeats": False}
"""Ending of a row's name → whether the hand may go back to where it has been."""
STRAIGHT_GUARDED = "straight, guarded, no repeats"
"""What needs no learning, with the same guard: what a policy adds shows beside it."""
GUARDED_NOTES = (
    "guarded: an action that the scene's model says would touch is not taken.",
    "no repeats: nor one back to where the hand has been, if there is another.",
)
_LOOKS = 4000


@dataclass
class Judged:
    """A controller's results, by start."""

    name: str
    results: dict[str, ReachResult] = field(default_factory=dict)
    milliseconds: float = 0.0
    """Of an episode, on the average."""


@dataclass
class LearnTable:
    """What was tried, and what came of it."""

    episodes: int
    seed: int
    rows: list[Judged]
    unsolved: Counter[str]
    """Cases that the planner did not solve, by start."""
    only_solvable: bool


def evaluate(
    policies: Mapping[str, Policy],
    episodes: int,
    seed: int,
    *,
    only_solvable: bool = True,
    tell: Callable[[str], None] = lambda text: None,
) -> LearnTable:
    """Try every controller on the same episodes of each start.

    With ``only_solvable`` a case that the planner does not solve within 4,000 configurations is
    replaced by the next one, and counted. A touch ends an episode as a failure.
    """
    rows = {name: Judged(name) for name in _names(policies)}
    unsolved: Counter[str] = Counter()
    for start in STARTS:
        cases: list[Case] = []
        plans: list[list[int] | None] = []
        began, number = time.monotonic(), 0
        while len(cases) < episodes:
            rng = generator(Purpose.EVALUATION, seed, STARTS.index(start), number)
            case = draw_case(rng, {start: 1.0})
            number += 1
            actions = plan(case, _LOOKS)
            tell(f"{start}: planning, {len(cases)} of {episodes}")
            if actions is None:
                unsolved[start] += 1
                if only_solvable:
                    continue
            cases.append(case)
            plans.append(actions)
        _try(rows["planner"], start, cases, _follow_plans(plans), time.monotonic() - began)
        _try(rows["straight"], start, cases, follow_straight)
        guarded = follow_guarded(straight_scores, repeats=False)
        _try(rows[STRAIGHT_GUARDED], start, cases, guarded)
        for name, policy in policies.items():
            tell(f"{start}: {name}")
            _try(rows[name], start, cases, follow_policy(policy))
            for ending, repeats in GUARDED.items():
                guarded = follow_guarded(scores_of(policy), repeats=repeats)
                _try(rows[name + ending], start, cases, guarded)
    for row in rows.values():
        row.milliseconds /= len(STARTS) * episodes
    return LearnTable(episodes, seed, list(rows.values()), unsolved, only_solvable)


def _names(policies: Mapping[str, Policy]) -> list[str]:
    names = [name + ending for name in policies for ending in ("", *GUARDED)]
    return [*names, "straight", STRAIGHT_GUARDED, "planner"]


def _try(
    row: Judged, start: str, cases: list[Case], controller: Controller, seconds: float = 0.0
) -> None:
    began = time.monotonic()
    row.results[start] = run_trial(cases, controller)
    row.milliseconds += 1e3 * (time.monotonic() - began + seconds)


def follow_straight(simulator: PantrySimulator) -> Ints:
    """Move every joint towards where inverse kinematics has the tip at the goal.

    The wrist is turned straight; what stands in the way is not minded (the paper's IK).
    """
    around = simulator.around
    level = np.zeros(len(simulator.q))
    to = configuration_at(around.goal, around.stand, level, level)
    steps = (to - simulator.q) / STEPS
    joint = np.abs(steps).argmax(axis=1)
    ahead = np.take_along_axis(steps, joint[:, None], axis=1)[:, 0] > 0
    return np.asarray(2 * joint + ahead, dtype=np.int64)


def _follow_plans(plans: Sequence[list[int] | None]) -> Controller:
    def act(simulator: PantrySimulator) -> Ints:
        return np.array(
            [
                actions[step] if actions is not None and step < len(actions) else -1
                for actions, step in zip(plans, simulator.steps, strict=True)
            ],
            dtype=np.int64,
        )

    return act


def to_text(table: LearnTable) -> str:
    """The table as text, with the paper's beside it."""
    width = max(len(row.name) for row in table.rows) + 2
    lines = [f"{'':{width}}" + "".join(f"{start:>14}" for start in STARTS) + f"{'ms':>8}"]
    for row in table.rows:
        shares = "".join(f"{share_text(row.results[start].reached):>14}" for start in STARTS)
        lines.append(f"{row.name:{width}}{shares}{row.milliseconds:>8.0f}")
    for name, counts in PAPER.items():
        shares = "".join(f"{f'{count}/10':>14}" for count in counts)
        lines.append(f"{f'the paper, {name}':{width}}{shares}")
    lines.append("")
    whole = sum(table.unsolved.values())
    if whole:
        counted = ", ".join(f"{n} of {start}" for start, n in table.unsolved.items())
        done = "left out and replaced" if table.only_solvable else "among them"
        lines.append(f"Cases that the planner did not solve ({counted}) are {done}.")
    lines += GUARDED_NOTES
    lines.append("All episodes have the pantry's next board, also for policies trained without it.")
    lines.append("The paper's are of a robot before a pantry; these of a kinematic simulator.")
    causes = {
        row.name: Counter(
            touched or "not reached"
            for result in row.results.values()
            for ok, touched in zip(result.reached, result.touched, strict=True)
            if not ok
        )
        for row in table.rows
    }
    for name, counter in causes.items():
        if counter:
            told = ", ".join(f"{cause} {n}" for cause, n in counter.most_common())
            lines.append(f"{name}, failures: {told}")
    return "\n".join(lines) + "\n"


def to_json(table: LearnTable) -> dict[str, Any]:
    """The table as plain data."""
    return {
        "episodes": table.episodes,
        "seed": table.seed,
        "unsolved": dict(table.unsolved),
        "rows": [
            {
                "controller": row.name,
                "milliseconds": round(row.milliseconds, 1),
                "starts": {
                    start: {
                        "reached": int(result.reached.sum()),
                        "touched": dict(Counter(t for t in result.touched if t)),
                        "steps": round(float(np.mean(result.steps)), 1),
                    }
                    for start, result in row.results.items()
                },
            }
            for row in table.rows
        ],
        "paper": {name: dict(zip(STARTS, counts, strict=True)) for name, counts in PAPER.items()},
    }


def share_text(successes: Sequence[bool] | npt.NDArray[np.bool_]) -> str:
    """Successes, and from 20 episodes on their share with its standard error."""
    n = len(successes)
    if n < 20:
        return f"{int(np.sum(successes))}/{n}"
    share = float(np.mean(successes))
    return f"{100 * share:.1f}±{100 * math.sqrt(share * (1 - share) / n):.1f}%"
