from __future__ import annotations

import numpy as np
import pytest

from treec_sapien.person.separation import (
    FAST,
    SLOW,
    WALKING,
    Stopping,
    assumed_speed,
    lacking_speed,
    largest_speed,
    protective_distance,
    worst_approach,
)

STOPPING = Stopping(reaction=0.1, deceleration=2.0, intrusion=0.05, robot_error=0.01)


def test_the_terms_of_the_formula() -> None:
    """v_r = 1: T_s = 0.5; S_h = 1.6 x 0.6, S_r = 0.1, S_s = 0.25, and C + Z_d + Z_r = 0.08."""
    assert protective_distance(1.0, 1.6, 0.02, STOPPING) == pytest.approx(0.96 + 0.35 + 0.08)


def test_a_robot_that_moves_away_needs_what_the_person_may_move_meanwhile() -> None:
    assert protective_distance(-1.0, WALKING, 0.0, STOPPING) == pytest.approx(0.16 + 0.06)


@pytest.mark.parametrize("person", [0.0, 0.4, WALKING])
@pytest.mark.parametrize("speed", [0.05, 0.25, 1.0])
def test_the_largest_speed_is_the_one_whose_distance_it_is(speed: float, person: float) -> None:
    distance = protective_distance(speed, person, 0.03, STOPPING)
    assert largest_speed(distance, person, 0.03, STOPPING) == pytest.approx(speed)


def test_too_near_there_is_no_speed() -> None:
    assert largest_speed(np.array((0.0, 0.06, -1.0)), 0.0, 0.0, STOPPING).tolist() == [0, 0, 0]


def test_the_speed_that_is_assumed_is_what_a_forecast_lacks_within_bounds() -> None:
    assert assumed_speed([0.0, 0.0]) == SLOW
    assert assumed_speed([0.3, 0.9], [0.3, 0.2]) == pytest.approx(0.7)
    assert assumed_speed([0.9], [2.0]) == SLOW
    assert assumed_speed([9.0]) == FAST


def test_what_a_forecast_lacks_has_no_least_speed() -> None:
    assert lacking_speed([0.3, 0.9], [0.3, 0.2]) == pytest.approx(0.7)
    assert lacking_speed([0.9], [2.0]) == 0.0


def test_who_passes_beside_somebody_nearer_than_they_seem_moves_towards_them() -> None:
    assert worst_approach(0.3, 0.5, 0.2, 0.0) == pytest.approx(0.3)
    assert worst_approach(0.0, 0.5, 0.2, 0.1) == pytest.approx(0.25)
    assert worst_approach(0.45, 0.5, 0.2, 0.1) == pytest.approx(0.5)


@pytest.mark.parametrize("uncertain", [0.0, 0.1, 9.0])
def test_straight_away_is_away_wherever_they_are(uncertain: float) -> None:
    assert worst_approach(-0.5, 0.5, 0.2, uncertain) <= 1e-9
