"""Training in the pantry: its episodes, trials and demonstrations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treec_learning.files import CloningSpec, LearningFile, RewardFile
from treec_learning.imitation import Demonstrations
from treec_learning.pantry.cases import Purpose, draw_case, generator
from treec_learning.pantry.planner import plan
from treec_learning.pantry.simulator import PantrySimulator
from treec_learning.pantry.vectorized import ManyPantries
from treec_learning.policy import Policy
from treec_learning.trials import ReachTrial, try_policy


class PantryGround:
    """What `PolicyTraining` needs of the pantry."""

    def __init__(self, spec: LearningFile, reward: RewardFile) -> None:
        self.spec, self.reward = spec, reward

    def many(self) -> ManyPantries:
        """Return the episodes to train in."""
        spec = self.spec
        return ManyPantries(
            spec.side_by_side,
            self.reward,
            spec.starts_at(0.0),
            spec.observation,
            top=spec.top,
            ends_on_touch=spec.ends_on_touch,
            seed=spec.seed,
        )

    def success(self, policy: Policy, start: str, number: int) -> float:
        """Return the share of a trial's episodes in which a policy succeeds without a touch."""
        trial = ReachTrial(start, number, self.spec.seed, self.spec.top)
        return try_policy(policy, trial).success

    def demonstrate(self, spec: CloningSpec, report: Callable[[int], None]) -> Demonstrations:
        """Return demonstrations of the planner."""
        return demonstrate(
            spec.demonstrations,
            spec.starts,
            self.spec.observation,
            self.spec.seed,
            top=self.spec.top,
            report=report,
        )


def demonstrate(
    number: int,
    shares: dict[str, float],
    sight: str,
    seed: int,
    *,
    top: bool = True,
    report: Callable[[int], None] = lambda n: None,
) -> Demonstrations:
    """Let the planner solve cases until there are ``number`` demonstrations.

    Cases that it does not solve are left out and counted.
    """
    seen, done, unsolved, solved = [], [], 0, 0
    index = 0
    while solved < number:
        rng = generator(Purpose.DEMONSTRATION, seed, 0, index)
        case = draw_case(rng, shares, top=top)
        index += 1
        actions = plan(case, 1500)
        if actions is None:
            unsolved += 1
            continue
        simulator = PantrySimulator([case])
        for action in actions:
            seen.append(simulator.seen(sight)[0])
            done.append(action)
            simulator.step(np.array([action]))
        solved += 1
        report(solved)
    return Demonstrations(np.stack(seen), np.array(done, dtype=np.int64), solved, unsolved)
