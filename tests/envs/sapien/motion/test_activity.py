"""What arms spend the time of their skills on."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from tests.envs.dual_kitchen.room import room
from tests.envs.sapien.motion.bench import Bench, from_above
from tests.envs.sapien.scenes import order
from treec_sapien.arm_times import ArmTimes
from treec_sapien.motion.activity import Activity, ArmActivities
from treec_sapien.motion.base import ReachWish
from treec_sapien.worker import PhysicalAct


def test_an_arm_works_unless_it_is_declared_to_wait() -> None:
    arms = ArmActivities()
    arms.begin("left")
    arms.count("left")
    with arms.during(Activity.BASE, "left"):
        arms.count("left")
        with arms.during(Activity.DRIVING, "left", "right"):
            arms.count("left")
            assert arms.now("right") is Activity.DRIVING
        assert arms.now("right") is Activity.WORKING
    assert arms.steps("left") == {Activity.WORKING: 1, Activity.BASE: 1, Activity.DRIVING: 1}
    arms.begin("left")
    assert arms.steps("left") == {}


def test_contexts_of_two_arms_may_end_in_any_order() -> None:
    arms = ArmActivities()

    def during(activity: Activity, *sides: str) -> Generator[None, None, None]:
        with arms.during(activity, *sides):
            yield

    drives, waits = during(Activity.DRIVING, "left", "right"), during(Activity.BASE, "right")
    next(drives)
    next(waits)
    drives.close()
    assert arms.now("right") is Activity.BASE
    waits.close()
    assert arms.now("right") is Activity.WORKING


def test_who_cannot_reach_while_the_other_arm_works_waits_for_the_base() -> None:
    bench = Bench("baxter")
    motion = bench.motion
    left, right = motion.arms["left"], motion.arms["right"]
    near = from_above(bench.blocks[1])
    far = bench.block("far", (0.02, 0.02, 0.03), (0.8, 0.3, 0.78))
    motion.base._rooted.add("left")
    asks = motion.base.ask(np.random.default_rng(0), ReachWish(right, from_above(far), far))
    for _ in range(5):
        next(asks)
        assert motion.activities.now("right") is Activity.BASE
    asks.close()
    assert motion.activities.now("right") is Activity.WORKING
    motion.base._rooted.clear()
    bench.run(motion.base.ask(np.random.default_rng(0), ReachWish(left, near, bench.blocks[1])))
    assert motion.activities.now("left") is Activity.WORKING


def test_the_seconds_of_both_arms_of_an_order_are_told_in_names_of_agents() -> None:
    kitchen = room({"it": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table"}}})
    told: list[object] = []

    class Host:
        def note(self, order_id: str, text: str, record: object) -> None:
            told.append((order_id, text, record))

    act = PhysicalAct(order("s1", "left", other="right"), kitchen, Host())  # type: ignore[arg-type]
    times = ArmTimes(act)
    motion = kitchen.arm("left").motion
    for _ in range(30):
        times.count()
    with motion.activities.during(Activity.PASSING, "right"):
        for _ in range(15):
            times.count()
    times.note()
    spent = {"left": {"working": 0.75}, "right": {"passing": 0.25, "working": 0.5}}
    assert told == [("s1", "", {"activities": spent})]
