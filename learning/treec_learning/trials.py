"""Trials of controllers in the kinematic pantry: how many reach the thing without a touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treec_learning.guarded_choice import GuardedChoice
from treec_learning.names import STARTS
from treec_learning.pantry.cases import Case, Purpose, draw_case, generator
from treec_learning.pantry.kinematics import Array, configuration_at
from treec_learning.pantry.simulator import ACTIONS, MOST, MOVES, STEPS, TOUCHES, PantrySimulator
from treec_learning.policy import Floats, Policy

Ints = npt.NDArray[np.int64]
Controller = Callable[[PantrySimulator], Ints]
"""Gives the next action of every hand, or -1 for one that gives up."""
Scores = Callable[[PantrySimulator], Floats]
"""Gives how much each action (n, actions) is liked."""


@dataclass(frozen=True)
class ReachTrial:
    """What is tried: episodes of one start, drawn from a seed."""

    start: str
    episodes: int
    seed: int
    top: bool = True

    def cases(self) -> list[Case]:
        """Return the cases; the same for the same trial."""
        return [
            draw_case(
                generator(Purpose.TRIAL, self.seed, STARTS.index(self.start), n),
                {self.start: 1.0},
                top=self.top,
            )
            for n in range(self.episodes)
        ]


@dataclass
class ReachResult:
    """What came of it, episode by episode."""

    cases: Sequence[Case]
    reached: npt.NDArray[np.bool_]
    touched: list[str | None]
    """What was touched, which ends an episode as a failure."""
    steps: Ints
    paths: list[list[Array]] = field(default_factory=list)
    """The configurations (5,) of each episode."""

    @property
    def success(self) -> float:
        """The share of episodes that reached the goal without a touch."""
        return float(np.mean(self.reached)) if len(self.reached) else 0.0


def run_trial(cases: Sequence[Case], controller: Controller, most: int = MOST) -> ReachResult:
    """Let a controller act in all cases; a touch ends an episode, and so does giving up."""
    simulator = PantrySimulator(list(cases))
    number = len(cases)
    result = ReachResult(
        cases,
        np.zeros(number, dtype=bool),
        [None] * number,
        np.zeros(number, dtype=np.int64),
        [[q.copy()] for q in simulator.q],
    )
    going = np.ones(number, dtype=bool)
    for step in range(1, most + 1):
        actions = controller(simulator)
        going &= actions >= 0
        if not going.any():
            break
        stepped = simulator.step(np.maximum(actions, 0))
        for index in np.flatnonzero(going):
            result.paths[index].append(simulator.q[index].copy())
            result.steps[index] = step
            if stepped.touched[index]:
                result.touched[index] = TOUCHES[stepped.refused[index]]
            elif stepped.reached[index]:
                result.reached[index] = True
        going &= ~stepped.touched & ~stepped.reached
    return result


def follow_policy(policy: Policy) -> Controller:
    """Return a controller that takes a policy's likeliest action."""
    return lambda simulator: policy.act(simulator.seen(policy.observation))


def scores_of(policy: Policy) -> Scores:
    """Return a policy's logits as scores of the actions."""
    return lambda simulator: policy.logits(simulator.seen(policy.observation))


def straight_scores(simulator: PantrySimulator) -> Floats:
    """Return as scores how far each action leads towards where inverse kinematics has the tip.

    What stands in the way is not minded, and nothing was learned.
    """
    around = simulator.around
    level = np.zeros(len(simulator.q))
    to = configuration_at(around.goal, around.stand, level, level)
    left = (to[:, None] - simulator.q[:, None] - MOVES) / STEPS
    return np.asarray(-np.abs(left).sum(axis=2), dtype=np.float32)


def follow_guarded(scores: Scores, *, repeats: bool = True) -> Controller:
    """Return one that takes the best action which the model of the scene lets through.

    It needs what a planner needs, the places of all things, and looks one step ahead. Without
    ``repeats`` it does not go back to where it has been, if it can go elsewhere. It serves one
    trial, and gives up where no action is free.
    """
    choices: list[GuardedChoice] = []

    def act(simulator: PantrySimulator) -> Ints:
        number = len(simulator.q)
        choices.extend(GuardedChoice(repeats=repeats) for _ in range(number - len(choices)))
        logits = scores(simulator)
        free = [simulator.free(np.full(number, action)) for action in range(len(ACTIONS))]
        chosen = np.full(number, -1, dtype=np.int64)
        for index, choice in enumerate(choices):
            moved = (simulator.q[index] - simulator.cases[index].first) / STEPS
            place = tuple(map(int, np.round(moved)))

            def is_free(action: int, index: int = index) -> bool:
                return bool(free[action][index])

            action = choice(place, logits[index], is_free)
            if action is not None:
                chosen[index] = action
        return chosen

    return act


def try_policy(policy: Policy, trial: ReachTrial) -> ReachResult:
    """Try a policy's likeliest actions."""
    return run_trial(trial.cases(), follow_policy(policy))
