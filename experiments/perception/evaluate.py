"""``python -m experiments.perception.evaluate``: Table 2 of MOSAIC on a shelf of ours."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.source.diagnostics import unknown

if TYPE_CHECKING:
    from experiments.perception.clutter import ClutterTrial, LocalizationTrial
    from experiments.perception.picks import PickTrial
    from treec.files.library import Library
    from treec_perception.files import CameraFile, LocalizerFile
    from treec_perception.find_camera import SceneEyes
    from treec_perception.pipeline.result import Localization

SHELF = "pantry"
"""What things stand on before a camera that is meant for nothing in particular."""


def command(
    localizer: Annotated[
        list[str] | None,
        typer.Option("--localizer", help="Localizer to measure; repeatable (default: all)."),
    ] = None,
    camera: Annotated[
        list[str] | None,
        typer.Option(
            "--camera", help="Camera, on a robot's head or fixed; repeatable (default: head)."
        ),
    ] = None,
    shelf: Annotated[
        str | None,
        typer.Option(
            "--shelf",
            help="What the things stand on (default: what the camera is meant for, or the pantry).",
        ),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option("--level", help="low, medium or high clutter; repeatable (default: all)."),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="Trials at each level of clutter.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    picks: Annotated[
        bool,
        typer.Option("--picks", help="Let the robot with the camera pick the things, in SAPIEN."),
    ] = False,
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Folder for pictures of the failures.")
    ] = None,
    system: Annotated[str, typer.Option("--system", help="The system to look at.")] = "mosaic",
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Find things at three levels of clutter.

    Things that are not there are asked for as well. A trial is right if the point is within 30 mm
    of the thing's middle. About 2 s a trial.

    With --picks, whole picks are judged instead: the robot stands before the shelf, looks with all
    cameras of the system, and has the thing in its hand at the end. Sets in which it does not pick
    the thing even when told where it is are left out and counted. About 30 s a trial.
    """
    from experiments.perception.clutter import LEVELS
    from treec.run.run import CannotRun
    from treec_perception.check.tc851_stages import stage_problems
    from treec_perception.find_camera import CameraNotFound, find_eyes
    from treec_perception.models import ModelUnavailable, quiet
    from treec_testing.skill_trial import CannotTry

    quiet()
    found = open_library(library)
    names = list(dict.fromkeys(camera or ["head"]))
    try:
        for name in names:
            eyes = find_eyes(found, name, system)
    except CameraNotFound as error:
        raise Stop(str(error)) from None
    entries = eyes.view.all("localizer")
    known = {name: entry.model for name, entry in entries.items()}
    chosen = localizer or list(known)
    if wrong := [name for name in chosen if name not in known]:
        raise Stop(unknown("localizer", wrong[0], known))
    if problem := next((it for name in chosen for it in stage_problems(entries[name])), None):
        raise Stop(f"a localizer cannot be used: {problem.message}: run 'treec check'")
    if strange := [it for it in level or () if it not in LEVELS]:
        raise Stop(unknown("level", strange[0], LEVELS))
    levels = [it for it in LEVELS if not level or it in level]
    cameras = [eyes.cameras[name] for name in names]
    if picks and (fixed := [it.camera for it in cameras if it.mounted is None]):
        raise Stop(f"--picks: the camera '{fixed[0]}' is on no robot")
    shelves = [_shelf(eyes, it, shelf) for it in cameras]
    placed = list(zip(cameras, shelves, strict=True))
    try:
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
        if picks:
            return _pick(eyes, placed, chosen, levels, (n, seed), keep, output_format)
        trials = _trials(eyes, placed, levels, n, seed)
        return _find(trials, {name: known[name] for name in chosen}, found, keep, output_format)
    except OSError as error:
        where = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise Stop(where) from None
    except (ModelUnavailable, CannotRun, CannotTry, ValueError) as error:
        raise Stop(str(error)) from None


def _shelf(eyes: SceneEyes, camera: CameraFile, given: str | None) -> str:
    """What the things stand on before a camera. Raises Stop."""
    name = given or next(iter(camera.meant_for), SHELF)
    known = [it for it, placed in eyes.layout.bodies.items() if placed.body.fixed]
    if name not in known:
        raise Stop(
            f"things cannot be put on '{name}' in '{eyes.scene.name}', only on what is fixed "
            f"there: {', '.join(known) or 'nothing'}"
        )
    return name


def _trials(
    eyes: SceneEyes,
    cameras: Sequence[tuple[CameraFile, str]],
    levels: Sequence[str],
    n: int,
    seed: int,
) -> Iterator[tuple[str, ClutterTrial]]:
    """The trials of all cameras with what the things stand on; progress is shown."""
    from experiments.perception.clutter import make_trials

    for at, (camera, shelf) in enumerate(cameras):
        made = make_trials(eyes, camera, shelf, levels, n, seed)
        for number, trial in enumerate(made):
            yield shelf, trial
            done = at * n * len(levels) + number + 1
            print(f"{done} of {n * len(levels) * len(cameras)}", file=sys.stderr, flush=True)


def _find(
    trials: Iterator[tuple[str, ClutterTrial]],
    localizers: Mapping[str, LocalizerFile],
    library: Library,
    keep: Path | None,
    output_format: OutputFormat,
) -> int:
    """Judge how things are found, and print the tables."""
    from experiments.perception.clutter import judge
    from experiments.perception.tables import summary, to_text
    from treec_perception.localize import Localizer
    from treec_perception.models import Models

    models = Models(library.root)
    for spec in localizers.values():
        models.load(spec.stages)  # what is missing is told before any picture is made
    results: dict[str, list[LocalizationTrial]] = {name: [] for name in localizers}
    for _, trial in trials:
        for name, spec in localizers.items():
            result, localization = judge(Localizer(spec, models), trial)
            results[name].append(result)
            if keep is not None and not result.right:
                _draw(
                    keep, f"{name}-{trial.camera}-{trial.level}-{trial.seed}", trial, localization
                )
    rows = {name: summary(its) for name, its in results.items()}
    print(json.dumps(rows, indent=2) if output_format is OutputFormat.json else to_text(rows))
    return 0


def _pick(
    eyes: SceneEyes,
    cameras: Sequence[tuple[CameraFile, str]],
    localizers: Sequence[str],
    levels: Sequence[str],
    how_many: tuple[int, int],
    keep: Path | None,
    output_format: OutputFormat,
) -> int:
    """Judge whole picks, and print their table; ``how_many`` trials at each level, and the seed."""
    from experiments.perception.picks import possible
    from experiments.perception.tables import picks_to_text

    done: dict[str, list[PickTrial]] = {name: [] for name in localizers}
    left_out = dict.fromkeys(levels, 0)
    n, seed = how_many
    for camera, shelf in cameras:
        for level in levels:
            for trial, reason in possible(eyes, camera, shelf, level, n, seed):
                if trial is None:
                    left_out[level] += 1
                    print(f"{level}, left out: {reason}", file=sys.stderr, flush=True)
                    continue
                for name in localizers:
                    done[name].append(_pick_one(eyes, camera, shelf, name, trial, keep))
    if output_format is OutputFormat.json:
        rows = {name: [asdict(it) for it in its] for name, its in done.items()}
        print(json.dumps({"picks": rows, "left_out": left_out}, indent=2))
    else:
        print(picks_to_text(done, left_out))
    return 0


def _pick_one(
    eyes: SceneEyes,
    camera: CameraFile,
    shelf: str,
    localizer: str,
    trial: ClutterTrial,
    keep: Path | None,
) -> PickTrial:
    """One pick, told as it ends; the pictures of one that fails are kept, if they are to be."""
    from experiments.perception.picks import pick, view_of

    assert camera.mounted is not None
    agent = camera.mounted.agent
    view = view_of(eyes.view, shelf, agent, localizer, trial)
    with TemporaryDirectory(prefix="treec-") as folder:
        it = pick(view, agent, trial, Path(folder))
        if keep is not None and not it.picked:
            copytree(folder, keep / f"{localizer}-{it.level}-{it.seed}", dirs_exist_ok=True)
    how = "picked" if it.picked else it.reason
    print(f"{localizer} {it.level} {it.seed} {it.thing}: {how}", file=sys.stderr, flush=True)
    return it


def _draw(keep: Path, name: str, trial: ClutterTrial, localization: Localization) -> None:
    from treec_perception.draw import annotate
    from treec_sapien.bodies.picture.png import png

    (keep / f"{name}.png").write_bytes(png(annotate(trial.picture.colour, localization)))


if __name__ == "__main__":
    sys.exit(main(command))
