"""MOSAIC's Figure 3 beside the paper's: whole trials, subtasks, failures by module."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.mosaic.chart import HEAD, HIGH, LEFT, RIGHT, STYLE, WIDTH, bar, text, whole_svg
from experiments.mosaic.trials import paper
from experiments.mosaic.trials.attribution import MODULES, count
from experiments.mosaic.trials.table import Results, by_recipe, share
from experiments.mosaic.trials.trial import WholeTrialResult

COLOURS = ("#8a68bd", "#c98a00", "#3f948a", "#4a78b5", "#b5544a", "#69758a")
"""Of the modules, in their order."""


def to_svg(results: Results) -> str:
    """Render the figure; the same results give the same bytes."""
    parts: list[str] = []
    groups = by_recipe(results)
    y = _panel(parts, HEAD, "Whole trials, %", _whole(groups, results))
    y = _panel(parts, y + 58, "Subtasks that robots completed, %", _subtasks(groups, results))
    y = _failures(parts, y + 6, results)
    style = STYLE + "".join(f".m{i}{{fill:{c}}}" for i, c in enumerate(COLOURS))
    return whole_svg("End-to-end trials beside those of MOSAIC's Figure 3", y + 12, parts, style)


Groups = dict[str, list[WholeTrialResult]]
Row = tuple[str, str, float, str]
"""Title, kind (ours, paper), per cent, words."""


def _whole(groups: Groups, results: Results) -> list[Row]:
    rows: list[Row] = []
    for name, group in (*groups.items(), ("all", list(results))):
        came_off = sum(one.whole for one in group)
        rows.append((name, "ours", 100 * came_off / len(group), f"{came_off} of {len(group)}"))
        if name == "all":
            words = f"{paper.WHOLE} of {paper.TRIALS}"
            rows.append(("paper", "paper", 100 * paper.WHOLE / paper.TRIALS, words))
        elif name in paper.RECIPES:
            of = paper.RECIPES[name][0]
            rows.append(("paper", "paper", 10.0 * of, f"{of} of 10"))
    return rows


def _subtasks(groups: Groups, results: Results) -> list[Row]:
    rows: list[Row] = []
    for name, group in (*groups.items(), ("all", list(results))):
        rows.append((name, "ours", share(group), f"{share(group):.1f}"))
        of = paper.SUBTASKS if name == "all" else paper.RECIPES.get(name, (0, None))[1]
        if of is not None:
            rows.append(("paper", "paper", of, f"{of:.1f}"))
    return rows


def _panel(parts: list[str], y: int, title: str, rows: Sequence[Row]) -> int:
    parts.append(text(16, y - 32, title, "head"))
    scale = (WIDTH - LEFT - RIGHT) / 100.0
    bottom = y + HIGH * len(rows)
    for tick in range(0, 101, 25):
        x = LEFT + tick * scale
        parts.append(f'<path class="grid" d="M{x:.1f} {y}V{bottom}"/>')
        parts.append(text(x, y - 8, str(tick), "quiet mid"))
    for name, kind, rate, words in rows:
        parts.extend(bar(y, name, [(kind, rate * scale)], words))
        y += HIGH
    return y


def _failures(parts: list[str], y: int, results: Results) -> int:
    failures = [one for result in results for one in result.failures]
    y += 18
    parts.append(text(16, y, "Failures by module", "head"))
    x = 16
    for at, module in enumerate(MODULES):
        parts.append(f'<rect class="m{at}" x="{x}" y="{y + 12}" width="11" height="11" rx="2"/>')
        parts.append(text(x + 16, y + 22, module, "quiet"))
        x += 110
    y += 36
    rows = [("not made up for", False), ("made up for", True)]
    counts = [count(failures, mended=mended) for _, mended in rows]
    scale = (WIDTH - LEFT - RIGHT) / max(10, *(sum(one.values()) for one in counts))
    for (title, _), one in zip(rows, counts, strict=True):
        bars = [(f"m{at}", one[module] * scale) for at, module in enumerate(MODULES)]
        parts.extend(bar(y, title, bars, str(sum(one.values()))))
        y += HIGH
    return y
