"""``treec skill``: skills on their own."""

from __future__ import annotations

import typer

from treec.cli import skill_try

app = typer.Typer(
    name="skill",
    help="Skills on their own: try one out.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.callback()(lambda: None)  # so that a command that is alone is still named
app.command("try")(skill_try.command)
