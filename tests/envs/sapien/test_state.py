from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import sapien

from tests.envs.sapien.scenes import OBJECTS, Told, kitchen, order
from treec.nodes.worker import Effect
from treec_sapien import state
from treec_sapien.environment import SapienKitchen
from treec_sapien.state import WrongState
from treec_sapien.worker import Physical, PhysicalAct, Steps


def shake(k: SapienKitchen) -> None:
    """Set much going: the arm, and things that fall."""
    k.robots["R1"].drive_to(["panda_joint1", "panda_joint4"], [0.6, -1.8])
    for item, x in (("apple", 0.1), ("cup", 0.15)):
        body = k.bodies[item].links["body"]
        body.entity.pose = sapien.Pose([x, 0.1, 1.1])
        body.wake_up()
    for _ in range(20):
        k.physics()


def trajectory(k: SapienKitchen, steps: int = 60) -> bytes:
    """All that moves, at each of so many control steps."""
    seen = []
    for _ in range(steps):
        k.physics()
        for built in k.bodies.values():
            if built.articulation is not None:
                seen.append(np.array(built.articulation.qpos))
            elif not built.body.fixed:
                seen.append(np.concatenate([built.entity.pose.p, built.entity.pose.q]))
        seen.append(np.array(k.robots["R1"].articulation.qpos))
    return np.concatenate(seen).tobytes()


def test_from_a_kept_moment_the_same_happens_each_time() -> None:
    k = kitchen()
    shake(k)
    kept = state.save(k)
    first, second = (trajectory(SapienKitchen(k.setup, kept)) for _ in range(2))
    assert first == second
    on = np.frombuffer(trajectory(k), dtype=np.float32)
    assert np.abs(on - np.frombuffer(first, dtype=np.float32)).max() < 0.01


def test_how_drives_were_set_is_kept_too() -> None:
    k = kitchen()
    joint = k.robots["R1"].joint("panda_joint1")
    joint.set_drive_properties(1.0, 2.0, 3.0)
    joint.set_friction(4.0)
    restored = SapienKitchen(k.setup, state.save(k))
    again = restored.robots["R1"].joint("panda_joint1")
    assert (again.stiffness, again.damping, again.force_limit, again.friction) == (1, 2, 3, 4)


def test_a_state_of_other_bodies_is_refused() -> None:
    kept = state.save(kitchen())
    fewer = {name: spec for name, spec in OBJECTS.items() if name != "cup"}
    with pytest.raises(WrongState, match="other bodies"):
        SapienKitchen(kitchen(fewer).setup, kept)
    wider = {**OBJECTS, "cup": {**OBJECTS["cup"], "body": {"kind": "bowl"}}}
    with pytest.raises(WrongState, match="other bodies"):
        SapienKitchen(kitchen(wider).setup, kept)


class Lifts(Physical):
    """Moves the arm somewhere else."""

    def do(self, act: PhysicalAct) -> Steps:
        act.robot.drive_to(["panda_joint4"], [-1.6])
        yield from act.wait(1.0)


def test_a_run_that_is_taken_up_finds_things_as_they_were(tmp_path: Path) -> None:
    k = kitchen(folder=tmp_path)
    Lifts().start(order(), Told(k))
    k.machines["oven"].running = True
    k.stood["cup"] = "R1", k.bodies["cup"].pose()
    k.laid["cup"] = "bowl"
    k.looked_from["R1", "cup"] = [(3.5, np.array([0.1, 0.2, 0.3]))]
    k.step(5.0)
    again = kitchen(folder=tmp_path, time=5.0)
    assert again.now == 5.0
    assert again.robots["R1"].qpos == pytest.approx(k.robots["R1"].qpos, abs=1e-3)
    assert again.robots["R1"].qpos[3] == pytest.approx(-1.6, abs=0.02)
    assert again.machines["oven"].running
    assert again.stood == k.stood
    assert again.laid == k.laid
    ((when, spot),) = again.looked_from["R1", "cup"]
    assert (when, list(spot)) == (3.5, [0.1, 0.2, 0.3])


def test_what_was_changed_from_outside_is_kept_at_once(tmp_path: Path) -> None:
    k = kitchen(folder=tmp_path)
    before = k.bodies["apple"].links["body"].entity.pose.p
    k.notify((Effect("at", ("apple",), None, "unknown"),))
    taken = k.bodies["apple"].links["body"].entity.pose.p
    assert np.linalg.norm(taken - before) > 0.1
    again = kitchen(folder=tmp_path, time=5.0)
    assert again.bodies["apple"].links["body"].entity.pose.p == pytest.approx(taken, abs=1e-3)


def test_a_run_that_begins_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / state.FILE).write_text("{}")
    assert kitchen(folder=tmp_path).now == 0.0


def test_what_is_no_state_is_told_with_its_file(tmp_path: Path) -> None:
    (tmp_path / state.FILE).write_text(json.dumps({"format": 1}))
    with pytest.raises(WrongState, match=r"sapien\.json is not a saved state"):
        state.load_from(tmp_path)
