"""``python -m experiments.helper.household``: recorded household programs, run and judged."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from experiments.command import main
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library, reason
from treec.cli.model_options import ApiBaseOption, EmbedderOption, ModelOption
from treec.cli.progress import progress

WHOSE = ("recorded", "nearest", "fixed", "helper")
REPAIRS = {"on": "repair", "off": "check", "none": "ignore"}
EYES = ("true", "small")
REASONS = ("oracle", "picture", "none")
SWITCH = {"on": "on", "off": "off"}


def command(
    episodes: Annotated[
        Path,
        typer.Option(
            "--episodes",
            help="Episodes, one JSON object a line (ICAL's format); or TEACh's own: a game, an EDH "
            "or TfD instance (.json), or a folder of them.",
        ),
    ],
    tasks: Annotated[
        Path | None,
        typer.Option(
            "--tasks",
            help="Folder of TEACh's task definitions (default: task_definitions beside them).",
        ),
    ] = None,
    repairs: Annotated[
        list[str] | None,
        typer.Option("--repairs", help="on, off, or none (no checks at all); repeatable."),
    ] = None,
    sight: Annotated[
        list[str] | None,
        typer.Option(
            "--sight",
            help="full, partial, or embodied: rooms, a camera and a map; repeatable. With "
            "--ablations: partial (default) or embodied.",
        ),
    ] = None,
    locator: Annotated[
        list[str] | None,
        typer.Option(
            "--locator",
            help="on, or off: search places in random order (partial sight); repeatable.",
        ),
    ] = None,
    programs: Annotated[
        list[str] | None,
        typer.Option(
            "--programs",
            help="recorded; nearest: of the nearest other dialogue; fixed: of the first other one, "
            "without a memory; helper: HELPER as a whole, from the dialogue, by the model if there "
            "is one; repeatable.",
        ),
    ] = None,
    memory: Annotated[
        list[str] | None,
        typer.Option("--memory", help="Of helper: on, or off (nothing is recalled); repeatable."),
    ] = None,
    correction: Annotated[
        list[str] | None,
        typer.Option("--correction", help="Of helper: on, or off for failed steps; repeatable."),
    ] = None,
    feedback: Annotated[
        list[int] | None,
        typer.Option(
            "--feedback",
            min=0,
            max=9,
            help="Of helper: how often the user says what is missing (default 0); repeatable.",
        ),
    ] = None,
    embedder: EmbedderOption = "auto",
    ablations: Annotated[
        bool,
        typer.Option(
            "--ablations",
            help="HELPER as a whole, without each of its parts, and with feedback: the paper's "
            "Table 2 (partial sight).",
        ),
    ] = False,
    depth_error: Annotated[
        list[float] | None,
        typer.Option(
            "--depth-error", min=0, max=1, help="Embodied: error of depth, a share; repeatable."
        ),
    ] = None,
    odometry_error: Annotated[
        list[float] | None,
        typer.Option(
            "--odometry-error",
            min=0,
            max=1,
            help="Embodied: error of a step and a turn, a share; repeatable.",
        ),
    ] = None,
    eyes: Annotated[
        list[str] | None,
        typer.Option(
            "--eyes",
            help="Embodied: true (masks, names, states; default), or small: a detector of its own "
            "and depth; repeatable.",
        ),
    ] = None,
    reasons: Annotated[
        list[str] | None,
        typer.Option(
            "--reasons",
            help="Embodied: why an action failed is known from the simulator (oracle; default), "
            "from pictures (picture), or not (none); repeatable.",
        ),
    ] = None,
    sessions: Annotated[
        bool,
        typer.Option(
            "--sessions",
            help="Execution from dialogue history: recorded programs from their middle on, judged "
            "by the changes that follow.",
        ),
    ] = False,
    every: Annotated[
        int, typer.Option("--every", min=1, help="Only one episode of so many (default: all).")
    ] = 1,
    slips: Annotated[
        float,
        typer.Option("--slips", min=0, max=1, help="Chance that picking up fails by itself."),
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Random seed of floor plans, slips.")] = 0,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="File for the figure of failures (SVG).")
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Carry out recorded programs and judge the results.

    By default with repairs on and off, and with full and partial sight.
    """
    import json

    from experiments.helper.carry_out import TrialSettings
    from experiments.helper.episodes import EpisodeError, read_episodes
    from experiments.helper.evaluation import ABLATIONS, EMBODIED, evaluate
    from experiments.helper.goals import Definitions, GoalError
    from experiments.helper.model import choose_model
    from experiments.helper.report import to_json, to_svg, to_text
    from treec_memory.embedders import open_embedder
    from treec_memory.models import EmbedderFault

    whole = "helper" in (programs or ())
    if sessions and whole:
        raise Stop("--sessions is of recorded programs: whose history HELPER has is not recorded")
    if not (whole or ablations) and (memory or correction or feedback or model):
        raise Stop("--memory, --correction, --feedback and --model are of --programs helper")
    if ablations:
        if repairs or locator or programs or memory or correction or feedback:
            raise Stop("--ablations chooses the settings itself")
        if sight and sight[1:]:
            raise Stop("--ablations takes one --sight: partial or embodied")
        chosen_rows = ABLATIONS
        if sight:
            _one_of(("partial", "embodied"), sight[0], "--sight")
            chosen_rows = EMBODIED if sight[0] == "embodied" else ABLATIONS
        settings = [TrialSettings(**one, slips=slips, seed=seed) for one in chosen_rows]
    else:
        settings = [
            TrialSettings(
                repairs=REPAIRS[_one_of(REPAIRS, how, "--repairs")],
                sight=_one_of(("full", "partial", "embodied"), seen, "--sight"),
                slips=slips,
                seed=seed,
                locator=_one_of(SWITCH, search, "--locator") == "on",
                programs=_one_of(WHOSE, whose, "--programs"),
                memory=_one_of(SWITCH, recalled, "--memory") == "on",
                correction=_one_of(SWITCH, corrected, "--correction") == "on",
                feedback=times,
                depth_error=depth if seen == "embodied" else 0.0,
                odometry_error=odometry if seen == "embodied" else 0.0,
                eyes=_one_of(EYES, looks, "--eyes") if seen == "embodied" else "true",
                reasons=_one_of(REASONS, known, "--reasons") if seen == "embodied" else "oracle",
            )
            for whose in programs or ("recorded",)
            for recalled in memory or ("on",)
            for corrected in correction or ("on",)
            for times in feedback or (0,)
            for search in locator or ("on",)
            for how in repairs or (("on",) if whole else ("on", "off"))
            for seen in sight or (("partial",) if whole else ("full", "partial"))
            for depth in depth_error or (0.0,)
            for odometry in odometry_error or (0.0,)
            for looks in eyes or ("true",)
            for known in reasons or ("oracle",)
        ]
    settings = list(dict.fromkeys(settings))
    opened = open_library(library, or_none=True)
    chosen = choose_model(opened, model, api_base) if whole or ablations else None
    unread: list[str] = []
    try:
        read = read_episodes(episodes, lambda error: unread.append(str(error)))
        beside = tasks or episodes.parent / "task_definitions"
        definitions = Definitions(beside if any(one.goal is None for one in read) else None)
    except (EpisodeError, GoalError) as error:
        raise Stop("\n".join((*unread, str(error)))) from None
    except OSError as error:
        raise Stop(f"{error.filename} cannot be read: {reason(error)}") from None
    for told in unread:
        print(f"left out: {told}", file=sys.stderr)
    read = read[::every]
    try:
        with progress("programs", len(read) * (len(settings) + 1)) as advance:
            found = evaluate(
                opened,
                read,
                definitions,
                settings,
                model=chosen,
                embedder=open_embedder(embedder),
                advance=advance,
                tell=lambda text: print(text, file=sys.stderr),
                sessions=sessions,
            )
    except EmbedderFault as error:
        raise Stop(str(error)) from None
    found.left_out[:0] = unread
    if not found.trials:
        raise Stop("no episode could be carried out")
    if figure is not None:
        figure.write_text(to_svg(found.summaries), "utf-8")
    name = None if chosen is None else chosen.name
    if output_format is OutputFormat.json:
        data = {**to_json(found.summaries, found.trials), "left_out": found.left_out}
        data["without_goal"] = found.without_goal
        print(json.dumps({"model": name, **data}, indent=1, ensure_ascii=False))
    else:
        print(to_text(found.summaries), end="")
        if whole or ablations:
            by = f"the model {name}" if name else "memory alone, no model"
            print(f"\nHELPER's programs are by {by}.")
        if found.without_goal:
            print(f"\n{len(found.without_goal)} episodes of tasks whose goals are not known")
        if found.left_out:
            print(f"\n{len(found.left_out)} episodes left out")
    return 0


def _one_of(known: Sequence[str] | dict[str, str], given: str, option: str) -> str:
    if given not in known:
        raise Stop(f"{option} is one of {', '.join(known)}, not '{given}'")
    return given


if __name__ == "__main__":
    sys.exit(main(command))
