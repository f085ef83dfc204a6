"""``treec run``: a system, from its files to a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.model_options import (
    ApiBaseOption,
    MaxCostOption,
    MaxTimeOption,
    MaxTokensOption,
    ModelOption,
    OfflineOption,
    check_options,
)
from treec.cli.task_options import EnvOption, JitterOption, SceneOption, TaskOption
from treec.run.model_choice import ModelOptions
from treec.run.task_request import TaskRequest


def command(
    system: Annotated[str | None, typer.Argument(help="The system's name.")] = None,
    scenario: Annotated[
        str | None, typer.Option("--scenario", "-s", help="A scripted user, faults, an end.")
    ] = None,
    task: TaskOption = None,
    scene: SceneOption = None,
    env: EnvOption = None,
    chat: Annotated[
        bool, typer.Option("--chat", help="You are the user: type (so, too, without a scenario).")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Of chance; the scenario's.")] = None,
    speed: Annotated[
        float | None,
        typer.Option("--speed", min=0.01, help="Simulated seconds a real one, when watched."),
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Do not wait for people to watch.")] = False,
    runs: Annotated[
        Path | None, typer.Option("--runs", help="Where runs are kept; runs/ in the library.")
    ] = None,
    jitter: JitterOption = False,
    film: Annotated[
        float | None,
        typer.Option("--film", min=0, help="Seconds between pictures of a film; 0 for none."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Take up a run that broke off: its folder.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Swap edited files in while it runs, when right.")
    ] = False,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    offline: OfflineOption = False,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    max_time: MaxTimeOption = None,
    library: LibraryOption = None,
) -> int:
    """Run a system: status 0 when what the scenario expects has come to be, else 1."""
    from treec.cli.session import Problems, Session

    if chat and task:
        raise Stop("--chat and --task are two ways to say what is to be done: choose one")
    if chat and scenario:
        raise Stop("--chat and --scenario are two users: choose one")
    if resume is not None and (
        system or scenario or chat or seed is not None or task or scene or env or jitter
    ):
        raise Stop("--resume takes system, scenario and seed from the run's journal: name no other")
    if resume is None and system is None:
        raise Stop("name a system to run, or a run to --resume")
    options = ModelOptions(model, api_base, offline, max_cost, max_tokens, max_time)
    check_options(options)
    found = open_library(library, or_none=True)
    try:
        wanted = TaskRequest(task, scene, env, jitter)
        session = Session(found, system, scenario, wanted, seed=seed, runs=runs, resume=resume)
        session.ask(options)
        return session.run(chat=chat, speed=speed, fast=fast, watch=watch, film=film)
    except Problems as error:
        if error.text:
            print(error.text)
        raise Stop(str(error), error.status) from None
