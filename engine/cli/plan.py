"""``treec plan``: plans for arms, a command a module of this package that is called ``plan_…``."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import typer

import treec.cli as package

app = typer.Typer(
    name="plan",
    help="Plans for arms: check a task graph, schedule it, validate a plan, write PDDL.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

PREFIX = "plan_"

for _module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
    if _module.startswith(PREFIX):
        _command = getattr(import_module(f"{package.__name__}.{_module}"), "command", None)
        if _command is not None:  # else a module that commands share
            app.command(_module.removeprefix(PREFIX))(_command)
