"""The same seed gives the same path, in any order of episodes: a hash of its joints is kept."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from tests.envs.sapien.motion.bench import Bench, path_to
from treec.envs.sapien.motion.frames import Array

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
