"""``treec forecast``: train, evaluate and show forecasts of a person's motion."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, group, open_library
from treec.requirements import needs_extra
from treec_forecasting.cli.watch import command as watch

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec_forecasting.evaluation import ForecastTable
    from treec_forecasting.files import ForecastFile
    from treec_forecasting.forecaster import Forecaster
    from treec_forecasting.training import Progress
    from treec_sapien.people.recordings import MotionEpisode

app = group("forecast", "Train, evaluate and show forecasts of a person's motion.")
app.command("watch")(watch)


@app.command("train")
def train(
    config: Annotated[
        str,
        typer.Argument(help="Name of a forecast file (the library's or treec's), or its path."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the result (default: forecasts/NAME).")
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data", help="Recordings; repeatable (default: the forecast file's `data`)."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last whole epoch in that folder.")
    ] = False,
    gate: Annotated[
        bool, typer.Option("--gate", help="Fit the gate alone, of the forecaster in that folder.")
    ] = False,
    library: LibraryOption = None,
) -> int:
    """Fit a forecaster as a forecast file says; its folder is then a forecaster's name.

    The best network by validation is kept. Ctrl-C ends after what was saved: --resume goes on.
    Needs the extra `forecast`.
    """
    from treec_sapien.people.recordings import split

    opened = open_library(library, or_none=True)
    name, spec = _spec(opened, config)
    target = out if out is not None else Path("forecasts") / name
    files = data or [opened.root / path for path in spec.data]
    if not files:
        raise Stop(f"{name} has no 'data': specify recordings with --data")
    _check_distinct(files)
    episodes = _read(files)
    fitted, checked, held_out = split(episodes, spec.seed)
    try:
        from treec_forecasting import forecaster
        from treec_forecasting.training import Fit, finished
    except ImportError as error:
        raise Stop(needs_extra("training", "forecast", error)) from None
    if gate:
        return _fit_gate(target, files, episodes)
    checkpoint = target / "checkpoint.pt"
    if checkpoint.is_file() and not resume:
        raise Stop(f"{target} already has a training: --resume goes on, or specify another --out")
    if resume and not checkpoint.is_file():
        raise Stop(f"{target} has no training to resume")
    hashes = {path.name: forecaster.sha_of(path) for path in files}
    try:
        fit = Fit(spec, fitted, checked, target)
        if spec.pretrain and not resume:
            fit.begin_with(forecaster.find(spec.pretrain, opened.root))
        target.mkdir(parents=True, exist_ok=True)
        state = fit.run(_tell)
        relative, absolute = fit.best
        made = {
            "recordings": len({it.recording for it in episodes}),
            "trained_on": hashes,
            "held_out": {path.name: _names(held_out, path) for path in files},
            "validation": {"relative ADE": round(relative, 2), "scene ADE": round(absolute, 2)},
            "command": " ".join(
                ["treec forecast train", name, *(f"--data {it.name}" for it in files)]
            ),
            **({} if fit.before is None else {"before": fit.before}),
        }
        forecaster.save(target, *finished(spec, state, made, checked))
    except OSError as error:
        raise Stop(f"{error.filename or target} cannot be written: {error.strerror}") from None
    except ValueError as error:
        raise Stop(str(error)) from None
    except KeyboardInterrupt:
        if not checkpoint.is_file():
            print("stopped before the end of an epoch: nothing was saved", file=sys.stderr)
            return 130
        again = ["treec", "forecast", "train", config, "--resume"]
        again += ["--out", str(out)] if out is not None else []
        again += [word for path in data or () for word in ("--data", str(path))]
        again += ["--library", str(library)] if library is not None else []
        print(f"stopped; '{shlex.join(again)}' goes on", file=sys.stderr)
        return 130
    print(f"{target}: validation ADE {relative:.1f} mm relative, {absolute:.1f} mm in the scene")
    return 0


def _fit_gate(folder: Path, files: list[Path], episodes: list[MotionEpisode]) -> int:
    """Fit the gate, and the radii, of a trained forecaster. Raises Stop."""
    from treec_forecasting import forecaster
    from treec_forecasting.training import finished

    try:
        one = forecaster.load(folder, gate=False)
        spec = one.spec.model_copy(update={"gate": True})
        checked = _validation(episodes, one, files)
        forecaster.save(folder, *finished(spec, one.state(), one.made, checked))
    except ValueError as error:
        raise Stop(str(error)) from None
    except OSError as error:
        raise Stop(f"{error.filename or folder} cannot be written: {error.strerror}") from None
    print(f"{folder}: a gate by {len({it.recording for it in checked})} recordings of validation")
    return 0


def _validation(
    episodes: list[MotionEpisode], one: Forecaster, files: list[Path]
) -> list[MotionEpisode]:
    """Return the recordings that a forecaster was validated with; the split is by its card.

    Files are split each alone, or, as before November 2026, together. Raises Stop.
    """
    from treec_forecasting.forecaster import Recordings
    from treec_sapien.people.recordings import split

    held_out = Recordings.model_validate(one.made).held_out
    together = [replace(it, recording=f"all/{it.recording}") for it in episodes]
    for given in (episodes, together):
        _, checked, kept = split(given, one.spec.seed)
        own = [replace(it, recording=it.recording.removeprefix("all/")) for it in kept]
        if {path.name: _names(own, path) for path in files} == held_out:
            return [replace(it, recording=it.recording.removeprefix("all/")) for it in checked]
    raise Stop("a gate is fitted to the recordings of validation: give the --data of the training")


@app.command("evaluate")
def evaluate(
    forecasters: Annotated[
        list[str] | None,
        typer.Argument(help="Forecasters: treec's by name, or folders (default: all of treec's)."),
    ] = None,
    data: Annotated[
        list[Path] | None, typer.Option("--data", help="Recordings; repeatable.")
    ] = None,
    noise: Annotated[
        float,
        typer.Option("--noise", min=0, help="Standard deviation (m) of noise on all joints seen."),
    ] = 0.0,
    lost: Annotated[
        float,
        typer.Option("--lost", min=0, max=0.9, help="Share of joints that stay where they were."),
    ] = 0.0,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Use the recordings that were trained on, too."),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Draws noise and losses.")] = 0,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Compare forecasts with what happened: errors after and over one second.

    ADE is the mean over the second, FDE the error at its end; `T-` is of transitions, windows in
    which two people's hands come near. Of a file that forecasters were trained on, only the
    recordings that all of them held out are used. Needs the extra `forecast`.
    """
    import json

    from treec_forecasting import evaluation, forecaster

    opened = open_library(library, or_none=True)
    names = list(forecasters or forecaster.shipped())
    if not data:
        raise Stop("specify recordings with --data FILE.npz")
    _check_distinct(data)
    try:
        loaded = {
            name: forecaster.load(forecaster.find(name, Path.cwd(), opened.root)) for name in names
        }
        episodes: list[MotionEpisode] = []
        held_out = False
        for path in data:
            own = _read([path])
            kept = (
                None
                if everything
                else forecaster.unseen_by_all((it.made for it in loaded.values()), path)
            )
            if kept is not None:
                own = [it for it in own if _name(it) in kept]
                held_out = True
                if not own:
                    raise Stop(
                        f"{path}: no recording was held out by all of {', '.join(loaded)}: name "
                        "fewer forecasters, or use --all"
                    )
            episodes += own
        how = evaluation.Corruption(noise, lost, seed)
        table = evaluation.evaluate(
            episodes, loaded, how, lambda name: print(f"{name} …", file=sys.stderr)
        )
    except (forecaster.ForecasterError, ValueError) as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        print(json.dumps(_plain(table), indent=2))
    else:
        _print(table, held_out=held_out)
    return 0


@app.command("show")
def show(
    recordings: Annotated[Path, typer.Argument(help="Recordings, .npz.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Picture (.svg) or film (.gif, .webp) to write.")
    ],
    window: Annotated[int, typer.Option("--window", min=0, help="Which window, from 0.")] = 0,
    name: Annotated[
        str | None, typer.Option("--forecaster", help="Forecaster (default: treec's first).")
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Draw a window: what was seen, what was forecast, and what happened.

    Windows are numbered through all recordings, one every 0.2 s. Needs the extra `forecast`.
    """
    from treec_forecasting import drawing, forecaster
    from treec_forecasting.windows import facing, motion_of, seen_from
    from treec_sapien.people.skeleton import PAST

    suffix = output.suffix.lower()
    if suffix not in (".svg", ".gif", ".webp"):
        raise Stop(f"{output}: the suffix must be .svg, .gif or .webp")
    opened = open_library(library, or_none=True)
    motion = motion_of(_read([recordings]))
    if window >= len(motion.starts):
        raise Stop(
            f"{recordings} has {len(motion.starts)} windows: window {window} is out of range"
        )
    try:
        chosen = name or next(iter(forecaster.shipped()), "")
        loaded = forecaster.load(forecaster.find(chosen, Path.cwd(), opened.root))
    except forecaster.ForecasterError as error:
        raise Stop(str(error)) from None
    start = motion.starts[window : window + 1]
    forecasts = loaded.forecast(motion, start)
    whole = motion.window(start)
    origin, turn = facing(whole[:, :PAST])
    shown = seen_from(whole, origin, turn)[0]
    ahead = seen_from(forecasts.points, origin, turn)[0, :, :7]
    try:
        if suffix == ".svg":
            spread = forecasts.spread[0] if forecasts.spread is not None else None
            title = f"{recordings.name}, window {window}, {chosen}"
            output.write_text(drawing.svg(shown, ahead, title, spread), "utf-8")
        else:
            from treec_sapien.view.images import encode_animation

            output.write_bytes(encode_animation(drawing.film(shown, ahead), 40, suffix))
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: window {window} of {len(motion.starts)}, {chosen}")
    return 0


@app.command("list")
def list_forecasters(output_format: FormatOption = OutputFormat.text) -> int:
    """List treec's forecasters: what they see, how they were made, with which hash."""
    import json

    from treec_forecasting import forecaster

    rows = []
    for name in forecaster.shipped():
        spec, made = forecaster.read_card(forecaster.SHIPPED / name)
        sha = forecaster.digest(forecaster.SHIPPED / name)
        rows.append({"name": name, "about": spec.about, "sha256": sha, **made})
    if output_format is OutputFormat.json:
        print(json.dumps(rows, indent=2))
        return 0
    for row in rows:
        print(
            f"{row['name']}: {row['about']}\n  made by '{row['command']}'\n  sha256 {row['sha256']}"
        )
    return 0


@app.command("make-motion")
def make_motion(
    motion: Annotated[
        str, typer.Argument(help="reach, offer, leave, everyday, or one of its kinds.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write, .npz.")],
    count: Annotated[int, typer.Option("--n", min=1, help="Number of recordings.")] = 4,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 0,
) -> int:
    """Make up a person's motion in the format of recordings, for scenarios.

    Equal arguments give equal motion.
    """
    try:
        from treec_forecasting import synthetic
    except ImportError as error:
        raise Stop(needs_extra("motion", "forecast", error)) from None
    from treec.source.diagnostics import unknown

    if motion not in synthetic.MOTIONS:
        raise Stop(unknown("motion", motion, synthetic.MOTIONS))
    if output.suffix != ".npz":
        raise Stop(f"{output}: the suffix must be .npz")
    try:
        synthetic.write_motion(output, motion, count, seed)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: {count} recordings of '{motion}', seed {seed}")
    return 0


def _spec(library: Library, config: str) -> tuple[str, ForecastFile]:
    """Return a forecast file by its path, or by name: the library's, or treec's own.

    Raises Stop.
    """
    from treec.check.unreadable import unreadable_paths
    from treec.source.diagnostics import format_text, unknown
    from treec_forecasting import forecaster

    if config.endswith(".yaml"):
        return _spec_of_file(Path(config))
    entry = library.find("forecast", config)
    if entry is not None:
        return config, entry.model
    paths = unreadable_paths(library, "forecast", config)
    if paths:
        wrong = [it for it in library.diagnostics if it.span.path in paths]
        raise Stop(f"the forecast file '{config}' is wrong\n{format_text(wrong, library.sources)}")
    if config in forecaster.shipped():
        return config, forecaster.read_card(forecaster.SHIPPED / config)[0]
    known = [*(it.name for it in library.of_kind("forecast")), *forecaster.shipped()]
    raise Stop(unknown("forecast file", config, dict.fromkeys(known)))


def _spec_of_file(path: Path) -> tuple[str, ForecastFile]:
    """Return the only forecast of a file, which need not be in the library. Raises Stop."""
    from treec.files.library import Library, load_file
    from treec.source.diagnostics import format_text

    if not path.is_file():
        raise Stop(f"no such file: {path}")
    if not path.name.endswith(".forecast.yaml"):
        raise Stop(f"{path}: the name of a forecast file must end in .forecast.yaml")
    alone = Library(path.resolve().parent)
    entries = load_file(alone, path, str(path))
    wrong = [it for it in alone.diagnostics if it.severity == "error"]
    if wrong:
        raise Stop(f"{path} is wrong\n{format_text(wrong, alone.sources)}")
    if len(entries) != 1:
        names = ", ".join(it.name for it in entries)
        raise Stop(f"{path} has {len(entries)} forecasts: give the name of one ({names})")
    return entries[0].name, entries[0].model


def _check_distinct(files: list[Path]) -> None:
    """Refuse a file that is given twice, and files whose recordings have the same names.

    Raises Stop.
    """
    for number, path in enumerate(files):
        for other in files[:number]:
            if path.resolve() == other.resolve():
                also = "" if path == other else f" (also as {other})"
                raise Stop(f"{path} is given twice{also}")
            if path.stem == other.stem:
                raise Stop(
                    f"{other} and {path} are both called '{path.stem}', by which their "
                    "recordings are distinguished: rename one"
                )


def _name(episode: MotionEpisode) -> str:
    """The name of an episode's recording in its file."""
    return episode.recording.partition("/")[2]


def _names(episodes: list[MotionEpisode], path: Path) -> list[str]:
    """Names of the recordings of one file."""
    of = {it.recording: _name(it) for it in episodes}
    return sorted(name for it, name in of.items() if it.partition("/")[0] == path.stem)


def _read(files: list[Path]) -> list[MotionEpisode]:
    try:
        from treec_sapien.people.recordings import MotionFileError, read_recordings
    except ImportError as error:
        raise Stop(needs_extra("forecasting", "forecast", error)) from None

    try:
        return [episode for path in files for episode in read_recordings(path)]
    except MotionFileError as error:
        raise Stop(str(error)) from None


def _tell(at: Progress) -> None:
    left = at.seconds * (at.epochs - at.epoch)
    print(
        f"epoch {at.epoch} of {at.epochs}: loss {at.loss:.4f}, validation ADE {at.relative:.1f} mm "
        f"relative, {at.absolute:.1f} mm in the scene{' (best)' if at.is_best else ''}, "
        f"{left / 60:.1f} min left",
        file=sys.stderr,
    )


METRICS = tuple(
    f"{t}{of} {what}" for t in ("", "T-") for of in ("all", "wrists") for what in ("ADE", "FDE")
)


def _plain(table: ForecastTable) -> dict[str, Any]:
    from treec_forecasting.published_figures import HANDOVER, NOISE, WHY

    return {
        "windows": table.windows,
        "transitions": table.transitions,
        "recordings": table.recordings,
        "episodes": table.episodes,
        "methods": [
            {
                "method": row.method,
                "milliseconds": row.milliseconds,
                "coverage": row.coverage,
                **{
                    mode: {
                        name: {
                            "mean": round(it.mean, 2),
                            "standard_error": None if isnan(it.error) else round(it.error, 2),
                        }
                        for name, it in errors.items()
                    }
                    for mode, errors in row.errors.items()
                },
            }
            for row in table.rows
        ],
        "paper": {"table_5_handover": HANDOVER, "table_6_handover": NOISE, "why": WHY},
    }


def _print(table: ForecastTable, *, held_out: bool) -> None:
    from treec_forecasting.published_figures import HANDOVER, NOISE, WHY

    part = "held out" if held_out else "all"
    print(
        f"{table.windows} windows, {table.transitions} of them transitions, of {table.recordings} "
        f"recordings ({part}), {table.episodes} episodes; mm ± standard error"
    )
    titles = {"relative": "relative to the root", "scene": "in the scene (translation kept)"}
    for mode, title in titles.items():
        print(f"\n{title}")
        print(f"{'':<20}" + "".join(f"{name:>15}" for name in METRICS))
        for row in table.rows:
            cells = []
            for name in METRICS:
                it = row.errors[mode].get(name)
                shown = "" if it is None else f"{it.mean:.1f}"
                shown += "" if it is None or isnan(it.error) else f" ± {it.error:.1f}"
                cells.append(shown)
            print(f"{row.method:<20}" + "".join(f"{cell:>15}" for cell in cells))
        if mode == "relative":
            papers = {
                **{f"paper, {name}": values for name, values in HANDOVER.items()},
                **{f"paper, noise {name}": values for name, values in NOISE.items()},
            }
            for name, values in papers.items():
                print(f"{name:<20}" + "".join(f"{value:>15.1f}" for value in values))
    for row in table.rows:
        if row.coverage is not None:
            inside = ", ".join(
                f"{100 * got:.0f} % of {100 * float(p):.0f} %" for p, got in row.coverage.items()
            )
            print(f"\n{row.method}: joints within the radius for a share: {inside}")
        if row.milliseconds is not None:
            print(f"{row.method}: {row.milliseconds:.2f} ms a window, many at once")
    print(f"\n{WHY}")
