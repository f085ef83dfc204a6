"""The results of an evaluation as text, as JSON and as a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from experiments.helper.measure import EpisodeTrial, TrialSummary


def to_text(summaries: Sequence[TrialSummary]) -> str:
    """A table with a column for each setting, and the failures by cause."""
    heads = [_setting(one) for one in summaries]
    rows: list[tuple[str, list[str]]] = [
        ("episodes", [str(one.episodes) for one in summaries]),
        ("program accepted", [_share(one.accepted, one.episodes) for one in summaries]),
        ("run to the end, no step failed", [_share(one.ended, one.episodes) for one in summaries]),
        ("task done: all goal conditions", [_share(one.done, one.judged) for one in summaries]),
        ("  called done by HELPER", [_share(one.claimed, one.judged) for one in summaries]),
        ("  of them falsely", [_share(one.falsely, one.claimed) for one in summaries]),
        ("  path-length-weighted", [_share(one.weighted_done, one.judged) for one in summaries]),
        ("  before the program", [_share(one.done_before, one.judged) for one in summaries]),
        ("goal conditions met", [_share(*one.conditions) for one in summaries]),
        (
            "  path-length-weighted",
            [_share(one.weighted_conditions, one.conditions[1]) for one in summaries],
        ),
        (
            "  before the program",
            [_share(one.conditions_before, one.conditions[1]) for one in summaries],
        ),
        ("recorded changes met", [_share(*one.changes) for one in summaries]),
        ("assertions that did not hold", [str(one.assertions_failed) for one in summaries]),
        ("primitive actions, mean", [f"{one.steps:.0f}" for one in summaries]),
    ]
    width = max(len(name) for name, _ in rows)
    columns = [max(len(h), *(len(r[i]) for _, r in rows)) for i, h in enumerate(heads)]
    lines = [" " * width + "".join(f"  {h:>{c}}" for h, c in zip(heads, columns, strict=True))]
    for name, cells in rows:
        shown = "".join(f"  {cell:>{c}}" for cell, c in zip(cells, columns, strict=True))
        lines.append(f"{name:<{width}}{shown}")
    for one in summaries:
        lines += ["", f"Failed steps by cause, {_setting(one)}:"]
        lines += _counts(one.causes)
        lines += [f"Goal conditions that do not hold, {_setting(one)}:"]
        lines += _counts(one.missing)
        lines += [f"Recorded changes that were not met, {_setting(one)}:"]
        lines += _counts(one.unmet)
    first = summaries[0]
    lines += ["", "Recorded changes that the program is not the cause of, counted apart:"]
    lines += _counts(first.apart)
    return "\n".join(lines) + "\n"


def to_json(summaries: Sequence[TrialSummary], trials: Sequence[EpisodeTrial]) -> dict[str, object]:
    """All figures, and every trial."""
    return {
        "summaries": [
            {
                "repairs": one.settings.repairs,
                "sight": one.settings.sight,
                "locator": one.settings.locator,
                "programs": one.settings.programs,
                "memory": one.settings.memory,
                "correction": one.settings.correction,
                "feedback": one.settings.feedback,
                "slips": one.settings.slips,
                "depth_error": one.settings.depth_error,
                "odometry_error": one.settings.odometry_error,
                "eyes": one.settings.eyes,
                "reasons": one.settings.reasons,
                "seed": one.settings.seed,
                "episodes": one.episodes,
                "with_known_goal": one.judged,
                "accepted": one.accepted,
                "ended": one.ended,
                "done": one.done,
                "called_done": one.claimed,
                "called_done_falsely": one.falsely,
                "done_weighted": round(one.weighted_done, 3),
                "done_before": one.done_before,
                "conditions_before": one.conditions_before,
                "conditions_met": one.conditions[0],
                "conditions": one.conditions[1],
                "conditions_weighted": round(one.weighted_conditions, 3),
                "changes_met": one.changes[0],
                "changes": one.changes[1],
                "changes_unmet": dict(one.unmet.most_common()),
                "changes_apart": dict(one.apart.most_common()),
                "assertions_failed": one.assertions_failed,
                "causes": dict(one.causes.most_common()),
                "missing": dict(one.missing.most_common()),
                "steps": round(one.steps, 1),
            }
            for one in summaries
        ],
        "trials": [
            {
                "episode": trial.episode,
                "task_type": trial.task_type,
                "repairs": trial.settings.repairs,
                "sight": trial.settings.sight,
                "accepted": trial.accepted,
                "refused": trial.refused,
                "ended": trial.ended,
                "done": trial.done,
                "called_done": trial.claimed,
                "conditions": [[c.about, c.met] for c in trial.conditions],
                "changes_met": sum(c.met for c in trial.changes),
                "changes": sum(not c.apart for c in trial.changes),
                "causes": list(trial.causes),
                "steps": trial.steps,
                "failed_calls": trial.failed_calls,
            }
            for trial in trials
        ],
    }


def to_svg(summaries: Sequence[TrialSummary]) -> str:
    """A bar chart: failed steps by cause, most frequent first, a colour for each setting."""
    total: Counter[str] = Counter()
    for one in summaries:
        total += one.causes
    causes = [name for name, _ in total.most_common()]
    bar, gap, left, width = 12, 10, 240, 480
    block = bar * len(summaries) + gap
    top = 30 + 18 * len(summaries)
    height = top + block * max(1, len(causes)) + 20
    most = max((one.causes[name] for one in summaries for name in causes), default=1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="10" y="20" font-size="14">Failed steps by cause</text>',
    ]
    for i, one in enumerate(summaries):
        y = 38 + 18 * i
        parts.append(f'<rect x="10" y="{y - 10}" width="12" height="12" fill="{_COLOURS[i % 6]}"/>')
        parts.append(f'<text x="28" y="{y}">{escape(_setting(one))}</text>')
    for row, name in enumerate(causes):
        y = top + row * block
        middle = y + bar * len(summaries) / 2 + 4
        parts.append(f'<text x="{left - 8}" y="{middle}" text-anchor="end">{escape(name)}</text>')
        for i, one in enumerate(summaries):
            length = width * one.causes[name] / most
            at = y + i * bar
            parts.append(
                f'<rect x="{left}" y="{at}" width="{length:.1f}" height="{bar - 2}" '
                f'fill="{_COLOURS[i % 6]}"/>'
            )
            parts.append(
                f'<text x="{left + length + 4:.1f}" y="{at + bar - 3}" font-size="10">'
                f"{one.causes[name]}</text>"
            )
    if not causes:
        parts.append(f'<text x="10" y="{top + 10}">No step failed.</text>')
    return "\n".join((*parts, "</svg>\n"))


_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")


def _setting(one: TrialSummary) -> str:
    own = one.settings
    if own.programs == "helper":
        parts = [
            "" if own.memory else "no memory",
            {"repair": "", "check": "no repairs", "ignore": "no checks"}[own.repairs],
            "" if own.correction else "no correction",
            "" if own.locator else "no locator",
            "" if own.sight == "partial" else f"{own.sight} sight",
            f"feedback {own.feedback}" if own.feedback else "",
        ]
        return ", ".join(filter(None, parts)) or "HELPER"
    extra = "" if own.locator else ", random search"
    extra += "" if own.programs == "recorded" else f", {own.programs}"
    extra += f", depth {own.depth_error:.0%}" if own.depth_error else ""
    extra += f", odometry {own.odometry_error:.0%}" if own.odometry_error else ""
    extra += "" if own.reasons == "oracle" else f", reasons: {own.reasons}"
    extra += "" if own.eyes == "true" else f", {own.eyes} eyes"
    return f"{_REPAIRS[own.repairs]}, {own.sight} sight{extra}"


_REPAIRS = {"repair": "repairs on", "check": "repairs off", "ignore": "no checks"}


def _share(part: float, whole: int) -> str:
    shown = f"{part:.1f}" if isinstance(part, float) else str(part)
    return f"{shown}/{whole} {100 * part / whole:.1f}%" if whole else "-"


def _counts(counts: Counter[str]) -> list[str]:
    return [f"  {number:5}  {name}" for name, number in counts.most_common()] or ["      none"]
