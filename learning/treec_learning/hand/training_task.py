"""Training hands at their targets: their episodes, trials and demonstrations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from treec_learning.files import CloningSpec, LearningFile, RewardFile
from treec_learning.hand.cases import HandCase, draw_case
from treec_learning.hand.environment import Numbers, RewardedHands, goal_of
from treec_learning.hand.simulator import ACTIONS, MOST, HandSimulator
from treec_learning.hand.straight_line import straight_actions
from treec_learning.hand.vectorized import ManyHands
from treec_learning.imitation import Demonstrations
from treec_learning.names import HAND_STARTS
from treec_learning.pantry.cases import Purpose, generator
from treec_learning.policy import Policy

_SHAKEN = 0.3
"""Largest deviation of what is done in a demonstration from what is shown, so that it strays."""

Controller = Callable[[Numbers], Numbers]
"""Gives actions (n, 7) for observations (n, 21)."""


class HandGround:
    """What `PolicyTraining` needs of hands at their targets."""

    def __init__(self, spec: LearningFile, reward: RewardFile) -> None:
        self.spec, self.reward = spec, reward

    def many(self) -> ManyHands:
        """Return the episodes to train in."""
        spec = self.spec
        return ManyHands(spec.side_by_side, self.reward, spec.starts_at(0.0), seed=spec.seed)

    def success(self, policy: Policy, start: str, number: int) -> float:
        """Return the share of a trial's episodes in which a policy succeeds."""
        cases = draw_cases(Purpose.TRIAL, self.spec.seed, number, {start: 1.0}, self.reward)
        return float(np.mean(try_hands(cases, policy.motions, self.reward)))

    def demonstrate(self, spec: CloningSpec, report: Callable[[int], None]) -> Demonstrations:
        """Return demonstrations that go straight to the target and along its joint's way.

        Those that do not succeed are left out and counted.
        """
        cases = draw_cases(
            Purpose.DEMONSTRATION, self.spec.seed, spec.demonstrations, spec.starts, self.reward
        )
        rng = generator(Purpose.DEMONSTRATION, self.spec.seed, 0, 2**31)
        hands = RewardedHands(HandSimulator(cases, self.spec.seed), self.reward)
        shake = _SHAKEN * rng.random((len(cases), 1)) * (rng.random((len(cases), 1)) < 0.7)
        going, good = np.ones(len(cases), dtype=bool), np.zeros(len(cases), dtype=bool)
        seen, done, who = [], [], []
        for _ in range(MOST):
            shown = hands.simulator.seen()
            action = straight_actions(shown)
            index = np.flatnonzero(going)
            seen.append(shown[index])
            done.append(action[index])
            who.append(index)
            shaken = action.copy()
            shaken[:, : ACTIONS - 1] += shake * rng.normal(size=(len(cases), ACTIONS - 1))
            _, ended, cut, success = hands.step(shaken)
            good |= going & success
            going &= ~(ended | cut)
            if not going.any():
                break
        report(len(cases))
        kept = good[np.concatenate(who)]
        return Demonstrations(
            np.concatenate(seen)[kept],
            np.concatenate(done)[kept],
            int(good.sum()),
            int((~good).sum()),
        )


def draw_cases(
    purpose: Purpose, seed: int, number: int, starts: Mapping[str, float], reward: RewardFile
) -> list[HandCase]:
    """Return cases; the same for the same purpose, seed and starts."""
    of = sum(1 << HAND_STARTS.index(name) for name in starts if name in HAND_STARTS)
    goal = goal_of(reward)
    return [draw_case(generator(purpose, seed, of, n), starts, goal) for n in range(number)]


def try_hands(
    cases: Sequence[HandCase], controller: Controller, reward: RewardFile
) -> np.typing.NDArray[np.bool_]:
    """Return in which cases a controller succeeds."""
    hands = RewardedHands(HandSimulator(cases), reward)
    going, good = np.ones(len(cases), dtype=bool), np.zeros(len(cases), dtype=bool)
    for _ in range(MOST):
        _, ended, cut, success = hands.step(controller(hands.simulator.seen()))
        good |= going & success
        going &= ~(ended | cut)
        if not going.any():
            break
    return good
