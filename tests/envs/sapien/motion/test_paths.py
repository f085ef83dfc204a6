"""The same seed gives the same path, in any order of episodes: a hash of its joints is kept."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from tests.envs.sapien.motion.bench import Bench, path_to
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.frames import Array

KEPT = {"panda": "4e200b481f6f8419", "baxter": "004cda2bcdfa479b"}


def digest(path: Array) -> str:
    """Of the joints to a tenth of a milliradian: what compilers may differ in is far below."""
    return sha256(np.round(path, 4).tobytes()).hexdigest()[:16]


@pytest.mark.parametrize("kind", list(KEPT))
def test_the_hash_of_a_path_is_the_one_that_is_kept(kind: str) -> None:
    assert digest(path_to(Bench(kind), Bench(kind).blocks[2], 7)) == KEPT[kind]


@pytest.mark.thorough
def test_other_episodes_before_make_no_difference() -> None:
    bench = Bench("panda")
    paths = {seed: path_to(bench, bench.blocks[1], seed) for seed in (1, 2, 3)}
    other = Bench("panda")
    for seed in (3, 1, 2):
        assert np.array_equal(path_to(other, other.blocks[1], seed), paths[seed])


def test_a_long_way_round_is_sought_again_and_the_shortest_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arm = object.__new__(Arm)
    around = [np.array([[0.0, 0.0], [0.0, far], [1.0, 0.0]]) for far in (3.0, 1.0, 2.0, 4.0, 0.0)]
    sought = iter(around)
    monkeypatch.setattr(arm, "_path_to", lambda *how: next(sought))
    monkeypatch.setattr(arm, "_delay", lambda *how: 0.0)
    found = arm.path_to([], np.random.default_rng(0))
    assert found is around[1]  # of four
    assert next(sought) is around[4]
    sought = iter([around[0], around[4], around[1]])
    assert arm.path_to([], np.random.default_rng(0)) is around[4]  # straight: good enough
    assert next(sought) is around[1]
    sought = iter([around[0], None])  # type: ignore[list-item]
    assert arm.path_to([], np.random.default_rng(0)) is around[0]


def test_a_path_on_which_it_would_wait_for_another_arm_is_sought_again() -> None:
    bench = Bench("baxter")
    left, right = bench.motion.arms["left"], bench.motion.arms["right"]
    straight, around = left.home + np.array([[0.0], [0.5]]), left.home + np.array([[0.0], [1.0]])
    traffic = bench.motion.traffic
    assert left._delay(straight, None) == 0.0  # nobody is under way
    traffic.set_out("right", right.joints, np.repeat(right.home[None], 90, axis=0))
    apart = [True]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench.motion, "is_apart", lambda rows, joints: apart[0])
        assert left._delay(straight, None) == 0.0
        apart[0] = False
        assert left._delay(straight, None) > 5.0  # waiting is no use
        sought, delays = iter([straight, around, straight]), iter([1.0, 0.0, 9.0])
        patch.setattr(left, "_path_to", lambda *how: next(sought))
        patch.setattr(left, "_delay", lambda *how: next(delays))
        assert left.path_to([], np.random.default_rng(0)) is around
