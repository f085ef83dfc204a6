"""Windows as pictures: what was seen, what was forecast, what happened."""

from __future__ import annotations

from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from treec_sapien.people.skeleton import FUTURE, PAST, RATE

BONES = ((0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6))
SIZE = 360
SEEN, TRUE, FORECAST = "#8b9099", "#2f9e57", "#d6336c"

Floats = npt.NDArray[np.float32]


class Views:
    """Projects a window to two pictures beside each other: from behind, and from above.

    The person's left is on the left in both; in the second they look up.
    """

    def __init__(self, window: Floats, forecast: Floats) -> None:
        points = np.concatenate([window[:, :7].reshape(-1, 3), forecast.reshape(-1, 3)])
        self.low, self.high = points.min(axis=0), points.max(axis=0)
        self.scale = 0.86 * SIZE / max(float((self.high - self.low).max()), 0.3)
        self.middle = (self.low + self.high) / 2

    def pixels(self, points: Floats) -> tuple[Floats, Floats]:
        """Return x, y of both views (k, 2), in pixels from the upper left corner."""
        at = (points - self.middle) * self.scale
        behind = np.stack([SIZE / 2 - at[:, 1], SIZE / 2 - at[:, 2]], axis=1)
        above = np.stack([1.5 * SIZE - at[:, 1], SIZE / 2 - at[:, 0]], axis=1)
        return behind, above


def svg(window: Floats, forecast: Floats, title: str, spread: Floats | None = None) -> str:
    """Draw a window (35, 16, 3) in the person's frame with its forecast (25, 7, 3; m).

    Grey is the last pose that was seen, green the true pose a second later with the wrists' way,
    magenta the forecast; circles around its wrists hold the true ones in 80 % of cases.
    """
    views = Views(window, forecast)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * SIZE} {SIZE + 46}" '
        f'width="{2 * SIZE}" height="{SIZE + 46}" font-family="system-ui, sans-serif" '
        'font-size="13">',
        f'<rect width="{2 * SIZE}" height="{SIZE + 46}" fill="#fff"/>',
        f'<line x1="{SIZE}" y1="0" x2="{SIZE}" y2="{SIZE}" stroke="#ddd"/>',
        '<text x="10" y="18" fill="#555">from behind</text>',
        f'<text x="{SIZE + 10}" y="18" fill="#555">from above</text>',
    ]
    for wrist in (5, 6):
        out += _way(views, window[PAST - 1 :, wrist], TRUE)
        out += _way(
            views, np.concatenate([window[PAST - 1 : PAST, wrist], forecast[:, wrist]]), FORECAST
        )
    out += _body(views, window[PAST - 1, :7], SEEN)
    out += _body(views, window[-1, :7], TRUE)
    out += _body(views, forecast[-1], FORECAST)
    if spread is not None:
        for wrist in (5, 6):
            radius = float(-np.log(0.2) * spread[-1, wrist] * views.scale)
            for pixel in views.pixels(forecast[-1:, wrist]):
                x, y = pixel[0]
                out.append(
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" '
                    f'stroke="{FORECAST}" stroke-dasharray="3 3"/>'
                )
    legend = f"{title}: grey seen, green true after 1 s, magenta forecast"
    out.append(f'<text x="10" y="{SIZE + 28}" fill="#333">{escape(legend)}</text></svg>')
    return "\n".join(out) + "\n"


def _way(views: Views, points: Floats, colour: str) -> list[str]:
    return [
        f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in view)}" fill="none" '
        f'stroke="{colour}" stroke-width="1.5" opacity="0.6"/>'
        for view in views.pixels(points)
    ]


def _body(views: Views, joints: Floats, colour: str) -> list[str]:
    out = []
    for view in views.pixels(joints):
        for a, b in BONES:
            (x1, y1), (x2, y2) = view[a], view[b]
            out.append(
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                'stroke-width="4" stroke-linecap="round"/>'
            )
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in view]
    return out


def film(window: Floats, forecast: Floats) -> list[npt.NDArray[np.uint8]]:
    """Return pictures of the window, one a frame: what is seen, then true and forecast poses."""
    from PIL import Image, ImageDraw

    views = Views(window, forecast)
    pictures = []
    for frame in range(PAST + FUTURE):
        image = Image.new("RGB", (2 * SIZE, SIZE), "#ffffff")
        draw = ImageDraw.Draw(image)
        draw.line((SIZE, 0, SIZE, SIZE), fill="#dddddd")
        bodies = [(window[frame, :7], SEEN if frame < PAST else TRUE)]
        if frame >= PAST:
            bodies.append((forecast[frame - PAST], FORECAST))
        for joints, colour in bodies:
            for view in views.pixels(joints):
                for a, b in BONES:
                    draw.line((*view[a], *view[b]), fill=colour, width=4)
                for x, y in view:
                    draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=colour)
        seconds = (frame - PAST + 1) / RATE
        draw.text((10, 8), f"{seconds:+.2f} s", fill="#333333")
        pictures.append(np.asarray(image, np.uint8))
    return pictures
