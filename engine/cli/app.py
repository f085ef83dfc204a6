"""The command line: one typer application, each command in a module of its own."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from io import TextIOWrapper

import typer
from typer.exceptions import TyperException

from treec.cli.common import Stop

COMMANDS: Mapping[str, str] = {
    "check": "check",
    "explain": "explain",
    "run": "run_system",
    "trace": "trace",
    "render": "render",
    "report": "report",
    "replay": "replay",
    "snapshot": "snapshot",
    "case": "case",
    "ask": "ask",
    "compare": "compare",
    "recipe": "recipe",
    "plan": "plan",
    "env": "env",
    "skill": "skill",
    "schema": "schema",
    "new": "new",
    "evaluate": "evaluate",
    "fake-model": "fake_model",
}
"""Commands and groups of them, each with its module, in the order of the help."""


def application(only: str | None = None) -> typer.Typer:
    """The command line; with one command alone where that is asked for, which takes 25 ms less."""
    app = typer.Typer(
        name="treec",
        help="Robots that think with language models, as files: check them, run them, draw them.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(lambda: None)  # so that a command that is alone is still named
    for name in COMMANDS if only not in COMMANDS else (str(only),):
        module = import_module(f"treec.cli.{COMMANDS[name]}")
        if hasattr(module, "app"):
            app.add_typer(module.app)
        else:
            app.command(name)(module.command)
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
    return result if isinstance(result, int) else 0
