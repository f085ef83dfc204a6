"""``treec learn``: train policies of skills, and judge them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, group, open_library
from treec.cli.model_options import ApiBaseOption, ModelOption, open_chosen
from treec.requirements import needs_extra
from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec_learning.files import LearningFile, RewardFile
    from treec_learning.policy import Policy

app = group("learn", "Train policies of skills, and judge them.")


class EvaluateEnv(StrEnum):
    """Where policies are judged."""

    kinematic = "kinematic"
    sapien = "sapien"


@app.command("train")
def train(
    name: Annotated[str, typer.Argument(help="Name of a learning file, or its path.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the result (default: policies/NAME).")
    ] = None,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Steps in place of the file's.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Seed in place of the file's.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in that folder.")
    ] = False,
    library: LibraryOption = None,
) -> int:
    """Train what a learning file says; the best policy by trial is kept.

    The folder gets policy.npz, curve.csv, curve.html and events for TensorBoard. Ctrl-C ends after
    what was saved last: --resume goes on. Needs the extra `learn`.
    """
    import platform
    import shlex
    from importlib.metadata import version

    opened = open_library(library, or_none=True)
    label, spec = _learning(opened, name)
    given = {"steps": steps, "seed": seed}
    spec = spec.model_copy(update={key: value for key, value in given.items() if value is not None})
    reward = None if spec.reward is None else _reward(opened, spec.reward)
    _provide(opened)
    target = out if out is not None else Path("policies") / label
    try:
        from treec_learning import curves, training
    except ImportError as error:
        raise Stop(needs_extra("learning", "learn", error)) from None
    state = target / training.STATE
    begun = state.is_file() or (target / "policy.npz").is_file()
    if begun and not resume:
        raise Stop(f"{target} already has a training: --resume goes on, or specify another --out")
    if resume and not begun:
        raise Stop(f"{target} has no training to resume")
    options = {"out": out, **given, "library": library}
    chosen = [f"--{key}={value}" for key, value in options.items() if value is not None]
    command = shlex.join(["treec", "learn", "train", name, *chosen])
    result = [option for option in chosen if not option.startswith("--out=")]
    made = {
        "command": shlex.join(["treec", "learn", "train", name, *result]),
        "treec": version("treec"),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    teller = _ProgressLine()
    try:
        target.mkdir(parents=True, exist_ok=True)
        fit = training.PolicyTraining(spec, reward, target, teller)
        fit.run(made)
    except (ValueError, OSError) as error:
        raise Stop(str(error)) from None
    except KeyboardInterrupt:
        teller.end()
        print(f"stopped; {command} --resume goes on", file=sys.stderr)
        return 130
    finally:
        teller.end()
    curves.write(target, label, fit.curve)
    best = max(fit.curve, key=lambda point: point.score)
    what = training.trial_text(best)
    shares = f"without a touch {what} of trials" if spec.is_ours else f"{what} in trials"
    print(f"{target}: {shares}, after {best.steps:,} steps")
    return 0


def _provide(library: Library) -> None:
    """Let Python find the library's own package, with the environments in it. Raises Stop."""
    from treec.files.own_package import PackageConflict, provide

    try:
        provide(library.package)
    except PackageConflict as error:
        raise Stop(str(error)) from None


class _ProgressLine:
    """Prints progress to stderr: a line that is overwritten on a terminal, else now and then."""

    def __init__(self) -> None:
        self._open = False
        self._last = 0.0

    def __call__(self, progress: Any) -> None:
        import time

        now = time.monotonic()
        if progress.point is not None:
            self.end()
            print(progress.text, file=sys.stderr, flush=True)
        elif sys.stderr.isatty():
            print(f"\r\x1b[K{progress.text}", end="", file=sys.stderr, flush=True)
            self._open = True
        elif now - self._last > 10:
            self._last = now
            print(progress.text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """End a line that is open."""
        if self._open:
            print(file=sys.stderr)
            self._open = False


@app.command("evaluate")
def evaluate(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Policies: treec's by name, or folders (default: all of treec's)."),
    ] = None,
    episodes: Annotated[
        int, typer.Option("--n", min=1, max=1000, help="Episodes of each start.")
    ] = 10,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Draws the episodes.")] = 0,
    solvable: Annotated[
        bool,
        typer.Option("--solvable/--all", help="Only episodes that the planner solves, or all."),
    ] = True,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", help="Folder for pictures of failures (SVG).")
    ] = None,
    env: Annotated[
        EvaluateEnv, typer.Option("--env", help="Kinematic pantry, or the kitchen's with physics.")
    ] = EvaluateEnv.kinematic,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Try policies, straight motion and the planner in the pantry, without a touch.

    MOSAIC's Table 4: four kinds of starts, the same episodes for all. A touch of the pantry, of a
    neighbour or of the thing is a failure. Needs numpy. With --env sapien the thing is grasped and
    lifted, too, contacts are counted, and the policy is reach_among_things if none is named.
    Policies of DAG-Plan's sub-tasks are tried beside the straight way, at what they were trained
    with; with --env sapien in the scenes of their learning files, and beside planning, too.
    Policies of other environments are tried there, beside random actions.
    """
    import json
    import os

    if env is EvaluateEnv.sapien:  # with more threads a trial took twice the CPU time
        for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(threads, "1")
    opened = open_library(library, or_none=True)
    try:
        from treec_learning import evaluation, policies
        from treec_learning.policy import PolicyError
    except ImportError as error:
        raise Stop(needs_extra("learning", "learn", error)) from None
    try:
        loaded = {
            name: policies.load(policies.find(name, opened.root))
            for name in names or policies.shipped()
        }
    except PolicyError as error:
        raise Stop(str(error)) from None
    if not names:
        loaded = _defaults(loaded, env)
    own = [name for name, policy in loaded.items() if policy.spaces is not None]
    if own and len(own) < len(loaded):
        raise Stop(f"{own[0]} is of an environment of its own: use one kind of policies")
    if own and (env is EvaluateEnv.sapien or pictures is not None or not solvable):
        raise Stop("--env, --pictures and --all are of treec's environments")
    if own:
        _provide(opened)
        return _evaluate_own(loaded, episodes, seed, output_format)
    hands = [name for name, policy in loaded.items() if policy.is_of_hands]
    if hands and len(hands) < len(loaded):
        raise Stop(f"{hands[0]} is judged by other trials than the rest: use one kind of policies")
    if (hands or env is EvaluateEnv.sapien) and (pictures is not None or not solvable):
        raise Stop("--pictures and --all are of the kinematic pantry")
    if hands:
        return _evaluate_hands(opened, loaded, episodes, seed, env, output_format)
    if env is EvaluateEnv.sapien:
        return _evaluate_physics(loaded, episodes, seed, output_format)
    teller = _ProgressLine()
    table = evaluation.evaluate(
        loaded,
        episodes,
        seed,
        only_solvable=solvable,
        tell=lambda text: teller(_ProgressText(text)),
    )
    teller.end()
    if output_format is OutputFormat.json:
        print(json.dumps(evaluation.to_json(table), indent=1))
    else:
        print(evaluation.to_text(table), end="")
    if pictures is not None:
        from treec_learning.pictures import draw_failures

        try:
            for path in draw_failures(table, pictures):
                print(path, file=sys.stderr)
        except OSError as error:
            raise Stop(f"pictures cannot be written to {pictures}: {error.strerror}") from None
    return 0


def _defaults(loaded: dict[str, Policy], env: EvaluateEnv) -> dict[str, Policy]:
    """What is judged if nothing is named: the pantry's policies, with physics the best of them."""
    pantry = {name: one for name, one in loaded.items() if not one.is_of_hands}
    best = "reach_among_things"
    return {best: pantry[best]} if env is EvaluateEnv.sapien and best in pantry else pantry


def _evaluate_hands(
    opened: Library,
    loaded: Mapping[str, Policy],
    episodes: int,
    seed: int,
    env: EvaluateEnv,
    output_format: OutputFormat,
) -> int:
    """Policies of sub-tasks: in the kinematic simulator, or by the scenes of their files."""
    import json

    if env is EvaluateEnv.kinematic:
        from treec_learning.hand import evaluation as kinematic

        simple = kinematic.evaluate(loaded, episodes, seed)
        if output_format is OutputFormat.json:
            print(json.dumps(kinematic.to_json(simple), indent=1))
        else:
            print(kinematic.to_text(simple), end="")
        return 0
    try:
        from treec_learning.sapien import subtask_evaluation as physical
    except ImportError as error:
        raise Stop(needs_extra("learning", "learn,sapien", error)) from None
    teller = _ProgressLine()
    try:
        table = physical.evaluate(
            opened, loaded, episodes, seed, tell=lambda text: teller(_ProgressText(text))
        )
    except ValueError as error:
        raise Stop(str(error)) from None
    finally:
        teller.end()
    if output_format is OutputFormat.json:
        print(json.dumps(physical.to_json(table), indent=1))
    else:
        print(physical.to_text(table), end="")
    return 0


def _evaluate_own(
    loaded: Mapping[str, Policy], episodes: int, seed: int, output_format: OutputFormat
) -> int:
    """Policies of environments that are not treec's, each in its own."""
    import json

    try:
        from treec_learning import own_evaluation
    except ImportError as error:
        raise Stop(needs_extra("learning", "learn", error)) from None
    teller = _ProgressLine()
    try:
        table = own_evaluation.evaluate(
            loaded, episodes, seed, tell=lambda text: teller(_ProgressText(text))
        )
    except ValueError as error:
        raise Stop(str(error)) from None
    finally:
        teller.end()
    if output_format is OutputFormat.json:
        print(json.dumps(own_evaluation.to_json(table), indent=1))
    else:
        print(own_evaluation.to_text(table), end="")
    return 0


def _evaluate_physics(
    loaded: Mapping[str, Policy], episodes: int, seed: int, output_format: OutputFormat
) -> int:
    import json

    try:
        from treec_learning.sapien import evaluation
    except ImportError as error:
        raise Stop(needs_extra("learning", "learn,sapien", error)) from None
    teller = _ProgressLine()
    table = evaluation.evaluate(
        loaded, episodes, seed, tell=lambda text: teller(_ProgressText(text))
    )
    teller.end()
    if output_format is OutputFormat.json:
        print(json.dumps(evaluation.to_json(table), indent=1))
    else:
        print(evaluation.to_text(table), end="")
    return 0


class _ProgressText:
    """A line of progress."""

    point = None

    def __init__(self, text: str) -> None:
        self.text = text


@app.command("reward")
def reward(
    subtask: Annotated[str, typer.Argument(help='The sub-task: "open <refrigerator>".')],
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    graph: Annotated[
        Path | None, typer.Option("--graph", help="File of the task graph that it is a part of.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File for the reward (default: printed).")
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Write the reward of a sub-task from reward primitives.

    Without a model it is that of DAG-Plan's Table 6. A model's answer is checked as every reward
    file is, and asked for again with what was found, twice at most. Exit status 1 without a reward.
    """
    import asyncio

    import yaml

    from treec.ask.transport import TransportError
    from treec_learning import ask_reward

    found_library = open_library(library, or_none=True)
    opened = open_chosen(found_library.root, None, ModelOptions(model, api_base)) if model else None
    try:
        if opened is None:
            written = ask_reward.WrittenReward(
                ask_reward.known_reward(subtask), "DAG-Plan, Table 6"
            )
        else:
            text = "" if graph is None else graph.read_text("utf-8")
            print(f"asking {opened.name} …", file=sys.stderr)
            written = asyncio.run(
                ask_reward.ask_for_reward(
                    subtask, opened.transport, text, lambda line: print(line, file=sys.stderr)
                )
            )
    except ask_reward.NoReward as error:
        raise Stop(str(error), 1) from None
    except TransportError as error:
        raise Stop(f"no answer: {error}", 1) from None
    except (OSError, UnicodeError) as error:
        raise Stop(str(error)) from None
    data = ask_reward.to_file(written.reward)
    content = f"# {subtask}; by {written.by}\n{yaml.safe_dump(data, sort_keys=False)}"
    if out is None:
        print(content, end="")
    elif out.exists():
        raise Stop(f"{out} already exists")
    else:
        out.write_text(content, "utf-8")
        print(out)
    return 0


@app.command("list")
def list_policies(library: LibraryOption = None) -> int:
    """List learning files and the policies that treec brings, with what made them."""
    opened = open_library(library, or_none=True)
    for label, spec in _learnings(opened).items():
        print(f"{label:28}{spec.about}")
    try:
        from treec_learning import policies
    except ImportError as error:
        raise Stop(needs_extra("learning", "learn", error)) from None
    for name in policies.shipped():
        made = policies.load_shipped(name).made
        print(f"\n{name}: {made['command']}")
        print(f"  {made['steps']:,} steps in {made['seconds'] / 60:.1f} minutes, {made['machine']}")
        if made.get("resumed_after"):
            print(f"  resumed after {', '.join(f'{n:,}' for n in made['resumed_after'])} steps")
    return 0


def _learnings(library: Library) -> dict[str, LearningFile]:
    from treec_learning.shipped import learning_files

    own = {entry.name: entry.model for entry in library.of_kind("learning")}
    return {**learning_files(), **own}


def _learning(library: Library, name: str) -> tuple[str, LearningFile]:
    """A learning file of the library, of treec, or at a path. Raises Stop."""
    from treec_learning.shipped import read_learning

    path = Path(name)
    if path.is_file():
        try:
            model = read_learning(path)
        except (ValueError, OSError) as error:
            raise Stop(f"{path}: {error}") from None
        return model.learning, model
    spec: LearningFile = _named("learning", _learnings(library), library, name)
    return name, spec


def _reward(library: Library, name: str) -> RewardFile:
    from treec_learning.shipped import reward_files

    own = {entry.name: entry.model for entry in library.of_kind("reward")}
    spec: RewardFile = _named("reward", {**reward_files(), **own}, library, name)
    return spec


def _named(kind: str, known: Mapping[str, Any], library: Library, name: str) -> Any:
    """One of the known files of a kind. Raises Stop, also for a file that cannot be read."""
    from treec.source.diagnostics import unknown

    if name in known:
        return known[name]
    for problem in library.diagnostics:
        if problem.severity == "error" and f".{kind}." in problem.span.path:
            raise Stop(f"{problem.span}: {problem.message}")
    what = "learning file" if kind == "learning" else kind
    raise Stop(unknown(what, name, known))
