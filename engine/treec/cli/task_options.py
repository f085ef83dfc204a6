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
MonitorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--monitor",
        metavar="NAME[=ADDRESS]",
        help="Show the run to another program as it goes on, such as groot2 (at port 1667 and the "
        "next one) or groot2=0.0.0.0:1667; several times.",
    ),
]
