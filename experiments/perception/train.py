"""``python -m experiments.perception.train``: make the small weights that treec sees with."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from experiments.command import main
from treec.cli.common import LibraryOption, Stop, open_library


def command(
    out: Annotated[
        Path, typer.Option("--out", help="Folder for pictures, checkpoints and weights.")
    ] = Path("perception-weights"),
    pictures: Annotated[int, typer.Option("--pictures", min=1, help="Training pictures.")] = 3600,
    detector_steps: Annotated[
        int, typer.Option("--detector-steps", min=1, help="Steps of the detector.")
    ] = 2100,
    scorer_steps: Annotated[
        int, typer.Option("--scorer-steps", min=1, help="Steps of the scorer.")
    ] = 7800,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads of torch.")] = 1,
    processes: Annotated[
        int, typer.Option("--processes", min=1, help="Processes that make pictures and batches.")
    ] = 1,
    device: Annotated[
        str, typer.Option("--device", help="cpu, cuda, or auto: a GPU if torch has one.")
    ] = "auto",
    library: LibraryOption = None,
) -> int:
    """Fit a small OWL-ViT and a small CLIP to pictures of the library's scenes.

    On one core it takes about 5.5 hours: 1 for pictures, 3.7 for the scorer (1.7 s a step), 0.8 for
    the detector (1.4 s a step); with a GPU and 16 cores some 10 minutes. A run that was cut off
    continues in the same folder; with more steps it goes on from where it was. Needs the extras
    `see` and `sapien`; without the latter no robots stand around in the pictures.

    Use the result as `model: FOLDER/detector` and `model: FOLDER/scorer` in a localizer, or for
    `small` with TREEC_PERCEPTION_WEIGHTS=FOLDER.
    """
    from treec_perception.models import quiet

    quiet()
    try:
        from experiments.perception.training.train import TrainingPlan, train
    except ImportError as error:
        message = f"{error.name} is missing: pip install -c constraints.txt 'treec[see,sapien]'"
        raise Stop(message) from None
    found = open_library(library)
    plan = TrainingPlan(pictures, detector_steps, scorer_steps, threads, processes, device)
    try:
        out.mkdir(parents=True, exist_ok=True)
        train(found, out, plan, _TrainingProgress())
    except ValueError as error:  # a device that is not there
        raise Stop(str(error)) from None
    except (OSError, RuntimeError) as error:
        raise Stop(f"{out}: {getattr(error, 'strerror', None) or error}") from None
    print(f"{out}: detector and scorer; use them with TREEC_PERCEPTION_WEIGHTS={out}")
    return 0


class _TrainingProgress:
    """Tells how far each part is, at most every few seconds."""

    def __init__(self) -> None:
        self._part, self._began, self._first, self._told = "", 0.0, 0, 0.0

    def __call__(self, part: str, done: int, of: int, remark: str) -> None:
        now = time.monotonic()
        if part != self._part:
            self._part, self._began, self._first, self._told = part, now, done, 0.0
        if now - self._told < 5.0 and done < of:
            return
        self._told = now
        left = ""
        if done > self._first:
            seconds = (of - done) * (now - self._began) / (done - self._first)
            left = f", {seconds / 60:.0f} min left" if seconds >= 60 else f", {seconds:.0f} s left"
        more = f", {remark}" if remark else ""
        print(f"{part}: {done} of {of}{more}{left if done < of else ''}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(command))
