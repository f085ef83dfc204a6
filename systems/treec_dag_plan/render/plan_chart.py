"""Draw a plan for arms as SVG: a row per arm, a box per node, a line per hold.

The axis counts stages, or seconds if the plan has times. Colours show the types of nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

from treec.frozen import frozen
from treec.render.measure import clean, escaped, pixels, wrap
from treec.render.palette import style_sheet

LEFT, TOP, RIGHT, FOOT = 96.0, 56.0, 24.0, 62.0
ROW, BOX = 70.0, 54.0
WIDEST, NARROWEST, LONGEST = 168.0, 10.0, 6000.0
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9)
LABEL, LINE, LINES = 11.0, 14.0, 3
FAMILY = {"occupy": "control", "tool use": "part", "release": "condition", "operate": "action"}


@frozen
class ChartBar:
    """A node of an arm from `start` to `end`; `type` is the node's type."""

    arm: str
    start: float
    end: float
    label: str
    type: str
    tip: str = ""


@frozen
class HoldBar:
    """An arm holds an object from `start` to `end`."""

    arm: str
    start: float
    end: float
    thing: str


@frozen(slots=False)
class PlanChart:
    """A plan to draw; `unit` is what the axis counts: stage or s."""

    title: str
    arms: tuple[str, ...]
    boxes: tuple[ChartBar, ...]
    held: tuple[HoldBar, ...]
    unit: str = "stage"

    @property
    def end(self) -> float:
        """Where the axis ends."""
        return max((box.end for box in self.boxes), default=0.0)


def render_plan(chart: PlanChart) -> str:
    """Render the chart; the same plan gives the same bytes."""
    least = min((box.end - box.start for box in chart.boxes), default=1.0)
    scale = min(WIDEST / max(least, 1e-6), LONGEST / max(chart.end, 1.0))
    scale = max(scale, NARROWEST) if chart.unit == "stage" else scale
    scale = min(scale, max(WIDEST, 900.0 / max(chart.end, 1.0)))
    width = max(LEFT + chart.end * scale + RIGHT, LEFT + pixels(chart.title, 17), 420.0)
    height = TOP + ROW * len(chart.arms) + FOOT
    description = f"{len(chart.arms)} arms, {_ticks(chart.end, chart.unit)}."
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treec" role="img" '
        f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}">',
        f"<title>{escaped(chart.title)}</title>",
        f"<desc>{escaped(description)}</desc>",
        f"<style>{style_sheet()}</style>",
        f'<rect class="ground" width="{_n(width)}" height="{_n(height)}"/>',
        f'<text class="title" x="20" y="30">{escaped(chart.title)}</text>',
    ]
    rows = {arm: TOP + ROW * number for number, arm in enumerate(chart.arms)}
    foot = TOP + ROW * len(chart.arms)
    lines += _axis(chart, scale, foot)
    for arm, y in rows.items():
        lines.append(f'<text class="label" x="20" y="{_n(y + BOX / 2 + 4)}">{escaped(arm)}</text>')
    for held in chart.held:
        y = rows[held.arm] + BOX + 5
        start, end = LEFT + held.start * scale, LEFT + held.end * scale
        lines.append(
            f'<g class="control"><title>{escaped(f"{held.arm} holds {held.thing}")}</title>'
            f'<rect class="shape" x="{_n(start + 2)}" y="{_n(y)}" '
            f'width="{_n(max(1.0, end - start - 4))}" height="4" rx="2"/></g>'
        )
    lines += [_box(box, rows[box.arm], scale) for box in chart.boxes]
    lines += _legend({box.type for box in chart.boxes}, foot + 30.0)
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _ticks(end: float, unit: str) -> str:
    return f"{end:g} stage{'' if end == 1 else 's'}" if unit == "stage" else f"{end:g} seconds"


def _axis(chart: PlanChart, scale: float, foot: float) -> list[str]:
    least = 34 if chart.unit == "stage" else 80
    step = next(s for s in STEPS if s * scale >= least)
    lines = []
    at = 0.0
    while at < chart.end or (chart.unit != "stage" and at <= chart.end):
        x = LEFT + at * scale
        lines.append(f'<path class="edge dashed" d="M{_n(x)} {_n(TOP - 8)}V{_n(foot)}"/>')
        label = f"{at + 1:g}" if chart.unit == "stage" else f"{at:g} s"
        if chart.unit == "stage":
            x += scale / 2
        lines.append(f'<text class="detail centred" x="{_n(x)}" y="{_n(foot + 12)}">{label}</text>')
        at += step
    return lines


def _box(box: ChartBar, y: float, scale: float) -> str:
    x, width = LEFT + box.start * scale + 2, max(1.0, (box.end - box.start) * scale - 4)
    parts = [
        f'<g class="{FAMILY.get(box.type, "action")}" transform="translate({_n(x)} {_n(y)})">',
        f"<title>{escaped(box.tip or box.label)}</title>",
        f'<rect class="shape" width="{_n(width)}" height="{_n(BOX)}" rx="5"/>',
    ]
    if width >= 40:
        lines = wrap(clean(box.label), width - 12, lambda text: pixels(text, LABEL))[:LINES]
        top = (BOX - LINE * len(lines)) / 2 + LABEL
        parts += [
            f'<text class="label" style="font-size:{_n(LABEL)}px" x="6" y="{_n(top + LINE * n)}">'
            f"{escaped(line)}</text>"
            for n, line in enumerate(lines)
        ]
    return "".join([*parts, "</g>"])


def _legend(types: set[str], y: float) -> list[str]:
    lines = []
    x = LEFT
    for type in (name for name in FAMILY if name in types):
        lines.append(
            f'<g class="{FAMILY[type]}" transform="translate({_n(x)} {_n(y)})">'
            f'<rect class="shape" width="22" height="14" rx="3"/>'
            f'<text class="key" x="28" y="11">{type}</text></g>'
        )
        x += 44 + pixels(type, 11.0)
    lines.append(
        f'<g class="control" transform="translate({_n(x)} {_n(y + 5)})">'
        f'<rect class="shape" width="22" height="4" rx="2"/>'
        f'<text class="key" x="28" y="6">holds</text></g>'
    )
    return lines


def _n(value: float) -> str:
    return f"{round(value, 1):.1f}".removesuffix(".0")


def holds_of(
    boxes: Sequence[ChartBar], pairs: Sequence[tuple[str, str, str]], nodes: Sequence[str]
) -> tuple[HoldBar, ...]:
    """Build the bars of holds; pairs are (object, occupy node, release node)."""
    by_node: dict[str, list[ChartBar]] = {}
    for box, node in zip(boxes, nodes, strict=True):
        by_node.setdefault(node, []).append(box)
    return tuple(
        HoldBar(box.arm, box.start, max(b.end for b in by_node[release]), thing)
        for thing, occupy, release in pairs
        if occupy in by_node and release in by_node
        for box in by_node[occupy]
    )
