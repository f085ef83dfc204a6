"""``treec run``: run a system or a tree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from treec.api.prepare_tree import tree_file
from treec.cli.basics import tool
from treec.cli.common import LibraryOption, RunsOption, Stop, open_library
from treec.cli.find_run import find_run
from treec.cli.spec_options import OPTIONS, takes
from treec.cli.task_options import MonitorOption
from treec.nodes.approval import Approved
from treec.world.spec import RunSpec


@takes(RunSpec, *OPTIONS)
def command(
    spec: RunSpec,
    within: Annotated[
        str | None,
        typer.Option(
            "--system",
            help="System for a tree (default: the only one with it), a scenario, or a model.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="Continue an interrupted run, named by its folder."),
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
    values: Annotated[
        str | None,
        typer.Option(
            "--values",
            metavar="PATTERN",
            help="Show variables and ports of trees when they change: '*', count, 'main.*'.",
        ),
    ] = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Reload edited files during the run once they pass the check."
        ),
    ] = False,
    monitor: MonitorOption = None,
    voice: Annotated[
        bool, typer.Option("--voice", help="Talk by microphone and loudspeaker, and by typing.")
    ] = False,
    voice_in: Annotated[
        Path | None,
        typer.Option("--voice-in", metavar="FILE.wav", help="Hear a file, not the microphone."),
    ] = None,
    voice_out: Annotated[
        Path | None,
        typer.Option("--voice-out", metavar="FOLDER", help="Write what is spoken as WAV files."),
    ] = None,
    runs: RunsOption = None,
    library: LibraryOption = None,
) -> int:
    """Run a system or a tree.

    Exit status 0 if the scenario's expectations were met, or a tree returned SUCCESS; 1 otherwise.
    """
    from treec.cli.session import Session
    from treec.run.folder import JOURNAL

    if resume is not None and (spec.is_recorded or spec.chat or spec.dialogue or within):
        raise Stop("--resume takes the system, scenario and seed from the run: specify no others")
    if resume is None and not spec.system:
        raise Stop("specify a system (see 'treec packs'), or a run to --resume")
    tree = tree_file(spec.system or None)
    scenario = None if tree else spec.scenario
    if tree:
        system = within
    else:  # with a model it may be another one
        system = spec.system if within in (None, spec.system) and not spec.model else None
    found = open_library(library, or_none=True, tree=tree, system=system or None, scenario=scenario)
    if within is None and spec.model and resume is None and found.find("system", spec.system):
        instead = found.resolve_system(spec.system).model.with_model
        spec = replace(spec, system=instead or spec.system)
    elif within != spec.system and (within is not None or spec.ports):
        spec = replace(spec, tree=spec.system, system=within or "")
    if resume is not None:
        if resume.is_file() and resume.name != JOURNAL:
            raise Stop(f"{resume}: a run is resumed from its folder, not from a file")
        resume = find_run(resume, runs, library).parent
    show: Any = None
    if voice or voice_in or voice_out:
        make: Any = tool("voice", "--voice cannot be used")
        files = {"heard": voice_in, "spoken": voice_out}
        show = make(found.root, voice=voice, **files, fast=spec.fast, speed=spec.speed)
        spec = replace(spec, chat=spec.chat or voice or voice_in is not None)
    session = Session(found, spec, runs=runs, resume=resume)
    return session.run(
        watch=watch,
        step=step,
        pause_at=pause_at or (),
        approve=approve or (),
        values=values,
        monitors=monitor or (),
        show=show,
    )
