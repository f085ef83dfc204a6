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
    """An arm of one joint that somebody holds up at a third of the tilt, if anybody does."""

    upright = "upright"
    chain = SimpleNamespace(names=("j",))

    def __init__(self, held_up: bool) -> None:
        self.held_up = held_up
        self.robot = SimpleNamespace(qpos=np.zeros(1), indices=lambda names: np.arange(1))
        self.motion = SimpleNamespace(base=SimpleNamespace(release=lambda arm: None), patience=0.0)
        self.patience: list[float] = []

    def along(self, solution: ReachSolution, part: int, *, pace: float) -> Steps:
        self.patience.append(self.motion.patience)
        self.robot.qpos = solution.part(part)[-1]
        if part == 1 and self.held_up:
            self.robot.qpos = solution.part(1)[1] + 0.02
            raise MotionFailure("blocked", "user is in the way", person="user")
        yield

    def back(self, solution: ReachSolution, part: int, *, pace: float) -> Steps:
        assert abs(solution.part(part)[-1] - self.robot.qpos).max() < 0.1
        self.patience.append(self.motion.patience)
        self.robot.qpos = solution.part(part)[0]
        yield

    def grips(self, entity: Any) -> bool:
        return True

    def rest(self, rng: Any) -> Steps:
        self.patience.append(self.motion.patience)
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

    def make(held_up: bool) -> Any:
        act.arm = HeldUp(held_up)
        act.motion = act.arm.motion
        return act

    return make


def test_who_holds_pouring_up_gets_room(pouring: Any) -> None:
    act = pouring(True)
    with pytest.raises(MotionFailure, match="user is in the way"):
        list(pour.Pour().do(act))
    assert act.arm.robot.qpos == pytest.approx(act.found.q[0])  # righted, where the way begins
    assert (act.arm.upright, act.motion.patience) == ("upright", PATIENCE)
    assert act.arm.patience == [pour.ROOM] * 3
    assert not act.kitchen.pouring


def test_what_is_poured_is_not_poured_again_for_who_is_slow_to_go_away(pouring: Any) -> None:
    act = pouring(False)
    list(pour.Pour().do(act))
    assert act.arm.patience == [pour.ROOM] * 2 + [np.inf] * 3
    assert act.motion.patience == PATIENCE
