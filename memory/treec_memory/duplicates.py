"""Pairs of near vectors among many, in time that grows with their number and not its square.

Near vectors have like signs on random planes. Each table groups the vectors by the signs on its own
planes, and compares each only with the last few of its group. Of two vectors at the distance
`NEAR_DUPLICATE` (0.02) some table groups both with a probability of 99.9 %, of nearer ones more.
Needs numpy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

TABLES = 32
PLANES = 24
"""Planes of a table."""
BEFORE = 8
"""Earlier vectors of its group that a vector is compared with."""
_BLOCK = 8192


def near_pairs(matrix: Any, limit: float) -> Iterator[tuple[int, int, float]]:
    """Rows i < j of a float32 matrix (n, size) with a cosine distance up to ``limit``, and that.

    Rows have length 1 (or 0, which are near nothing). A pair may come several times.
    """
    import numpy

    drawn = numpy.random.default_rng(0)
    weights = (1 << numpy.arange(PLANES, dtype=numpy.int64)).astype(numpy.float64)
    for _ in range(TABLES):
        planes = drawn.standard_normal((matrix.shape[1], PLANES), dtype=numpy.float32)
        group = ((matrix @ planes > 0) @ weights).astype(numpy.int64)
        order = numpy.argsort(group, kind="stable")
        sorted_group = group[order]
        for back in range(1, min(BEFORE, len(order) - 1) + 1):
            (later,) = numpy.nonzero(sorted_group[back:] == sorted_group[:-back])
            if not len(later):
                break
            for start in range(0, len(later), _BLOCK):
                at = later[start : start + _BLOCK]
                first, second = order[at], order[at + back]
                distance = 1.0 - numpy.einsum("ij,ij->i", matrix[first], matrix[second])
                for one in numpy.nonzero(distance <= limit)[0].tolist():
                    yield int(first[one]), int(second[one]), max(0.0, float(distance[one]))
