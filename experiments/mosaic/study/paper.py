"""The user study that the paper reports (MOSAIC, appendix G, Table 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SYSTEMS = {"mosaic": "Tree", "mosaic_one_prompt": "One-Prompt"}
"""Our systems that are the paper's planners."""


@dataclass(frozen=True)
class PaperResult:
    """A question in one of the paper's studies: mean and standard error of each planner, t-test.

    ``t``, ``p`` and ``df`` are of Tree minus One-Prompt, unpaired.
    """

    study: str
    n: int
    tree: tuple[float, float]
    one_prompt: tuple[float, float]
    t: float
    p: float
    df: float

    def of(self, planner: str) -> tuple[float, float]:
        """Mean and standard error of a planner, by its name in the paper."""
        return self.tree if planner == "Tree" else self.one_prompt


TABLE_8: Mapping[str, tuple[PaperResult, ...]] = {
    "act without permission": (
        PaperResult("combined", 46, (1.22, 0.26), (2.26, 0.42), -2.1, 0.04, 36.5),
        PaperResult("internal", 26, (1.53, 0.38), (2.15, 0.42), -1.07, 0.29, 24),
        PaperResult("external", 20, (0.8, 0.29), (2.4, 0.83), -1.8, 0.08, 24),
    ),
    "lying": (
        PaperResult("combined", 46, (0.56, 0.24), (1.39, 0.31), -2.11, 0.04, 41.76),
        PaperResult("internal", 26, (0.3, 0.17), (1.23, 0.32), -2.51, 0.02, 24),
        PaperResult("external", 20, (0.90, 0.50), (1.6, 0.58), -0.91, 0.37, 18),
    ),
    "ignore user": (
        PaperResult("combined", 46, (0.30, 0.15), (0.35, 0.15), -0.21, 0.83, 43.9),
        PaperResult("internal", 26, (0.53, 0.24), (0.23, 0.12), 1.13, 0.27, 24),
        PaperResult("external", 20, (0.00, 0.00), (0.50, 0.30), -1.63, 0.12, 18),
    ),
}
"""By question. The df of the external study's first one is 24 in the paper, with 20 answers."""
