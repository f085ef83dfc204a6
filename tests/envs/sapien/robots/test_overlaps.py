from __future__ import annotations

from treec_sapien.robots import overlaps
from treec_sapien.robots.describe import describe

STRETCH = describe("stretch")


def test_neighbours_may_overlap_and_what_can_meet_may_not() -> None:
    reasons = overlaps.sample(STRETCH, samples=150)
    assert reasons[frozenset(("link_mast", "link_lift"))] == "Adjacent"
    assert reasons[frozenset(("link_arm_l0", "link_arm_l2"))] == "Default"
    assert frozenset(("base_link", "stretch_finger_left")) not in STRETCH.disabled
    assert frozenset(("link_mast", "link_head")) in STRETCH.disabled


def test_the_same_seed_gives_the_same_pairs() -> None:
    first = overlaps.sample(STRETCH, samples=40, seed=3)
    assert overlaps.sample(STRETCH, samples=40, seed=3) == first
    assert overlaps.sample(STRETCH, samples=40, seed=4) != first
