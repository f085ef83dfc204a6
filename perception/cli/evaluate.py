"""``treec evaluate perception``: Table 2 of MOSAIC on a shelf of ours."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library

if TYPE_CHECKING:
    from treec.perception.evaluate.clutter import LocalizationTrial

PAPER = {
    "detector_alone": {"low": "10/10", "medium": "3/10", "high": "0/10"},
    "mosaic_eyes": {"low": "10/10", "medium": "10/10", "high": "6/10"},
}
"""Table 2: whole picks of the paper's robot with OWL-ViT alone, and with suppression and CLIP."""


def command(
    localizer: Annotated[
        list[str] | None,
        typer.Option("--localizer", help="Localizer to measure; repeatable (default: all)."),
    ] = None,
    camera: Annotated[str, typer.Option("--camera", help="A camera on a robot's head.")] = "head",
    shelf: Annotated[str, typer.Option("--shelf", help="What the things stand on.")] = "pantry",
    n: Annotated[int, typer.Option("--n", min=1, help="Trials at each level of clutter.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Folder for pictures of the failures.")
    ] = None,
    system: Annotated[str, typer.Option("--system", help="The system to look at.")] = "mosaic",
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Find things on a shelf at three levels of clutter.

    Things that are not there are asked for as well. A trial is right if the point is within 30 mm
    of the thing's middle. About 6 s a trial.
    """
    import json

    from treec.perception.evaluate.clutter import LEVELS, judge, make_trials
    from treec.perception.find_camera import CameraNotFound, find_eyes
    from treec.perception.localize import Localizer
    from treec.perception.models import Models, ModelUnavailable, quiet

    quiet()
    found = open_library(library)
    try:
        eyes = find_eyes(found, camera, system)
    except CameraNotFound as error:
        raise Stop(str(error)) from None
    known = {name: entry.model for name, entry in eyes.view.all("localizer").items()}
    chosen = localizer or list(known)
    if unknown := [name for name in chosen if name not in known]:
        raise Stop(f"there is no localizer '{unknown[0]}': {', '.join(known) or 'none'}")
    if shelf not in eyes.layout.bodies:
        raise Stop(f"there is no '{shelf}' with a body in '{eyes.scene.name}'")
    models = Models(found.root)
    results: dict[str, list[LocalizationTrial]] = {name: [] for name in chosen}
    trials = make_trials(eyes, eyes.cameras[camera], shelf, list(LEVELS), n, seed)
    try:
        for number, trial in enumerate(trials):
            for name in chosen:
                result, localization = judge(Localizer(known[name], models), trial)
                results[name].append(result)
                if keep is not None and not result.right:
                    _draw(keep, f"{name}-{trial.level}-{trial.seed}", trial, localization)
            print(f"{number + 1} of {n * len(LEVELS)}", file=sys.stderr)
    except (ModelUnavailable, ValueError, OSError) as error:
        raise Stop(str(error)) from None
    rows = {name: _summary(results[name]) for name in chosen}
    if output_format is OutputFormat.json:
        print(json.dumps(rows, indent=2))
    else:
        _print(rows)
    return 0


def _draw(keep: Path, name: str, trial: object, localization: object) -> None:
    from treec.envs.bodies.picture.png import png
    from treec.perception.draw import annotate

    keep.mkdir(parents=True, exist_ok=True)
    picture = trial.picture  # type: ignore[attr-defined]
    (keep / f"{name}.png").write_bytes(png(annotate(picture.colour, localization)))  # type: ignore[arg-type]


def _summary(results: Sequence[LocalizationTrial]) -> dict[str, object]:
    from statistics import median

    levels: dict[str, dict[str, object]] = {}
    for level in dict.fromkeys(result.level for result in results):
        own = [result for result in results if result.level == level]
        errors = [it.error for it in own if it.error is not None]
        levels[level] = {
            "trials": len(own),
            "best_is_right": sum(it.error is not None and it.error <= 0.03 for it in own),
            "found_and_right": sum(it.right for it in own),
            "median_error_mm": round(1000 * median(errors), 1) if errors else None,
        }
    spent: dict[str, list[float]] = {}
    for result in results:
        for stage, ms in result.milliseconds.items():
            spent.setdefault(stage, []).append(ms)
    return {
        "levels": levels,
        "false_finds": sum(it.false_finds for it in results),
        "asked_absent": sum(it.asked_absent for it in results),
        "milliseconds": {stage: round(median(ms)) for stage, ms in spent.items()},
    }


def _print(rows: dict[str, dict[str, object]]) -> None:
    head = ("localizer", "clutter", "best is right", "and accepted", "median mm", "paper")
    print("{:<16}{:<9}{:>14}{:>14}{:>11}{:>8}".format(*head))
    for name, row in rows.items():
        for level, it in row["levels"].items():  # type: ignore[attr-defined]
            of = it["trials"]
            best, right = f"{it['best_is_right']}/{of}", f"{it['found_and_right']}/{of}"
            paper = PAPER.get(name, {}).get(level, "")
            mm = "" if it["median_error_mm"] is None else it["median_error_mm"]
            print(f"{name:<16}{level:<9}{best:>14}{right:>14}{mm:>11}{paper:>8}")
        print(f"{name:<16}absent things found: {row['false_finds']} of {row['asked_absent']}")
        spent = row["milliseconds"].items()  # type: ignore[attr-defined]
        print(f"{name:<16}milliseconds: {', '.join(f'{stage} {ms}' for stage, ms in spent)}")
