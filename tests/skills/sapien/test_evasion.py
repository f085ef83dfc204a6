"""Ways on which an arm makes room: judged against where a person will be at each moment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sapien")

from tests.envs.sapien.motion.bench import Bench
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.frames import Array
from treec_sapien.person.arm_shape import ArmShape
from treec_sapien.person.outlook import PersonOutlook
from treec_sapien.skills.stir.evasion import WayJudge, straight_ways
from treec_sapien.skills.stir.reactive import BEYOND, blended, gone_on


@pytest.fixture(scope="module")
def arm() -> Arm:
    return next(iter(Bench("panda").motion.arms.values()))


@pytest.fixture
def judge(arm: Arm) -> WayJudge:
    return WayJudge(arm, ArmShape(arm), lambda: 0.0)


def turned(arm: Arm, *turns: float) -> Array:
    """A way that turns the first joint to these angles (rad), one after the other."""
    way = np.repeat(arm.home[None], len(turns) + 1, axis=0)
    way[1:, 0] += turns
    return way


def at_turns(arm: Arm, *turns: float) -> PersonOutlook:
    """Somebody whose right hand will be where the tool is at these angles, in equal times."""
    q = np.repeat(arm.robot.qpos[arm.robot.indices(arm.chain.names)][None], len(turns), axis=0)
    q[:, arm.chain.where(arm.about.joints)] = turned(arm, *turns)[1:]
    hands = arm.chain.poses(q)[:, :3, 3]
    joints = np.repeat(hands[:, None], 7, axis=1) + np.array((0.0, 0.0, 1.5))
    joints[:, 6], joints[:, 4] = hands, hands + np.array((0.0, 0.0, 0.3))
    times = np.linspace(0.0, 1.0, len(turns))
    none = np.zeros(len(turns))
    return PersonOutlook(0.0, 0.0, "forecast", times, joints, none, person_speed=0.4)


def test_the_way_away_from_a_hand_that_comes_is_the_best(arm: Arm, judge: WayJudge) -> None:
    comes = at_turns(arm, 1.2, 1.0, 0.7, 0.4, 0.2)
    ways = [turned(arm, 0.5), turned(arm, -0.1), turned(arm, -0.4), arm.home[None]]
    best = judge.best_first(ways, comes)
    assert best[0] is ways[2]
    assert best[-1] is ways[0]


def test_a_way_past_where_a_hidden_hand_may_be_is_worse(arm: Arm, judge: WayJudge) -> None:
    comes = at_turns(arm, 1.2, 1.2, 1.2)
    wider = np.zeros(9)
    wider[[6, 8]] = 0.25  # the right forearm and hand
    seen, hidden = (
        judge.clearance(turned(arm, 0.4), it) for it in (comes, replace(comes, wider=wider))
    )
    assert hidden < seen - 0.1


def test_where_a_hand_has_gone_by_then_there_is_room(arm: Arm, judge: WayJudge) -> None:
    """The arm goes where the hand is now, and the hand passes over where the arm is now, or not."""
    away = at_turns(arm, 0.9, 1.3, 1.7, 2.1)
    stays = at_turns(arm, 0.9, 0.9, 0.9, 0.9)
    way = turned(arm, 0.7)
    assert judge.clearance(way, away) > judge.clearance(way, stays) + 0.06


def test_a_way_on_which_the_guard_stops_the_arm_ends_there(arm: Arm, judge: WayJudge) -> None:
    """It would be past the hand in time, but may not come so near to it."""
    passes = at_turns(arm, -0.5, -0.45, -0.4, 0.0, 0.0)
    past = turned(arm, -1.2)
    assert judge.clearance(past, passes) < judge.clearance(turned(arm, 1.0), passes)
    assert judge.clearance(past, passes) == pytest.approx(
        judge.clearance(arm.home[None], passes), abs=0.1
    )


def test_who_may_go_on_otherwise_is_kept_away_from_too(arm: Arm, judge: WayJudge) -> None:
    stays = at_turns(arm, *np.full(11, 2.0))
    doubted = replace(stays, onward=at_turns(arm, *np.linspace(2.0, 0.0, 11)).joints)
    assert judge.clearance(arm.home[None], stays) > 0.2
    assert judge.clearance(arm.home[None], doubted) < 0.05
    ways = [arm.home[None], turned(arm, -0.4)]
    assert judge.best_first(ways, doubted)[0] is ways[1]


def test_straight_ways_lead_all_around_without_turning_the_tool(arm: Arm) -> None:
    q = arm.robot.qpos[arm.robot.indices(arm.chain.names)]
    own = arm.chain.where(arm.about.joints)
    ways = straight_ways(arm, q, np.array((1.0, 0.0)))
    assert len(ways) > 12
    begin, headings = arm.chain.poses(q), set()
    for way in ways:
        ends = np.repeat(q[None], len(way), axis=0)
        ends[:, own] = way
        pose = arm.chain.poses(ends)[-1]
        assert pose[:3, :3] == pytest.approx(begin[:3, :3], abs=0.01)
        moved = pose[:2, 3] - begin[:2, 3]
        headings.add(round(float(np.degrees(np.arctan2(moved[1], moved[0])))) % 360 // 45)
    assert len(headings) >= 6


def test_a_corner_of_a_way_is_cut() -> None:
    path = np.array(((0.0, 0.0), (0.4, 0.0), (0.4, 0.6)))
    bent = blended(path, 1)
    assert (bent[0] == path[0]).all()
    assert (bent[-1] == path[-1]).all()
    apart = np.linalg.norm(bent - path[1], axis=1).min()
    assert 0.03 < apart < 0.06  # a quarter of the diagonal of 0.15
    assert np.abs(np.diff(bent, axis=0)).max() < 0.04
    short = blended(np.array(((0.0, 0.0), (0.04, 0.0), (0.04, 0.0))), 1)
    assert (short[-1] == (0.04, 0.0)).all()


def test_a_hand_that_still_moves_where_its_forecast_ends_goes_on(arm: Arm) -> None:
    known = at_turns(arm, *np.linspace(0.0, 0.3, 11))
    longer = gone_on(known)
    assert longer.times[-1] == pytest.approx(1.0 + BEYOND)
    step = known.joints[-1, 6] - known.joints[-2, 6]
    moved = longer.joints[-1, 6] - known.joints[-1, 6]
    assert moved == pytest.approx(step * BEYOND / 0.1, abs=0.002)
    alone = known.until(0.0, 0.01)
    assert gone_on(alone) is alone  # the present pose
    grown = gone_on(replace(known, spread=0.02 * known.times)).spread
    assert grown[[10, -1]] == pytest.approx((0.02, 0.02 * (1.0 + BEYOND)))
    assert (np.diff(grown) > 0.0).all()
    less = gone_on(replace(known, spread=0.02 - 0.01 * known.times)).spread
    assert less[-1] == pytest.approx(less[10])
