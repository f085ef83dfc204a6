"""A figure of a benchmark: lines over one axis, both logarithmic, as an SVG of the house."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from treec.render.palette import style_sheet

WIDTH, HEIGHT = 720.0, 380.0
LEFT, RIGHT, TOP, FOOT = 64.0, 190.0, 56.0, 54.0
FAMILIES = ("control", "part", "condition", "ask")


@dataclass(frozen=True)
class Line:
    """A value for every place on the axis; `unit` stands after the numbers."""

    name: str
    values: Sequence[float]
    unit: str


def line_chart(title: str, axis: str, places: Sequence[float], lines: Sequence[Line]) -> str:
    """The figure; the same numbers give the same bytes. Values below 0.01 stand at 0.01."""
    least, most = 0.01, max([1.0, *(value for line in lines for value in line.values)])
    low, high = math.log10(least), math.ceil(math.log10(most))
    start, end = math.log10(min(places)), math.log10(max(places))

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(value) - start) / max(end - start, 1e-9)

    def y(value: float) -> float:
        up = (math.log10(max(value, least)) - low) / max(high - low, 1e-9)
        return HEIGHT - FOOT - (HEIGHT - TOP - FOOT) * up

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treec" role="img" '
        f'width="{WIDTH:g}" height="{HEIGHT:g}" viewBox="0 0 {WIDTH:g} {HEIGHT:g}">',
        f"<title>{escape(title)}</title>",
        f"<style>{style_sheet()}</style>",
        f'<rect class="ground" width="{WIDTH:g}" height="{HEIGHT:g}"/>',
        f'<text class="title" x="20" y="30">{escape(title)}</text>',
    ]
    for power in range(round(low), high + 1):
        at = y(10.0**power)
        parts.append(f'<path class="edge dashed" d="M{LEFT:g} {at:.1f}H{WIDTH - RIGHT:g}"/>')
        parts.append(f'<text class="detail" x="20" y="{at + 4:.1f}">{10.0**power:g}</text>')
    for place in places:
        parts.append(
            f'<text class="detail centred" x="{x(place):.1f}" y="{HEIGHT - FOOT + 18:g}">'
            f"{place:g}</text>"
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text class="detail centred" x="{middle:g}" y="{HEIGHT - 14:g}">{escape(axis)}</text>'
    )
    for line, family in zip(lines, FAMILIES, strict=False):
        points = [(x(p), y(v)) for p, v in zip(places, line.values, strict=True)]
        way = "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        dots = "".join(
            f'<circle class="shape" cx="{a:.1f}" cy="{b:.1f}" r="4"/>' for a, b in points
        )
        parts.append(f'<g class="{family}"><path class="stroke" d="M{way}"/>{dots}</g>')
        a, b = points[-1]
        said = f"{line.name}, {line.unit}" if line.unit == "%" else line.name
        parts.append(f'<text class="detail" x="{a + 10:.1f}" y="{b + 4:.1f}">{escape(said)}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
