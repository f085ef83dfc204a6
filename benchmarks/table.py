"""A table of a benchmark, as text for the terminal, Markdown for the page, or JSON."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Cell = str | int | float


@dataclass(frozen=True)
class Table:
    """Rows under a title; ``notes`` say how they were measured."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    notes: tuple[str, ...] = field(default=())

    def text(self) -> str:
        """For a terminal: columns aligned, numbers to the right."""
        lines = [self.columns, *([format_cell(cell) for cell in row] for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        body = "\n".join(
            "  ".join(
                cell.rjust(width) if i and self._numbers(i) else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )
        return "\n".join([self.title, "", body, *self.notes]) + "\n"

    def markdown(self) -> str:
        """For a page."""
        marks = ["---:" if i and self._numbers(i) else "---" for i in range(len(self.columns))]
        rows = [self.columns, marks, *([format_cell(cell) for cell in row] for row in self.rows)]
        body = "\n".join("| " + " | ".join(row) + " |" for row in rows)
        return "\n\n".join([f"**{self.title}**", body, *self.notes]) + "\n"

    def _numbers(self, column: int) -> bool:
        return all(isinstance(row[column], int | float) for row in self.rows)


def format_cell(cell: Cell) -> str:
    """A number with as many digits as it can bear."""
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell >= 100 else f"{cell:.1f}" if cell >= 10 else f"{cell:.2f}"
    return cell


def in_turns(
    actions: Sequence[Callable[[], float]], repeats: int
) -> tuple[list[float], list[list[float]]]:
    """Measure in turns, so that what else the machine does falls on all alike.

    Returns the least of each, and for every turn each one's ratio to the first.
    """
    turns: list[list[float]] = []
    for repeat in range(repeats):
        order = range(len(actions)) if repeat % 2 else reversed(range(len(actions)))
        found = {which: actions[which]() for which in order}
        turns.append([found[which] for which in range(len(actions))])
    least = [min(column) for column in zip(*turns, strict=True)]
    return least, [[value / turn[0] for value in turn] for turn in turns]


def middle_ratio(ratios: Sequence[Sequence[float]], which: int) -> float:
    """The median over the turns of one's ratio to the first."""
    return statistics.median(turn[which] for turn in ratios)
