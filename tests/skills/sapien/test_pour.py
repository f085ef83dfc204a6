"""Pouring makes room for who holds it up: what is tilted is righted the way it came."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.skills.pour import sapien as pour
from treec_sapien.worker import Steps


class HeldUp:
    """An arm of one joint that a person, or something else (""), holds up while it tilts."""

    upright: str | None = "upright"
    side = "left"
    chain = SimpleNamespace(names=("j",))

    def __init__(self, held_up_by: str | None) -> None:
        self.held_up_by = held_up_by
        self.robot = SimpleNamespace(qpos=np.zeros(1), indices=lambda names: np.arange(1))
        self.motion = SimpleNamespace(base=SimpleNamespace(release=lambda arm: None), patience={})
        self.patience: list[float | None] = []

    def along(self, solution: ReachSolution, part: int, *, pace: float) -> Steps:
        self.patience.append(self.motion.patience.get(self.side))
        self.robot.qpos = solution.part(part)[-1]
        assert self.upright is None
        if part == 1 and self.held_up_by is not None:
            self.robot.qpos = solution.part(1)[1] + 0.02
            raise MotionFailure("blocked", "something is in the way", person=self.held_up_by)
        yield

    def back(self, solution: ReachSolution, part: int, *, pace: float) -> Steps:
        assert abs(solution.part(part)[-1] - self.robot.qpos).max() < 0.1
        self.patience.append(self.motion.patience.get(self.side))
        self.robot.qpos = solution.part(part)[0]
        yield

    def grips(self, entity: Any) -> bool:
        return True

    def rest(self, rng: Any) -> Steps:
        self.patience.append(self.motion.patience.get(self.side))
        yield


@pytest.fixture
def pouring(monkeypatch: pytest.MonkeyPatch) -> Any:
    """An act of an arm, and where it pours."""
    row = ReachRow(np.stack([np.eye(4)] * 6), (0, 2, 5), 2)
    found = ReachSolution(row, 0.3 * np.arange(6.0)[:, None], None, 0.1)

    def wait(*rest: Any) -> Any:
        yield
        return found

    for name in ("body", "chance"):
        monkeypatch.setattr(pour, name, lambda *rest: None)
    monkeypatch.setattr(pour, "held_body", lambda *rest: SimpleNamespace(entity=None))
    monkeypatch.setattr(pour, "_begin", wait)
    act = SimpleNamespace(arg=str, kitchen=SimpleNamespace(pouring=set()), wait=wait, found=found)

    def make(held_up_by: str | None) -> Any:
        act.arm = HeldUp(held_up_by)
        act.motion = act.arm.motion
        return act

    return make


@pytest.mark.parametrize("by", ["user", ""])
def test_what_is_held_up_is_righted_and_kept_upright(pouring: Any, by: str) -> None:
    """What the other arm held up had stayed tilted, and was carried so."""
    act = pouring(by)
    with pytest.raises(MotionFailure, match="something is in the way"):
        list(pour.Pour().do(act))
    assert act.arm.robot.qpos == pytest.approx(act.found.q[0])  # righted, where the way begins
    assert (act.arm.upright, act.motion.patience) == ("upright", {})
    assert act.arm.patience == [pour.ROOM, pour.ROOM, None]
    assert not act.kitchen.pouring


def test_what_is_poured_is_not_poured_again_for_who_is_slow_to_go_away(pouring: Any) -> None:
    act = pouring(None)
    list(pour.Pour().do(act))
    assert act.arm.patience == [pour.ROOM] * 2 + [np.inf] * 3
    assert (act.arm.upright, act.motion.patience) == ("upright", {})
