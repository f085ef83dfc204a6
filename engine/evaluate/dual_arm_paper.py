"""What DAG-Plan reports for its nine tasks (Table 2): success rates and least stages."""

from __future__ import annotations

from dataclasses import dataclass

MODEL = "gpt-4-turbo-2024-04-09, temperature 0.5, five plans a task"


@dataclass(frozen=True, slots=True)
class Reported:
    """A method's row: for each task the share of plans that are right, and the fewest stages."""

    method: str
    success: tuple[float, ...]
    stages: tuple[int | None, ...]
    """None where every plan failed."""


TP_S = Reported(
    "TP-S", (1.0, 0.8, 1.0, 1.0, 1.0, 0.8, 1.0, 0.6, 1.0), (4, 6, 8, 8, 10, 11, 8, 10, 13)
)
TP_D = Reported(
    "TP-D",
    (1.0, 0.0, 1.0, 0.0, 0.2, 0.6, 0.6, 0.6, 0.0),
    (2, None, 4, None, 6, 6, 5, 7, None),
)
DAG_PLAN = Reported(
    "DAG-Plan", (1.0, 1.0, 1.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0), (2, 4, 4, 6, 6, 6, 5, 7, 11)
)
EFFICIENCY = {"TP-S": 100.0, "TP-D": 137.0, "DAG-Plan": 152.9}
"""Stage Efficiency in per cent, as printed there."""
