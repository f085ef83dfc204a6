"""Trials of recipes as a table and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import mean

from experiments.mosaic.recipe_trials import RecipeResult


def to_text(results: Sequence[RecipeResult]) -> str:
    """Render a row for each recipe, the totals, and the failures on the way."""
    groups: dict[str, list[RecipeResult]] = {}
    for one in results:
        groups.setdefault(one.trial.recipe, []).append(one)
    width = max(len(name) for name in groups)
    lines = [f"{'recipe':{width}}  trials  whole  finished  subtasks  taken over  time (s)"]
    for name, group in groups.items():
        whole, finished = (sum(flags) for flags in zip(*map(_flags, group), strict=True))
        times = [one.seconds for one in group if one.finished]
        lines.append(
            f"{name:{width}}  {len(group):6}  {whole:5}  {finished:8}  {group[0].subtasks:8}"
            f"  {sum(one.taken_over for one in group):10}  {_mean(times):>8}"
        )
    return "\n".join([*lines, "", *_notes(results), ""])


def to_json(results: Sequence[RecipeResult]) -> Mapping[str, object]:
    """Every trial and the totals as plain data."""
    return {
        "whole": sum(one.whole for one in results),
        "finished": sum(one.finished for one in results),
        "trials": [
            {**asdict(one), "whole": one.whole, "finished": one.finished} for one in results
        ],
    }


def _notes(results: Sequence[RecipeResult]) -> Iterator[str]:
    count = len(results)
    whole, finished = (sum(flags) for flags in zip(*map(_flags, results), strict=True))
    yield f"whole: {whole} of {count} (the robots did all of their part); finished: {finished}"
    yield f"processor time of a trial: {mean(one.cpu for one in results):.1f} s in the mean"
    for one in results:
        if not one.finished:
            yield f"{one.trial.recipe}, seed {one.trial.seed}: {one.ended}"
    reasons = Counter(reason for one in results for reason in one.failures)
    if reasons:
        yield "failures on the way (most were tried again):"
        for reason, times in reasons.most_common(12):
            yield f"  {times:3} x {reason}"


def _flags(one: RecipeResult) -> tuple[bool, bool]:
    return one.whole, one.finished


def _mean(times: Sequence[float]) -> str:
    return f"{mean(times):.0f}" if times else "-"
