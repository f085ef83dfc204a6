"""The report as text."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.mosaic import paper
from experiments.mosaic.judge import PROMISES
from experiments.mosaic.plan import DIFFICULTIES, MODES
from experiments.mosaic.report import MosaicReport, ReportCell
from experiments.mosaic.rows import ROWS

MOST_FAILURES = 20
"""Maximum number of failures in the text; JSON has all."""


def to_text(report: MosaicReport, failures: bool = True) -> str:
    """Render the tables and the failures."""
    parts = [
        "Interactions that are not nominal: handled, % of those planned in a run "
        "(mean ± standard error over runs)",
        grid(["", *DIFFICULTIES], _rates(report)),
        "By mode: handled / planned (came about)",
        grid(["", "", *MODES], _modes(report)),
        "Promises broken, over all runs",
        grid(["", "", "runs", *PROMISES, "sum"], _violations(report)),
        paper.VIOLATIONS,
        f"A run on average (the paper: {paper.TURNS} chats)",
        grid(
            ["", "", "turns", "user's", "simulated s", "cooked", "misunderstood"], _lengths(report)
        ),
    ]
    if failures and (lines := _failures(report)):
        cell_text = lines[:MOST_FAILURES]
        left = len(lines) - len(cell_text)
        parts.append("What went wrong")
        parts.append("\n".join(f"  {line}" for line in cell_text))
        if left:
            parts.append(f"  … and {left} more: see --output-format json, or --keep the journals")
    return "\n\n".join(parts) + "\n"


def _rates(report: MosaicReport) -> list[list[str]]:
    rows = []
    for row in ROWS:
        if row.not_run:
            rows.append([row.title, f"not run: {row.not_run}"])
            continue
        cells = [report.cell(row.key, d) for d in DIFFICULTIES]
        rows.append([row.title, *(f"{c.rate:.1f} ± {c.error:.2f}" if c else "–" for c in cells)])
    for title, rates in paper.PASS_RATES.items():
        rows.append([title, *("{:.1f} ± {:.2f}".format(*rates[d]) for d in DIFFICULTIES)])
    return rows


def _modes(report: MosaicReport) -> list[list[str]]:
    def cell_text(cell: ReportCell, mode: str) -> str:
        passed, planned, reached = cell.modes[mode]
        if not planned:
            return "–"
        return f"{passed}/{planned}" + ("" if reached == planned else f" ({reached})")

    return [[*_name(cell), *(cell_text(cell, mode) for mode in MODES)] for cell in report.cells]


def _violations(report: MosaicReport) -> list[list[str]]:
    return [
        [
            *_name(cell),
            str(cell.runs),
            *(str(cell.violations[promise]) for promise in PROMISES),
            str(sum(cell.violations.values())),
        ]
        for cell in report.cells
    ]


def _lengths(report: MosaicReport) -> list[list[str]]:
    return [
        [
            *_name(cell),
            f"{cell.turns:.1f}",
            f"{cell.user_turns:.1f}",
            f"{cell.seconds:.0f}",
            f"{cell.cooked}/{cell.runs}",
            f"{cell.misunderstood / cell.runs:.1f}",
        ]
        for cell in report.cells
    ]


def _name(cell: ReportCell) -> list[str]:
    return [next(row.title for row in ROWS if row.key == cell.row), cell.difficulty]


def _failures(report: MosaicReport) -> list[str]:
    """List failed interactions and broken promises by trial, merging those of several rows."""
    rows: dict[str, list[str]] = {}
    for result in report.results:
        row, _, name = result.trial.name.partition("/")
        lines = [] if result.ended == "finished" else [result.ended]
        lines += [f"{p.id} {p.why}" for p in result.verdict.passed if not p.passed]
        lines += [f"{v.promise}: {v.what}" for v in result.verdict.violations]
        for line in lines:
            rows.setdefault(f"{name}: {line}", []).append(row)
    tried = {result.trial.row for result in report.results}
    return [
        line if set(where) == tried else f"{line} (only: {', '.join(where)})"
        for line, where in rows.items()
    ]


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align columns; the last cell of a short row may overflow."""
    whole = [row for row in (head, *rows) if len(row) == len(head)]
    widths = [max(len(row[i]) for row in whole) for i in range(len(head))]
    widths[0] = max(len(row[0]) for row in (head, *rows))
    lines = []
    for row in (head, *rows):
        cell_text = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  " + "   ".join(cell_text).rstrip())
    return "\n".join(lines)
