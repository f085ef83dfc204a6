"""Asks models and the prompts of several libraries side by side, for ``treec snapshot``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.common import Stop, open_library
from treec.cli.model_options import open_chosen
from treec.cli.progress import progress
from treec.world.spec import ModelOptions
from treec_testing.cli.open_snapshot import open_snapshot, pick

if TYPE_CHECKING:
    from treec.ask.transport import Transport
    from treec.files.library import Library
    from treec_testing.decisions.ask_now import Author
    from treec_testing.decisions.findings import Tally
    from treec_testing.decisions.snapshot import AnyCase, Snapshot


def ask_authors(
    library: Library,
    snapshot: Snapshot,
    which: list[str],
    models: list[str],
    beside: list[Path],
    repeat: int,
    options: ModelOptions,
) -> Tally:
    """Ask each model, or else the rules, with the prompts of each library. Raises Stop.

    Cases of whole systems are played if they are named.
    """
    import asyncio

    from treec_testing.decisions.ask_now import ask_nodes, play_systems
    from treec_testing.decisions.cases import CaseError

    authors = _authors("", library.root, _cases(snapshot, which), models, options)
    for folder in beside:
        other = open_library(folder)
        cases = _cases(open_snapshot(other), which)
        authors += _authors(f" ({folder})", other.root, cases, models, options)
    tally = snapshot.tally()
    try:
        with progress("decisions", sum(len(one.cases) for one in authors) * repeat) as advance:
            asyncio.run(ask_nodes(authors, repeat, tally, advance))
            play_systems(authors, repeat, tally, advance)
    except CaseError as error:
        raise Stop(str(error)) from None
    return tally


def _cases(snapshot: Snapshot, which: list[str]) -> list[AnyCase]:
    """Those that are named, each once; without names those of all nodes."""
    from treec_testing.decisions.authors import BESIDE, RULES
    from treec_testing.decisions.system_cases import SystemCase

    chosen = pick(snapshot.every, which)
    return [
        case
        for case in chosen
        if (
            which and case.author == RULES
            if isinstance(case, SystemCase)
            else BESIDE not in case.id
        )
    ]


def _authors(
    suffix: str, root: Path, cases: Sequence[AnyCase], models: list[str], options: ModelOptions
) -> list[Author]:
    from treec_testing.decisions.ask_now import Author
    from treec_testing.decisions.authors import RULES, author_name

    if not models:
        return [Author(f"{RULES}{suffix}", cases)]
    return [
        Author(
            f"{author_name(name)}{suffix}",
            cases,
            name,
            partial(_open, root, replace(options, model=name)),
        )
        for name in models
    ]


def _open(root: Path, options: ModelOptions, case: AnyCase) -> Transport:
    """The transport of a model; that of a system's case as the system's file has it."""
    from treec_testing.decisions.system_cases import SystemCase

    system = case.view.system if isinstance(case, SystemCase) else None
    opened = open_chosen(root, None if system is None else system.model, options)
    assert opened is not None
    return opened.transport
