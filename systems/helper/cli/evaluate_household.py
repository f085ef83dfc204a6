"""``treec evaluate household``: recorded household programs, carried out and judged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.evaluate_progress import progress

WHOSE = ("recorded", "nearest", "adapted", "fixed")
REPAIRS = {"on": "repair", "off": "check", "none": "ignore"}


def command(
    episodes: Annotated[
        Path, typer.Option("--episodes", help="Episodes, one JSON object a line (ICAL's format).")
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
        list[str] | None, typer.Option("--sight", help="full or partial; repeatable.")
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
            help="recorded; nearest: of the nearest other dialogue; adapted: the same changed by "
            "rules; fixed: of the first other one, without a memory; repeatable.",
        ),
    ] = None,
    slips: Annotated[
        float,
        typer.Option("--slips", min=0, max=1, help="Chance that picking up fails by itself."),
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Random seed of floor plans, slips.")] = 0,
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

    from treec.memory.embedders import LexicalEmbedder
    from treec.systems.helper.carry_out import TrialSettings, episode_view
    from treec.systems.helper.episodes import EpisodeError, read_episodes, unknown_objects
    from treec.systems.helper.functions import thing_classes
    from treec.systems.helper.goals import Definitions, GoalError
    from treec.systems.helper.measure import EpisodeTrial, summarize, try_episode
    from treec.systems.helper.report import to_json, to_svg, to_text
    from treec.systems.helper.retrieval import other_program

    settings = [
        TrialSettings(_one_of(REPAIRS, how, "--repairs"), seen, slips, seed, search == "on", whose)
        for whose in programs or ("recorded",)
        for search in locator or ("on",)
        for how in repairs or ("on", "off")
        for seen in sight or ("full", "partial")
    ]
    for one in settings:
        _one_of({"full": "", "partial": ""}, one.sight, "--sight")
        _one_of(dict.fromkeys(WHOSE, ""), one.programs, "--programs")
    for search in locator or ():
        _one_of({"on": "", "off": ""}, search, "--locator")
    found, embedder = open_library(library, or_none=True), LexicalEmbedder()
    trials: list[EpisodeTrial] = []
    left_out: list[str] = []
    try:
        read = read_episodes(episodes)
        definitions = Definitions(tasks or episodes.parent / "task_definitions")
    except (OSError, UnicodeDecodeError, EpisodeError, GoalError) as error:
        raise Stop(str(error)) from None
    with progress("programs", len(read) * (len(settings) + 1)) as advance:
        shortest: dict[str, int] = {}
        for episode in read:
            try:
                view = episode_view(found, episode)
                for told in unknown_objects(episode, view.types).values():
                    print(f"object left out: {told}", file=sys.stderr)
                best = try_episode(view, episode, definitions, TrialSettings(seed=seed))
                if best.done:
                    shortest[episode.id] = best.steps
                advance()
                for one in settings:
                    program = None
                    if one.programs != "recorded":
                        kinds = thing_classes(view.types)
                        program = other_program(read, episode, one.programs, embedder, kinds)
                    trials.append(try_episode(view, episode, definitions, one, program))
                    advance()
            except (EpisodeError, GoalError) as error:
                left_out.append(str(error))
                print(f"left out: {error}", file=sys.stderr)
    if not trials:
        raise Stop("no episode could be carried out")
    summaries = [summarize([t for t in trials if t.settings == s], shortest) for s in settings]
    if figure is not None:
        figure.write_text(to_svg(summaries), "utf-8")
    if output_format is OutputFormat.json:
        data = {**to_json(summaries, trials), "left_out": left_out}
        print(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        print(to_text(summaries), end="")
        if left_out:
            print(f"\n{len(left_out)} episodes left out")
    return 0


def _one_of(known: dict[str, str], given: str, option: str) -> str:
    if given not in known:
        raise Stop(f"{option} is one of {', '.join(known)}, not '{given}'")
    return known[given]
