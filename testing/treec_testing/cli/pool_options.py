"""The options `--jobs` and `--on`, for every command that spreads what it does."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from treec.cli.common import Stop
from treec_testing.pool.spread import Pool

JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Parallel processes; no result depends on it."),
]
OnOption = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="WHERE",
        help="Run them on Ray: ray (this machine), ray=ADDRESS or ray://HOST:PORT (a cluster).",
    ),
]


def make_pool(jobs: int | None, on: str, default: int | None = None) -> Pool:
    """The pool that options name; ``default`` is the number of processes without `--jobs`.

    Raises Stop.
    """
    import os

    def warn(text: str) -> None:
        print(f"treec: {text}", file=sys.stderr, flush=True)

    if not on:
        return Pool(jobs or default or os.cpu_count() or 1, warn=warn)
    from treec_testing.pool.ray_workers import address_of
    from treec_testing.pool.workers import CannotOpen

    try:
        address_of(on)
    except CannotOpen as error:
        raise Stop(str(error)) from None
    return Pool(jobs, on, warn)
