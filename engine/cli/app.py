"""The command line: one typer application, each command in a module of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper

import typer
from typer.exceptions import TyperException

from treec import crash
from treec.cli.common import Stop, group
from treec.core import CORE
from treec.extensions import ExtensionError, registry

CLOSED_OUTPUT = 141
"""The status of programs that SIGPIPE ends: 128 + 13."""

GROUPS = {
    "evaluate": "Run experiments and print their results.",
    "journal": "List runs; verify and salvage their journals.",
    "memory": "Show, search and edit a memory of requests and programs.",
    "program": "Check programs that a model wrote.",
    "recipe": "Show, check, draw and import recipes.",
    "thor": "Scenes of AI2-THOR.",
}
"""Help texts of groups that several extensions add commands to."""


def application(only: str | None = None) -> typer.Typer:
    """The command line, or only its command ``only``, which loads 25 ms faster."""
    app = typer.Typer(
        name="treec",
        help="Check, run and test robot systems that are written as YAML files.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(lambda: None)  # keeps a single command a subcommand
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
            problem = f"{registry().owner(target)}: {target} is not a command"
            registry().problem(ExtensionError(problem))
        elif name:
            if top not in groups:
                help = GROUPS.get(top, f"Commands of '{top}'.")
                groups[top] = group(top, help)
                app.add_typer(groups[top])
            groups[top].command(name)(found)
        else:
            app.command(top)(found)
    return app


def run(argv: Sequence[str] | None) -> int:
    """Run a command line and return its exit status; see `treec.cli.main`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # names in files may not fit the encoding
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
        return _end_closed_output()
    except SystemExit as error:  # typer's, of a broken pipe
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        return _end_closed_output()
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and (extras := _extras_with(error.name or "")):
            missing = f"this needs '{error.name}', which is not installed"
            print(f"treec: {missing}; extras that have it: {extras}", file=sys.stderr)
            return 2
        return crash.report(error)
    finally:
        for problem in registry().problems:
            print(f"treec: {problem}", file=sys.stderr)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _end_closed_output()
    return result if isinstance(result, int) else 0


def _extras_with(module: str) -> str:
    """The extras of treec that install a module, as `treec[see]`; empty if none does."""
    import re
    from importlib.metadata import PackageNotFoundError, requires

    top = module.partition(".")[0].lower()
    package = {"pil": "pillow"}.get(top, top.replace("_", "-"))
    try:
        rows = requires("treec") or []
    except PackageNotFoundError:
        return ""
    needs = (re.fullmatch(r"([\w.-]+).*\bextra == [\"']([\w-]+)[\"'].*", it) for it in rows)
    found = {it[2] for it in needs if it is not None and it[1].lower() == package}
    return ", ".join(f"treec[{extra}]" for extra in sorted(found - {"dev"}))


def _end_closed_output() -> int:
    """The status of a program whose output nobody reads any more (`treec … | head`)."""
    with suppress(OSError, ValueError):  # stdout may be no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_OUTPUT
