"""Pictures of episodes: the pantry from above and from the side, with the way of the tip."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import numpy as np

from treec_learning.evaluation import LearnTable
from treec_learning.pantry.cases import BOXES, Case
from treec_learning.pantry.kinematics import RADII, Array, spheres, tip

_SCALE = 420.0  # pixels a metre
_SIDE = 380
_COLOURS = {"top": "none", "back": "#9994", "bottom": "#b453", "front": "#7c3aed66"}


def draw_failures(table: LearnTable, folder: Path, most: int = 40) -> list[Path]:
    """Draw failed episodes of policies, ``most`` at most; return the files that were written."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for row in table.rows:
        if row.name in ("straight", "planner"):
            continue
        for start, result in row.results.items():
            for number in np.flatnonzero(~result.reached):
                if len(written) >= most:
                    return written
                name = re.sub(r"[^\w-]+", "_", row.name).strip("_")
                path = folder / f"{name}_{start}_{number}.svg"
                why = result.touched[number] or "not reached"
                title = f"{row.name}, {start} {number}: {why}"
                path.write_text(
                    draw_episode(result.cases[number], result.paths[number], title), "utf-8"
                )
                written.append(path)
    return written


def draw_episode(case: Case, path: list[Array], title: str) -> str:
    """Draw an episode as SVG: from above on the left, from the side on the right."""
    stand = np.full(len(path), case.stand)
    way = tip(np.stack(path), stand)
    last = [part[0] for part in spheres(path[-1][None], stand[:1])]
    views = []
    for index, (across, up) in enumerate(((0, 1), (1, 2))):
        middle = case.goal.copy()
        middle[1] = 0.0

        def at(point: Array, across: int = across, up: int = up, middle: Array = middle) -> Array:
            x = _SIDE / 2 + _SCALE * (point[..., across] - middle[across])
            y = _SIDE / 2 - _SCALE * (point[..., up] - middle[up])
            return np.stack([x, y], axis=-1)

        shapes = []
        for name, box in zip(BOXES, case.boxes, strict=True):
            if box[0, 0] > 2.0:
                continue
            low, high = at(box[0]), at(box[1])
            hidden = index == 0 and name in ("bottom", "top")
            colour = "none" if hidden else _COLOURS.get(name, "#2563eb44")
            shapes.append(
                f'<rect x="{low[0]:.1f}" y="{high[1]:.1f}" width="{high[0] - low[0]:.1f}" '
                f'height="{low[1] - high[1]:.1f}" fill="{colour}" stroke="#888"/>'
            )
        spot = at(case.goal)
        shapes.append(
            f'<circle cx="{spot[0]:.1f}" cy="{spot[1]:.1f}" r="{_SCALE * case.radius:.1f}" '
            'fill="#dc2626aa"/>'
        )
        hand = at(np.stack(last, axis=-1))
        shapes += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_SCALE * radius:.1f}" fill="#0593" '
            'stroke="#059"/>'
            for (x, y), radius in zip(hand, RADII, strict=True)
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in at(way))
        shapes.append(
            f'<polyline points="{points}" fill="none" stroke="#059669" stroke-width="2"/>'
        )
        inner = "\n".join(shapes)
        views.append(
            f'<svg x="{index * (_SIDE + 10)}" y="24" width="{_SIDE}" height="{_SIDE}" '
            f'viewBox="0 0 {_SIDE} {_SIDE}">{inner}</svg>'
        )
    body = "\n".join(views)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * _SIDE + 10}" height="{_SIDE + 24}">'
        f'<rect width="100%" height="100%" fill="white"/>'
        f'<text x="4" y="16" font-family="sans-serif" font-size="13">{escape(title)}</text>\n'
        f"{body}</svg>\n"
    )
