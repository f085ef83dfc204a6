"""The curves of a training: CSV, a page to look at, and events where TensorBoard is there."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from treec_learning.training import CurvePoint

_COLOURS = ("#2563eb", "#059669", "#d97706", "#dc2626", "#7c3aed")
_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 320, 48, 16


def write(out: Path, name: str, curve: Sequence[CurvePoint]) -> None:
    """Write curve.csv and curve.html, and events if the package tensorboard is installed."""
    starts = list(dict.fromkeys(start for point in curve for start in point.trial))
    returns = ["mean return"] if any(point.mean_return is not None for point in curve) else []
    with (out / "curve.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        trained = [f"training {start}" for start in starts]
        rows.writerow(["steps", "seconds", *starts, *trained, *returns, "best"])
        for point in curve:
            shares: list[Any] = [point.trial.get(start, "") for start in starts]
            shares += [point.training.get(start, "") for start in starts]
            shares += [point.mean_return for _ in returns]
            rows.writerow([point.steps, point.seconds, *shares, int(point.best)])
    (out / "curve.html").write_text(_page(name, curve, starts), "utf-8")
    _events(out, curve)


def _page(name: str, curve: Sequence[CurvePoint], starts: Sequence[str]) -> str:
    most = max((point.steps for point in curve), default=0) or 1
    right, bottom = _LEFT + _WIDTH, _TOP + _HEIGHT

    def at(steps: int, share: float) -> str:
        return f"{_LEFT + _WIDTH * steps / most:.1f},{bottom - _HEIGHT * share:.1f}"

    lines = []
    for tenth in range(0, 11, 2):
        y = bottom - _HEIGHT * tenth / 10
        lines.append(f'<path d="M{_LEFT} {y}H{right}" stroke="#8884"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{tenth * 10} %</text>')
    for index, start in enumerate(starts):
        colour = _COLOURS[index % len(_COLOURS)]
        for kept, dashes, width in (("training", "3 4", 1), ("trial", "", 2)):
            points = [
                at(point.steps, getattr(point, kept)[start])
                for point in curve
                if start in getattr(point, kept)
            ]
            lines.append(
                f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" '
                f'stroke-width="{width}" stroke-dasharray="{dashes}"/>'
            )
        y = _TOP + 16 * index + 10
        lines.append(f'<text x="{right + 12}" y="{y}" fill="{colour}">{escape(start)}</text>')
    lines.append(f'<text x="{right}" y="{bottom + 18}" text-anchor="end">{most:,} steps</text>')
    drawing = "\n".join(lines)
    return f"""<!doctype html>
<meta charset="utf-8"><title>{escape(name)}</title>
<style>body {{ font: 14px system-ui; margin: 2rem; color-scheme: light dark }}
text {{ font: 12px system-ui; fill: currentColor }}</style>
<h1>{escape(name)}</h1>
<p>Share of episodes that reach their goal: without a touch in trials of the likeliest actions
(lines), and in training (dotted).</p>
<svg viewBox="0 0 {right + 120} {bottom + 30}" width="{right + 120}" role="img"
 aria-label="Success by steps">
{drawing}
</svg>
"""


def _events(out: Path, curve: Sequence[CurvePoint]) -> None:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return
    with SummaryWriter(str(out / "events")) as writer:
        for point in curve:
            for kind in ("trial", "training"):
                for start, share in getattr(point, kind).items():
                    writer.add_scalar(f"{kind}/{start}", share, point.steps)
