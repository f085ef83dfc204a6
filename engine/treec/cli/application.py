"""The commands as one typer application, each in a module of its own."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from treec.cli.command_help import HelpfulCommand
from treec.cli.common import group
from treec.cli.overview import overview, version
from treec.core import CORE
from treec.extensions import Command, ExtensionError, registry


class _Commands(TyperGroup):
    """The commands, whose list needs none of their code."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(overview() + "\n")


def application(only: str | None = None) -> typer.Typer:
    """The command line, or only its command ``only``, which loads 25 ms faster."""
    app = typer.Typer(
        name="treec",
        cls=_Commands,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)  # also keeps a single command a subcommand
    commands = registry().commands
    alone = only in {words.split()[0] for words in commands}
    groups: dict[str, typer.Typer] = {}
    for words, command in commands.items():
        top, _, name = words.partition(" ")
        if not command.call or (alone and top != only):
            continue
        found = _load(command)
        if isinstance(found, typer.Typer):
            for info in found.registered_commands:
                info.cls = HelpfulCommand
            app.add_typer(found, name=words)
            groups[top] = found
        elif found is None:
            continue
        elif name:
            if top not in groups:
                about = commands.get(top, Command(summary=f"Commands of '{top}'."))
                groups[top] = group(top, about.summary)
                app.add_typer(groups[top])
            groups[top].command(name, cls=HelpfulCommand)(found)
        else:
            app.command(top, cls=HelpfulCommand)(found)
    return app


def _options(
    wanted: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    if wanted:
        print(version())
        raise typer.Exit


def _load(command: Command) -> Any:
    """The function or the application of a command; None, and a problem, for what is neither."""
    tables = registry()
    owner = tables.owner(command.call)
    try:
        found = tables.load(command.call)
    except ExtensionError as error:
        if owner.name == CORE.name:
            raise
        tables.problem(error)
        return None
    if not isinstance(found, typer.Typer) and not callable(found):
        tables.problem(ExtensionError(f"{owner}: {command.call} is not a command"))
        return None
    return found
