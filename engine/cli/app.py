"""The command line: one typer application, each command in a module of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

import typer
from typer.exceptions import TyperException

from engine.cli import check, evaluate, explain, new, recipe, render, run_system, schema, trace
from engine.cli.common import Stop

app = typer.Typer(
    name="treec",
    help="Robots that think with language models, as files: check them, run them, draw them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("check")(check.command)
app.command("explain")(explain.command)
app.command("run")(run_system.command)
app.command("trace")(trace.command)
app.command("render")(render.command)
app.add_typer(recipe.app)
app.command("schema")(schema.command)
app.command("new")(new.command)
app.command("evaluate")(evaluate.command)


def run(argv: Sequence[str] | None) -> int:
    """Run a command line; usage errors and what cannot run end with status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # no name in a file may end a command
    try:
        result = app(args=None if argv is None else list(argv), standalone_mode=False)
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
