"""Chart of an evaluation: success rates with standard errors, broken promises as stacked bars."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from experiments.mosaic import paper
from experiments.mosaic.judge import PROMISES
from experiments.mosaic.plan import DIFFICULTIES
from experiments.mosaic.report import MosaicReport
from experiments.mosaic.rows import ROWS

WIDTH, LEFT, RIGHT, HIGH, BAR, HEAD = 760, 210, 110, 26, 16, 58
LEAST = 10
"""Minimum of the axis of violations, so that a single one does not look like many."""

STYLE = """
svg{font:13px Inter,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif}
.ground{fill:#fff}text{fill:#1b222c}.quiet{fill:#566070;font-size:11px}.head{font-weight:600}
.end{text-anchor:end}.mid{text-anchor:middle}
.grid{stroke:#d5dae1}.error{stroke:#1b222c;stroke-width:1.3}
.ours{fill:#4a78b5}.paper{fill:#b9c0ca}.p0{fill:#8a68bd}.p1{fill:#c98a00}.p2{fill:#3f948a}
@media (prefers-color-scheme:dark){
.ground{fill:#12161c}text{fill:#e8ecf2}.quiet{fill:#a6b0be}.grid{stroke:#2c333d}
.error{stroke:#e8ecf2}.paper{fill:#69758a}}
"""


def to_svg(report: MosaicReport) -> str:
    """Render the chart; the same report gives the same bytes."""
    parts: list[str] = []
    y = _rates(report, parts)
    y = _violations(report, parts, y + 30)
    return whole_svg("Interactions handled and promises broken", y + 12, parts)


def whole_svg(label: str, height: int, parts: Sequence[str], style: str = STYLE) -> str:
    """Put the parts of a chart together."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-label="{escape(label)}">'
    )
    ground = f'<rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>'
    return "\n".join([head, f"<style>{style}</style>", ground, *parts, "</svg>"]) + "\n"


def _rates(report: MosaicReport, parts: list[str]) -> int:
    parts.append(text(16, 26, "Interactions handled, % (mean ± standard error)", "head"))
    y = HEAD
    scale = (WIDTH - LEFT - RIGHT) / 100.0
    top = y
    body: list[str] = []
    for difficulty in DIFFICULTIES:
        body.append(text(16, y + 12, difficulty, "head"))
        y += HIGH - 4
        rows: list[tuple[str, str, float, float]] = []
        for row in ROWS:
            cell = report.cell(row.key, difficulty)
            if cell is not None:
                rows.append((row.title, "ours", cell.rate, cell.error))
        for title, rates in paper.PASS_RATES.items():
            rows.append((title, "paper", *rates[difficulty]))
        for title, kind, rate, error in rows:
            body += bar(y, title, [(kind, rate * scale)], f"{rate:.1f} ± {error:.2f}")
            if error:
                body.append(_whisker(y, rate, error, scale))
            y += HIGH
        y += 6
    for tick in range(0, 101, 25):
        x = LEFT + tick * scale
        parts.append(f'<path class="grid" d="M{x:.1f} {top}V{y - 6}"/>')
        parts.append(text(x, top - 8, str(tick), "quiet mid"))
    parts += body
    return y


def _violations(report: MosaicReport, parts: list[str], y: int) -> int:
    parts.append(text(16, y, "Promises broken, over all runs", "head"))
    x = LEFT + 60
    for index, promise in enumerate(PROMISES):
        parts.append(f'<rect class="p{index}" x="{x}" y="{y - 10}" width="11" height="11" rx="2"/>')
        parts.append(text(x + 16, y, promise, "quiet"))
        x += 165 if index == 0 else 80
    y += 18
    most = max([LEAST, *(sum(cell.violations.values()) for cell in report.cells)])
    scale = (WIDTH - LEFT - RIGHT) / most
    for cell in report.cells:
        title = next(row.title for row in ROWS if row.key == cell.row)
        counts = [cell.violations[promise] for promise in PROMISES]
        bars = [(f"p{i}", count * scale) for i, count in enumerate(counts)]
        parts += bar(y, f"{title}, {cell.difficulty}", bars, str(sum(counts)))
        y += HIGH
    return y


def bar(y: int, title: str, parts: Sequence[tuple[str, float]], value: str) -> list[str]:
    """Draw a row: its title, parts of a bar (class, width), and its value."""
    lines = [text(LEFT - 8, y + 12, title, "end")]
    x = float(LEFT)
    for kind, width in parts:
        if width > 0:
            lines.append(
                f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}"/>'
            )
        x += width
    lines.append(text(WIDTH - 16, y + 12, value, "quiet end"))
    return lines


def _whisker(y: int, rate: float, error: float, scale: float) -> str:
    low, high = LEFT + max(0.0, rate - error) * scale, LEFT + min(100.0, rate + error) * scale
    middle = y + BAR / 2
    ends = f"M{low:.1f} {middle - 4:g}V{middle + 4:g}M{high:.1f} {middle - 4:g}V{middle + 4:g}"
    return f'<path class="error" d="M{low:.1f} {middle:g}H{high:.1f}{ends}"/>'


def text(x: float, y: float, words: str, kind: str) -> str:
    """Draw words at a place."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>'
