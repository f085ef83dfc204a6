"""``--task`` and ``--scene``: what is to be done in a run, and where."""

from __future__ import annotations

from typing import Annotated

import typer

TaskOption = Annotated[
    str | None,
    typer.Option("--task", help="What is to be done: a task's words or name, or words of yours."),
]
SceneOption = Annotated[
    str | None, typer.Option("--scene", help="Where: a scene; the task's, or the system's.")
]

EnvOption = Annotated[
    str | None,
    typer.Option("--env", help="What the robots act in: symbolic, sapien; the system's if absent."),
]

JitterOption = Annotated[
    bool,
    typer.Option("--jitter", help="Things stand a little elsewhere, by the seed and the scene."),
]
