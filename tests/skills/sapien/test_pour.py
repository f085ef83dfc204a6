"""Pouring makes room for who holds it up: what is tilted is righted the way it came."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.motion import PATIENCE
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.skills.pour import sapien as pour
from treec_sapien.worker import Steps


class HeldUp:
    """An arm of one joint that somebody holds up at a third of the tilt."""

    upright = "upright"
    chain = SimpleNamespace(names=("j",))

    def __init__(self) -> None:
        self.robot = SimpleNamespace(qpos=np.zeros(1), indices=lambda names: np.arange(1))
        self.motion = SimpleNamespace(base=SimpleNamespace(release=lambda arm: None), patience=0.0)
        self.patience: list[float] = []

    def along(self, solution: ReachSolution, part: int, *, pace: float) -> Steps:
        self.patience.append(self.motion.patience)
        self.robot.qpos = solution.part(part)[-1]
        if part == 1:
            self.robot.qpos = solution.part(1)[1] + 0.02
            raise MotionFailure("blocked", "user is in the way", person="user")
        yield

    def back(self, solution: ReachSolution, part: int, *, pace: float) -> Steps:
        assert abs(solution.part(part)[-1] - self.robot.qpos).max() < 0.1
        self.robot.qpos = solution.part(part)[0]
        yield


def test_who_holds_pouring_up_gets_room(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ReachRow(np.stack([np.eye(4)] * 6), (0, 2, 5), 2)
    found = ReachSolution(row, 0.3 * np.arange(6.0)[:, None], None, 0.1)

    def begin(*rest: Any) -> Any:
        yield
        return found

    arm = HeldUp()
    act: Any = SimpleNamespace(
        arg=str, arm=arm, motion=arm.motion, kitchen=SimpleNamespace(pouring=set())
    )
    for name in ("held_body", "body", "chance"):
        monkeypatch.setattr(pour, name, lambda *rest: None)
    monkeypatch.setattr(pour, "_begin", begin)
    with pytest.raises(MotionFailure, match="user is in the way"):
        list(pour.Pour().do(act))
    assert arm.robot.qpos == pytest.approx(found.q[0])  # righted, where the way begins
    assert (arm.upright, arm.patience, arm.motion.patience) == (
        "upright",
        [pour.ROOM] * 2,
        PATIENCE,
    )
    assert not act.kitchen.pouring
