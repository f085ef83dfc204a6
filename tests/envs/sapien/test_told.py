"""What arms and crews in SAPIEN refuse before they move, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tests.support import golden
from treec_sapien.agent_arms import crew
from treec_sapien.dual_kitchen import both, common, controls
from treec_sapien.view.scene import _solid
from treec_sapien.view.start_picture import AtStart
from treec_sapien.worker import Physical

POT: Any = SimpleNamespace(name="pot", body=SimpleNamespace(handles=(), controls=(), parts=()))
ACT: Any = SimpleNamespace(
    arg=lambda name: {"item": "moon"}.get(name, "pot"),
    seed=lambda attempt: 1,
    kitchen=SimpleNamespace(joint_of={}.get, layout=SimpleNamespace(parts={}), bodies={"pot": POT}),
)
START: Any = AtStart.__new__(AtStart)
START.robot_of = {"R1": "R1"}
START.stage = SimpleNamespace(pieces=[("R1", "base"), ("R1", "hand"), ("pot", "")])
SHAPE: Any = SimpleNamespace(local_pose=SimpleNamespace(p=(0, 0, 0), q=(1, 0, 0, 0)))
WORKER: Any = Physical()
NONE: Any = SimpleNamespace(environment=None)
SCENE: Any = None
GREY: Any = (0, 0, 0)

TOLD: dict[str, Callable[[], object]] = {
    "KeyError: \"unknown link 'hnad' of R1's robot; known: base, hand\"": lambda: START.link_pose(
        "R1", "hnad"
    ),
    "MotionFailure: not reached: pot has no two handles": lambda: next(both.grasp(ACT, POT, ())),
    "MotionFailure: not reached: pot has no handle": lambda: common.door(ACT),
    "MotionFailure: not reached: pot has no control": lambda: next(
        controls.operate(ACT, "pot", on=True)
    ),
    "MotionFailure: not reached: moon has no body": lambda: common.body(ACT, "item"),
    "ValueError: left: its body is part of 'R9', who has no robot": lambda: crew(
        SCENE, {"left": {"body": {"of": "R9", "side": "left"}}}
    ),
    "TypeError: Physical acts in a kitchen of SAPIEN": lambda: WORKER.start(NONE, NONE),
    "ValueError: a robot's shape is a SimpleNamespace: not supported by views": lambda: _solid(
        SHAPE, 0, GREY
    ),
    "KeyError: 'R9 has no robot here'": lambda: START.link_pose("R9", "head"),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
