"""``--task`` and ``--scene``: what is to be done in a run, and where."""

from __future__ import annotations

from typing import Annotated

import typer

TaskOption = Annotated[
    str | None,
    typer.Option("--task", help="The task: its name or words, or words of your own."),
]
SceneOption = Annotated[
    str | None, typer.Option("--scene", help="The scene (default: the task's or the system's).")
]

EnvOption = Annotated[
    str | None,
    typer.Option("--env", help="The environment: symbolic, sapien (default: the system's)."),
]

JitterOption = Annotated[
    bool,
    typer.Option("--jitter", help="Vary object poses a little, by the seed and the scene."),
]
