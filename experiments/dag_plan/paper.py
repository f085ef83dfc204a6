"""Results that DAG-Plan reports for its nine tasks: planning (Table 2), execution (Table 3)."""

from __future__ import annotations

from dataclasses import dataclass

MODEL = "gpt-4-turbo-2024-04-09, temperature 0.5, five plans a task"


@dataclass(frozen=True, slots=True)
class PaperPlanning:
    """A method's row of Table 2: success rate and fewest stages per task."""

    method: str
    success: tuple[float, ...]
    stages: tuple[int | None, ...]
    """None where every plan failed."""


TP_S = PaperPlanning(
    "TP-S", (1.0, 0.8, 1.0, 1.0, 1.0, 0.8, 1.0, 0.6, 1.0), (4, 6, 8, 8, 10, 11, 8, 10, 13)
)
TP_D = PaperPlanning(
    "TP-D",
    (1.0, 0.0, 1.0, 0.0, 0.2, 0.6, 0.6, 0.6, 0.0),
    (2, None, 4, None, 6, 6, 5, 7, None),
)
DAG_PLAN = PaperPlanning(
    "DAG-Plan", (1.0, 1.0, 1.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0), (2, 4, 4, 6, 6, 6, 5, 7, 11)
)
EFFICIENCY = {"TP-S": 100.0, "TP-D": 137.0, "DAG-Plan": 152.9}
"""Stage Efficiency in per cent, as printed there."""


@dataclass(frozen=True, slots=True)
class PaperExecution:
    """A method's row of Table 3: success rate over ten trials, and least time (s) per task."""

    method: str
    success: tuple[float, ...]
    seconds: tuple[float | None, ...]
    """None where every trial failed."""


EXECUTED = (
    PaperExecution(
        "TP-S",
        (0.7, 0.7, 0.7, 1.0, 0.3, 0.3, 0.5, 0.1, 0.2),
        (37.1, 59.0, 79.6, 84.1, 105.5, 114.4, 74.0, 105.2, 136.2),
    ),
    PaperExecution(
        "TP-D",
        (1.0, 0.0, 0.6, 0.0, 0.0, 0.0, 0.5, 0.3, 0.0),
        (18.6, None, 40.1, None, None, None, 55.1, 76.4, None),
    ),
    PaperExecution(
        "DAG-Plan",
        (1.0, 0.7, 0.6, 1.0, 0.3, 0.3, 0.6, 0.3, 0.2),
        (18.6, 39.4, 40.1, 66.3, 63.2, 76.3, 53.3, 76.4, 107.4),
    ),
)
"""The same in simulation: learned skills, a mobile robot with two arms."""
EXECUTION_EFFICIENCY = {"TP-S": 100.0, "TP-D": 115.3, "DAG-Plan": 147.0}
"""Execution Efficiency in per cent, as printed there."""
