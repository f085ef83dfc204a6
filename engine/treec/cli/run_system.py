"""``treec run``: run a system or a tree."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from treec.api.prepare_tree import tree_file
from treec.cli.common import LibraryOption, RunsOption, Stop, open_library
from treec.cli.complete import complete_fault
from treec.cli.find_run import find_run
from treec.cli.model_options import (
    ApiBaseOption,
    EmbedderOption,
    MaxCostOption,
    MaxTimeOption,
    MaxTokensOption,
    ModelOption,
    OfflineOption,
    check_options,
)
from treec.cli.task_options import (
    EnvOption,
    JitterOption,
    SceneOption,
    SeedOption,
    SpeedOption,
    TaskOption,
)
from treec.nodes.approval import Approved
from treec.run.model_choice import ModelOptions
from treec.run.task_request import TaskRequest


def command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[SYSTEM|TREE]", help="A system, or a tree: its name or its file."),
    ] = None,
    port: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PORT=VALUE]...", help="Ports of a tree, such as agent=R1."),
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option(
            "--scenario",
            "-s",
            help="Scenario of this system, or of another of its domain: user, faults, goal.",
        ),
    ] = None,
    task: TaskOption = None,
    scene: SceneOption = None,
    env: EnvOption = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system", help="System for a tree (default: the only one with it) or a scenario."
        ),
    ] = None,
    dialogue: Annotated[
        list[str] | None,
        typer.Option(
            "--dialogue",
            metavar="WORDS",
            help="What the user says: at first, and if given again, at each of their turns.",
        ),
    ] = None,
    chat: Annotated[
        bool, typer.Option("--chat", help="Talk as the user (default without a scenario or task).")
    ] = False,
    seed: SeedOption = None,
    speed: SpeedOption = None,
    fast: Annotated[
        bool, typer.Option("--fast", help="Run on virtual time, as fast as possible.")
    ] = False,
    runs: RunsOption = None,
    jitter: JitterOption = False,
    disturb: Annotated[
        list[str] | None,
        typer.Option(
            "--disturb",
            metavar="TIME: FACT",
            help="What happens then, such as '30s: at(parcel) == none'; several times.",
        ),
    ] = None,
    mock: Annotated[
        list[str] | None,
        typer.Option(
            "--mock",
            metavar="NODE=STATUSES",
            help="Scripted statuses in place of nodes whose paths fit, such as '*/drive=RRS': R "
            "running, S success, F failure, one for each tick; several times.",
        ),
    ] = None,
    inject: Annotated[
        list[str] | None,
        typer.Option(
            "--inject",
            metavar="[TIME:] FAULT",
            help="A fault, such as 'fail pick(parcel)', '20s: set at(parcel) == none', 'unknown "
            "at(parcel)', 'out R1', 'model silent', 'lose sapien'; several times.",
            autocompletion=complete_fault,
        ),
    ] = None,
    step: Annotated[
        bool,
        typer.Option(
            "--step", help="Stop after each tick that changes a node; on virtual time, as --fast."
        ),
    ] = False,
    pause_at: Annotated[
        list[str] | None,
        typer.Option(
            "--pause-at",
            metavar="NODE",
            help="Stop where a node whose path fits begins or ends, then step; several times.",
        ),
    ] = None,
    approve: Annotated[
        list[Approved] | None,
        typer.Option(
            "--approve",
            help="Ask before each skill whether it may begin, or before the actions of each "
            "decision whether they may take effect; both, if given twice.",
        ),
    ] = None,
    see: Annotated[
        bool,
        typer.Option(
            "--see",
            help="Ask the providers of skills' needs, such as cameras (default: skills use what "
            "the environment knows).",
        ),
    ] = False,
    film: Annotated[
        float | None,
        typer.Option("--film", min=0, help="Seconds between frames of a film; 0 for no film."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="Continue an interrupted run, named by its folder."),
    ] = None,
    memories: Annotated[
        Path | None,
        typer.Option(
            "--memories",
            help="Folder of the memories (default: the library's; a scenario has its own).",
        ),
    ] = None,
    embedder: EmbedderOption = "lexical",
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Reload edited files during the run once they pass the check."
        ),
    ] = False,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    offline: OfflineOption = False,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    max_time: MaxTimeOption = None,
    library: LibraryOption = None,
) -> int:
    """Run a system or a tree.

    Exit status 0 if the scenario's expectations were met, or a tree returned SUCCESS; 1 otherwise.
    """
    from treec.cli.session import CannotStart, Session

    if chat and task:
        raise Stop("--chat and --task exclude each other")
    if chat and scenario:
        raise Stop("--chat and --scenario exclude each other: both provide the user")
    if dialogue and (task or scenario or resume):
        raise Stop("--dialogue is what the user says: leave out --task, --scenario and --resume")
    if resume is not None and (
        seed is not None
        or any((name, scenario, chat, task, scene, env, jitter, disturb, mock, inject, see))
        or any((system, port))
    ):
        raise Stop("--resume takes the system, scenario and seed from the run: name no others")
    if resume is None and name is None:
        raise Stop("name a system ('treec packs' lists those of packs), or a run to --resume")
    if chat and (step or pause_at or approve):
        raise Stop("--step, --pause-at and --approve stop virtual time: leave --chat out")
    options = ModelOptions(model, api_base, offline, max_cost, max_tokens, max_time)
    check_options(options)
    found = open_library(library, or_none=True, tree=tree_file(name), system=system)
    if resume is not None:
        resume = find_run(resume, runs, library).parent
    try:
        request = TaskRequest(
            task,
            scene,
            env,
            jitter,
            tuple(disturb or ()),
            tuple(mock or ()),
            tuple(inject or ()),
            see,
        )
        session = Session(
            found,
            name,
            scenario,
            request,
            seed=seed,
            runs=runs,
            resume=resume,
            surroundings=system,
            ports=_parse_ports(port or ()),
            memories=memories,
            embedder=embedder,
        )
        session.open_model(options)
        return session.run(
            chat=chat or bool(dialogue),
            speed=speed,
            fast=fast,
            watch=watch,
            film=film,
            lines=dialogue or (),
            step=step,
            pause_at=pause_at or (),
            approve=approve or (),
        )
    except CannotStart as error:
        if error.text:
            print(error.text)
        raise Stop(str(error), error.status) from None


def _parse_ports(texts: Iterable[str]) -> dict[str, object]:
    """The values of ports, written NAME=VALUE; a value that is no JSON is a text."""
    ports: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise Stop(f"'{text}' is no port: write NAME=VALUE, such as agent=R1")
        try:
            ports[name] = json.loads(value)
        except ValueError:
            ports[name] = value
    return ports
