"""The command line: one typer application, each command in a module of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

import typer
from typer.exceptions import TyperException

from treec.cli.common import Stop
from treec.core import CORE
from treec.extensions import ExtensionError, registry

GROUPS = {
    "evaluate": "Experiments on a whole system.",
    "recipe": "Recipes: show one, check it, draw it, import one.",
}
"""Groups that extensions may add commands to, with their help."""


def application(only: str | None = None) -> typer.Typer:
    """The command line; with one command alone where that is asked for, which takes 25 ms less."""
    app = typer.Typer(
        name="treec",
        help="Robots that think with language models, as files: check them, run them, draw them.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(lambda: None)  # so that a command that is alone is still named
    commands = registry().commands
    alone = only in {words.split()[0] for words in commands}
    groups: dict[str, typer.Typer] = {}
    for words, target in commands.items():
        top, _, name = words.partition(" ")
        if alone and top != only:
            continue
        try:
            found = registry().load(target)
        except ExtensionError as error:
            if registry().owner(target).name == CORE.name:
                raise
            registry().problem(error)
            continue
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=words)
            groups[top] = found
        elif not callable(found):
            told = f"{target} is no command"
            registry().problem(ExtensionError(f"{registry().owner(target)}: {told}"))
        elif name:
            if top not in groups:
                help = GROUPS.get(top, f"Commands of '{top}'.")
                groups[top] = typer.Typer(name=top, help=help, no_args_is_help=True)
                app.add_typer(groups[top])
            groups[top].command(name)(found)
        else:
            app.command(top)(found)
    return app


def run(argv: Sequence[str] | None) -> int:
    """Run a command line; usage errors and what cannot run end with status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # no name in a file may end a command
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        result = application(*args[:1])(args=args, standalone_mode=False)
    except Stop as error:
        if str(error):
            print(f"treec: {error}", file=sys.stderr)
        return error.status
    except TyperException as error:
        show = getattr(error, "show", None)
        if show is not None:
            show()
        return 2
    except ExtensionError as error:
        print(f"treec: {error}", file=sys.stderr)
        return 2
    except (typer.Abort, KeyboardInterrupt):
        print("treec: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 0
    except Exception:
        import traceback

        traceback.print_exc()
        print("treec: this is a mistake in treec itself, not in your files", file=sys.stderr)
        return 2
    finally:
        for problem in registry().problems:
            print(f"treec: {problem}", file=sys.stderr)
    return result if isinstance(result, int) else 0
