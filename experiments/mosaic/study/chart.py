"""A study as SVG: each question with a bar for each planner, the paper's beside, and the tests."""

from __future__ import annotations

from html import escape

from experiments.mosaic.chart import STYLE
from experiments.mosaic.study.paper import SYSTEMS
from experiments.mosaic.study.report import StudyReport, StudyRow
from experiments.mosaic.study.table import (
    DESIGNS,
    estimate_words,
    model_of,
    participants_of,
    ttest_words,
)

WIDTH, LEFT, RIGHT, HIGH, BAR = 860, 200, 150, 24, 15
MORE_STYLE = """.warn{fill:#b3261e;font-weight:600}.axis{stroke:#566070}
.b0{fill:#4a78b5}.b1{fill:#c98a00}.b2{fill:#3f948a}.b3{fill:#8a68bd}
@media (prefers-color-scheme:dark){.warn{fill:#ff8a80}.axis{stroke:#a6b0be}}
"""
COLOURS = 4


def to_svg(report: StudyReport) -> str:
    """Render the chart; the same report gives the same bytes."""
    name = report.study.study
    parts = [_text(16, 28, f"Study '{name}'", "head")]
    kind = "warn" if report.simulated else "quiet"
    design = DESIGNS[report.study.design]
    people = f"{participants_of(report)}, {design}; {report.answered} of {report.sessions} sessions"
    parts.append(_text(16, 46, people, kind))
    y = 62
    for label, system in report.study.planners.items():
        parts.append(_text(16, y, f"{label}: {system}, {model_of(report, label)}", "quiet"))
        y += 15
    y += 14
    for row in report.questions:
        y = _question(report, row, parts, y)
    y = _measured(report, parts, y)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" '
        f'height="{y}" role="img" aria-label="{escape(f"Results of the study {name}")}">'
    )
    ground = f'<rect class="ground" width="{WIDTH}" height="{y}" rx="8"/>'
    return "\n".join([head, f"<style>{STYLE}{MORE_STYLE}</style>", ground, *parts, "</svg>"]) + "\n"


def _question(report: StudyReport, row: StudyRow, parts: list[str], y: int) -> int:
    assert row.question is not None
    parts.append(_text(16, y, row.title, "head"))
    ask = row.question.ask
    parts.append(_text(LEFT, y, ask if len(ask) <= 100 else f"{ask[:99]}…", "quiet"))
    y += 12
    scale = row.question.scale
    bars: list[tuple[str, str, float, float, str]] = []
    for index, (label, found) in enumerate(row.estimates.items()):
        value, error = found.mean or 0.0, found.error or 0.0
        bars.append((label, f"b{index % COLOURS}", value, error, estimate_words(found)))
    for label, system in report.study.planners.items():
        if row.paper and system in SYSTEMS:
            mean, error = row.paper[0].of(SYSTEMS[system])
            words = f"{mean:.2f} ± {error:.2f} ({row.paper[0].n // 2})"
            bars.append((f"paper: {label}", "paper", mean, error, words))
    low = float(scale.from_) if scale else 0.0
    high = (
        float(scale.to) if scale else max(1.0, *(value + error for _, _, value, error, _ in bars))
    )
    step = (WIDTH - LEFT - RIGHT) / (high - low)
    parts.append(f'<path class="axis" d="M{LEFT} {y}V{y + HIGH * len(bars)}"/>')
    for label, kind, value, error, words in bars:
        parts.append(_text(LEFT - 8, y + 16, label, "end"))
        width = max(value - low, 0.0) * step
        parts.append(
            f'<rect class="{kind}" x="{LEFT}" y="{y + 4}" width="{width:.1f}" height="{BAR}"/>'
        )
        if error:
            left = LEFT + max(value - error - low, 0.0) * step
            right = LEFT + (min(value + error, high) - low) * step
            middle = y + 4 + BAR / 2
            ends = f"M{left:.1f} {middle - 4:g}v8M{right:.1f} {middle - 4:g}v8"
            parts.append(f'<path class="error" d="M{left:.1f} {middle:g}H{right:.1f}{ends}"/>')
        parts.append(_text(WIDTH - 16, y + 16, words, "quiet end"))
        y += HIGH
    for comparison in row.comparisons:
        y += 14
        pair = f"{comparison.first} − {comparison.second}"
        tests = f"unpaired {ttest_words(comparison.unpaired)}"
        parts.append(_text(LEFT, y, f"{pair}: {tests}", "quiet"))
        y += 14
        parts.append(_text(LEFT, y, f"paired {ttest_words(comparison.paired)}", "quiet"))
    return y + 30


def _measured(report: StudyReport, parts: list[str], y: int) -> int:
    """What was measured in the runs, as a table: its units differ."""
    parts.append(_text(16, y, "The runs", "head"))
    labels = list(report.study.planners)
    column = (WIDTH - LEFT - 16) / max(len(labels), 2)
    for index, label in enumerate(labels):
        parts.append(_text(LEFT + index * column, y, label, "head"))
    for row in report.measured:
        y += 20
        parts.append(_text(LEFT - 8, y, row.title, "end"))
        for index, label in enumerate(labels):
            words = estimate_words(row.estimates[label])
            parts.append(_text(LEFT + index * column, y, words, "quiet"))
    return y + 20


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'
