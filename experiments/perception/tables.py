"""Tables of how well things are found and picked, beside those of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from experiments.perception.clutter import LEVELS, RIGHT, LocalizationTrial
from experiments.perception.picks import PickTrial

PAPER = {
    "detector_alone": {"low": "10/10", "medium": "3/10", "high": "0/10"},
    "mosaic_eyes": {"low": "10/10", "medium": "10/10", "high": "6/10"},
}
"""Table 2: whole picks of the paper's robot with OWL-ViT alone, and with suppression and CLIP."""

DISTANCES = (0.8, 1.2, 1.6, 2.0)
"""Metres between camera and thing at which rows of the table end."""


def summary(results: Sequence[LocalizationTrial]) -> dict[str, Any]:
    """Return a localizer's figures: by level, camera, distance and object; milliseconds a stage."""
    spent: dict[str, list[float]] = {}
    for result in results:
        for stage, ms in result.milliseconds.items():
            spent.setdefault(stage, []).append(ms)
    return {
        "levels": _rows(results, lambda it: it.level),
        "cameras": _rows(results, lambda it: it.camera),
        "distances": _rows(sorted(results, key=lambda it: it.distance), _distance),
        "objects": _rows(sorted(results, key=lambda it: it.thing), lambda it: it.thing),
        "false_finds": sum(it.false_finds for it in results),
        "asked_absent": sum(it.asked_absent for it in results),
        "milliseconds": {stage: round(median(ms)) for stage, ms in spent.items()},
    }


def _distance(it: LocalizationTrial) -> str:
    end = next((end for end in DISTANCES if it.distance < end), None)
    return f"above {DISTANCES[-1]:g} m" if end is None else f"up to {end:g} m"


def _rows(
    results: Sequence[LocalizationTrial], key: Callable[[LocalizationTrial], str]
) -> dict[str, Mapping[str, object]]:
    rows: dict[str, Mapping[str, object]] = {}
    for name in dict.fromkeys(map(key, results)):
        own = [it for it in results if key(it) == name]
        right = [it.error for it in own if it.error is not None and it.error <= RIGHT]
        found = [it.error for it in own if it.error is not None]
        rows[name] = {
            "trials": len(own),
            "best_is_right": len(right),
            "found_and_right": sum(it.right for it in own),
            "median_error_mm": round(1000 * median(found), 1) if found else None,
        }
    return rows


def to_text(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the tables of all localizers, one after the other."""
    line = "{:<16}{:<20}{:>14}{:>14}{:>11}{:>8}".format
    lines = [line("localizer", "", "best is right", "and accepted", "median mm", "paper")]
    for name, row in rows.items():
        for kind in ("levels", "cameras", "distances", "objects"):
            if kind == "cameras" and len(row[kind]) == 1:
                continue
            for what, it in row[kind].items():
                of = it["trials"]
                cells = [f"{it[key]}/{of}" for key in ("best_is_right", "found_and_right")]
                mm = "" if it["median_error_mm"] is None else it["median_error_mm"]
                lines.append(line(name, what, *cells, mm, PAPER.get(name, {}).get(what, "")))
            lines.append("")
        lines.append(
            f"{name:<16}absent things found: {row['false_finds']} of {row['asked_absent']}"
        )
        spent = row["milliseconds"].items()
        lines.append(f"{name:<16}milliseconds: {', '.join(f'{stage} {ms}' for stage, ms in spent)}")
        lines.append("")
    return "\n".join(it.rstrip() for it in lines)


def picks_to_text(done: Mapping[str, Sequence[PickTrial]], left_out: Mapping[str, int]) -> str:
    """Return a table of whole picks, and why those failed that did.

    ``left_out`` counts sets, by level, in which nobody could pick the thing.
    """
    line = "{:<16}{:<9}{:>8}{:>11}{:>9}{:>8}".format
    lines = [line("localizer", "clutter", "picked", "median mm", "takes", "paper")]
    for name, its in done.items():
        for level in LEVELS:
            own = [it for it in its if it.level == level]
            if not own:
                continue
            errors = [it.error for it in own if it.error is not None]
            mm = f"{1000 * median(errors):.1f}" if errors else ""
            seconds = f"{median(it.seconds for it in own):.0f} s"
            picked = f"{sum(it.picked for it in own)}/{len(own)}"
            lines.append(line(name, level, picked, mm, seconds, PAPER.get(name, {}).get(level, "")))
    counts = ", ".join(f"{level} {count}" for level, count in left_out.items())
    lines.append(f"left out, since the thing is not picked even by who knows where it is: {counts}")
    failed = [(name, it) for name, its in done.items() for it in its if not it.picked]
    lines += [f"{name} {it.level} {it.seed} {it.thing}: {it.reason}" for name, it in failed]
    return "\n".join(it.rstrip() for it in lines)
