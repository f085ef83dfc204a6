"""``python -m experiments.forecasting.reactive``: stirring and handing over beside a person."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments.command import main
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.requirements import needs_extra
from treec.source.diagnostics import unknown

if TYPE_CHECKING:
    from experiments.forecasting.reactive_trials import ReactiveResult

SKILLS = ("stir", "hand_over")
JOINTS = ("simulator", "camera")
COLUMNS = (
    ("margin", "margin cm", 100.0),
    ("reaction", "react ms", 1000.0),
    ("goal", "goal s", 1.0),
    ("path", "path cm", 100.0),
    ("inside", "in the pot %", 100.0),
)


def command(
    data: Annotated[Path, typer.Option("--data", help="Recordings of people, .npz.")],
    env: Annotated[str, typer.Option("--env", help="Environment; sapien has people.")] = "sapien",
    n: Annotated[int, typer.Option("--n", min=1, help="Trials of each skill and method.")] = 10,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 0,
    skill: Annotated[
        list[str] | None,
        typer.Option("--skill", help="stir or hand_over; repeatable (default: both)."),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            help="Current, Base, Ours or Perfect; repeatable (default: the first three).",
        ),
    ] = None,
    sigma: Annotated[
        float | None,
        typer.Option("--noise", min=0, help="Noise (m) of the simulator's joints (default: 0.01)."),
    ] = None,
    joints: Annotated[
        str,
        typer.Option(
            "--joints",
            help="Where joints come from: simulator, or camera (two cameras and the pose "
            "estimator; needs the extra `pose` and its model).",
        ),
    ] = "simulator",
    film: Annotated[
        Path | None,
        typer.Option("--film", help="Folder for a film of the first trial of each row."),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Stir and hand over beside moving people.

    They move as in recordings that no forecaster was trained on.

    With the present pose (Current), a forecaster trained without noise (Base), and with it (Ours):
    Table 3 of MOSAIC, with the paper's figures beside. Perfect knows what the person will do, for
    reference. The recordings are those that no forecaster saw in training. Needs the extras
    `sapien` and `forecast`.
    """
    import json

    if env != "sapien":
        raise Stop(f"no people move in '{env}'; use --env sapien")
    chosen = skill or list(SKILLS)
    wrong = next((it for it in chosen if it not in SKILLS), None)
    if wrong is not None:
        raise Stop(unknown("skill", wrong, SKILLS))
    if joints not in JOINTS:
        raise Stop(f"joints cannot come from '{joints}': from {' or '.join(JOINTS)}")
    if joints == "camera" and sigma is not None:
        raise Stop("--noise is that of the simulator's joints: cameras have errors of their own")
    opened = open_library(library, or_none=True)
    try:
        from experiments.forecasting.motions import METHODS, held_out
        from experiments.forecasting.reactive_trials import PERFECT, ReactiveTrials
        from treec_forecasting.files import CameraJoints, NoJoints
        from treec_sapien.people.recordings import MotionFileError, read_recordings
    except ImportError as error:
        raise Stop(needs_extra("this", "sapien,forecast", error)) from None
    every = {**METHODS, PERFECT: PERFECT}
    wrong = next((it for it in method or () if it not in every), None)
    if wrong is not None:
        raise Stop(unknown("method", wrong, every))
    methods = {it: every[it] for it in every if it in (method or METHODS)}
    try:
        episodes = held_out(read_recordings(data), data)
    except MotionFileError as error:
        raise Stop(str(error)) from None
    camera = CameraJoints.model_validate({}) if joints == "camera" else None
    trials = ReactiveTrials(episodes, opened.root, seed, camera)
    if not trials.fitting:
        raise Stop(f"in no held-out recording of {data} does a hand reach out")
    if film is not None:
        try:
            film.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Stop(f"{film} cannot be made: {error.strerror}") from None
    rows: dict[str, dict[str, list[ReactiveResult]]] = {
        name: {it: [] for it in chosen} for name in methods
    }
    for number in range(n):
        for name, model in methods.items():
            for it in chosen:
                shown = film / f"{it}_{name.lower()}.webp" if film and not number else None
                try:
                    done = getattr(trials, it)(
                        model, number, {"sigma": 0.01 if sigma is None else sigma}, shown
                    )
                except (ValueError, NoJoints) as error:
                    raise Stop(str(error)) from None
                rows[name][it].append(done)
        print(f"{number + 1}/{n}", file=sys.stderr, flush=True)
    table = {
        name: {it: summary(results) for it, results in of.items()} for name, of in rows.items()
    }
    first = next(iter(methods))
    for name in methods:
        for it in chosen if name != first else ():
            table[name][it]["paired"] = {first: differences(rows[name][it], rows[first][it])}
    if output_format is OutputFormat.json:
        print(json.dumps(table, indent=2))
        return 0
    recordings = len({it.recording for it in trials.fitting})
    _print(table, n, f"{len(trials.fitting)} people of {recordings} held-out recordings")
    for name, model in methods.items():
        took = sorted(trials.milliseconds.get(model, []))
        if took:
            middle, most = took[len(took) // 2], took[int(0.99 * (len(took) - 1))]
            print(f"{name}: {middle:.1f} ms a forecast (median; 99 %: {most:.1f})")
    return 0


def summary(results: list[ReactiveResult]) -> dict[str, Any]:
    """Return mean and standard error of what was measured, touches, and why trials failed."""
    import numpy as np

    means: dict[str, Any] = {
        "trials": len(results),
        "succeeded": sum(it.ok for it in results),
        "collisions": sum(it.collided for it in results),
        "own_collisions": sum(it.own_contacts > 0 for it in results),
        "failures": dict(Counter(it.why or "not done in time" for it in results if not it.ok)),
    }
    for name, _, _ in COLUMNS:
        values = [getattr(it, name) for it in results]
        there = [it for it in values if it is not None and np.isfinite(it)]
        if there:
            means[name] = _mean(there)
    return means


def differences(results: list[ReactiveResult], others: list[ReactiveResult]) -> dict[str, Any]:
    """Return mean and standard error of what results have beyond the others, trial by trial.

    Trials of one number have the same person, place and noise. Those that lack a value are left
    out.
    """
    import numpy as np

    means: dict[str, Any] = {}
    for name, _, _ in COLUMNS:
        pairs = [
            (getattr(one, name), getattr(other, name))
            for one, other in zip(results, others, strict=True)
        ]
        there = [a - b for a, b in pairs if a is not None and b is not None and np.isfinite(a - b)]
        if there:
            means[name] = _mean(there)
    return means


def _mean(values: list[float]) -> dict[str, Any]:
    """Mean and standard error; one value has none."""
    import numpy as np

    there = np.array(values)
    error = float(there.std(ddof=1) / len(there) ** 0.5) if len(there) > 1 else None
    return {"mean": float(there.mean()), "error": error, "n": len(there)}


def _told(mean: dict[str, Any], unit: float, sign: str = "") -> str:
    """Such a mean in words."""
    error = "" if mean["error"] is None else f" ± {unit * mean['error']:.1f}"
    return f"{unit * mean['mean']:{sign}.1f}{error}"


def _print(table: dict[str, dict[str, dict[str, Any]]], n: int, people: str) -> None:
    from treec_forecasting.published_figures import TABLE_3

    print(f"{n} trials each, of {people}; mean ± standard error (paper)")
    for it in next(iter(table.values())):
        print(f"\n{it}")
        shown = [c for c in COLUMNS if any(c[0] in of[it] for of in table.values())]
        titles = "".join(f"{title:>24}" for _, title, _ in shown)
        print(f"{'':<10}{'succeeded':>10}{'touched':>12}{'by itself':>10}{titles}")
        for name, of in table.items():
            row, paper = of[it], TABLE_3.get(name)
            touched = f"{row['collisions']}/{row['trials']}"
            cells = ""
            for key, _, unit in shown:
                value = row.get(key)
                cell = "–" if value is None else _told(value, unit)
                if paper is not None and (it == "stir") == (key in ("margin", "reaction")):
                    cell += f" ({paper[key]:g})"
                cells += f"{cell:>24}"
            done = f"{row['succeeded']}/{row['trials']}"
            print(f"{name:<10}{done:>10}{touched:>12}{row['own_collisions']:>10}{cells}")
        for name, of in table.items():
            for why, count in of[it]["failures"].items():
                print(f"{name}: {count} failed: {why}")
        for name, of in table.items():
            for other, means in of[it].get("paired", {}).items():
                told = [
                    f"{title} {_told(means[key], unit, '+')} ({means[key]['n']})"
                    for key, title, unit in COLUMNS
                    if key in means
                ]
                print(f"{name} - {other}, trial by trial (pairs): {'; '.join(told)}")


if __name__ == "__main__":
    sys.exit(main(command))
