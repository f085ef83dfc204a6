"""A worker that carries out any skill by a policy, in the environment that it was trained in.

A skill's file binds it: ``symbolic: treec_learning.skill:LearnedSkill`` below ``runs:``. The
order's arguments are the options of the environment's ``reset``; each step takes the environment's
time (``metadata["render_fps"]``, else 0.1 s) on the run's clock. An environment whose ``step``
moves a real robot makes it a robot's skill.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from treec import Host, Outcome, Reported, WorkOrder
from treec.foreign import USUAL, ForeignError, guard
from treec.nodes.worker import NotingHost
from treec_learning import policies
from treec_learning.episodes import succeeded
from treec_learning.policy import POLICY, Policy, PolicyError

_STEP = 0.1  # s

Step = tuple[Any, float, bool, dict[str, Any]]
"""What the environment shows, its reward, whether the episode is over, and its info."""


class LearnedSkill:
    """Worker of a skill that has a policy; see the module. A subclass may name one.

    It fails as "not learned" without a policy, as "not reached" where the episode ends without
    success, and by the name of what the environment raises.
    """

    policy = ""
    """Name or folder (default: the one below `policies/` whose learning file names the skill)."""

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._timer: Callable[[], None] | None = None
        self._env: Any = None
        self._steps, self._value = 0, 0.0

    def options(self, order: WorkOrder) -> dict[str, Any]:
        """Return the options of the environment's ``reset``."""
        return dict(order.args)

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin the episode; its steps are timers of the run's clock."""
        from treec_learning.own_environment import (
            describe_environment,
            make_environment,
            module_of,
            threshold,
        )
        from treec_learning.own_evaluation import file_of

        if self._outcome is not None:
            raise RuntimeError(f"{order.id}: a worker carries out one order only")
        try:
            policy = _find(self.policy, order.skill)
            spec = file_of(policy)
            self._env = make_environment(spec)
            if describe_environment(spec, self._env) != policy.spaces:
                raise PolicyError(f"{spec.environment} is not what the policy was trained in")
        except (ValueError, ImportError) as error:
            self._end(order, host, _failure("not learned", str(error)))
            return
        least, module = threshold(spec, self._env), module_of(self._env)
        fps = float(self._env.metadata.get("render_fps") or 1 / _STEP)
        ends = None if order.fault is None else order.takes * order.fault.at
        began = host.clock.now()

        def reset() -> Step:
            seen, info = self._env.reset(
                seed=zlib.crc32(order.id.encode()), options=self.options(order)
            )
            return seen, 0.0, False, info

        def step(seen: Any) -> Step:
            seen, reward, ended, cut, info = self._env.step(policy.action(seen))
            self._steps += 1
            return seen, float(reward), bool(ended or cut), dict(info)

        def act(code: Callable[[], Step]) -> None:
            if self._outcome is not None:
                return
            if ends is not None and host.clock.now() - began >= ends and order.fault is not None:
                self._end(order, host, Outcome(False, Reported(order.fault.reason), __name__))
                return
            try:
                with guard(module, within=USUAL):
                    seen, reward, is_over, info = code()
            except ForeignError as error:
                self._end(order, host, Outcome(False, Reported(str(error)), __name__))
                return
            self._value += reward
            if not is_over:
                at = host.clock.now() + 1 / fps
                self._timer = host.clock.call_at(at, lambda: act(lambda: step(seen))).cancel
                return
            success = succeeded(info, self._value, least)
            if isinstance(host, NotingHost):
                record = {"policy": spec.learning, "steps": self._steps, "return": self._value}
                host.note(order.id, f"{self._steps} steps, return {self._value:.4g}", record)
            done = Outcome(True, effects=order.after)
            failed = _failure("not reached", f"after {self._steps} steps")
            self._end(order, host, done if success else failed)

        act(reset)

    def cancel(self) -> Outcome:
        """Stop before the next step: `after` is not applied."""
        if self._timer is not None:
            self._timer()
        if self._outcome is None:
            self._outcome = Outcome(False, Reported("cancelled"), __name__)
            self._close()
        return self._outcome

    def _end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        if self._outcome is None:
            self._outcome = outcome
            self._close()
            host.finish(order.id, outcome)

    def _close(self) -> None:
        env, self._env = self._env, None
        if env is not None:
            from treec_learning.own_environment import close

            close(env)


def _failure(name: str, why: str) -> Outcome:
    return Outcome(False, Reported(f"{name}: {why}"), __name__)


@cache
def _find(name: str, skill: str) -> Policy:
    """The policy of a name, or of a skill. Raises PolicyError."""
    if name:
        found = policies.load(policies.find(name, Path()))
    else:
        found = _of_skill(skill)
    if found.spaces is None:
        raise PolicyError(
            f"'{name or skill}' has a policy of treec's: see LearnedPick, LearnedSubtask"
        )
    return found


def _of_skill(skill: str) -> Policy:
    for path in sorted(Path("policies").glob(f"*/{POLICY}")):
        policy = policies.load(path.parent)
        learning = policy.made.get("learning", {})
        if skill in (learning.get("skill"), *learning.get("serves", ())):
            return policy
    raise PolicyError(f"there is no policy for {skill} below policies/: treec learn train")
