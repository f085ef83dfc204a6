"""``--task`` and ``--scene``: what is to be done in a run, and where."""

from __future__ import annotations

from typing import Annotated

import typer

TaskOption = Annotated[
    str | None,
    typer.Option("--task", help="What is to be done: name or words of a task, or your own words."),
]
SceneOption = Annotated[
    str | None, typer.Option("--scene", help="Scene (default: the task's, else the system's).")
]

EnvOption = Annotated[
    str | None,
    typer.Option("--env", help="Environment: symbolic or sapien (default: the system's)."),
]

JitterOption = Annotated[
    bool,
    typer.Option("--jitter", help="Perturb the initial poses, as the scene's `jitter` allows."),
]
