"""A last layer for the local model: what it learns from, and what it counts as right."""

from __future__ import annotations

import numpy as np

from experiments.local_model.tune import right, words


def test_a_last_layer_learns_the_kinds_of_phrases() -> None:
    learned = [("yes please", "accept"), ("no thanks", "decline"), ("stop now", "stop")]
    held = [("yes", "accept"), ("no", "decline"), ("stop", "stop"), ("stop", "ask")]
    seen, new = words(learned, held)
    assert right(learned, seen, held, new) == 3
    assert right(learned, np.zeros((3, 2)), held, np.zeros((4, 2))) == 1
