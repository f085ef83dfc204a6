"""Options that say what is done in a run, and where."""

from __future__ import annotations

from typing import Annotated

import typer

TaskOption = Annotated[
    str | None,
    typer.Option("--task", help="Task: its name, its words, or words of your own."),
]
SceneOption = Annotated[
    str | None, typer.Option("--scene", help="Scene (default: the task's or the system's).")
]

EnvOption = Annotated[
    str | None,
    typer.Option("--env", help="Environment, such as symbolic or sapien (default: the system's)."),
]

JitterOption = Annotated[
    bool,
    typer.Option("--jitter", help="Vary object poses by the seed, within the scene's limits."),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Random seed (default: the scenario's).")
]
SpeedOption = Annotated[
    float | None, typer.Option("--speed", min=0.01, help="Simulated seconds per real second.")
]
