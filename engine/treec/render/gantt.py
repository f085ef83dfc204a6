"""Gantt charts as SVG: a row for each agent with bars for its work; thin bars are planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .measure import clean, escaped, pixels
from .palette import DARK, FONT, LIGHT, Palette

Look = Literal["done", "failed", "stopped", "open", "scheduled", "out"]

WIDTH, LEFT, RIGHT, TOP, FOOT = 960.0, 110.0, 24.0, 58.0, 54.0
BAR, PLAN, ROW = 34.0, 8.0, 64.0
LABEL = 11.0
TICKS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600)
"""The possible distances between grid lines of the time axis, in seconds."""

SAID: dict[Look, str] = {
    "done": "done",
    "failed": "failed",
    "stopped": "stopped",
    "open": "not ended",
    "scheduled": "as planned",
    "out": "out of work",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar in a row; `tip` is the text of its tooltip."""

    row: str
    label: str
    start: float
    end: float
    look: Look
    tip: str = ""


@dataclass(frozen=True)
class Chart:
    """The rows in order, and their bars; times in seconds."""

    title: str
    rows: tuple[str, ...]
    bars: tuple[Bar, ...]

    @property
    def end(self) -> float:
        """The end of the time axis."""
        return max((bar.end for bar in self.bars), default=0.0)


def render_gantt(chart: Chart) -> str:
    """Render a chart; the same chart gives the same bytes."""
    height = TOP + ROW * max(1, len(chart.rows)) + FOOT
    scale = (WIDTH - LEFT - RIGHT) / max(chart.end, 1.0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treec-gantt" role="img" '
        f'width="{_n(WIDTH)}" height="{_n(height)}" viewBox="0 0 {_n(WIDTH)} {_n(height)}">',
        f"<title>{escaped(chart.title)}</title>",
        f"<desc>{escaped(describe(chart))}</desc>",
        f"<style>{style_sheet()}</style>",
        f'<rect class="ground" width="{_n(WIDTH)}" height="{_n(height)}"/>',
        f'<text class="title" x="20" y="30">{escaped(chart.title)}</text>',
    ]
    foot = TOP + ROW * len(chart.rows)
    lines += _axis(chart.end, scale, foot)
    for number, row in enumerate(chart.rows):
        y = TOP + ROW * number
        lines.append(f'<text class="row" x="20" y="{_n(y + 27)}">{escaped(row)}</text>')
        mine = [bar for bar in chart.bars if bar.row == row]
        order = {"out": 0, "scheduled": 1}
        for bar in sorted(mine, key=lambda bar: (order.get(bar.look, 2), bar.start, bar.end)):
            lines.append(_bar(bar, y, scale))
    lines += _legend(chart.bars, foot + 34.0)
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def describe(chart: Chart) -> str:
    """A description of the chart in one sentence."""
    done = sum(1 for bar in chart.bars if bar.look == "done")
    return f"{len(chart.rows)} rows, {done} bars done, {chart.end:g} seconds."


def _axis(end: float, scale: float, foot: float) -> list[str]:
    step = next((tick for tick in TICKS if max(end, 1.0) / tick <= 12), TICKS[-1])
    lines = []
    t = 0
    while t <= end + 1e-9:
        x = LEFT + t * scale
        lines.append(f'<path class="grid" d="M{_n(x)} {_n(TOP - 6)}V{_n(foot)}"/>')
        time = f"{t // 60}:{t % 60:02d}"
        lines.append(f'<text class="tick" x="{_n(x)}" y="{_n(TOP - 12)}">{time}</text>')
        t += step
    return lines


def _bar(bar: Bar, y: float, scale: float) -> str:
    x, width = LEFT + bar.start * scale, max((bar.end - bar.start) * scale, 1.5)
    top, height = (y + 42.0, PLAN) if bar.look == "scheduled" else (y + 4.0, BAR)
    tip = f"<title>{escaped(bar.tip or bar.label)}</title>"
    rect = f'<rect x="{_n(x)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}" rx="3"/>'
    parts = [f'<g class="bar {bar.look}">{tip}{rect}']
    if bar.look not in ("scheduled", "out"):
        for number, line in enumerate(_fit_label(bar.label, width - 8.0)):
            at = f'x="{_n(x + 4.0)}" y="{_n(top + 14.0 + 13.0 * number)}"'
            parts.append(f'<text class="label" {at}>{escaped(line)}</text>')
    return "".join([*parts, "</g>"])


def _fit_label(label: str, width: float) -> list[str]:
    """The label on at most two lines, shortened to fit; empty for a narrow bar."""
    lines: list[str] = []
    for word in clean(label).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and pixels(longer, LABEL) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > 2:
        lines[1] += " …"
    return [cut for line in lines[:2] if (cut := _cut(line, width))]


def _cut(line: str, width: float) -> str:
    if pixels(line, LABEL) <= width:
        return line
    line = line.removesuffix(" …")
    while line and pixels(line + "…", LABEL) > width:
        line = line[:-1]
    return line + "…" if len(line) > 1 else ""


def _legend(bars: Sequence[Bar], y: float) -> list[str]:
    looks = {bar.look for bar in bars}
    lines, x = [], LEFT
    for look, labels in SAID.items():
        if look not in looks:
            continue
        rect = f'<rect x="{_n(x)}" y="{_n(y - 10)}" width="18" height="12" rx="3"/>'
        lines.append(f'<g class="bar {look}">{rect}</g>')
        lines.append(f'<text class="key" x="{_n(x + 24)}" y="{_n(y)}">{labels}</text>')
        x += 24.0 + pixels(labels, LABEL) + 22.0
    return lines


def style_sheet() -> str:
    """The CSS rules, with a dark scheme."""
    still = (
        f".treec-gantt{{font-family:{FONT}}}.treec-gantt text{{white-space:pre}}"
        ".treec-gantt .title{font-size:16px;font-weight:600}.treec-gantt .row{font-size:13px}"
        ".treec-gantt .label,.treec-gantt .key,.treec-gantt .tick{font-size:11px}"
        ".treec-gantt .tick{text-anchor:middle}.treec-gantt .grid{fill:none;stroke-width:1}"
        ".treec-gantt .bar rect{stroke-width:1.3}"
        ".treec-gantt .stopped rect,.treec-gantt .open rect{stroke-dasharray:4 3}"
        ".treec-gantt .out rect{stroke-dasharray:2 3}"
    )
    return still + _rules(LIGHT) + "@media (prefers-color-scheme:dark){" + _rules(DARK) + "}"


def _rules(palette: Palette) -> str:
    colours = {
        "done": palette.statuses["SUCCESS"],
        "failed": palette.statuses["FAILURE"],
        "stopped": palette.statuses["RUNNING"],
        "open": palette.statuses["RUNNING"],
        "scheduled": palette.families["control"],
        "out": palette.families["modifier"],
    }
    rules = [
        f".treec-gantt .ground{{fill:{palette.ground}}}",
        f".treec-gantt .title,.treec-gantt .row,.treec-gantt .label{{fill:{palette.text}}}",
        f".treec-gantt .tick,.treec-gantt .key{{fill:{palette.quiet}}}",
        f".treec-gantt .grid{{stroke:{palette.edge};stroke-opacity:.35}}",
    ]
    for look, (fill, line, _) in colours.items():
        rules.append(f".treec-gantt .{look} rect{{fill:{fill};stroke:{line}}}")
    return "".join(rules)


def _n(value: float) -> str:
    return f"{round(value, 1):.1f}".removesuffix(".0")
