"""End-to-end trials as a table beside the paper's, and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import mean

from experiments.mosaic.trials import paper
from experiments.mosaic.trials.attribution import MODULES, count
from experiments.mosaic.trials.trial import WholeTrialResult

Results = Sequence[WholeTrialResult]


def by_recipe(results: Results) -> dict[str, list[WholeTrialResult]]:
    """Return the results of each recipe, in their order."""
    groups: dict[str, list[WholeTrialResult]] = {}
    for one in results:
        groups.setdefault(one.trial.recipe, []).append(one)
    return groups


def share(results: Results) -> float:
    """Return how many of the robots' subtasks robots did, in per cent."""
    subtasks = sum(one.subtasks for one in results)
    return 100.0 * sum(one.done for one in results) / subtasks if subtasks else 0.0


def to_text(results: Results) -> str:
    """Render a row for each recipe, all together, and what failed."""
    groups = by_recipe(results)
    width = max(len(name) for name in (*groups, "all"))
    lines = [
        f"{'recipe':{width}}  whole (paper)  subtasks % (paper)  "
        + "  ".join(MODULES)
        + "  mended  time (s)  CPU (s)"
    ]
    for name, group in groups.items():
        whole, subtasks = paper.RECIPES.get(name, (None, None))
        lines.append(_row(name, width, group, f"{whole}/10" if whole else "", subtasks))
    if len(groups) > 1:
        lines.append(_row("all", width, results, f"{paper.WHOLE}/{paper.TRIALS}", paper.SUBTASKS))
    return "\n".join([*lines, "", *_notes(results), ""])


def to_json(results: Results) -> Mapping[str, object]:
    """Every trial and the totals as plain data."""
    failures = [one for result in results for one in result.failures]
    return {
        "whole": sum(one.whole for one in results),
        "trials": len(results),
        "subtasks": round(share(results), 1),
        "failures": count(failures, mended=False),
        "mended": count(failures, mended=True),
        "results": [{**asdict(one), "whole": one.whole} for one in results],
    }


def _row(name: str, width: int, group: Results, whole: str, subtasks: float | None) -> str:
    failures = [one for result in group for one in result.failures]
    counts = count(failures, mended=False)
    came_off = f"{sum(one.whole for one in group)}/{len(group)}"
    paper_whole = f"({whole})" if whole else ""
    paper_share = f"({subtasks})" if subtasks else ""
    cells = "  ".join(f"{counts[module]:{len(module)}}" for module in MODULES)
    times = mean(one.seconds for one in group), mean(one.cpu for one in group)
    return (
        f"{name:{width}}  {came_off:5} {paper_whole:7}  {share(group):10.1f} {paper_share:7}  "
        f"{cells}  {sum(one.mended for one in failures):6}  {times[0]:8.0f}  {times[1]:7.0f}"
    )


def _notes(results: Results) -> Iterator[str]:
    yield "a module's figure: failures that were not made up for; 'mended': those that were"
    touched = sum(one.touched for one in results)
    if touched:
        yield f"the person ran into a robot {touched} times by their own motion"
    for mended, title in ((False, "failures:"), (True, "mended on the way:")):
        kinds = Counter(
            (one.module, one.kind)
            for result in results
            for one in result.failures
            if one.mended == mended
        )
        if kinds:
            yield title
        for (module, kind), times in kinds.most_common():
            yield f"  {times:3} x {module}: {kind}"
    for result in results:
        for one in result.failures:
            if not one.mended:
                trial = f"{result.trial.recipe}, seed {result.trial.seed}"
                yield f"{trial}, {one.t:.0f} s: {one.module}: {one.kind}: {one.what}"
