"""Non-maximum suppression (MOSAIC, appendix D)."""

from __future__ import annotations

from collections.abc import Sequence

from treec_perception.crops import Box
from treec_perception.pipeline.result import BoxProposal


def iou(a: Box, b: Box) -> float:
    """Return the intersection over the union of two boxes."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    if wide <= 0 or high <= 0:
        return 0.0
    both = wide * high
    return both / (_area(a) + _area(b) - both)


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def suppress(
    proposals: Sequence[BoxProposal], most: float
) -> tuple[list[BoxProposal], list[BoxProposal]]:
    """Return proposals that overlap no better one by more than ``most``, and the dropped ones."""
    kept: list[BoxProposal] = []
    dropped: list[BoxProposal] = []
    for proposal in sorted(proposals, key=lambda it: -it.score):
        overlaps = any(iou(proposal.box, it.box) > most for it in kept)
        (dropped if overlaps else kept).append(proposal)
    return kept, dropped
